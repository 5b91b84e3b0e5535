//! Schedule after schedule, on all cores, until there are enough of both labels.

use super::collection::Collection;
use super::journal::{Entry, Journal};
use super::judge::{Goal, Stop, judge, suits};
use super::levels::{self, BLOCK, Level};
use super::source::{Schedule, Source};
use super::{FailIf, HuntError, harts};
use rayon::iter::{ParallelBridge, ParallelIterator};
use record::Label;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The progress of a hunt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Schedules of the prefix that is complete.
    pub runs: u64,
    /// Those that failed.
    pub failing: u64,
    /// The level of perturbation.
    pub level: Level,
}

/// Collects runs of a program into a folder.
pub struct Collector<'a> {
    /// What runs it.
    pub source: &'a dyn Source,
    /// What counts as failing.
    pub fail_if: &'a FailIf,
    /// What to look for.
    pub goal: Goal,
    /// The folder for the runs. A schedule whose run is stored there is not run again.
    pub folder: &'a Path,
    /// Called after each run.
    pub progress: &'a (dyn Fn(Standing) + Sync),
}

/// A finished run, ready to be stored.
struct Done {
    entry: Entry,
    file: Vec<u8>,
}

/// Runs come back in any order; they are accepted in that of their seeds.
struct Front {
    journal: Journal,
    waiting: BTreeMap<u64, Result<Done, HuntError>>,
    failing: u64,
    stop: Option<Result<Stop, HuntError>>,
}

impl Collector<'_> {
    /// Runs schedules until there are enough.
    ///
    /// # Errors
    /// If machine or firmware are at fault, a file cannot be written, or the program does not suit a
    /// hunt: it has more threads than the machine has harts; or nothing failed, and it has no threads or does not
    /// end.
    pub fn collect(&self) -> Result<Collection, HuntError> {
        let mut front = Front::new(Journal::open(self.folder)?);
        front.stop = self.stop(&front.journal.entries);
        let front = Mutex::new(front);
        let lock = || front.lock().unwrap_or_else(PoisonError::into_inner);
        while lock().stop.is_none() {
            let (seeds, level) = lock().next_block();
            let level = if self.source.has_levels() { level } else { Level::default() };
            let stopped = AtomicBool::new(false);
            // In the order of the seeds, so that the completed prefix grows and few runs are wasted.
            let seeds = seeds.take_while(|_| !stopped.load(Ordering::Relaxed));
            seeds.par_bridge().for_each(|seed| {
                let done = self.one(seed, level);
                let mut front = lock();
                front.waiting.insert(seed, done);
                self.accept(&mut front, level);
                stopped.store(front.stop.is_some(), Ordering::Relaxed);
            });
        }
        let Front { journal, stop, .. } =
            front.into_inner().unwrap_or_else(PoisonError::into_inner);
        let stop = stop.unwrap_or(Ok(Stop::Limit))?;
        let Journal { entries, .. } = journal;
        Ok(Collection { folder: self.folder.to_owned(), entries, goal: self.goal, stop })
    }

    fn one(&self, seed: u64, level: Level) -> Result<Done, HuntError> {
        let mut finished = self.source.run(Schedule { seed, level })?;
        harts::check(&finished.run.ending.outcome, &finished.errors)?;
        finished.run.header.label = self.fail_if.label(&finished);
        let entry = Entry::of(self.source.name(), &finished.run, level, finished.console.written());
        let file = finished.run.write(Vec::new());
        let file = file.map_err(|error| crate::Error::file(self.folder, &error))?;
        Ok(Done { entry, file })
    }

    /// Takes what has come of the prefix.
    fn accept(&self, front: &mut Front, level: Level) {
        while front.stop.is_none() {
            let next = front.journal.entries.len() as u64 + 1;
            let Some(done) = front.waiting.remove(&next) else { return };
            let stored = done.and_then(|done| {
                front.failing += u64::from(done.entry.label() == Label::Failing);
                Ok(front.journal.keep(&done.file, done.entry)?)
            });
            if let Err(error) = stored {
                front.stop = Some(Err(error));
                return;
            }
            (self.progress)(Standing { runs: next, failing: front.failing, level });
            front.stop = self.stop(&front.journal.entries);
        }
    }

    fn stop(&self, entries: &[Entry]) -> Option<Result<Stop, HuntError>> {
        let stop = judge(entries, &self.goal, self.source.has_levels())?;
        Some(suits(entries, stop).map(|()| stop))
    }
}

impl Front {
    fn new(journal: Journal) -> Self {
        let failing = journal.entries.iter().filter(|entry| entry.label() == Label::Failing);
        let failing = failing.count() as u64;
        Self { journal, waiting: BTreeMap::new(), failing, stop: None }
    }

    /// What is left of the block that is begun, or the next one, and how much to perturb in it.
    fn next_block(&self) -> (std::ops::Range<u64>, Level) {
        let entries = &self.journal.entries;
        let begun = entries.len() - entries.len() % BLOCK as usize;
        let first = entries.len() as u64 + 1;
        (first..begun as u64 + BLOCK + 1, levels::next(&entries[..begun]))
    }
}
