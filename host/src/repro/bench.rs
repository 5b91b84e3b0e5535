//! Measures sets of breakpoints: how often fresh schedules fail under them.

use super::failure::{How, Signature};
use super::journal::{Journal, Question};
use super::{MET, SURE, SURE_WITH_ONE_MISS};
use crate::breakpoint::Set;
use crate::hunt::{FailIf, HuntError, Level, Schedule, Source};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// What runs of fresh schedules came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rate {
    /// Schedules.
    pub runs: u64,
    /// Those that failed as the hunt's did.
    pub failed: u64,
    /// Those that failed otherwise.
    pub otherwise: u64,
    /// Those in which every entry had a hit.
    pub hit: u64,
    /// Those of them that failed as the hunt's did.
    pub hit_failed: u64,
    /// Those with hits in which no wait was in vain: every visit hit.
    pub clean: u64,
    /// Those of them that failed as the hunt's did.
    pub clean_failed: u64,
    /// Cycles of all; on the golden machine, instructions.
    pub cycles: u64,
    /// Cycles of those that failed as the hunt's did.
    pub cycles_failed: u64,
}

impl Rate {
    /// The part that failed as the hunt's did.
    pub fn failing(&self) -> f64 {
        part(self.failed, self.runs)
    }

    /// The part with hits.
    pub fn hitting(&self) -> f64 {
        part(self.hit, self.runs)
    }

    /// The part of those with hits that failed as the hunt's did.
    pub fn failing_if_hit(&self) -> f64 {
        part(self.hit_failed, self.hit)
    }

    /// Those that did not fail as the hunt's did.
    pub fn misses(&self) -> u64 {
        self.runs - self.failed
    }

    /// Whether it says as much as so many schedules without a miss. All entries must have met: what fails without a meeting fails by
    /// delay.
    pub fn is_sure(&self, schedules: u64) -> bool {
        let enough = match self.misses() {
            0 => self.runs >= schedules,
            1 => self.runs >= with_one_miss(schedules),
            _ => false,
        };
        enough && self.hitting() >= MET
    }

    fn add(self, other: Self) -> Self {
        Self {
            runs: self.runs + other.runs,
            failed: self.failed + other.failed,
            otherwise: self.otherwise + other.otherwise,
            hit: self.hit + other.hit,
            hit_failed: self.hit_failed + other.hit_failed,
            clean: self.clean + other.clean,
            clean_failed: self.clean_failed + other.clean_failed,
            cycles: self.cycles + other.cycles,
            cycles_failed: self.cycles_failed + other.cycles_failed,
        }
    }
}

fn part(some: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { some as f64 / all as f64 }
}

/// As many schedules with one miss as say what so many say without.
fn with_one_miss(schedules: u64) -> u64 {
    (schedules * SURE_WITH_ONE_MISS).div_ceil(SURE)
}

/// Schedules at a time: what is measured at least, and what a journal keeps as one.
const BLOCK: u64 = 20;

/// Instructions of a search on the golden machine, after which it begins nothing new.
const ON_GOLDEN: u64 = 10_000_000_000;
/// Cycles of a search on the hardware.
const ON_HARDWARE: u64 = 100_000_000;

/// Called after each measurement with how many schedules were run.
pub type Progress<'a> = dyn Fn(u64) + Sync + 'a;

/// Runs a program under sets of breakpoints.
pub struct Bench<'a> {
    source: &'a dyn Source,
    rule: &'a FailIf,
    signature: Signature,
    /// The first seed that no hunt ran.
    fresh: u64,
    level: Level,
    /// Cycles of all schedules so far.
    spent: AtomicU64,
    journal: Option<&'a Mutex<Journal>>,
    progress: &'a Progress<'a>,
}

impl<'a> Bench<'a> {
    /// For failures that look like this, with seeds from `fresh` on.
    pub fn new(
        source: &'a dyn Source,
        rule: &'a FailIf,
        signature: Signature,
        fresh: u64,
        level: Level,
    ) -> Self {
        let spent = AtomicU64::new(0);
        Self { source, rule, signature, fresh, level, spent, journal: None, progress: &|_| () }
    }

    /// The same, which keeps what it measures.
    #[must_use]
    pub fn with_journal(mut self, journal: &'a Mutex<Journal>) -> Self {
        self.journal = Some(journal);
        self
    }

    /// The same, which says how it gets on.
    #[must_use]
    pub fn with_progress(mut self, progress: &'a Progress<'a>) -> Self {
        self.progress = progress;
        self
    }

    /// The first fresh seed.
    pub fn fresh(&self) -> u64 {
        self.fresh
    }

    /// Whether the schedules so far, those that the journal knows too, are as many as a search may take: some ten minutes on two cores.
    pub fn is_exhausted(&self) -> bool {
        let most = if self.source.has_levels() { ON_HARDWARE } else { ON_GOLDEN };
        self.spent.load(Ordering::Relaxed) > most
    }

    /// What the first `count` fresh schedules come to.
    ///
    /// # Errors
    /// If a run cannot be made.
    pub fn rate(&self, set: &Set, count: u64) -> Result<Rate, HuntError> {
        self.rate_until(set, count, |_| false)
    }

    /// The same, until something is seen after a block of schedules.
    ///
    /// # Errors
    /// If a run cannot be made.
    pub fn rate_until(
        &self,
        set: &Set,
        count: u64,
        seen: impl Fn(&Rate) -> bool,
    ) -> Result<Rate, HuntError> {
        let mut rate = Rate::default();
        while rate.runs < count && !seen(&rate) {
            let block = BLOCK.min(count - rate.runs);
            let block = self.block(set, self.fresh + rate.runs, block)?;
            self.spent.fetch_add(block.cycles, Ordering::Relaxed);
            rate = rate.add(block);
        }
        Ok(rate)
    }

    /// What enough schedules come to, so many without a miss or more with one; or fewer, if more than one misses.
    ///
    /// # Errors
    /// If a run cannot be made.
    pub fn sure_rate(&self, set: &Set, schedules: u64) -> Result<Rate, HuntError> {
        let is_clear =
            |rate: &Rate| rate.misses() > 1 || (rate.misses() == 0 && rate.runs >= schedules);
        self.rate_until(set, with_one_miss(schedules), is_clear)
    }

    fn block(&self, set: &Set, first: u64, count: u64) -> Result<Rate, HuntError> {
        let question = Question { set: set.key(), first, count, level: self.level };
        if let Some(journal) = self.journal {
            let journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(known) = journal.known(&question) {
                return Ok(known);
            }
        }
        let seeds: Vec<u64> = (first..first + count).collect();
        let rates = seeds.into_par_iter().map(|seed| self.one(set, seed));
        let rates: Vec<Rate> = rates.collect::<Result<_, _>>()?;
        let rate = rates.into_iter().fold(Rate::default(), Rate::add);
        if let Some(journal) = self.journal {
            journal.lock().unwrap_or_else(PoisonError::into_inner).keep(question, rate)?;
        }
        (self.progress)(count);
        Ok(rate)
    }

    fn one(&self, set: &Set, seed: u64) -> Result<Rate, HuntError> {
        let schedule = Schedule { seed, level: self.level };
        let probe = self.source.probe(schedule, set, false)?;
        let fails = probe.fails(self.rule);
        let how = How::of(&probe, || {
            let again = self.source.probe(schedule, set, true)?;
            again.log.ok_or_else(|| HuntError::Refused("a run was not recorded".into()))
        })?;
        let failed = fails && self.signature.includes(&how);
        let hit = !probe.counts.is_empty() && probe.counts.iter().all(|count| count.hits > 0);
        let clean = hit && probe.counts.iter().all(|count| count.timeouts == 0);
        Ok(Rate {
            runs: 1,
            failed: failed.into(),
            otherwise: (fails && !failed).into(),
            hit: hit.into(),
            hit_failed: (hit && failed).into(),
            clean: clean.into(),
            clean_failed: (clean && failed).into(),
            cycles: probe.cycles,
            cycles_failed: if failed { probe.cycles } else { 0 },
        })
    }
}
