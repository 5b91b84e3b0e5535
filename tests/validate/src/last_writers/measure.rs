//! A failing run of a program, and what `why` says of it.

use super::slices::{Slice, Verdict, Writing, judge};
use crate::measure::MeasureError;
use cosim::Builder;
use crosstalk::hunt::sources::Opening;
use crosstalk::hunt::{
    Collector, FailIf, FirstLook, Goal, HuntError, On, Schedule, Search, Setup, Source, Subject,
};
use crosstalk::why::{Comparison, Elsewhere, Read, shown};
use evidence::event::{Access, Event};
use evidence::log::Log;
use evidence::names::Names;
use evidence::why::Writer;
use firmware::Build;
use firmware::bugs::Bug;
use record::Label;
use std::collections::{BTreeMap, BTreeSet};

/// Passing runs that the failing one is compared with, as `crosstalk why` does.
const PASSING: u32 = 25;

/// What `why` says of a program's first failing run.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The program.
    pub bug: &'static Bug,
    /// The schedule.
    pub seed: u64,
    /// How it failed.
    pub outcome: String,
    /// What is said.
    pub slices: Vec<Slice>,
    /// What that is worth.
    pub verdict: Verdict,
}

/// Looks for a failing run on the golden machine, and asks.
///
/// # Errors
/// If the program does not compile, never fails, or a machine is at fault.
pub fn measure(bug: &'static Bug) -> Result<Answered, MeasureError> {
    let wrong = |error| MeasureError::Hunt { name: bug.name.to_owned(), error };
    let folder = tempfile::tempdir().map_err(MeasureError::Folder)?;
    let source = Run::of(bug, folder.path()).map_err(wrong)?;
    source.answered(bug).map_err(wrong)
}

/// A failing run, and passing ones.
struct Run {
    subject: Subject,
    source: Box<dyn Source>,
    failing: Schedule,
    outcome: String,
    passing: Vec<Schedule>,
}

impl Run {
    fn of(bug: &Bug, folder: &std::path::Path) -> Result<Self, HuntError> {
        let build = Build { files: bug.sources(), flags: Vec::new() };
        let subject = Subject::compile(bug.name, &build)?.0;
        let mut setup = Setup::new(config::Config::default());
        setup.config.harts = FirstLook::at(&subject, &setup, true)?.harts;
        let refused = |what: &str| HuntError::Refused(what.to_owned());
        let on =
            On::named("golden").ok_or_else(|| refused("the golden machine is not available"))?;
        let builder = Builder::for_workspace();
        let source = on.open(&Opening { subject: &subject, setup: &setup, builder: &builder })?;
        let wanted = Goal { failing: 1, passing: PASSING, ..Goal::default() };
        let collector = Collector {
            source: &*source,
            fail_if: &FailIf::Exit,
            goal: Search::One(on).goals(wanted, None).0,
            folder,
            progress: &|_| (),
        };
        let collection = collector.collect()?;
        let entry = collection.entries.iter().find(|entry| entry.label() == Label::Failing);
        let entry = entry.ok_or_else(|| refused("no schedule failed"))?;
        let (failing, outcome) =
            (Schedule { seed: entry.seed, level: entry.level() }, entry.outcome.clone());
        let mut passing = collection.schedules(Label::Passing);
        passing.truncate(PASSING as usize);
        Ok(Self { subject, source, failing, outcome, passing })
    }

    fn answered(&self, bug: &'static Bug) -> Result<Answered, HuntError> {
        let refused = |error: &dyn std::fmt::Display| HuntError::Refused(error.to_string());
        let names = Names::read(self.subject.elf(), &self.subject.sources);
        let names = names.map_err(|error| refused(&error))?;
        let log = self.source.log(self.failing)?;
        let comparison = Comparison {
            names: &names,
            passing: &self.passing,
            log: &|schedule| self.source.log(schedule),
        };
        let reads = comparison.reads(&log)?;
        let slices: Vec<Slice> = reads.iter().map(|read| slice(&log, read)).collect();
        let marks = bug.marks().map_err(|error| refused(&error))?;
        let verdict = judge(&slices, &marks, &standing(&names, &log));
        Ok(Answered {
            bug,
            seed: self.failing.seed,
            outcome: self.outcome.clone(),
            slices,
            verdict,
        })
    }
}

fn slice(log: &Log, read: &Read) -> Slice {
    let writing =
        |writer: &Writer| Writing { thread: writer.thread.clone(), line: writer.at.line.clone() };
    let there = |group: &Elsewhere| (group.runs, group.writer.as_ref().map(writing));
    let variable = read.seen.read.variable.clone();
    Slice {
        variable: variable.unwrap_or_else(|| format!("{:#x}", read.seen.address)),
        value: shown(&read.bytes()),
        read: writing(&read.seen.read),
        writer: read.seen.writer.as_ref().map(writing),
        passing: read.passing.iter().map(there).collect(),
        exact: is_exact(log, read),
    }
}

fn accessed(event: &Event) -> Option<&Access> {
    match event {
        Event::Access(access) | Event::Inside(access) => Some(access),
        _ => None,
    }
}

/// Whether a model of memory that goes forward through all writes finds the same last writer, and its bytes are what was
/// read.
fn is_exact(log: &Log, read: &Read) -> bool {
    let mut memory: BTreeMap<u32, (u64, u8)> = BTreeMap::new();
    let before = log.events().take_while(|(number, _)| *number < read.seen.read.event);
    let writes = before.filter_map(|(number, event)| Some((number, accessed(event)?)));
    for (number, access) in writes.filter(|(_, access)| access.kind.writes()) {
        let bytes = access.after.to_le_bytes();
        for (place, byte) in (0..u32::from(access.size)).zip(bytes) {
            memory.insert(access.address.wrapping_add(place), (number, byte));
        }
    }
    let bytes = read.bytes();
    let found = (0..read.seen.bytes).map(|place| memory.get(&(read.seen.address + place)));
    let found: Vec<_> = found.collect();
    let last = found.iter().flatten().map(|(number, _)| *number).max();
    let same = |(byte, found): (&u8, &Option<&(u64, u8)>)| found.is_none_or(|(_, at)| at == byte);
    log.dropped() == 0
        && last == read.seen.writer.as_ref().map(|writer| writer.event)
        && bytes.iter().zip(&found).all(same)
}

/// The lines on which the threads stand that did not fail, with their callers: what a core file shows.
fn standing(names: &Names, log: &Log) -> Vec<String> {
    let failed = log.failure.as_ref().map(|failure| failure.place.thread);
    let mut seen = BTreeSet::new();
    let accesses = log.events().rev().filter_map(|(_, event)| accessed(event));
    let last = accesses.filter(|access| seen.insert(access.thread));
    let others = last.filter(|access| Some(access.thread) != failed);
    let lines = others.flat_map(|access| log.trace(access.place()));
    lines.filter_map(|pc| Some(names.line(pc)?.to_string())).collect()
}
