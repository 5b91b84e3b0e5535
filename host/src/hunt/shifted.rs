//! A source whose seeds begin elsewhere, so that a trial shares no schedule with another.

use super::{Finished, HuntError, Probe, Replay, ReplayLimits, Schedule, Source};
use crate::breakpoint::Set;
use ::evidence::log::Log;
use ::evidence::run::Witness;

/// Seeds between the first ones of two trials: more than a hunt runs, and a multiple of the number of strategies of every
/// source, so that each trial takes them in the same order.
const APART: u64 = 1_200_000;

/// A source of one trial.
pub struct Shifted {
    source: Box<dyn Source>,
    by: u64,
}

impl Shifted {
    /// Of a trial, by its number from 0.
    pub fn to(source: Box<dyn Source>, trial: u64) -> Self {
        Self { source, by: trial * APART }
    }

    fn schedule(&self, schedule: Schedule) -> Schedule {
        Schedule { seed: schedule.seed + self.by, ..schedule }
    }
}

/// A hunt asks for the run again by the seed that stands in it.
fn asked_for(mut finished: Finished, schedule: Schedule) -> Finished {
    finished.run.header.seed = schedule.seed;
    finished
}

impl Source for Shifted {
    fn name(&self) -> &'static str {
        self.source.name()
    }

    fn identity(&self) -> Result<String, HuntError> {
        Ok(format!("{} from {}", self.source.identity()?, self.by))
    }

    fn has_levels(&self) -> bool {
        self.source.has_levels()
    }

    fn run(&self, schedule: Schedule) -> Result<Finished, HuntError> {
        self.source.run(self.schedule(schedule)).map(|finished| asked_for(finished, schedule))
    }

    fn show(&self, schedule: Schedule, witness: Witness) -> Result<Finished, HuntError> {
        let finished = self.source.show(self.schedule(schedule), witness)?;
        Ok(asked_for(finished, schedule))
    }

    fn replay(&self, schedule: Schedule) -> Option<Result<Replay, HuntError>> {
        self.source.replay(self.schedule(schedule))
    }

    fn replay_limits(&self) -> Option<ReplayLimits> {
        self.source.replay_limits()
    }

    fn probe(&self, schedule: Schedule, set: &Set, records: bool) -> Result<Probe, HuntError> {
        self.source.probe(self.schedule(schedule), set, records)
    }

    fn log(&self, schedule: Schedule) -> Result<Log, HuntError> {
        self.source.log(self.schedule(schedule))
    }
}
