//! Making the runs of a bug: a hunt, then the schedules that count once more, with every access.
//!
//! The machine repeats a schedule to the cycle, so the second look sees the very run that was kept; that is
//! checked. BB-SW is then fed with the order of accesses that the machine had.

use crate::collection::{Collection, Kept, RUNS, replace};
use crate::error::Error;
use crate::exact;
use crate::measured::{Tracking, Work};
use config::Config;
use cosim::Builder;
use crosstalk::hunt::sources::Opening;
use crosstalk::hunt::{
    self, Collector, Entry, FailIf, Finished, Goal, HuntError, On, Schedule, Setup, Source,
    Standing, Subject,
};
use crosstalk::runs::RunFile;
use firmware::bugs::Bug;
use golden::BbSwOptions;
use kit::cache::Key;
use rayon::prelude::*;
use record::Run;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Schedules that are tried for one trial before giving up.
const MAX_RUNS: u64 = 4000;

/// What a collection holds beside the runs themselves; another number when that changes.
const VERSION: u32 = 1;

/// How runs are collected.
#[derive(Clone, Debug)]
pub struct How {
    /// What runs the programs.
    pub on: On,
    /// How many trials, each with runs of its own.
    pub trials: usize,
    /// Where collections are kept.
    pub cache: PathBuf,
}

/// How far a collection is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Schedules are tried.
    Hunting(Standing),
    /// Number of chosen runs that were run again with every access, and of how many.
    Watching(usize, usize),
}

/// The machine of a bug: the default one, with as many harts.
fn machine_of(bug: &Bug) -> Config {
    let mut config = Config::default();
    config.harts = config.harts.max(bug.harts);
    config
}

/// Collects the runs of a bug, or finds them collected.
///
/// # Errors
/// If the program does not compile, machine or firmware are at fault, or too few schedules fail or pass.
pub fn collect(
    bug: &Bug,
    how: &How,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Collection, Error> {
    let build = firmware::Build { files: bug.sources(), flags: Vec::new() };
    let (subject, _) = Subject::compile(bug.name, &build)?;
    let setup = Setup::new(machine_of(bug));
    let builder = Builder::for_workspace();
    let folder = how.cache.join(format!("{}-{}", bug.name, key(&subject, &setup, how, &builder)?));
    if let Some(collection) = Collection::load(&folder, how.trials)? {
        return Ok(collection);
    }
    replace(&Collection::elf(&folder), subject.elf())?;
    let work = Workplace { bug, subject: &subject, setup: &setup, how, builder: &builder, folder };
    work.collect(progress)
}

/// Everything that decides what the run of a schedule is, as a few digits. More trials go on where fewer
/// have ended.
fn key(subject: &Subject, setup: &Setup, how: &How, builder: &Builder) -> Result<String, Error> {
    let mut key = Key::new();
    add_image(&mut key, subject);
    key.add(setup.config.canonical());
    key.add(how.on.name());
    key.add(VERSION.to_le_bytes());
    key.add(how.on.identity(&setup.config, builder)?);
    Ok(key.name())
}

/// Adds what a program puts into memory. Debug information has no part in it: it names the folder of the
/// checkout and the lines of headers, and decides no run.
fn add_image(key: &mut Key, subject: &Subject) {
    let program = &subject.program;
    key.add(program.entry.to_le_bytes());
    for segment in &program.segments {
        key.add(segment.address.to_le_bytes());
        key.add(segment.size.to_le_bytes());
        key.add(&segment.bytes);
    }
}

struct Workplace<'a> {
    bug: &'a Bug,
    subject: &'a Subject,
    setup: &'a Setup,
    how: &'a How,
    builder: &'a Builder,
    folder: PathBuf,
}

impl Workplace<'_> {
    fn source(&self, accesses: bool) -> Result<Box<dyn Source>, Error> {
        let setup = &Setup { accesses, ..self.setup.clone() };
        Ok(self.how.on.open(&Opening { subject: self.subject, setup, builder: self.builder })?)
    }

    fn collect(&self, progress: &(dyn Fn(Progress) + Sync)) -> Result<Collection, Error> {
        let wanted = self.how.trials * RUNS;
        let source = self.source(false)?;
        let collector = Collector {
            source: &*source,
            fail_if: &FailIf::Exit,
            goal: Goal {
                failing: wanted as u32,
                passing: wanted as u32,
                max_runs: MAX_RUNS * self.how.trials as u64,
                has_threads: true,
                ..Goal::default()
            },
            folder: &self.folder.join("hunt"),
            progress: &|standing| progress(Progress::Hunting(standing)),
        };
        let hunted = collector.collect()?;
        let (failing, passing) = (hunted.failing(), hunted.passing());
        if failing < wanted || passing < wanted {
            let tried = hunted.entries.len();
            let what = format!(
                "of {tried} schedules {failing} failed and {passing} passed; {wanted} of each are needed"
            );
            return Err(Error::Bug { bug: self.bug.name.into(), what });
        }
        let watch = Watch {
            source: &*self.source(true)?,
            text: self.text()?,
            harts: self.setup.config.harts as usize,
            line: self.setup.config.l1.line.into(),
            folder: &self.folder,
        };
        let chosen: Vec<(&Entry, RunFile)> =
            hunted.chosen().into_iter().zip(hunted.files()).collect();
        let done = std::sync::atomic::AtomicUsize::new(0);
        let runs = chosen.par_iter().map(|(entry, file)| {
            let kept = watch.again(entry, file)?;
            let done = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
            progress(Progress::Watching(done, chosen.len()));
            Ok(kept)
        });
        let runs = runs.collect::<Result<Vec<Kept>, Error>>()?;
        let schedules = hunted.entries.len() as u64;
        let mut collection = Collection::new(&self.folder, schedules, failing as u64);
        collection.runs = runs;
        collection.finish(self.how.trials)
    }

    /// The program's own code.
    fn text(&self) -> Result<Range<u32>, Error> {
        let wrong = |what: String| Error::Bug { bug: self.bug.name.into(), what };
        let symbol = |name: &str| {
            let address = self.subject.program.symbol(name);
            address.ok_or_else(|| wrong(format!("it has no symbol `{name}`")))
        };
        Ok(symbol("__program_text_start")?..symbol("__program_text_end")?)
    }
}

/// Looks at schedules again.
struct Watch<'a> {
    source: &'a dyn Source,
    text: Range<u32>,
    harts: usize,
    line: u64,
    folder: &'a Path,
}

impl Watch<'_> {
    /// Runs a schedule again and writes down what each way of tracking saw.
    fn again(&self, entry: &Entry, file: &RunFile) -> Result<Kept, Error> {
        let schedule = Schedule { seed: entry.seed, level: entry.level() };
        let Finished { run, accesses, work, .. } = self.source.run(schedule)?;
        let kept: Run = file.load()?;
        if kept.edges != run.edges || kept.ending != run.ending {
            let what = "a second run gave another result than the first".to_owned();
            return Err(HuntError::Firmware { seed: entry.seed, what }.into());
        }
        Collection::write(self.folder, Tracking::Hardware, &kept)?;
        let words = BbSwOptions::words(self.harts);
        let lines = BbSwOptions::lines(self.harts, self.line);
        for (tracking, options) in [(Tracking::Words, words), (Tracking::Lines, lines)] {
            let edges = exact::edges(&accesses, &self.text, options);
            Collection::write(self.folder, tracking, &exact::recorded(&kept, &edges))?;
        }
        let failing = entry.label() == record::Label::Failing;
        Ok(Kept { seed: entry.seed, failing, work: work.map(Work::from) })
    }
}

impl From<hunt::Work> for Work {
    fn from(work: hunt::Work) -> Self {
        let hunt::Work { operations, reads, read_exclusives, upgrades, edges, traps } = work;
        Self { operations, reads, read_exclusives, upgrades, edges, traps }
    }
}
