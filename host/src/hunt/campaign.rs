//! A whole hunt, in one or two stages: the program's own code first; then, if neither that nor exact evidence explains the
//! failures, everything once more with the thread library monitored.

use super::folder::{Folder, Identity, SCHEMA};
use super::opened::Opened;
use super::stages::Stage;
use super::{
    Collection, FailIf, FirstLook, Goal, HuntError, Scope, Setup, Source, Standing, Subject, harts,
};
use crate::Error;
use crate::analysis::Analysis;
use crate::report::{Limits, Report};
use crate::verdict::{Note, SecondStage};
use std::path::{Path, PathBuf};

/// Which code is monitored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Monitor {
    /// The program's own.
    Program,
    /// The thread library's too.
    All,
    /// The program's own; then all, if exact evidence explains nothing, and the failures are deadlocks or nothing separates
    /// failing runs from passing ones.
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
    pub(super) fn scope(self) -> Scope {
        match self {
            Self::Program | Self::Auto => Scope::Program,
            Self::All => Scope::All,
        }
    }
}

/// Makes the program ready to run in this setup.
pub type Open<'a> = dyn Fn(&Setup) -> Result<Box<dyn Source>, HuntError> + 'a;

/// A source that looks for failures beside another.
#[derive(Clone, Copy)]
pub struct Beside<'a> {
    /// Opens it.
    pub open: &'a Open<'a>,
    /// How many runs to look for on it.
    pub goal: Goal,
}

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
    /// The name of what runs it, which a resumed hunt must have in common.
    pub on: &'a str,
    /// Opens the source of runs.
    pub open: &'a Open<'a>,
    /// A faster source beside it; each has a folder of its own below the hunt's.
    pub beside: Option<Beside<'a>>,
    /// What counts as failing.
    pub fail_if: &'a FailIf,
    /// How many runs to look for.
    pub goal: Goal,
    /// Force the order that was found, and the opposite one, where that is cheap.
    pub confirm: bool,
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
    /// Enough schedules were run; failing ones are about to be examined.
    Examining,
    /// The order that was found is about to be forced, and the opposite one.
    Confirming,
    /// The records of the runs are about to be analyzed.
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
        /// Those of other sources.
        others: Vec<Collection>,
        /// Whether a configuration can ask for more perturbation.
        has_levels: bool,
    },
}

/// The answer of a hunt with failures.
pub struct Answer {
    /// The runs that it stands on.
    pub collection: Collection,
    /// What was run on other sources, and does not count.
    pub others: Vec<Collection>,
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
            let fitting = self.with_harts(harts, look.threads)?;
            let opened = Opened::all(&fitting)?;
            (identity.harts, identity.source) = (Some(harts), Some(opened.identity()?));
            folder.begin(&identity, resume)?;
            folder.put_program(self.subject.elf())?;
            if !begun {
                (self.watch)(Event::Begun);
            }
            begun = true;
            match fitting.explore(&opened, &folder, asked) {
                Err(HuntError::Harts { needed: Some(needed), .. }) if self.more_harts => {
                    (had, harts) = (harts, harts::after(harts, needed));
                    resume = false;
                }
                outcome => return outcome,
            }
        }
    }

    /// The same hunt on a machine with so many harts, of a program that has threads or of which that is not known.
    fn with_harts(&self, harts: u32, threads: bool) -> Result<Self, HuntError> {
        let mut setup = self.setup.clone();
        setup.config.harts = harts;
        setup.config.check().map_err(|error| HuntError::Refused(error.to_string()))?;
        let known = |goal: Goal| Goal { has_threads: goal.has_threads || threads, ..goal };
        let beside = self.beside.map(|beside| Beside { goal: known(beside.goal), ..beside });
        Ok(Campaign { setup, goal: known(self.goal), beside, ..*self })
    }

    /// Collects, analyzes and writes the report, on a machine that was asked for with so many harts.
    fn explore(
        &self,
        opened: &Opened<'_>,
        folder: &Folder,
        asked: u32,
    ) -> Result<Outcome, HuntError> {
        let mut stage = match self.stages(opened, folder)? {
            Ok(stage) => stage,
            Err(mut collections) => {
                let has_levels = opened.sources.iter().any(|one| one.source.has_levels());
                let others = collections.split_off(1);
                let Some(collection) = collections.pop() else {
                    return Err(HuntError::Refused(
                        "no machine was given to run the schedules".into(),
                    ));
                };
                return Ok(Outcome::NoneFailed { collection, others, has_levels });
            }
        };
        let confirmed = self.confirmed(opened, &stage)?;
        stage.notes.splice(0..0, opened.missing.clone());
        let harts = self.setup.config.harts;
        if harts != asked {
            stage.notes.insert(0, Note::MoreHarts { asked, harts });
        }
        stage.notes.splice(0..0, confirmed);
        let reads = self.reads(opened, &stage)?;
        let page = Report::of(&stage.analysis, Limits::default())
            .with_notes(stage.notes.clone())
            .with_reads(reads);
        let report = folder.put_report(page.html().as_bytes())?;
        let Stage { collection, others, analysis, scope, notes } = stage;
        let program = folder.program();
        let answer = Answer { collection, others, analysis, scope, notes, program, report };
        Ok(Outcome::Failed(Box::new(answer)))
    }

    pub(super) fn first_setup(&self) -> Setup {
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
            sources: self.subject.source_folders(),
        }
    }
}
