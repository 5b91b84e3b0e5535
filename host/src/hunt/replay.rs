//! Runs that can be had again, instruction by instruction, for exact evidence.

use evidence::code::Code;
use evidence::log::Log;
use evidence::run::{RunError, Schedule, record};
use golden::memory::Parameters;
use std::sync::Arc;

/// Everything that decides a run of the golden machine.
pub struct Replay<'a> {
    /// The linked file as it ran: with its arguments, and with what it was told to monitor, which changes schedules.
    pub file: &'a [u8],
    /// The machine.
    pub machine: &'a Parameters,
    /// The schedule, with the strategy of its seed and the points learned before the hunt.
    pub schedule: Schedule,
}

impl Replay<'_> {
    /// The order log of the run. `code` is read once from [`Self::file`], which is the same for all runs of a source.
    ///
    /// # Errors
    /// If the firmware asks for what no host does.
    pub fn record(&self, code: &Arc<Code>) -> Result<Log, RunError> {
        record(code, self.machine, &self.schedule)
    }
}
