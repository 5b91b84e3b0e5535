//! A hunt in one or two stages: the program's own code first; the thread library too if that did not do.

use super::super::failure::{Failure, say};
use super::super::machine::builder;
use super::super::out::{grouped, plural};
use super::super::progress::Progress;
use super::args::{Args, Monitor};
use super::folder::Folder;
use super::progress::HuntProgress;
use crate::analysis::{Analysis, Request};
use crate::code::CodeOptions;
use crate::hunt::sources::Opening;
use crate::hunt::{
    self, Collect, Collection, Collector, Goal, HuntError, Scope, Setup, Source, Stop, Subject,
};
use config::Config;
use std::path::Path;

/// Where the thread library's sources are.
const THREADS: &str = "firmware/library/threads/";

/// What is hunted, and where everything goes.
pub struct Hunt<'a> {
    pub args: &'a Args,
    pub subject: &'a Subject,
    pub config: &'a Config,
    pub folder: &'a Folder,
}

/// What an answer stands on.
pub struct Ground {
    pub collection: Collection,
    pub analysis: Analysis,
    pub scope: Scope,
    /// What a reader should know besides, a sentence each.
    pub notes: Vec<String>,
}

/// What runs the program; a machine that was never built takes a while.
pub fn source(args: &Args, subject: &Subject, setup: &Setup) -> Result<Box<dyn Source>, HuntError> {
    args.on.open(&Opening { subject, setup, builder: &builder() })
}

impl Hunt<'_> {
    /// Collects and analyzes; at first on this machine.
    ///
    /// # Errors
    /// If no schedule fails, or something is wrong.
    pub fn run(&self, source: &dyn Source) -> Result<Ground, Failure> {
        let scope = self.args.scope();
        let auto = self.args.monitor == Monitor::Auto;
        let goal = Goal { leave_deadlocks: auto, ..self.args.goal() };
        let first = self.collect(source, goal, self.folder.path())?;
        if first.failing() == 0 {
            return Err(self.nothing_failed(&first, source.has_levels()));
        }
        if auto && (first.stop == Stop::Deadlocks || first.is_about_deadlocks()) {
            let why = format!(
                "{} of {} are deadlocks, which are in the thread library's communication",
                grouped(first.deadlocks() as u64),
                plural(first.failing() as u64, "failure")
            );
            return self.second(first, None, &why);
        }
        let analysis = self.analyze(&first, scope)?;
        if auto && first.passing() > 0 && !analysis.separates() {
            let why = "nothing in the program's own code tells failing runs from passing ones";
            return self.second(first, Some(analysis), why);
        }
        Ok(self.ground(first, analysis, scope))
    }

    /// Starts over with the thread library monitored too, through the tap: its traffic is more than
    /// tables hold.
    fn second(
        &self,
        first: Collection,
        analysis: Option<Analysis>,
        why: &str,
    ) -> Result<Ground, Failure> {
        say(format_args!("{why}: starting over with the library monitored\n"));
        let scope = Scope::All;
        let setup = Setup { scope, collect: Collect::Tap, ..self.args.setup(self.config) };
        let source = source(self.args, self.subject, &setup)?;
        let second = self.collect(&*source, self.args.goal(), &self.folder.library())?;
        if second.failing() > 0 {
            let analysis = self.analyze(&second, scope)?;
            let mut ground = self.ground(second, analysis, scope);
            ground.notes.insert(
                0,
                format!(
                    "The thread library was monitored too: {why}. Its lines are told by themselves, without \
                     the calls that led to them."
                ),
            );
            return Ok(ground);
        }
        let analysis = match analysis {
            Some(analysis) => analysis,
            None => self.analyze(&first, Scope::Program)?,
        };
        let mut ground = self.ground(first, analysis, Scope::Program);
        ground.notes.insert(
            0,
            format!(
                "Though {why}, only the program's own was monitored: of {} without draining none failed.",
                plural(second.entries.len() as u64, "schedule")
            ),
        );
        Ok(ground)
    }

    fn collect(
        &self,
        source: &dyn Source,
        goal: Goal,
        folder: &Path,
    ) -> Result<Collection, Failure> {
        if let Some(damage) = hunt::mend(folder)? {
            say(format_args!("{damage}; the schedules from there on are run again\n"));
        }
        let progress = HuntProgress::new(goal);
        let collector = Collector {
            source,
            fail_if: &self.args.fail_if,
            goal,
            folder,
            progress: &|standing| progress.show(standing),
        };
        collector.collect().map_err(|error| self.about_program(error))
    }

    /// What is wrong with a program begins with its name.
    fn about_program(&self, error: HuntError) -> Failure {
        match error {
            HuntError::Refused(what) => {
                Failure::BadInput(format!("`{}`: {what}", self.subject.name))
            }
            error => error.into(),
        }
    }

    fn analyze(&self, collection: &Collection, scope: Scope) -> Result<Analysis, Failure> {
        // What a failing program does next, printing its complaint for one, is the library's too.
        let interest = match scope {
            Scope::Program => Vec::new(),
            Scope::All => vec![THREADS.to_owned()],
        };
        let request = Request {
            code: CodeOptions {
                elf: Some(self.folder.program()),
                sources: self.subject.sources.clone(),
                interest,
                ..CodeOptions::default()
            },
            ..Request::default()
        };
        let progress = Progress::new("runs read");
        Ok(collection.analyze(request, &|| progress.step())?)
    }

    fn ground(&self, collection: Collection, analysis: Analysis, scope: Scope) -> Ground {
        let notes = super::verdict::notes(&collection);
        Ground { collection, analysis, scope, notes }
    }

    fn nothing_failed(&self, collection: &Collection, has_levels: bool) -> Failure {
        let tried = plural(collection.entries.len() as u64, "schedule");
        let (name, folder) = (&self.subject.name, self.folder.path().display());
        let perturbation = match has_levels {
            true => ", simulation.perturbation.chance or max_stall in a --config",
            false => "",
        };
        Failure::Failed(format!(
            "none of {tried} of `{name}` failed; raise --max-runs (with --resume they are \
             not run again){perturbation}, or say with --fail-if what a failure prints; the runs are \
             in {folder}"
        ))
    }
}
