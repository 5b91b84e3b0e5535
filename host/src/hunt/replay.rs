//! A run of the golden machine once more: everything that decides it.

use ::evidence::run::{Lab, Order};

/// A program on the golden machine, and the order in which a run's harts went.
pub struct Replay {
    /// The program as it ran: with its arguments, and with what it was told to monitor, which changes schedules.
    pub lab: Lab,
    /// The order, of the run's seed.
    pub order: Order,
}
