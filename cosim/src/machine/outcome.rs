//! How a run ended.

use golden::machine::Accessed;
use golden::memory::Tap;

use super::{Hang, Soc, Stats};

/// What ended a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The program, with its code, in this cycle.
    Exit {
        /// What it said.
        code: u32,
        /// When.
        cycle: u64,
    },
    /// The limit of cycles.
    Limit,
    /// Nothing moves any more.
    Hang(Hang),
}

/// What a program and its firmware send beside the console's text (`docs/firmware.md`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// Descriptor 2: complaints.
    pub errors: Vec<u8>,
    /// Descriptor 3: the record stream.
    pub records: Vec<u8>,
    /// Descriptor 4: edges without frames.
    pub bare_edges: Vec<u8>,
}

/// A run that is over.
pub struct Outcome {
    /// How.
    pub end: End,
    /// The cycles it took, reset and the host's last words included.
    pub cycles: u64,
    /// Instructions compared with the golden machine.
    pub compared: u64,
    /// The counters, if wanted.
    pub stats: Option<Stats>,
    /// The edges, if wanted, in order.
    pub edges: Vec<Tap>,
    /// The data accesses to memory, if wanted, in order.
    pub accesses: Vec<Accessed>,
    /// The same in lockstep, as the golden machine performed them: it ends at the first that has not
    /// ended in the hardware.
    pub followed: Vec<Accessed>,
    /// What the program's firmware sent.
    pub sent: Sent,
    /// The machine as it was left.
    pub soc: Soc,
}
