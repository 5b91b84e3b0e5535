//! A source of runs: something that runs a program under any schedule, and records what it communicated.
//!
//! Nothing here knows what a source is made of; [`super::sources`] lists those there are.

use super::visits::Visitors;
use super::{HuntError, Level, Probe, Replay, ReplayLimits, Tail, Visit};
use crate::breakpoint::Set;
use ::evidence::log::Log;
use ::evidence::run::Witness;
use golden::isa::Retired;
use record::{Hart, Pc, Run};
use std::collections::BTreeSet;

/// A schedule: from one source, the same one gives the same run, for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Its number; 0 perturbs nothing.
    pub seed: u64,
    /// How much it is perturbed, where [`Source::has_levels`].
    pub level: Level,
}

/// A data access to memory, at its place in the order. An SC that failed is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataAccess {
    /// The hart, or the thread of a source without harts.
    pub hart: Hart,
    /// Its instruction.
    pub pc: Pc,
    /// The program's own or its library's; else the firmware's.
    pub user: bool,
    /// The address, as the instruction has it.
    pub address: u64,
    /// It wrote: a store, an AMO or an SC.
    pub write: bool,
}

/// What a source's hardware did in a run, counted as Table 5 of the Bugaboo paper counts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Loads, stores and atomics.
    pub operations: u64,
    /// Load misses.
    pub reads: u64,
    /// Store misses.
    pub read_exclusives: u64,
    /// Stores to shared lines.
    pub upgrades: u64,
    /// Edges offered to tables.
    pub edges: u64,
    /// Interrupts of tables.
    pub traps: u64,
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
    pub accesses: Vec<DataAccess>,
    /// What the hardware did, if that was asked for and there is hardware.
    pub work: Option<Work>,
}

/// A program, ready to be run under any schedule. Runs do not touch each other, and may go on side by side.
pub trait Source: Sync {
    /// Its name: what `--on` says, and what the journal says of each run.
    fn name(&self) -> &'static str;

    /// What decides its runs, beside the program and how it is run: another text when the same schedule may
    /// give another run.
    ///
    /// # Errors
    /// If that cannot be found out.
    fn identity(&self) -> Result<String, HuntError>;

    /// Whether schedules can be perturbed more or less; else seeds alone choose them.
    fn has_levels(&self) -> bool;

    /// Runs the program to its end.
    ///
    /// # Errors
    /// If machine or firmware are at fault. A program that goes wrong is a [`Finished`] one.
    fn run(&self, schedule: Schedule) -> Result<Finished, HuntError>;

    /// The same run once more, for exact evidence, if this source can show every instruction of it.
    fn replay(&self, _: Schedule) -> Option<Result<Replay, HuntError>> {
        None
    }

    /// How many runs are worth replaying, if a replay takes about as long as a run; else all are.
    fn replay_limits(&self) -> Option<ReplayLimits> {
        None
    }

    /// As [`run`](Self::run), and shows every instruction of all harts, in the machine's order.
    ///
    /// # Errors
    /// As [`run`](Self::run); or if the source cannot.
    fn show(&self, schedule: Schedule, _: Witness) -> Result<Finished, HuntError> {
        let (name, seed) = (self.name(), schedule.seed);
        Err(HuntError::Refused(format!("`{name}` cannot show the instructions of schedule {seed}")))
    }

    /// When harts come to these instructions, in a run without breakpoints.
    ///
    /// # Errors
    /// As [`show`](Self::show).
    fn visits(&self, schedule: Schedule, places: &BTreeSet<u32>) -> Result<Vec<Visit>, HuntError> {
        let visitors = Visitors::of(places);
        let (seen, mut time) = (visitors.clone(), 0);
        let witness = move |hart: usize, _: &golden::isa::Hart, retired: &Retired| {
            time += 1;
            seen.see(time, hart, retired);
        };
        self.show(schedule, Box::new(witness))?;
        Ok(visitors.finish())
    }

    /// What decides its runs with breakpoints, beside what decides the others.
    ///
    /// # Errors
    /// If that cannot be found out.
    fn probe_identity(&self) -> Result<String, HuntError> {
        self.identity()
    }

    /// Runs it with breakpoints; and `records` all that it does.
    ///
    /// # Errors
    /// As [`run`](Self::run); or if the source has no breakpoints, or too few entries.
    fn probe(&self, _: Schedule, _: &Set, _records: bool) -> Result<Probe, HuntError> {
        Err(HuntError::Refused(format!("`{}` cannot run with breakpoints", self.name())))
    }

    /// Runs it again under the same schedule, and gives all that it did.
    ///
    /// # Errors
    /// As [`run`](Self::run); or if the source cannot, as most cannot without a golden machine.
    fn log(&self, schedule: Schedule) -> Result<Log, HuntError> {
        let (name, seed) = (self.name(), schedule.seed);
        Err(HuntError::Refused(format!(
            "`{name}` cannot record the order of accesses of schedule {seed}"
        )))
    }
}
