//! How a run ended.

use border::End;
use golden::machine::Accessed;
use golden::memory::Tap;

use super::{Hang, Soc, Stats};

/// Bytes from the program and its firmware, by descriptor, except console text (`docs/firmware.md`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// Descriptor 2: error text, unless [`Options::errors`](super::Options::errors) receives it.
    pub errors: Vec<u8>,
    /// Descriptor 3: the record stream.
    pub records: Vec<u8>,
    /// Descriptor 4: unframed edges.
    pub bare_edges: Vec<u8>,
}

/// Result of a completed run.
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// Cycle of the program's exit, or of the stop.
    pub ended_at: u64,
    /// State of the harts, if the program did not exit.
    pub hang: Option<Hang>,
    /// Cycles run, including reset and the host's last accesses.
    pub cycles: u64,
    /// Number of instructions compared with the golden machine.
    pub compared: u64,
    /// The counters, if [`Options::stats`](super::Options::stats) is set.
    pub stats: Option<Stats>,
    /// The edges in order, if [`Options::collect`](super::Options::collect) is set.
    pub edges: Vec<Tap>,
    /// The data accesses to memory in order, if [`Options::accesses`](super::Options::accesses) is set.
    pub accesses: Vec<Accessed>,
    /// The same accesses as the golden machine performed them in lockstep; ends at the first access that
    /// did not retire in the hardware.
    pub followed: Vec<Accessed>,
    /// Output of the program's firmware.
    pub sent: Sent,
    /// The machine in its final state.
    pub soc: Soc,
}
