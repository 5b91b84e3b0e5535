//! One run of one schedule, on whatever machine.

use super::{HuntError, Level, Tail};
use config::Perturbation;
use cosim::machine::Counts;
use golden::machine::Accessed;
use record::Run;

/// Which schedule: the same one gives the same run, for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Its number; 0 perturbs nothing.
    pub seed: u64,
    /// How far it goes, on machines that are perturbed.
    pub perturbation: Perturbation,
}

impl Schedule {
    /// The one that a hunt runs for a seed at this level.
    pub fn of(executor: &dyn Executor, seed: u64, level: Level) -> Self {
        const NONE: Perturbation =
            Perturbation { chance: 0, burst: 0, max_stall: 0, max_passes: 0 };
        let perturbation = executor.perturbation().map_or(NONE, |base| level.of(base));
        Self { seed, perturbation }
    }
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
    /// Every data access to memory, in order, if [`Setup::accesses`](super::Setup::accesses) asked for it.
    pub accesses: Vec<Accessed>,
    /// What the harts did together, if it asked and there is hardware.
    pub counts: Option<Counts>,
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
