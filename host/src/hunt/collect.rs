//! Schedule after schedule, on all cores, until there are enough of both labels.

use super::collection::Collection;
use super::journal::{Entry, Journal, Kept};
use super::judge::{Goal, Stop, Tally, judge, suits};
use super::levels::{self, BLOCK, Level};
use super::source::{Schedule, Source};
use super::{FailIf, HuntError, harts};
use rayon::iter::{ParallelBridge, ParallelIterator};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The progress of a hunt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The source that runs the schedules.
    pub source: &'static str,
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
    /// What the accepted prefix shows. A resumed journal may have more.
    seen: Tally,
    waiting: BTreeMap<u64, Result<Done, HuntError>>,
    stop: Option<Result<Stop, HuntError>>,
}

/// A collection that is under way.
pub(super) struct Collecting<'a> {
    collector: &'a Collector<'a>,
    front: Mutex<Front>,
}

impl Collector<'_> {
    /// Runs schedules until there are enough.
    ///
    /// # Errors
    /// If machine or firmware are at fault, a file cannot be written, or the program does not suit a
    /// hunt: it has more threads than the machine has harts; or nothing failed, and it has no threads or does not
    /// end.
    pub fn collect(&self) -> Result<Collection, HuntError> {
        let collecting = self.begin()?;
        if let Some(stop) = collecting.advance(u64::MAX)? {
            suits(&collecting.seen(), stop)?;
        }
        Ok(collecting.finish())
    }

    /// Begins, or goes on where the journal ends.
    pub(super) fn begin(&self) -> Result<Collecting<'_>, HuntError> {
        let journal = Journal::open(self.folder, Kept::by(self.source, &self.goal))?;
        let (seen, waiting, stop) = (Tally::default(), BTreeMap::new(), None);
        let front = Mutex::new(Front { journal, seen, waiting, stop });
        Ok(Collecting { collector: self, front })
    }

    /// Drops the runs from the first one on that cannot be read, as a power cut or a full disk can leave it; gives what is
    /// wrong with that one. Their schedules will be run again.
    ///
    /// # Errors
    /// If a file cannot be read, written or removed.
    pub fn drop_damaged(&self) -> Result<Option<crate::Error>, crate::Error> {
        Ok(Journal::open(self.folder, Kept::by(self.source, &self.goal))?.damage)
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

    /// Counts the next entry of the prefix, and looks whether it is the last.
    fn count(&self, front: &mut Front, entry: &Entry) {
        front.seen.add(entry);
        let Tally { runs, failing, .. } = front.seen;
        let (source, level) = (self.source.name(), entry.level());
        (self.progress)(Standing { source, runs, failing, level });
        front.stop = judge(&front.seen, &self.goal, self.source.has_levels()).map(Ok);
    }
}

impl Collecting<'_> {
    fn lock(&self) -> MutexGuard<'_, Front> {
        self.front.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Goes on until so many schedules are accepted, or there is a reason to stop, which it gives. What is decided, and what
    /// is stored, does not depend on the steps in which a collection advances.
    pub fn advance(&self, until: u64) -> Result<Option<Stop>, HuntError> {
        loop {
            let mut front = self.lock();
            front.take_stored(self.collector, until);
            match &front.stop {
                Some(Ok(stop)) => return Ok(Some(*stop)),
                Some(Err(_)) => {
                    let error = front.stop.take();
                    return error.transpose();
                }
                None if front.seen.runs >= until => return Ok(None),
                None => {}
            }
            let (seeds, level) = front.next_block(self.collector, until);
            drop(front);
            let stopped = AtomicBool::new(false);
            // In the order of the seeds, so that the completed prefix grows and few runs are wasted.
            let seeds = seeds.take_while(|_| !stopped.load(Ordering::Relaxed));
            seeds.par_bridge().for_each(|seed| {
                let done = self.collector.one(seed, level);
                let mut front = self.lock();
                front.waiting.insert(seed, done);
                front.accept(self.collector);
                stopped.store(front.stop.is_some(), Ordering::Relaxed);
            });
        }
    }

    /// What the accepted prefix shows.
    pub fn seen(&self) -> Tally {
        self.lock().seen.clone()
    }

    /// The accepted prefix.
    pub fn finish(self) -> Collection {
        let Collector { folder, goal, source, .. } = *self.collector;
        let front = self.front.into_inner().unwrap_or_else(PoisonError::into_inner);
        let Front { journal, seen, stop, .. } = front;
        let Journal { mut entries, files: kept, .. } = journal;
        entries.truncate(seen.runs as usize);
        let stop = stop.and_then(Result::ok).unwrap_or(Stop::Limit);
        Collection { folder: folder.to_owned(), source: source.name(), kept, entries, goal, stop }
    }
}

impl Front {
    /// Counts what the journal has already.
    fn take_stored(&mut self, collector: &Collector<'_>, until: u64) {
        while self.stop.is_none() && self.seen.runs < until {
            let Some(entry) = self.journal.entries.get(self.seen.runs as usize) else { return };
            let entry = entry.clone();
            collector.count(self, &entry);
        }
    }

    /// Takes what has come of the prefix.
    fn accept(&mut self, collector: &Collector<'_>) {
        while self.stop.is_none() {
            let Some(done) = self.waiting.remove(&(self.seen.runs + 1)) else { return };
            let stored = done.and_then(|done| {
                self.journal.keep(&done.file, done.entry.clone())?;
                Ok(done.entry)
            });
            match stored {
                Ok(entry) => collector.count(self, &entry),
                Err(error) => self.stop = Some(Err(error)),
            }
        }
    }

    /// The next seeds, and how much to perturb them: what is left of the block that is begun, where blocks matter.
    fn next_block(
        &self,
        collector: &Collector<'_>,
        until: u64,
    ) -> (std::ops::RangeInclusive<u64>, Level) {
        let entries = &self.journal.entries;
        let first = entries.len() as u64 + 1;
        let last = until.min(collector.goal.max_runs.max(first));
        if !collector.source.has_levels() {
            return (first..=last, Level::default());
        }
        let begun = entries.len() - entries.len() % BLOCK as usize;
        (first..=last.min(begun as u64 + BLOCK), levels::next(&entries[..begun]))
    }
}
