//! Why control goes to the trap handler.

/// The bit of `mcause` that marks interrupts.
pub const INTERRUPT_BIT: u32 = 1 << 31;
/// Another hart, or this one, wrote `msip`.
pub const SOFTWARE_INTERRUPT: u32 = 3;
/// `mtime` reached `mtimecmp`.
pub const TIMER_INTERRUPT: u32 = 7;
/// The communication table holds as many edges as its watermark says.
pub const TABLE_INTERRUPT: u32 = 16;

/// The bits of `mie` and `mip` that every hart has.
pub const INTERRUPTS: u32 = 1 << SOFTWARE_INTERRUPT | 1 << TIMER_INTERRUPT;
/// The bits of `mie` and `mip` of a hart with a communication table.
pub const INTERRUPTS_WITH_TABLE: u32 = INTERRUPTS | 1 << TABLE_INTERRUPT;

/// Which of several interrupts (bits as in `mip`) is taken first.
pub fn interrupt_of_highest_priority(ready: u32) -> Option<u32> {
    let in_order = [TABLE_INTERRUPT, SOFTWARE_INTERRUPT, TIMER_INTERRUPT];
    in_order.into_iter().find(|interrupt| ready >> interrupt & 1 != 0)
}

/// The exceptions, with their codes in `mcause`.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    MisalignedFetch = 0,
    FetchAccess = 1,
    IllegalInstruction = 2,
    Breakpoint = 3,
    MisalignedLoad = 4,
    LoadAccess = 5,
    MisalignedStore = 6,
    StoreAccess = 7,
    EcallFromUser = 8,
    EcallFromMachine = 11,
}

impl Cause {
    /// What `mcause` becomes.
    pub fn code(self) -> u32 {
        self as u32
    }
}
