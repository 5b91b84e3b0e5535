//! A whole hunt, in one or two stages: the program's own code first; then, if that does not explain the failures,
//! everything once more with the thread library monitored.

use super::folder::{Folder, Identity, SCHEMA};
use super::{
    Collect, Collection, Collector, FailIf, FirstLook, Goal, HuntError, Scope, Setup, Source,
    Standing, Stop, Subject, Tail, harts, plain,
};
use crate::Error;
use crate::analysis::{Analysis, Request};
use crate::code::CodeOptions;
use crate::report::{Limits, Report};
use crate::verdict::{Note, SecondStage};
use border::record::OutcomeCode;
use std::path::{Path, PathBuf};

/// The sources of the thread library, whose lines count in the second stage.
const THREADS: &str = "firmware/library/threads/";

/// Which code is monitored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Monitor {
    /// The program's own.
    Program,
    /// The thread library's too.
    All,
    /// The program's own; then all, if the failures are deadlocks or nothing separates failing runs from passing
    /// ones.
    #[default]
    Auto,
}

impl Monitor {
    /// Its name on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Program => "program",
            Self::All => "all",
            Self::Auto => "auto",
        }
    }

    /// What the first stage monitors.
    fn scope(self) -> Scope {
        match self {
            Self::Program | Self::Auto => Scope::Program,
            Self::All => Scope::All,
        }
    }
}

/// Makes the program ready to run in this setup.
pub type Open<'a> = dyn Fn(&Setup) -> Result<Box<dyn Source>, HuntError> + 'a;

/// What to hunt, how, and where everything goes.
pub struct Campaign<'a> {
    /// The program.
    pub subject: &'a Subject,
    /// How it is run; `monitor` decides the scope.
    pub setup: Setup,
    /// Add harts to the machine if the program has more threads.
    pub more_harts: bool,
    /// Which code is monitored.
    pub monitor: Monitor,
    /// The name of the source of runs, which a resumed hunt must have in common.
    pub on: &'a str,
    /// Opens that source.
    pub open: &'a Open<'a>,
    /// What counts as failing.
    pub fail_if: &'a FailIf,
    /// How many runs to look for.
    pub goal: Goal,
    /// The folder for runs and report.
    pub folder: &'a Path,
    /// Resume the hunt in that folder instead of starting a new one.
    pub resume: bool,
    /// Called with everything that happens on the way.
    pub watch: &'a (dyn Fn(Event<'_>) + Sync),
}

/// Something that happens during a hunt.
#[derive(Debug)]
pub enum Event<'a> {
    /// The folder is this hunt's: from here on it can be interrupted and resumed.
    Begun,
    /// The machine gets more harts: the program has more threads. What was run before is run again.
    MoreHarts {
        /// So many it had.
        from: u32,
        /// So many it has now.
        to: u32,
    },
    /// A stored run cannot be read; the schedules from there on are run again.
    Damaged(&'a Error),
    /// Schedules are about to be run.
    Collecting(Goal),
    /// A schedule was run.
    Ran(Standing),
    /// Enough schedules were run; their records are about to be analyzed.
    Analyzing,
    /// The record of a run was read.
    Read,
    /// The hunt starts over with the thread library monitored.
    SecondStage(SecondStage),
}

/// What a hunt found.
pub enum Outcome {
    /// Some schedules failed.
    Failed(Box<Answer>),
    /// No schedule failed.
    NoneFailed {
        /// The schedules that were run.
        collection: Collection,
        /// Whether a configuration can ask for more perturbation.
        has_levels: bool,
    },
}

/// The answer of a hunt with failures.
pub struct Answer {
    /// The runs that it stands on.
    pub collection: Collection,
    /// What they show.
    pub analysis: Analysis,
    /// Which code was monitored in them.
    pub scope: Scope,
    /// What a reader should know besides.
    pub notes: Vec<Note>,
    /// The program that ran.
    pub program: PathBuf,
    /// The page with the answer.
    pub report: PathBuf,
}

/// What a stage found.
struct Stage {
    collection: Collection,
    analysis: Analysis,
    scope: Scope,
    notes: Vec<Note>,
}

impl Stage {
    /// What a collection from this source shows.
    fn of(
        collection: Collection,
        mut analysis: Analysis,
        scope: Scope,
        source: &dyn Source,
    ) -> Result<Self, HuntError> {
        plain::overrule(&mut analysis, &collection);
        let mut notes = notes(&collection);
        notes.extend(plain::printed(&analysis, &collection, source)?);
        Ok(Self { collection, analysis, scope, notes })
    }
}

impl Campaign<'_> {
    /// Collects, analyzes and writes the report.
    ///
    /// # Errors
    /// If the program, the machine or the folder does not suit the hunt, or a file cannot be read or written. An
    /// older hunt in the folder is removed only once this one can begin.
    pub fn run(&self) -> Result<Outcome, HuntError> {
        let asked = self.setup.config.harts;
        self.subject.load(&self.first_setup())?;
        let mut identity = self.identity();
        let folder = Folder::open(self.folder, &identity, self.resume)?;
        let look = FirstLook::at(self.subject, &self.first_setup(), self.more_harts)?;
        let mut had = asked;
        let mut harts = folder.harts.unwrap_or(look.harts);
        let (mut resume, mut begun) = (self.resume, false);
        loop {
            if harts != had {
                (self.watch)(Event::MoreHarts { from: had, to: harts });
            }
            let mut fitting = self.with_harts(harts)?;
            fitting.goal.has_threads |= look.threads;
            let source = (self.open)(&fitting.first_setup())?;
            (identity.harts, identity.source) = (Some(harts), Some(source.identity()?));
            folder.begin(&identity, resume)?;
            folder.put_program(self.subject.elf())?;
            if !begun {
                (self.watch)(Event::Begun);
            }
            begun = true;
            match fitting.explore(&*source, &folder, asked) {
                Err(HuntError::Harts { needed: Some(needed), .. }) if self.more_harts => {
                    (had, harts) = (harts, harts::after(harts, needed));
                    resume = false;
                }
                outcome => return outcome,
            }
        }
    }

    /// The same hunt on a machine with so many harts.
    fn with_harts(&self, harts: u32) -> Result<Self, HuntError> {
        let mut setup = self.setup.clone();
        setup.config.harts = harts;
        setup.config.check().map_err(|error| HuntError::Refused(error.to_string()))?;
        Ok(Campaign { setup, ..*self })
    }

    /// Collects, analyzes and writes the report, on a machine that was asked for with so many harts.
    fn explore(
        &self,
        source: &dyn Source,
        folder: &Folder,
        asked: u32,
    ) -> Result<Outcome, HuntError> {
        let mut stage = match self.stages(source, folder)? {
            Ok(stage) => stage,
            Err(collection) => {
                let has_levels = source.has_levels();
                return Ok(Outcome::NoneFailed { collection, has_levels });
            }
        };
        let harts = self.setup.config.harts;
        if harts != asked {
            stage.notes.insert(0, Note::MoreHarts { asked, harts });
        }
        let page = Report::of(&stage.analysis, Limits::default()).with_notes(stage.notes.clone());
        let report = folder.put_report(page.html().as_bytes())?;
        let Stage { collection, analysis, scope, notes } = stage;
        let program = folder.program();
        let answer = Answer { collection, analysis, scope, notes, program, report };
        Ok(Outcome::Failed(Box::new(answer)))
    }

    /// One stage or two; without failures, what was collected.
    fn stages(
        &self,
        source: &dyn Source,
        folder: &Folder,
    ) -> Result<Result<Stage, Collection>, HuntError> {
        let scope = self.monitor.scope();
        let auto = self.monitor == Monitor::Auto;
        let goal = Goal { leave_deadlocks: auto, ..self.goal };
        let first = self.collect(source, goal, folder.path())?;
        if first.failing() == 0 {
            return Ok(Err(first));
        }
        if auto && (first.stop == Stop::Deadlocks || first.is_about_deadlocks()) {
            let because = SecondStage::Deadlocks {
                deadlocks: first.deadlocks() as u64,
                failing: first.failing() as u64,
            };
            return self.second(source, first, None, because, folder).map(Ok);
        }
        let analysis = self.analyze(&first, scope, folder)?;
        let because = match first.passing() {
            _ if first.always().is_some() => None,
            0 => analysis.census.edges.is_empty().then_some(SecondStage::NothingRecorded),
            _ => (!analysis.separates()).then_some(SecondStage::NothingSeparates),
        };
        if let Some(because) = because.filter(|_| auto) {
            return self.second(source, first, Some(analysis), because, folder).map(Ok);
        }
        Stage::of(first, analysis, scope, source).map(Ok)
    }

    /// Starts over with the thread library monitored too, through the tap: its traffic is more than tables hold. If
    /// nothing fails then, the first stage's answer stands.
    fn second(
        &self,
        own: &dyn Source,
        first: Collection,
        analysis: Option<Analysis>,
        because: SecondStage,
        folder: &Folder,
    ) -> Result<Stage, HuntError> {
        (self.watch)(Event::SecondStage(because));
        let scope = Scope::All;
        let setup = Setup { scope, collect: Collect::Tap, ..self.setup.clone() };
        let source = (self.open)(&setup)?;
        let second = self.collect(&*source, self.goal, &folder.library())?;
        if second.failing() > 0 {
            let analysis = self.analyze(&second, scope, folder)?;
            let mut stage = Stage::of(second, analysis, scope, &*source)?;
            stage.notes.insert(0, Note::LibraryMonitored { because });
            return Ok(stage);
        }
        let scope = Scope::Program;
        let analysis = match analysis {
            Some(analysis) => analysis,
            None => self.analyze(&first, scope, folder)?,
        };
        let mut stage = Stage::of(first, analysis, scope, own)?;
        let schedules = second.entries.len() as u64;
        stage.notes.insert(0, Note::LibraryPassed { because, schedules });
        Ok(stage)
    }

    fn collect(
        &self,
        source: &dyn Source,
        goal: Goal,
        folder: &Path,
    ) -> Result<Collection, HuntError> {
        if let Some(damage) = super::drop_damaged(folder)? {
            (self.watch)(Event::Damaged(&damage));
        }
        (self.watch)(Event::Collecting(goal));
        let progress = |standing| (self.watch)(Event::Ran(standing));
        let fail_if = self.fail_if;
        let collector = Collector { source, fail_if, goal, folder, progress: &progress };
        collector.collect().map_err(|error| error.of(&self.subject.name))
    }

    fn analyze(
        &self,
        collection: &Collection,
        scope: Scope,
        folder: &Folder,
    ) -> Result<Analysis, HuntError> {
        // What a failing program does next, such as printing its complaint, is library code too.
        let interest = match scope {
            Scope::Program => Vec::new(),
            Scope::All => vec![THREADS.to_owned()],
        };
        let request = Request {
            code: CodeOptions {
                elf: Some(folder.program()),
                sources: self.subject.sources.clone(),
                interest,
                ..CodeOptions::default()
            },
            ..Request::default()
        };
        (self.watch)(Event::Analyzing);
        Ok(collection.analyze(request, &|| (self.watch)(Event::Read))?)
    }

    fn first_setup(&self) -> Setup {
        Setup { scope: self.monitor.scope(), ..self.setup.clone() }
    }

    /// Everything that decides what a schedule gives, but for the source, which is not open yet, and for harts that
    /// are added.
    fn identity(&self) -> Identity {
        let Setup { arguments, config, collect, max_cycles, .. } = &self.setup;
        Identity {
            schema: SCHEMA.into(),
            program: self.subject.name.clone(),
            elf: kit::numbers::hex(&self.subject.hash()),
            arguments: arguments.iter().map(|a| a.to_string_lossy().into_owned()).collect(),
            configuration: config.canonical(),
            harts: (!self.more_harts).then_some(config.harts),
            on: self.on.to_owned(),
            source: None,
            monitor: self.monitor.name().into(),
            collect: collect.name().into(),
            fail_if: self.fail_if.to_string(),
            max_cycles: *max_cycles,
        }
    }
}

/// What a reader should know of the runs.
fn notes(collection: &Collection) -> Vec<Note> {
    let mut notes = Vec::new();
    let schedules = collection.entries.len() as u64;
    let goal = collection.goal;
    if collection.passing() == 0 && goal.passing > 0 {
        notes.push(Note::AllFailed { schedules });
    } else if collection.stop == Stop::Limit {
        for (label, found, wanted) in [
            ("failing", collection.failing() as u64, goal.failing.into()),
            ("passing", collection.passing() as u64, goal.passing.into()),
        ] {
            if found < wanted {
                notes.push(Note::FewRuns { label, found, wanted, schedules });
            }
        }
    }
    let chosen = collection.chosen();
    let stopped =
        chosen.iter().filter(|entry| entry.ended == OutcomeCode::CycleLimit).count() as u64;
    if stopped > 0 {
        notes.push(Note::CycleLimit { runs: stopped });
    }
    let kept = Tail::KEPT as u64;
    if let Some(entry) = collection.entries.iter().max_by_key(|entry| entry.printed)
        && entry.printed > kept
    {
        notes.push(Note::LongOutput { schedule: entry.seed, printed: entry.printed, kept });
    }
    notes
}
