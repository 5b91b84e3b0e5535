//! A breakpoint file as a test: the program, edited or not, under the breakpoints of its old bug.

use super::bench::Progress;
use crate::breakpoint::{BreakpointError, File, Places, Set};
use crate::hunt::{FailIf, HuntError, Level, Schedule, Source, Subject};
use rayon::prelude::*;
use serde::Serialize;

/// Schedules at a time.
const BLOCK: u64 = 20;

/// What is checked.
pub struct Check<'a> {
    /// What runs it.
    pub source: &'a dyn Source,
    /// What counts as failing.
    pub rule: &'a FailIf,
    /// The breakpoints.
    pub set: Set,
    /// The first schedule.
    pub first: u64,
    /// How many are run.
    pub schedules: u64,
}

/// What came out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// Schedules that were run.
    pub runs: u64,
    /// Those that failed.
    pub failed: u64,
    /// Those in which every entry had a hit.
    pub hit: u64,
    /// The first that failed, and how.
    pub first: Option<(u64, String)>,
}

impl Check<'_> {
    /// The set of a file, for this program.
    ///
    /// # Errors
    /// If a location is gone or not clear.
    pub fn set(file: &File, subject: &Subject) -> Result<Set, BreakpointError> {
        let places = Places::read(subject.elf(), &subject.sources);
        let places = places.map_err(|what| file.wrong(what))?;
        file.set(&places, &subject.hash())
    }

    /// Runs it until one fails.
    ///
    /// # Errors
    /// If a run cannot be made.
    pub fn run(&self, progress: &Progress<'_>) -> Result<Checked, HuntError> {
        let mut checked = Checked::default();
        while checked.runs < self.schedules && checked.failed == 0 {
            let first = self.first + checked.runs;
            let seeds: Vec<u64> =
                (first..first + BLOCK.min(self.schedules - checked.runs)).collect();
            let probes = seeds.par_iter().map(|seed| {
                let schedule = Schedule { seed: *seed, level: Level::CONFIGURED };
                Ok((*seed, self.source.probe(schedule, &self.set, false)?))
            });
            let probes: Vec<_> = probes.collect::<Result<_, HuntError>>()?;
            for (seed, probe) in &probes {
                let failed = probe.fails(self.rule);
                checked.runs += 1;
                checked.failed += u64::from(failed);
                checked.hit += u64::from(probe.counts.iter().all(|count| count.hits > 0));
                if failed && checked.first.is_none() {
                    checked.first = Some((*seed, probe.end.to_string()));
                }
            }
            progress(seeds.len() as u64);
        }
        Ok(checked)
    }
}
