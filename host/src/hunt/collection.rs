//! Runs that were collected, and which of them count.

use super::journal::{Entry, run_file};
use super::{Goal, Schedule, Stop};
use crate::Error;
use crate::analysis::{Analysis, Request};
use crate::runs::RunFile;
use border::record::OutcomeCode;
use record::Label;
use std::cmp::Reverse;
use std::mem::discriminant;
use std::path::PathBuf;

/// What a hunt found: a prefix of the seeds, with a file for each run that can count.
#[derive(Clone, Debug)]
pub struct Collection {
    /// The folder with the files.
    pub folder: PathBuf,
    /// The name of the source that ran them.
    pub source: &'static str,
    /// How many runs have a file.
    pub kept: usize,
    /// The schedules that were run, from seed 1 on.
    pub entries: Vec<Entry>,
    /// What was looked for.
    pub goal: Goal,
    /// Why the collection ended.
    pub stop: Stop,
}

impl Collection {
    /// The number of failing runs.
    pub fn failing(&self) -> usize {
        self.labeled(Label::Failing).count()
    }

    /// The number of passing runs.
    pub fn passing(&self) -> usize {
        self.labeled(Label::Passing).count()
    }

    fn labeled(&self, label: Label) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.label() == label)
    }

    /// The runs that count, in the order of their seeds: of each label as many as were looked for, the
    /// first ones; but passing runs rather from levels and strategies of perturbation at which failures were
    /// found, so that what tells the two apart is the failure and not the perturbation.
    pub fn chosen(&self) -> Vec<&Entry> {
        let failing: Vec<_> =
            self.labeled(Label::Failing).take(self.goal.failing as usize).collect();
        let strategy = |entry: &Entry| entry.strategy().map(|strategy| discriminant(&strategy));
        let how = |entry: &Entry| (entry.level(), strategy(entry));
        let alike = |passing: &&Entry| failing.iter().filter(|f| how(f) == how(passing)).count();
        let mut passing: Vec<_> = self.labeled(Label::Passing).collect();
        passing.sort_by_key(|entry| (Reverse(alike(entry)), entry.seed));
        passing.truncate(self.goal.passing as usize);
        let mut chosen: Vec<_> = failing.into_iter().chain(passing).collect();
        chosen.sort_by_key(|entry| entry.seed);
        chosen
    }

    /// The schedules of the runs of this label that count.
    pub fn schedules(&self, label: Label) -> Vec<Schedule> {
        let chosen = self.chosen().into_iter().filter(|entry| entry.label() == label);
        chosen.map(|entry| Schedule { seed: entry.seed, level: entry.level() }).collect()
    }

    /// The files of the runs that count.
    pub fn files(&self) -> Vec<RunFile> {
        self.chosen().iter().map(|entry| run_file(&self.folder, entry.seed)).collect()
    }

    /// Analyzes the runs that count; `how` says everything but which they are.
    ///
    /// # Errors
    /// If a file cannot be read, or there is no run.
    pub fn analyze(&self, how: Request, progress: &(dyn Fn() + Sync)) -> Result<Analysis, Error> {
        Analysis::of(&Request { files: self.files(), ..how }, progress)
    }

    /// Whether most failing runs ended in a deadlock.
    pub fn is_about_deadlocks(&self) -> bool {
        2 * self.deadlocks() > self.failing()
    }

    /// How many failing runs ended in a deadlock.
    pub fn deadlocks(&self) -> usize {
        self.labeled(Label::Failing).filter(|entry| entry.ended == OutcomeCode::Deadlock).count()
    }
}

impl Analysis {
    /// Whether anything separates failing runs from passing ones: an edge that no passing run has and two
    /// failing ones have, or the only failing one.
    pub fn separates(&self) -> bool {
        let enough = self.census.labels.failing.min(2);
        let mut found = self.findings.reconstructions.iter();
        found.any(|found| {
            let runs = self.census.edges[found.edge as usize].runs;
            runs.passing == 0 && runs.failing >= enough
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt::Level;

    #[test]
    fn passing_runs_are_taken_from_the_levels_of_the_failing_ones() {
        let entry = |(seed, level, label)| Entry::new(seed, Level(level), label, OutcomeCode::Exit);
        let (f, p) = (Label::Failing, Label::Passing);
        let entries = [
            (1, 0, p),
            (2, 0, p),
            (3, 0, f),
            (4, 1, p),
            (5, 1, f),
            (6, 1, f),
            (7, 1, p),
            (8, 1, f),
        ];
        let collection = Collection {
            folder: "x".into(),
            source: "test",
            kept: entries.len(),
            entries: entries.into_iter().map(entry).collect(),
            goal: Goal { failing: 3, passing: 3, ..Goal::default() },
            stop: Stop::Enough,
        };
        let seeds: Vec<_> = collection.chosen().iter().map(|entry| entry.seed).collect();
        assert_eq!(seeds, [1, 3, 4, 5, 6, 7]);
        assert_eq!((collection.failing(), collection.passing()), (4, 4));
    }
}
