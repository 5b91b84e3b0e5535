//! Making the runs of a bug: a hunt, then the schedules that count once more, with every access.
//!
//! The machine repeats a schedule to the cycle, so the second look sees the very run that was kept; that is
//! checked. BB-SW is then fed with the order of accesses that the machine had.

use crate::collection::{Collection, Kept, RUNS, replace};
use crate::error::{Error, io};
use crate::exact;
use crate::measured::{Tracking, Work};
use config::Config;
use cosim::machine::{Counts, Machines, Program};
use crosstalk::hunt::{
    Collector, Entry, Executor, FailIf, Finished, Goal, Golden, HuntError, Rtl, Schedule, Setup,
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

/// What runs the programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    /// The simulated hardware.
    Rtl,
    /// The golden machine alone: quick, with schedules of its own.
    Golden,
}

impl Machine {
    /// Its name on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rtl => "rtl",
            Self::Golden => "golden",
        }
    }
}

/// How runs are collected.
#[derive(Clone, Debug)]
pub struct How {
    /// On what.
    pub on: Machine,
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
    /// So many of the runs that count were looked at again.
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
    let machines = Machines::for_workspace();
    let folder = how.cache.join(format!("{}-{}", bug.name, key(&subject, &setup, how, &machines)?));
    if let Some(collection) = Collection::load(&folder, how.trials)? {
        return Ok(collection);
    }
    replace(&Collection::elf(&folder), &subject.elf)?;
    let work =
        Workplace { bug, subject: &subject, setup: &setup, how, machines: &machines, folder };
    work.collect(progress)
}

/// Everything that decides what the run of a schedule is, as a few digits. More trials go on where fewer
/// have ended.
fn key(subject: &Subject, setup: &Setup, how: &How, machines: &Machines) -> Result<String, Error> {
    let mut key = Key::new();
    key.add(&subject.elf);
    key.add(setup.config.canonical());
    key.add(how.on.name());
    key.add(VERSION.to_le_bytes());
    match how.on {
        Machine::Rtl => {
            let source = machines.source(&setup.config).map_err(HuntError::from)?;
            key.add(source.design_hash());
        }
        // The machine is this very program.
        Machine::Golden => {
            let program = std::env::current_exe().and_then(std::fs::read);
            key.add(program.map_err(io(Path::new("this program")))?);
        }
    }
    Ok(key.name())
}

struct Workplace<'a> {
    bug: &'a Bug,
    subject: &'a Subject,
    setup: &'a Setup,
    how: &'a How,
    machines: &'a Machines,
    folder: PathBuf,
}

impl Workplace<'_> {
    fn executor(&self, accesses: bool) -> Result<Box<dyn Executor>, Error> {
        let loaded = self.subject.load(&Setup { accesses, ..self.setup.clone() })?;
        Ok(match self.how.on {
            Machine::Rtl => Box::new(Rtl::new(self.machines, loaded)?),
            Machine::Golden => Box::new(Golden::new(loaded)?),
        })
    }

    fn collect(&self, progress: &(dyn Fn(Progress) + Sync)) -> Result<Collection, Error> {
        let wanted = self.how.trials * RUNS;
        let executor = self.executor(false)?;
        let collector = Collector {
            executor: &*executor,
            fail_if: &FailIf::Exit,
            goal: Goal {
                failing: wanted as u32,
                passing: wanted as u32,
                max_runs: MAX_RUNS * self.how.trials as u64,
                leave_deadlocks: false,
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
            executor: &*self.executor(true)?,
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
        let path = Path::new(self.bug.name);
        let ram = self.setup.config.simulation.ram_bytes;
        let wrong = |what: String| Error::Bug { bug: self.bug.name.into(), what };
        let program = Program::parse(path, self.subject.elf.clone(), ram).map_err(wrong)?;
        let symbol = |name: &str| {
            program.symbol(name).ok_or_else(|| wrong(format!("it has no symbol `{name}`")))
        };
        Ok(symbol("__program_text_start")?..symbol("__program_text_end")?)
    }
}

/// Looks at schedules again.
struct Watch<'a> {
    executor: &'a dyn Executor,
    text: Range<u32>,
    harts: usize,
    line: u64,
    folder: &'a Path,
}

impl Watch<'_> {
    /// Runs a schedule again and writes down what each way of tracking saw.
    fn again(&self, entry: &Entry, file: &RunFile) -> Result<Kept, Error> {
        let schedule = Schedule::of(self.executor, entry.seed, entry.level());
        let Finished { run, accesses, counts, .. } = self.executor.execute(schedule)?;
        let kept: Run = file.load()?;
        if kept.edges != run.edges || kept.ending != run.ending {
            let what = format!("schedule {} did not repeat itself", entry.seed);
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
        Ok(Kept { seed: entry.seed, failing, work: counts.map(Work::from) })
    }
}

impl From<Counts> for Work {
    fn from(counts: Counts) -> Self {
        Self {
            operations: counts.memory_operations,
            reads: counts.reads,
            read_exclusives: counts.read_exclusives,
            upgrades: counts.upgrades,
            edges: counts.edges,
            traps: counts.table_interrupts,
        }
    }
}
