//! What was measured of one bug: plain data, kept as JSON.

use crate::evaluate::{Inspected, Judged};
use serde::{Deserialize, Serialize};

/// How communication is tracked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tracking {
    /// BB-HW: the machine's monitors.
    Hardware,
    /// BB-SW at line granularity.
    Lines,
    /// BB-SW at word granularity.
    Words,
}

impl Tracking {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Hardware, Self::Lines, Self::Words];

    /// The folder its runs are in.
    pub fn folder(self) -> &'static str {
        match self {
            Self::Hardware => "hw",
            Self::Lines => "line",
            Self::Words => "word",
        }
    }
}

/// Contexts of none to five events.
pub const CONTEXTS: usize = 6;

/// What each trial needed; `None`: the bug was not found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Needed(pub Vec<Option<Inspected>>);

impl Needed {
    /// The trials in which the bug was found.
    pub fn found(&self) -> impl Iterator<Item = &Inspected> + Clone {
        self.0.iter().flatten()
    }

    /// Whether every trial found it.
    pub fn always(&self) -> bool {
        !self.0.is_empty() && self.0.iter().all(Option::is_some)
    }

    /// Code points inspected on average over the trials that found it.
    pub fn points(&self) -> Option<f64> {
        mean(self.found().map(|inspected| inspected.points as f64))
    }

    /// Functions inspected, likewise.
    pub fn functions(&self) -> Option<f64> {
        mean(self.found().map(|inspected| inspected.functions as f64))
    }
}

/// The average of numbers, if there are any.
pub fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = numbers.fold((0.0, 0u32), |(sum, count), number| (sum + number, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// Inspections by both formulas.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ByFormula {
    /// With the tool's default.
    pub exception: Needed,
    /// With the formula as Bugaboo prints it.
    pub printed: Needed,
}

/// How soon the bug is found with one way of tracking.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// From failing and passing runs.
    pub labeled: ByFormula,
    /// From runs without labels.
    pub unlabeled: ByFormula,
    /// Labeled, by the default formula, with contexts of 0, 1 … 5 events.
    pub contexts: [Needed; CONTEXTS],
}

/// What lossy tracking misses of the code points that BB-SW at word granularity finds, as shares from 0 to
/// 1 (Bugaboo, Table 3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Missed {
    /// On average over single runs.
    pub of_one_run: f64,
    /// In the union of all runs.
    pub of_all_runs: f64,
}

/// What the machine did, summed over the runs (Bugaboo, Table 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// Loads, stores and atomics.
    pub operations: u64,
    /// Load misses.
    pub reads: u64,
    /// Store misses.
    pub read_exclusives: u64,
    /// Stores to shared lines.
    pub upgrades: u64,
    /// Edges offered to tables.
    pub edges: u64,
    /// Interrupts of tables.
    pub traps: u64,
}

impl Work {
    /// The rate, given a count over `operations` memory operations.
    pub fn rate(&self, count: u64, operations: f64) -> f64 {
        count as f64 * operations / self.operations.max(1) as f64
    }
}

/// The size of a graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// Instructions, or instructions in their contexts.
    pub nodes: usize,
    /// Pairs that communicated.
    pub edges: usize,
}

/// The bug's reconstruction in one trial (Recon, Table 3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reconstructed {
    /// Its rank, and how well it shows the bug.
    pub best: Option<(usize, Judged)>,
    /// The rank of the first reconstruction that shows two steps of the bug or more, in its order,
    /// whatever it is built around.
    pub shown: Option<usize>,
    /// Its rank with 5 and with 15 failing runs.
    pub fewer: [Option<usize>; 2],
    /// ReliefF of B, C and R (Table 1).
    pub relief: Option<[f64; 3]>,
}

/// Everything that was measured of one bug.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Its name.
    pub bug: String,
    /// Schedules that were tried.
    pub schedules: u64,
    /// Schedules that failed.
    pub failed: u64,
    /// Runs that were kept, of all trials.
    pub runs: usize,
    /// Edges that tables lost in them.
    pub lost: u64,
    /// The average cycles of a run.
    pub cycles: f64,
    /// BB-HW.
    pub hw: Found,
    /// BB-SW, lines.
    pub line: Found,
    /// BB-SW, words.
    pub word: Found,
    /// What line tracking misses.
    pub missed_by_line: Missed,
    /// What the machine's monitors miss.
    pub missed_by_hw: Missed,
    /// What the hardware did; `None` on the golden machine.
    pub work: Option<Work>,
    /// The union of the first trial's graphs, without and with contexts.
    pub sizes: [Size; 2],
    /// For contexts of 0, 1 … 5 events: percent of new edges that each further run brought; BB-SW, words.
    pub convergence: [Vec<f64>; CONTEXTS],
    /// The bug's reconstruction in each trial.
    pub reconstructed: Vec<Reconstructed>,
}

impl Measured {
    /// By way of tracking.
    pub fn found(&self, tracking: Tracking) -> &Found {
        match tracking {
            Tracking::Hardware => &self.hw,
            Tracking::Lines => &self.line,
            Tracking::Words => &self.word,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_over_the_trials_that_found_the_bug() {
        let inspected = |points| Some(Inspected { points, functions: 1 });
        let needed = Needed(vec![inspected(1), None, inspected(4)]);
        assert_eq!((needed.points(), needed.functions()), (Some(2.5), Some(1.0)));
        assert!(!needed.always());
        assert_eq!(Needed(vec![None]).points(), None);
    }

    #[test]
    fn what_was_measured_reads_back() {
        let judged = Judged { relevant: 3, irrelevant: 1, in_order: None, missing: 0 };
        let trial = Reconstructed {
            best: Some((2, judged)),
            shown: Some(1),
            fewer: [None, Some(3)],
            relief: Some([0.1, -0.2, 0.3]),
        };
        let measured = Measured {
            bug: "vector".into(),
            reconstructed: vec![trial],
            work: Some(Work { operations: 7, ..Work::default() }),
            ..Measured::default()
        };
        let text = serde_json::to_string(&measured).unwrap();
        assert_eq!(serde_json::from_str::<Measured>(&text).unwrap(), measured);
    }
}
