//! The stages of a hunt: the program's own code; then, if neither that nor exact evidence explains the failures, everything.

use super::campaign::{Campaign, Event, Monitor};
use super::folder::Folder;
use super::judge::DEADLOCKS;
use super::opened::{One, Opened};
use super::{
    Collect, Collection, Collector, Goal, HuntError, Scope, Setup, Source, Stop, both, notes, plain,
};
use crate::analysis::{Analysis, Request};
use crate::code::CodeOptions;
use crate::verdict::{Note, SecondStage};
use ::evidence::account::{Account, Cause};
use std::path::{Path, PathBuf};

/// The sources of the thread library, whose lines count in the second stage.
const THREADS: &str = "firmware/library/threads/";

/// What a stage found.
pub(super) struct Stage {
    pub collection: Collection,
    pub others: Vec<Collection>,
    pub analysis: Analysis,
    pub scope: Scope,
    pub notes: Vec<Note>,
}

/// Collections of a stage, the one that counts first.
struct Collected {
    counts: Collection,
    others: Vec<Collection>,
    /// What examining failing schedules has shown.
    accounts: Vec<Account>,
}

impl Collected {
    /// Whether exact evidence tells why it fails.
    fn is_explained(&self) -> bool {
        self.accounts.first().is_some_and(|account| account.cause != Cause::Unknown)
    }
}

impl Campaign<'_> {
    /// One stage or two; without failures, what was collected.
    pub(super) fn stages(
        &self,
        opened: &Opened<'_>,
        folder: &Folder,
    ) -> Result<Result<Stage, Vec<Collection>>, HuntError> {
        let scope = self.monitor.scope();
        let auto = self.monitor == Monitor::Auto;
        let mut collections = self.collect_all(opened, folder, auto)?;
        both::chosen_first(&mut collections);
        let accounts = self.examine(opened, &collections)?;
        if collections.iter().all(|collection| collection.failing() == 0) {
            return Ok(Err(collections));
        }
        let counts = collections.remove(0);
        let source = opened.of(&counts);
        let found = Collected { counts, others: collections, accounts };
        // What exact evidence explains, the library's communication explains no better.
        let again = auto && !found.is_explained();
        let first = &found.counts;
        if again && (first.stop == Stop::Deadlocks || first.is_about_deadlocks()) {
            let because = SecondStage::Deadlocks {
                deadlocks: first.deadlocks() as u64,
                failing: first.failing() as u64,
            };
            return self.second(source, found, None, because, folder).map(Ok);
        }
        let analysis = self.analyze(first, scope, folder)?;
        let because = match first.passing() {
            _ if plain::always(first, &found.others).is_some() => None,
            0 => analysis.census.edges.is_empty().then_some(SecondStage::NothingRecorded),
            _ => (!analysis.separates()).then_some(SecondStage::NothingSeparates),
        };
        if let Some(because) = because.filter(|_| again) {
            return self.second(source, found, Some(analysis), because, folder).map(Ok);
        }
        self.stage(found, analysis, scope, &*source.source).map(Ok)
    }

    /// Starts over with the thread library monitored too, on the source whose runs count and through the tap: its traffic
    /// is more than tables hold. If nothing fails then, the first stage's answer stands.
    fn second(
        &self,
        own: &One<'_>,
        first: Collected,
        analysis: Option<Analysis>,
        because: SecondStage,
        folder: &Folder,
    ) -> Result<Stage, HuntError> {
        (self.watch)(Event::SecondStage(because));
        let scope = Scope::All;
        let setup = Setup { scope, collect: Collect::Tap, ..self.setup.clone() };
        let source = (own.open)(&setup)?;
        let second = self.collect(&*source, own.goal, &folder.library())?;
        if second.failing() > 0 {
            let analysis = self.analyze(&second, scope, folder)?;
            let Collected { others, accounts, .. } = first;
            let found = Collected { counts: second, others, accounts };
            let mut stage = self.stage(found, analysis, scope, &*source)?;
            stage.notes.insert(0, Note::LibraryMonitored { because });
            return Ok(stage);
        }
        let scope = Scope::Program;
        let analysis = match analysis {
            Some(analysis) => analysis,
            None => self.analyze(&first.counts, scope, folder)?,
        };
        let mut stage = self.stage(first, analysis, scope, &*own.source)?;
        let schedules = second.entries.len() as u64;
        stage.notes.insert(0, Note::LibraryPassed { because, schedules });
        Ok(stage)
    }

    /// What collections show, of which the first comes from this source.
    fn stage(
        &self,
        found: Collected,
        mut analysis: Analysis,
        scope: Scope,
        source: &dyn Source,
    ) -> Result<Stage, HuntError> {
        let Collected { counts: collection, others, accounts } = found;
        analysis.accounts = accounts;
        plain::overrule(&mut analysis, &collection, &others);
        let mut notes = notes::of_runs(&collection);
        notes.extend(plain::printed(&analysis, &collection, source)?);
        notes.splice(0..0, notes::of_choice(&collection, &others));
        Ok(Stage { collection, others, analysis, scope, notes })
    }

    /// Runs schedules on one source, or on two side by side.
    fn collect_all(
        &self,
        opened: &Opened<'_>,
        folder: &Folder,
        auto: bool,
    ) -> Result<Vec<Collection>, HuntError> {
        let goal = |one: &One<'_>| {
            // Where runs are cheap, other failures may still come up among them.
            let deadlocks = match one.source.replay_limits() {
                Some(_) => DEADLOCKS,
                None => one.goal.failing.max(DEADLOCKS),
            };
            Goal { leave_deadlocks: auto.then_some(deadlocks), ..one.goal }
        };
        let place = |one: &One<'_>| -> PathBuf {
            match self.beside {
                None => folder.path().to_owned(),
                Some(_) => folder.of_source(one.source.name()),
            }
        };
        let [hardware, fast] = opened.sources.as_slice() else {
            let only = opened.sources.iter();
            return only.map(|one| self.collect(&*one.source, goal(one), &place(one))).collect();
        };
        let places = [place(hardware), place(fast)];
        let progress = |standing| (self.watch)(Event::Ran(standing));
        let [hardware, fast] = [(hardware, &places[0]), (fast, &places[1])].map(|(one, folder)| {
            let (source, goal) = (&*one.source, goal(one));
            Collector { source, fail_if: self.fail_if, goal, folder, progress: &progress }
        });
        self.say_damage(&hardware)?;
        self.say_damage(&fast)?;
        (self.watch)(Event::Collecting(hardware.goal));
        let wrong = |error: HuntError| error.of(&self.subject.name);
        let (slow, quick) = (hardware.begin()?, fast.begin()?);
        both::collect(&slow, &quick, &hardware.goal).map_err(wrong)?;
        Ok(vec![slow.finish(), quick.finish()])
    }

    fn collect(
        &self,
        source: &dyn Source,
        goal: Goal,
        folder: &Path,
    ) -> Result<Collection, HuntError> {
        let progress = |standing| (self.watch)(Event::Ran(standing));
        let fail_if = self.fail_if;
        let collector = Collector { source, fail_if, goal, folder, progress: &progress };
        self.say_damage(&collector)?;
        (self.watch)(Event::Collecting(goal));
        collector.collect().map_err(|error| error.of(&self.subject.name))
    }

    fn say_damage(&self, collector: &Collector<'_>) -> Result<(), HuntError> {
        if let Some(damage) = collector.drop_damaged()? {
            (self.watch)(Event::Damaged(&damage));
        }
        Ok(())
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
}
