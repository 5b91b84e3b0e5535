//! The runs of one bug, as they lie on disk: each three times, as each way of tracking saw it.

use crate::error::{Error, io};
use crate::measured::{Tracking, Work};
use crosstalk::runs::RunFile;
use kit::file::write_atomic;
use record::{Label, Run};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// Runs of each label in one trial, as in both papers.
pub const RUNS: usize = 25;

/// A run that was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// The seed of its schedule.
    pub seed: u64,
    /// It failed.
    pub failing: bool,
    /// What the hardware did.
    pub work: Option<Work>,
}

/// All runs of one bug.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Collection {
    /// Schedules that were tried.
    pub schedules: u64,
    /// Schedules that failed.
    pub failed: u64,
    /// The runs, in the order of their seeds.
    pub runs: Vec<Kept>,
    #[serde(skip)]
    folder: PathBuf,
}

/// The index file of the collection for a number of trials. It is written last.
fn index(folder: &Path, trials: usize) -> PathBuf {
    folder.join(format!("collection-{trials}.json"))
}

impl Collection {
    /// A collection to be filled, in this folder.
    pub fn new(folder: &Path, schedules: u64, failed: u64) -> Self {
        Self { schedules, failed, runs: Vec::new(), folder: folder.to_owned() }
    }

    /// The collection for this number of trials in the folder, if it is complete.
    ///
    /// # Errors
    /// If it is there and cannot be read.
    pub fn load(folder: &Path, trials: usize) -> Result<Option<Self>, Error> {
        let path = index(folder, trials);
        if !path.is_file() {
            return Ok(None);
        }
        let text = fs::read_to_string(&path).map_err(io(&path))?;
        let read: Self = serde_json::from_str(&text)
            .map_err(|error| Error::Damaged { path, reason: error.to_string() })?;
        Ok(Some(Self { folder: folder.to_owned(), ..read }))
    }

    /// The program, in a folder of a collection.
    pub fn elf(folder: &Path) -> PathBuf {
        folder.join("program.elf")
    }

    /// The folder it is in.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes a run as one way of tracking saw it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(folder: &Path, tracking: Tracking, run: &Run) -> Result<(), Error> {
        let path = path(folder, tracking, run.header.seed);
        let bytes = run.write(Vec::new()).map_err(io(&path))?;
        replace(&path, &bytes)
    }

    /// Says that everything is there.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn finish(mut self, trials: usize) -> Result<Self, Error> {
        self.runs.sort_by_key(|run| run.seed);
        let text = serde_json::to_string_pretty(&self).expect("numbers have a form in JSON");
        replace(&index(&self.folder, trials), text.as_bytes())?;
        Ok(self)
    }

    /// The trials that it has runs for: each with [`RUNS`] failing and [`RUNS`] passing ones that no
    /// other has.
    pub fn trials(&self) -> Vec<Trial<'_>> {
        let of = |failing: bool| {
            let runs: Vec<_> = self.runs.iter().filter(|run| run.failing == failing).collect();
            runs.chunks_exact(RUNS).map(<[_]>::to_vec).collect::<Vec<_>>()
        };
        let both = of(true).into_iter().zip(of(false));
        both.map(|(failing, passing)| Trial { collection: self, failing, passing }).collect()
    }

    /// A run as one way of tracking saw it.
    pub fn file(&self, tracking: Tracking, run: &Kept) -> RunFile {
        let path = path(&self.folder, tracking, run.seed);
        let label = if run.failing { Label::Failing } else { Label::Passing };
        RunFile { path, name: name(run.seed), label: Some(label) }
    }
}

/// The runs of one trial.
pub struct Trial<'a> {
    collection: &'a Collection,
    failing: Vec<&'a Kept>,
    passing: Vec<&'a Kept>,
}

impl Trial<'_> {
    /// The first `failing` failing runs and all passing ones.
    pub fn labeled(&self, tracking: Tracking, failing: usize) -> Vec<RunFile> {
        let runs = self.failing.iter().take(failing).chain(&self.passing);
        runs.map(|run| self.collection.file(tracking, run)).collect()
    }

    /// As many runs as of one label, with failing ones among them as often as schedules failed, and at
    /// least one (Bugaboo §6.2).
    pub fn unlabeled(&self, tracking: Tracking) -> Vec<RunFile> {
        let Collection { schedules, failed, .. } = self.collection;
        let share = *failed as f64 / (*schedules).max(1) as f64;
        let failing = ((share * RUNS as f64).round() as usize).clamp(1, RUNS - 1);
        let runs = self.failing.iter().take(failing).chain(&self.passing);
        runs.take(RUNS).map(|run| self.collection.file(tracking, run)).collect()
    }

    /// The passing runs.
    pub fn passing(&self, tracking: Tracking) -> Vec<RunFile> {
        self.passing.iter().map(|run| self.collection.file(tracking, run)).collect()
    }
}

fn name(seed: u64) -> String {
    format!("{seed:08}.run")
}

fn path(folder: &Path, tracking: Tracking, seed: u64) -> PathBuf {
    folder.join(tracking.folder()).join(name(seed))
}

/// Writes a file atomically, and makes its folder if need be.
///
/// # Errors
/// If it cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(io(folder))?;
    Ok(write_atomic(path, bytes)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collection(failing: u64, passing: u64) -> Collection {
        let kept = |seed: u64, failing: bool| Kept { seed, failing, work: None };
        let mut collection = Collection::new(Path::new("x"), 100, 20);
        collection.runs.extend((0..failing).map(|seed| kept(seed, true)));
        collection.runs.extend((1000..1000 + passing).map(|seed| kept(seed, false)));
        collection
    }

    fn failing(files: &[RunFile]) -> usize {
        files.iter().filter(|file| file.label == Some(Label::Failing)).count()
    }

    #[test]
    fn trials_share_no_run_and_are_whole() {
        let collection = collection(55, 80);
        let trials = collection.trials();
        assert_eq!(trials.len(), 2);
        let [first, second] = [0, 1].map(|n| trials[n].labeled(Tracking::Hardware, RUNS));
        assert_eq!((first.len(), failing(&first)), (50, 25));
        assert!(first.iter().all(|file| !second.contains(file)));
        assert_eq!(trials[0].labeled(Tracking::Words, 5).len(), 30);
    }

    #[test]
    fn unlabeled_runs_fail_as_often_as_schedules_do() {
        let collection = collection(25, 25);
        let files = collection.trials()[0].unlabeled(Tracking::Lines);
        assert_eq!((files.len(), failing(&files)), (25, 5));
    }

    #[test]
    fn a_collection_is_there_when_it_is_finished() {
        let folder = tempfile::tempdir().unwrap();
        let mut made = collection(2, 1);
        made.folder = folder.path().to_owned();
        assert_eq!(Collection::load(folder.path(), 1).unwrap(), None);
        let made = made.finish(1).unwrap();
        assert_eq!(Collection::load(folder.path(), 1).unwrap(), Some(made));
        assert_eq!(Collection::load(folder.path(), 2).unwrap(), None);
    }
}
