//! A source whose seeds begin elsewhere, so that a trial shares no schedule with another.

use super::{Finished, HuntError, Replay, ReplayLimits, Schedule, Source};
use ::evidence::log::Log;

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
        let mut finished = self.source.run(self.schedule(schedule))?;
        // A hunt asks for the run again by the seed that stands in it.
        finished.run.header.seed = schedule.seed;
        Ok(finished)
    }

    fn replay(&self, schedule: Schedule) -> Option<Result<Replay, HuntError>> {
        self.source.replay(self.schedule(schedule))
    }

    fn replay_limits(&self) -> Option<ReplayLimits> {
        self.source.replay_limits()
    }

    fn log(&self, schedule: Schedule) -> Result<Log, HuntError> {
        self.source.log(self.schedule(schedule))
    }
}
