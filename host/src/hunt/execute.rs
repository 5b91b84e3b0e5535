//! One run of one schedule, on whatever machine.

use super::{HuntError, Tail};
use config::Perturbation;
use record::Run;

/// Which schedule: the same one gives the same run, for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Its number; 0 perturbs nothing.
    pub seed: u64,
    /// How far it goes, on machines that are perturbed.
    pub perturbation: Perturbation,
}

/// A run that is over.
#[derive(Clone, Debug)]
pub struct Finished {
    /// What was communicated, and how it ended. Nobody has labeled it yet.
    pub run: Run,
    /// What the program printed.
    pub console: Tail,
    /// What it, or the firmware for it, complained of.
    pub errors: Tail,
}

/// A machine with a program, ready to run it under any schedule. Runs do not touch each other, and may
/// go on side by side.
pub trait Executor: Sync {
    /// Runs it to its end.
    ///
    /// # Errors
    /// If machine or firmware are at fault. A program that goes wrong is a [`Finished`] one.
    fn execute(&self, schedule: Schedule) -> Result<Finished, HuntError>;

    /// The perturbation that the configuration asks for; `None`: seeds alone choose the schedule.
    fn perturbation(&self) -> Option<Perturbation>;
}
