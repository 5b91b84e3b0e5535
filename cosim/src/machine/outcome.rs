//! How a run ended.

use border::End;
use golden::machine::Accessed;
use golden::memory::Tap;

use super::{Hang, Soc, Stats};

/// What a program and its firmware send beside the console's text (`docs/firmware.md`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// Descriptor 2: complaints, unless [`Options::errors`](super::Options::errors) took them.
    pub errors: Vec<u8>,
    /// Descriptor 3: the record stream.
    pub records: Vec<u8>,
    /// Descriptor 4: edges without frames.
    pub bare_edges: Vec<u8>,
}

/// A run that is over.
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// The cycle in which the program said so, or in which it was stopped.
    pub ended_at: u64,
    /// Where the harts were, if the program did not end by itself.
    pub hang: Option<Hang>,
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
