//! A hunt that is to be reproduced: its program on its machine, its failure, and the seeds that it used up.

use super::bench::Bench;
use super::failure::{How, Signature};
use super::journal::Identity;
use crate::breakpoint::{Places, Set};
use crate::hunt::{Entry, FailIf, HuntError, Level, Schedule, Source, Subject};
use kit::numbers::hex;
use rayon::prelude::*;
use record::Label;

/// Failing runs of a hunt that are looked at.
const LOOKED_AT: usize = 24;
/// Schedules that are run in search of one that passes, where no hunt was.
const TRIED: u64 = 12;

/// A hunt that is to be reproduced.
pub struct Hunted<'a> {
    /// What runs the program.
    pub source: &'a dyn Source,
    /// What counts as failing.
    pub rule: &'a FailIf,
    /// The failure.
    pub signature: Signature,
    /// Failing schedules with that failure.
    pub failing: Vec<Schedule>,
    /// Passing schedules.
    pub passing: Vec<Schedule>,
    /// The program's instructions.
    pub places: Places,
    /// The program's hash.
    pub elf: [u8; 32],
    /// The first seed above every hunted one.
    pub fresh: u64,
}

impl<'a> Hunted<'a> {
    /// Finds out how the hunt's runs failed, from the schedules that it ran on a source.
    ///
    /// # Errors
    /// If a run cannot be made again, or no run failed.
    pub fn of(
        source: &'a dyn Source,
        rule: &'a FailIf,
        subject: &Subject,
        entries: &[Entry],
    ) -> Result<Self, HuntError> {
        let failing: Vec<Schedule> = schedules(entries, Label::Failing).take(LOOKED_AT).collect();
        let hows = failing.par_iter().map(|schedule| how(source, *schedule));
        let hows: Vec<How> = hows.collect::<Result<_, _>>()?;
        let none = || HuntError::Refused("no run of the hunt failed".into());
        let signature = Signature::commonest(&hows).ok_or_else(none)?;
        let like = failing.into_iter().zip(&hows).filter(|(_, how)| signature.is_like(how));
        let failing = like.map(|(schedule, _)| schedule).collect();
        let passing = schedules(entries, Label::Passing).collect();
        let places = Places::read(subject.elf(), &subject.sources).map_err(HuntError::Refused)?;
        let fresh = above(entries);
        let elf = subject.hash();
        Ok(Self { source, rule, signature, failing, passing, places, elf, fresh })
    }

    /// The same failure on another machine, on which the hunt ran these schedules, or none.
    ///
    /// # Errors
    /// If a run cannot be made.
    pub fn on(&self, source: &'a dyn Source, entries: &[Entry]) -> Result<Self, HuntError> {
        let hunted = schedules(entries, Label::Failing).take(LOOKED_AT);
        let failing: Vec<Schedule> = hunted.collect();
        let hows = failing.par_iter().map(|schedule| how(source, *schedule));
        let hows: Vec<How> = hows.collect::<Result<_, _>>()?;
        let like = failing.into_iter().zip(&hows).filter(|(_, how)| self.signature.is_like(how));
        let failing = like.map(|(schedule, _)| schedule).collect();
        let fresh = self.fresh.max(above(entries));
        let mut passing: Vec<Schedule> = schedules(entries, Label::Passing).collect();
        if passing.is_empty() {
            let level = Level::CONFIGURED;
            let tried = (fresh..fresh + TRIED).map(|seed| Schedule { seed, level });
            let passes = |schedule: &Schedule| {
                let probe = source.probe(*schedule, &Set::default(), false)?;
                Ok((!probe.fails(self.rule)).then_some(*schedule))
            };
            let tried: Vec<Schedule> = tried.collect();
            let passed = tried.par_iter().map(passes);
            let passed: Vec<_> = passed.collect::<Result<_, HuntError>>()?;
            passing = passed.into_iter().flatten().collect();
        }
        Ok(Self {
            source,
            rule: self.rule,
            signature: self.signature.clone().and(hows.into_iter()),
            failing,
            passing,
            places: self.places.clone(),
            elf: self.elf,
            fresh,
        })
    }

    /// The perturbation of its failing runs.
    pub fn level(&self) -> Level {
        self.failing.first().map(|schedule| schedule.level).unwrap_or_default()
    }

    /// The levels at which it is proved: that of its failing runs, and the lowest.
    pub fn levels(&self) -> Vec<Level> {
        let mut levels = vec![self.level()];
        if self.source.has_levels() && self.level() != Level::LEAST {
            levels.push(Level::LEAST);
        }
        levels
    }

    /// What measures it at a level.
    pub fn bench(&self, level: Level) -> Bench<'_> {
        Bench::new(self.source, self.rule, self.signature.clone(), self.fresh, level)
    }

    /// What decides what is measured.
    ///
    /// # Errors
    /// If that cannot be found out.
    pub fn identity(&self) -> Result<Identity, HuntError> {
        Ok(Identity {
            schema: "crosstalk.repro/1".into(),
            elf: hex(&self.elf),
            source: self.source.probe_identity()?,
            failure: format!("{:?} {}", self.signature, self.rule),
        })
    }
}

/// The schedules of a hunt with a label.
fn schedules(entries: &[Entry], label: Label) -> impl Iterator<Item = Schedule> {
    let of_label = entries.iter().filter(move |entry| entry.label() == label);
    of_label.map(|entry| Schedule { seed: entry.seed, level: entry.level() })
}

/// The first seed above those of a hunt.
fn above(entries: &[Entry]) -> u64 {
    entries.iter().map(|entry| entry.seed).max().unwrap_or(0) + 1
}

/// How a failing schedule of the hunt ended.
fn how(source: &dyn Source, schedule: Schedule) -> Result<How, HuntError> {
    let probe = source.probe(schedule, &Set::default(), false)?;
    How::of(&probe, || source.log(schedule))
}
