//! A run of a hunt's folder, opened to be had again: its program, its machine and its schedule, as the folder
//! has them.

use super::folder::{IDENTITY, Identity, LIBRARY, PROGRAM, SCHEMA};
use super::journal::{JOURNAL, RUNS, run_file, run_path};
use super::sources::{CHOICES, Opening};
use super::{
    Collect, Entry, FailIf, HuntError, Loaded, On, Schedule, Scope, Search, Setup, Source, Subject,
};
use crate::Error;
use ::evidence::log::Log;
use ::evidence::run::{self, Witness};
use border::End;
use config::Config;
use cosim::Builder;
use debugger::{Recorder, Recording};
use golden::memory::Parameters;
use kit::numbers::hex;
use record::{Label, Run};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Which run is meant.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// A run file of a hunt, the hunt's folder, or the folder of one of its machines.
    pub path: &'a Path,
    /// Of a folder: the schedule; else the first that failed.
    pub seed: Option<u64>,
    /// Of a folder: the machine; else the golden one, if it ran the program.
    pub on: Option<On>,
}

/// A run of a hunt, which can be had again.
pub struct Recorded {
    /// The program.
    pub subject: Subject,
    /// What ran it.
    pub on: On,
    /// How it ended.
    pub entry: Entry,
    /// The linked program, in the hunt's folder.
    pub path: PathBuf,
    /// What counted as failing.
    pub fail_if: FailIf,
    /// The hunt's folder.
    pub hunt: PathBuf,
    /// The program's arguments.
    pub arguments: Vec<String>,
    /// The hunt was of both machines.
    pub both: bool,
    setup: Setup,
    stage: PathBuf,
    entries: Vec<Entry>,
    source: Box<dyn Source>,
    loaded: Loaded,
}

impl Recorded {
    /// Finds the run and what made it.
    ///
    /// # Errors
    /// If there is no such run, if its program has changed since, or if a file is damaged.
    pub fn open(wanted: &Wanted<'_>, builder: &Builder) -> Result<Self, HuntError> {
        let (stage, seed) = stage(wanted)?;
        let (hunt, identity) = hunt_of(&stage)?;
        let entries = entries(&stage)?;
        let entry = chosen(&stage, &entries, seed)?.clone();
        let on = On::named(&entry.source).ok_or_else(|| {
            let (stage, source) = (show(&stage), &entry.source);
            refused(format!("{stage}: runs of the unknown machine `{source}` cannot be reproduced"))
        })?;
        let subject = subject(&hunt, &identity)?;
        let setup = setup(&identity, stage == hunt.join(LIBRARY))?;
        let source = on.open(&Opening { subject: &subject, setup: &setup, builder })?;
        let (path, loaded) = (hunt.join(PROGRAM), subject.load(&setup)?);
        let rule = |what: String| refused(format!("{}: {what}", show(&hunt.join(IDENTITY))));
        let fail_if = identity.fail_if.parse().map_err(rule)?;
        let both = identity.on == Search::Both.name();
        let arguments = identity.arguments;
        Ok(Self {
            subject,
            on,
            entry,
            path,
            fail_if,
            hunt,
            arguments,
            both,
            setup,
            stage,
            entries,
            source,
            loaded,
        })
    }

    /// The schedule.
    pub fn schedule(&self) -> Schedule {
        Schedule { seed: self.entry.seed, level: self.entry.level() }
    }

    /// What ran it.
    pub fn source(&self) -> &dyn Source {
        &*self.source
    }

    /// The schedules that the hunt ran on the same machine.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The same program on another machine, and the schedules that the hunt ran there, if any.
    ///
    /// # Errors
    /// If the machine cannot be had, or a file is damaged.
    pub fn beside(
        &self,
        on: On,
        builder: &Builder,
    ) -> Result<(Box<dyn Source>, Vec<Entry>), HuntError> {
        let Self { subject, setup, .. } = self;
        let source = on.open(&Opening { subject, setup, builder })?;
        let stage = self.hunt.join(on.name());
        let known = stage.join(JOURNAL).is_file().then(|| entries(&stage)).transpose()?;
        Ok((source, known.unwrap_or_default()))
    }

    /// Harts of its machine.
    pub fn harts(&self) -> u32 {
        self.loaded.config.harts
    }

    /// All that the run did.
    ///
    /// # Errors
    /// As [`show`](Self::show).
    pub fn log(&self) -> Result<Log, HuntError> {
        let recording = run::Recording::new(self.loaded.code()?, Arc::default());
        let end = self.show(recording.witness())?;
        Ok(recording.finish(&end))
    }

    /// Shows every instruction of the run; gives how it ended.
    ///
    /// # Errors
    /// If the machine or the firmware is at fault; or if this was another run than the hunt's, which is known only
    /// once it is over.
    pub fn show(&self, witness: Witness) -> Result<End, HuntError> {
        let run = self.source.show(self.schedule(), witness)?.run;
        self.compare(&run)?;
        Ok(run.ending.outcome)
    }

    /// Makes sure that the run can be had again, for whoever cannot take back what is shown.
    ///
    /// # Errors
    /// As [`show`](Self::show).
    pub fn check(&self) -> Result<(), HuntError> {
        self.compare(&self.source.run(self.schedule())?.run)
    }

    /// All that the run did, to be walked through.
    ///
    /// # Errors
    /// As [`show`](Self::show).
    pub fn recording(&self) -> Result<Recording, HuntError> {
        let parameters = Parameters::of(&self.loaded.config)?;
        let recorder = Recorder::new(self.loaded.code()?, &parameters);
        let end = self.show(recorder.witness())?;
        Ok(recorder.finish((&end).into()))
    }

    /// All that another schedule of the same hunt did.
    ///
    /// # Errors
    /// If the machine or the firmware is at fault.
    pub fn log_of(&self, schedule: Schedule) -> Result<Log, HuntError> {
        self.source.log(schedule)
    }

    /// The first schedules with a label, on the same machine, without this one.
    pub fn others(&self, label: Label, most: usize) -> Vec<Schedule> {
        let others = self.entries.iter().filter(|entry| entry.label() == label);
        let others = others.filter(|entry| entry.seed != self.entry.seed);
        let schedule = |entry: &Entry| Schedule { seed: entry.seed, level: entry.level() };
        others.map(schedule).take(most).collect()
    }

    /// Compares with the hunt's run: a machine or a firmware that has changed would explain another one.
    fn compare(&self, run: &Run) -> Result<(), HuntError> {
        let stage = &self.stage;
        let same = match run_path(stage, self.entry.seed).exists() {
            true => {
                let kept = run_file(stage, self.entry.seed).load()?;
                (kept.header.elf, &kept.edges, &kept.ending)
                    == (run.header.elf, &run.edges, &run.ending)
            }
            false => run.ending.outcome.to_string() == self.entry.outcome,
        };
        if same {
            return Ok(());
        }
        let (seed, machine) = (self.entry.seed, self.on.called());
        Err(refused(format!(
            "{}: schedule {seed} now gives a different run: {machine} or the hunt's file has changed since \
             the hunt; hunt again",
            show(stage)
        )))
    }
}

fn refused(what: String) -> HuntError {
    HuntError::Refused(what)
}

fn show(path: &Path) -> std::path::Display<'_> {
    path.display()
}

/// The folder with the journal of the run, and its seed if that was said.
fn stage(wanted: &Wanted<'_>) -> Result<(PathBuf, Option<u64>), HuntError> {
    let Wanted { path, seed, on } = *wanted;
    let about = fs::metadata(path).map_err(|error| Error::file(path, &error))?;
    let full = path.canonicalize().map_err(|error| Error::file(path, &error))?;
    let parent_of_runs = |folder: &Path| {
        (folder.file_name()? == RUNS).then(|| folder.parent().map(Path::to_owned))?
    };
    if !about.is_dir() {
        let stem = full.file_stem().and_then(|stem| stem.to_str());
        let named = stem.and_then(|stem| stem.parse().ok());
        let stage = full.parent().and_then(parent_of_runs);
        let (Some(stage), Some(number)) = (stage, named) else {
            return Err(refused(format!(
                "{}: expected a run in the folder of a hunt, such as crosstalk-hunt/prog/golden/runs/7.run",
                show(path)
            )));
        };
        if seed.is_some() || on.is_some() {
            return Err(refused(format!(
                "{}: a run file already determines schedule and machine; give --seed and --on with the hunt's folder",
                show(path)
            )));
        }
        return Ok((stage, Some(number)));
    }
    let folder = parent_of_runs(&full).unwrap_or(full);
    let machines = CHOICES.iter().rev().map(|on| folder.join(on.name()));
    let stages: Vec<PathBuf> = machines
        .chain([folder.clone(), folder.join(LIBRARY)])
        .filter(|stage| stage.join(JOURNAL).is_file())
        .collect();
    if stages.is_empty() {
        return Err(refused(format!(
            "{}: expected the folder of a hunt, found no runs",
            show(path)
        )));
    }
    let mut usable = Vec::new();
    for stage in stages {
        let entries = entries(&stage)?;
        let is_on = |entry: &Entry| on.is_none_or(|on| entry.source == on.name());
        let is_wanted = |entry: &&Entry| match seed {
            Some(seed) => entry.seed == seed,
            None => entry.label() == Label::Failing,
        };
        if let Some(entry) = entries.iter().filter(|entry| is_on(entry)).find(is_wanted) {
            usable.push((stage, Some(entry.seed)));
        }
    }
    let none = || {
        let on = on.map_or_else(String::new, |on| format!(" on {}", on.called()));
        refused(match seed {
            Some(seed) => format!("{}: the hunt has no schedule {seed}{on}", show(path)),
            None => format!("{}: no run{on} failed; choose one with --seed", show(path)),
        })
    };
    usable.into_iter().next().ok_or_else(none)
}

/// The hunt that a folder of runs belongs to.
fn hunt_of(stage: &Path) -> Result<(PathBuf, Identity), HuntError> {
    let found = stage.ancestors().take(2).find(|folder| folder.join(IDENTITY).is_file());
    let Some(hunt) = found else {
        return Err(refused(format!(
            "{}: expected the file {IDENTITY} of a hunt, which says how its runs were made",
            show(stage)
        )));
    };
    let path = hunt.join(IDENTITY);
    let bytes = fs::read(&path).map_err(|error| Error::file(&path, &error))?;
    let identity: Result<Identity, _> = serde_json::from_slice(&bytes);
    let identity = identity.ok().filter(|identity| identity.schema == SCHEMA);
    let wrong = || refused(format!("{}: expected the format {SCHEMA}; hunt again", show(&path)));
    Ok((hunt.to_owned(), identity.ok_or_else(wrong)?))
}

/// The lines of a journal, up to one that a running hunt has not finished.
fn entries(stage: &Path) -> Result<Vec<Entry>, HuntError> {
    let path = stage.join(JOURNAL);
    let bytes = fs::read(&path).map_err(|error| Error::file(&path, &error))?;
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').zip(1..);
    let whole = lines.filter_map(|(line, number)| Some((line.strip_suffix(b"\n")?, number)));
    let entry = |(line, number): (&[u8], u32)| {
        let wrong = |_| refused(format!("{}: line {number} is damaged; hunt again", show(&path)));
        serde_json::from_slice(line).map_err(wrong)
    };
    whole.map(entry).collect()
}

fn chosen<'a>(
    stage: &Path,
    entries: &'a [Entry],
    seed: Option<u64>,
) -> Result<&'a Entry, HuntError> {
    let found = entries.iter().find(|entry| Some(entry.seed) == seed);
    found.ok_or_else(|| {
        let seed = seed.unwrap_or_default();
        refused(format!("{}: {JOURNAL} has no schedule {seed}", show(stage)))
    })
}

fn subject(hunt: &Path, identity: &Identity) -> Result<Subject, HuntError> {
    let path = hunt.join(PROGRAM);
    let mut subject = Subject::linked(&path)?;
    if hex(&subject.hash()) != identity.elf {
        return Err(refused(format!(
            "{}: the program differs from the one that was hunted; hunt again",
            show(&path)
        )));
    }
    // The program sees its own name.
    subject.program.path = Path::new(&identity.program).with_extension("elf");
    subject.name.clone_from(&identity.program);
    subject.sources.extend(identity.sources.iter().cloned());
    Ok(subject)
}

/// How the hunt ran it; its second stage monitors the library, through the tap.
fn setup(identity: &Identity, is_library: bool) -> Result<Setup, HuntError> {
    let wrong = |error: config::ConfigError| refused(error.to_string());
    let mut config = Config::default().with(&identity.configuration).map_err(wrong)?;
    config.harts = identity.harts.unwrap_or(config.harts);
    config.check().map_err(wrong)?;
    let named = |all: Collect| all.name() == identity.collect;
    let collect = match is_library || named(Collect::Tap) {
        true => Collect::Tap,
        false => Collect::Firmware,
    };
    let scope = match is_library || identity.monitor == Scope::All.name() {
        true => Scope::All,
        false => Scope::Program,
    };
    let arguments = identity.arguments.iter().map(OsString::from).collect();
    Ok(Setup { arguments, scope, collect, max_cycles: identity.max_cycles, ..Setup::new(config) })
}
