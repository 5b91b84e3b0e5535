//! A run once more, on the golden machine: everything that decides it.

use ::evidence::run::{Lab, Order};

/// A program on the golden machine, and the order in which a run's harts went.
pub struct Replay {
    /// The program as it ran: with its arguments, and with what it was told to monitor, which changes schedules.
    pub lab: Lab,
    /// The order: of the run's seed, or as the run's log has it.
    pub order: Order,
}

/// How many runs are replayed where that takes long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplayLimits {
    /// Failing runs.
    pub failing: usize,
    /// Passing runs.
    pub passing: usize,
}
