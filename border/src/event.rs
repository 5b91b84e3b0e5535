//! What the event counters of a hart count: `mhpmcounter3` and those after it.

numbered! {
    /// An event. Its number is that of its counter, and what its `mhpmevent` reads.
    pub enum Event {
        /// an instruction was not in the cache, or not in the way that was guessed, when it was to be fetched; on mispredicted paths too
        FetchMiss = 3,
        /// a load or store of RAM did not hit in its first cycle
        DataMiss = 4,
        /// the instruction after a jump or branch had been fetched from the wrong pc
        Mispredict = 5,
        /// a cycle in which the hart waits for an instruction
        FetchWait = 6,
        /// a cycle in which the hart waits for the bus
        BusWait = 7,
        /// a cycle in which the hart waits for a device
        DeviceWait = 8,
        /// a cycle in which the hart waits for room in the communication table
        TableWait = 9,
        /// a cycle in which the hart waits for an interrupt, in WFI
        InterruptWait = 10,
        /// a cycle in which the hart is held: by the perturbation, `run` or a unit beside the hart
        HeldWait = 11,
        /// a cycle in which an instruction waits for an operand that one ahead of it computes or loads
        OperandWait = 12,
        /// a cycle in which an instruction stays in the third stage although the fourth is free: it divides, or the
        /// data cache does not take its access yet
        ExecuteWait = 13,
    }
}

/// Bits of a counter; those above read 0.
pub const COUNTER_BITS: u32 = 48;
