//! What is known of each schedule, on disk: a line of JSON each, in the order of their seeds.
//!
//! A line is written after its run's file is on the disk, if it has one ([`Kept`]). Whatever a hunt was doing when it was stopped, the
//! lines that are whole are of a prefix of the seeds, and their runs are there. Where a run has been damaged
//! since, or is gone, the prefix ends before it: the schedules from there on are run again.

use super::{Goal, Level, Source, Strategy};
use crate::Error;
use crate::runs::RunFile;
use border::record::OutcomeCode;
use kit::file::write_atomic;
use record::{Label, Run};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The file with the lines.
pub(super) const JOURNAL: &str = "schedules.jsonl";
/// The folder with the runs.
pub(super) const RUNS: &str = "runs";

/// A schedule and how its run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The seed of its schedule.
    pub seed: u64,
    /// The name of the source that ran it; empty in journals that do not say.
    #[serde(default)]
    pub source: String,
    /// How much it was perturbed.
    level: Level,
    /// Whether it counts as failing.
    failing: bool,
    /// How its run ended, in a word.
    #[serde(with = "word")]
    pub ended: OutcomeCode,
    /// How it ended, in full.
    pub outcome: String,
    /// Whether more than one hart communicated.
    pub threads: bool,
    /// Edges that its tables lost.
    pub lost: u64,
    /// Cycles it took.
    pub cycles: u64,
    /// Bytes that the program printed.
    pub printed: u64,
}

impl Entry {
    /// Of a labeled run.
    pub(super) fn of(source: &str, run: &Run, level: Level, printed: u64) -> Self {
        let beyond_the_first =
            |total: &record::Total| total.edge.sink.hart.0 != 0 || total.edge.source.hart.0 != 0;
        Self {
            seed: run.header.seed,
            source: source.to_owned(),
            level,
            failing: run.label() == Label::Failing,
            ended: run.ending.outcome.code(),
            outcome: run.ending.outcome.to_string(),
            threads: run.edges.iter().any(beyond_the_first),
            lost: run.lost_edges(),
            cycles: run.ending.cycles,
            printed,
        }
    }

    /// An entry of which only this is known.
    #[cfg(test)]
    pub(super) fn new(seed: u64, level: Level, label: Label, ended: OutcomeCode) -> Self {
        let failing = label == Label::Failing;
        let (source, outcome) = ("test".to_owned(), String::new());
        let (threads, lost, cycles, printed) = (true, 0, 0, 0);
        Self { seed, source, level, failing, ended, outcome, threads, lost, cycles, printed }
    }

    /// How much it was perturbed.
    pub fn level(&self) -> Level {
        self.level
    }

    /// How it was perturbed, if it ran on the hardware.
    pub fn strategy(&self) -> Option<Strategy> {
        (self.source == super::rtl::ROW.name).then(|| Strategy::of_seed(self.seed))
    }

    /// Whether it failed.
    pub fn label(&self) -> Label {
        if self.failing { Label::Failing } else { Label::Passing }
    }
}

/// How a run ended as a word of the journal. A run whose record does not say is an exit there.
mod word {
    use border::record::OutcomeCode;
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    fn of(code: OutcomeCode) -> String {
        let code = if code == OutcomeCode::Unknown { OutcomeCode::Exit } else { code };
        code.name().replace('_', "-")
    }

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this signature")]
    pub fn serialize<S: Serializer>(code: &OutcomeCode, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&of(*code))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<OutcomeCode, D::Error> {
        let word = String::deserialize(from)?;
        let known = |code: &OutcomeCode| *code != OutcomeCode::Unknown && of(*code) == word;
        let unknown = || D::Error::custom(format!("unknown outcome `{word}`"));
        OutcomeCode::ALL.into_iter().find(known).ok_or_else(unknown)
    }
}

/// Which runs have a file: all of them, or the first of each label. Among thousands of schedules few can count, and a file
/// takes longer to write than its schedule to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kept {
    failing: u64,
    passing: u64,
}

impl Kept {
    /// Files of each label, if no more can count.
    const OF_EACH: u64 = 128;
    /// Every run.
    #[cfg(test)]
    pub const ALL: Self = Self { failing: u64::MAX, passing: u64::MAX };

    /// Of runs of this source: where perturbation decides which passing runs count, all.
    pub fn by(source: &dyn Source, goal: &Goal) -> Self {
        let first = |wanted: u32| match source.has_levels() {
            true => u64::MAX,
            false => Self::OF_EACH.max(wanted.into()),
        };
        Self { failing: first(goal.failing), passing: first(goal.passing) }
    }

    /// Whether the next run has a file.
    fn takes(&mut self, entry: &Entry) -> bool {
        let left = match entry.label() {
            Label::Failing => &mut self.failing,
            _ => &mut self.passing,
        };
        let takes = *left > 0;
        *left = left.saturating_sub(1);
        takes
    }
}

/// The folder of a collection, open for more.
pub(super) struct Journal {
    folder: PathBuf,
    file: File,
    /// What is there already.
    pub entries: Vec<Entry>,
    /// Which of the next runs have a file.
    kept: Kept,
    /// How many have one.
    pub files: usize,
    /// Why there are not more, though there are lines of more: the first run that cannot be read.
    pub damage: Option<Error>,
}

impl Journal {
    /// Opens a folder, which need not exist, and goes on where it was left. `kept` says which schedules have a file.
    pub fn open(folder: &Path, mut kept: Kept) -> Result<Self, Error> {
        let keeps = kept;
        let runs = folder.join(RUNS);
        fs::create_dir_all(&runs).map_err(|error| Error::file(&runs, &error))?;
        let path = folder.join(JOURNAL);
        let wrong = |error: std::io::Error| Error::file(&path, &error);
        let mut options = OpenOptions::new();
        let file = options.create(true).append(true).read(true).open(&path).map_err(wrong)?;
        let text = fs::read(&path).map_err(wrong)?;
        let mut damage = None;
        let (entries, whole) = whole_lines(&text, |entry| {
            if kept.takes(entry) {
                damage = run_file(folder, entry.seed).read(|_| ()).err();
            }
            damage.is_none()
        });
        let mut kept = keeps;
        let files = entries.iter().filter(|entry| kept.takes(entry)).count();
        // Half a line is what an interrupted hunt leaves; and a run without its line.
        file.set_len(whole).map_err(wrong)?;
        remove_runs(folder, entries.len() as u64 + 1)?;
        Ok(Self { folder: folder.to_owned(), file, entries, kept, files, damage })
    }

    /// Keeps a run: its file, if it can count, then its line.
    pub fn keep(&mut self, run: &[u8], entry: Entry) -> Result<(), Error> {
        if self.kept.takes(&entry) {
            write_atomic(&run_path(&self.folder, entry.seed), run)?;
            self.files += 1;
        }
        let path = self.folder.join(JOURNAL);
        let wrong = |error: std::io::Error| Error::file(&path, &error);
        let mut line = serde_json::to_vec(&entry).map_err(|error| wrong(error.into()))?;
        line.push(b'\n');
        self.file.write_all(&line).map_err(wrong)?;
        self.entries.push(entry);
        Ok(())
    }

    /// Removes what a collection in this folder has left: its lines and its runs, nothing else.
    pub fn clear(folder: &Path) -> Result<(), Error> {
        remove(&folder.join(JOURNAL))?;
        remove_runs(folder, 0)
    }
}

/// Removes the runs of this seed and later ones, nothing else.
fn remove_runs(folder: &Path, first: u64) -> Result<(), Error> {
    let Ok(entries) = fs::read_dir(folder.join(RUNS)) else { return Ok(()) };
    for path in entries.flatten().map(|entry| entry.path()) {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let is_one = |seed: u64| seed >= first && path == run_path(folder, seed);
        if stem.parse().is_ok_and(is_one) {
            remove(&path)?;
        }
    }
    Ok(())
}

fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::file(path, &error))
        }
        _ => Ok(()),
    }
}

/// The lines up to the first that is not whole, not the next one's or not wanted, and how many bytes they are.
fn whole_lines(text: &[u8], mut is_wanted: impl FnMut(&Entry) -> bool) -> (Vec<Entry>, u64) {
    let mut entries = Vec::new();
    let mut whole = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let entry = line.strip_suffix(b"\n").and_then(|line| serde_json::from_slice(line).ok());
        let next = entries.len() as u64 + 1;
        let is_next = |entry: &Entry| entry.seed == next && is_wanted(entry);
        let Some(entry) = entry.filter(is_next) else { break };
        entries.push(entry);
        whole += line.len() as u64;
    }
    (entries, whole)
}

/// The file of a run.
pub(super) fn run_path(folder: &Path, seed: u64) -> PathBuf {
    folder.join(RUNS).join(format!("{seed}.run"))
}

/// The same, to be read.
pub(super) fn run_file(folder: &Path, seed: u64) -> RunFile {
    RunFile { path: run_path(folder, seed), name: format!("{seed}.run"), label: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run() -> Vec<u8> {
        Run::default().write(Vec::new()).unwrap()
    }

    fn entry(seed: u64) -> Entry {
        Entry::new(seed, Level::CONFIGURED, Label::Failing, OutcomeCode::Assertion)
    }

    #[test]
    fn a_journal_is_read_back_up_to_the_line_that_was_cut() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(folder.path(), Kept::ALL).unwrap();
        for seed in 1..=3 {
            journal.keep(&run(), entry(seed)).unwrap();
        }
        drop(journal);
        let path = folder.path().join(JOURNAL);
        let text = fs::read(&path).unwrap();
        for cut in 0..=text.len() {
            fs::write(&path, &text[..cut]).unwrap();
            (1..=3).for_each(|seed| fs::write(run_path(folder.path(), seed), run()).unwrap());
            let whole = text[..cut].iter().filter(|byte| **byte == b'\n').count();
            let mut journal = Journal::open(folder.path(), Kept::ALL).unwrap();
            assert_eq!(journal.entries.len(), whole, "cut at {cut}");
            // Every run goes to the disk, which takes a while.
            if cut % 32 > 0 && text[cut - 1] != b'\n' {
                continue;
            }
            for seed in whole as u64 + 1..=3 {
                journal.keep(&run(), entry(seed)).unwrap();
            }
            assert_eq!(fs::read(&path).unwrap(), text, "cut at {cut}");
        }
    }

    #[test]
    fn a_journal_goes_on_before_the_first_run_that_cannot_be_read() {
        let run = run();
        for (seed, left) in [(1, None), (2, None), (2, Some(0)), (3, Some(run.len() - 1))] {
            let folder = tempfile::tempdir().unwrap();
            let mut journal = Journal::open(folder.path(), Kept::ALL).unwrap();
            (1..=4).for_each(|seed| journal.keep(&run, entry(seed)).unwrap());
            let path = run_path(folder.path(), seed);
            match left {
                None => fs::remove_file(&path).unwrap(),
                Some(left) => fs::write(&path, &run[..left]).unwrap(),
            }
            let journal = Journal::open(folder.path(), Kept::ALL).unwrap();
            assert_eq!(journal.entries.len() as u64, seed - 1);
            let said = journal.damage.unwrap().to_string();
            assert!(said.contains(&format!("{seed}.run")), "{said}");
            let there = |seed: &u64| run_path(folder.path(), *seed).exists();
            assert_eq!((1..=4).filter(there).count() as u64, seed - 1, "later runs are gone too");
            let again = Journal::open(folder.path(), Kept::ALL).unwrap();
            assert_eq!((again.entries.len() as u64, again.damage), (seed - 1, None));
        }
    }

    #[test]
    fn of_many_runs_the_first_of_each_label_have_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let two = Kept { failing: 2, passing: 1 };
        let path = folder.path().join(JOURNAL);
        let labels =
            [Label::Passing, Label::Failing, Label::Passing, Label::Failing, Label::Failing];
        let entry = |seed: u64| {
            Entry::new(seed, Level::CONFIGURED, labels[seed as usize - 1], OutcomeCode::Exit)
        };
        // Opened again for every run, it keeps the same ones.
        for seed in 1..=5 {
            let mut journal = Journal::open(folder.path(), two).unwrap();
            assert_eq!((journal.entries.len() as u64, &journal.damage), (seed - 1, &None));
            journal.keep(&run(), entry(seed)).unwrap();
        }
        let there = (1..=5).filter(|seed| run_path(folder.path(), *seed).exists());
        assert_eq!(there.collect::<Vec<_>>(), [1, 2, 4]);
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 5);
        // Where more of them count, the schedules from the first without a file on are run again.
        let journal = Journal::open(folder.path(), Kept { failing: 2, passing: 2 }).unwrap();
        assert_eq!(journal.entries.len(), 2);
    }

    #[test]
    fn the_words_of_the_journal_for_how_a_run_ended_stay_the_same() {
        let words = [
            (OutcomeCode::Exit, "exit"),
            (OutcomeCode::Assertion, "assertion"),
            (OutcomeCode::Fault, "fault"),
            (OutcomeCode::Deadlock, "deadlock"),
            (OutcomeCode::CycleLimit, "cycle-limit"),
        ];
        for (ended, word) in words.into_iter().chain([(OutcomeCode::Unknown, "exit")]) {
            let line = serde_json::to_string(&Entry { ended, ..entry(1) }).unwrap();
            assert!(line.contains(&format!("\"ended\":\"{word}\"")), "{line}");
        }
        for (ended, word) in words {
            let line = serde_json::to_string(&entry(1)).unwrap().replace("assertion", word);
            assert_eq!(serde_json::from_str::<Entry>(&line).unwrap().ended, ended);
        }
        let line = serde_json::to_string(&entry(1)).unwrap().replace("assertion", "unknown");
        assert!(serde_json::from_str::<Entry>(&line).is_err());
    }

    #[test]
    fn clearing_leaves_what_is_not_ours() {
        let folder = tempfile::tempdir().unwrap();
        Journal::open(folder.path(), Kept::ALL).unwrap().keep(&run(), entry(1)).unwrap();
        let kept = ["runs/notes.run", "runs/01.run", "runs/2.txt", "other"];
        kept.iter().for_each(|name| fs::write(folder.path().join(name), "mine").unwrap());
        Journal::clear(folder.path()).unwrap();
        assert!(!run_path(folder.path(), 1).exists() && !folder.path().join(JOURNAL).exists());
        kept.iter().for_each(|name| assert!(folder.path().join(name).exists(), "{name}"));
    }
}
