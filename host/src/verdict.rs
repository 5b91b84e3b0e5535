//! What is known of a failure, and the one place that puts it into words.
//!
//! ```text
//! AnalysisView ──► Finding (plain data) ──► words ──► Phrase ──► terminal: plain text
//! hunt         ──► Note    (plain data) ──┘                 └──► page: HTML
//! ```
//!
//! [`Finding`] and [`Note`] say what is known; `--json` prints them as they are. A [`Phrase`] is a sentence
//! whose code and numbers are still marked, so that terminal and page differ in formatting only.

pub(crate) mod account;
mod next;
mod note;
pub(crate) mod phrase;
pub(crate) mod telling;
mod words;

pub use next::{Suggestion, suggestions};
pub use note::{Note, SecondStage, none_failed};
pub use phrase::{Phrase, Span};

use crate::census::ByLabel;
use crate::evidence::Strength;
use crate::graph::Kind;
use crate::view::{PointView, ReconstructionView};
use ::evidence::account::Account;
use serde::Serialize;

/// At most so many code points between the two ends of an edge are named.
const BETWEEN: usize = 3;

/// What a set of runs shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "known", rename_all = "kebab-case")]
pub enum Finding {
    /// An order of accesses, or a cycle of locks, that was tried out.
    Exact(Box<Account>),
    /// An edge tells failing runs from passing ones, beyond chance.
    Edge(EdgeFinding),
    /// No edge tells failing runs from passing ones with enough evidence, so none is called a cause.
    Undecided {
        /// Edges of failing runs that were looked at.
        candidates: u64,
        /// The smallest p of them, corrected as in [`Strength`]; absent unless there are runs of both labels.
        p: Option<f64>,
        /// How many runs of each label there are.
        #[serde(flatten)]
        runs: Labels,
    },
    /// No edge could be reconstructed; this code point is the first of the ranking.
    Point {
        /// The code point.
        point: Spot,
        /// How many runs of each label there are.
        #[serde(flatten)]
        runs: Labels,
    },
    /// All schedules failed, in the same way: no order of accesses is the cause.
    Always {
        /// How many schedules were run.
        schedules: u64,
        /// How each of them ended.
        how: String,
        /// Where, if that is known.
        at: Option<Spot>,
    },
    /// No communication was recorded.
    Nothing {
        /// How many runs of each label there are.
        #[serde(flatten)]
        runs: Labels,
    },
}

/// An edge and the runs that have it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EdgeFinding {
    /// What the sink did with whose value.
    pub kind: Kind,
    /// The code point that wrote; absent if no writer is known.
    pub source: Option<Spot>,
    /// The code point that read or overwrote.
    pub sink: Spot,
    /// The two communicate in passing runs too, but never in these contexts.
    pub out_of_turn: bool,
    /// How many runs of each label have the edge.
    pub in_runs: Labels,
    /// How many runs of each label there are.
    pub of_runs: Labels,
    /// How surely that is not chance; absent unless there are runs of both labels.
    pub strength: Option<Strength>,
    /// What ran between the two in at least half of the failing runs that have the edge.
    pub between: Vec<Spot>,
}

/// Numbers of runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Labels {
    /// Runs that failed.
    pub failing: u32,
    /// Runs that passed.
    pub passing: u32,
    /// Runs without a label.
    pub unlabeled: u32,
}

/// A code point within a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Spot {
    /// Its short name, such as `bank.c:31`.
    pub name: String,
    /// The function around it, unless the name says so already.
    pub function: Option<String>,
}

impl Labels {
    fn all(self) -> u64 {
        u64::from(self.failing) + u64::from(self.passing) + u64::from(self.unlabeled)
    }
}

impl From<ByLabel> for Labels {
    fn from(runs: ByLabel) -> Self {
        Self { failing: runs.failing, passing: runs.passing, unlabeled: runs.unknown }
    }
}

impl From<&PointView> for Spot {
    fn from(point: &PointView) -> Self {
        Self { name: point.name.clone(), function: point.function_beside().map(str::to_owned) }
    }
}

impl EdgeFinding {
    /// What a reconstruction shows.
    pub fn of(found: &ReconstructionView, of_runs: Labels) -> Self {
        let needed = f64::from(found.failing) / 2.0;
        let is_usual = |confidence: f64| confidence * f64::from(of_runs.failing) >= needed;
        let between = found.body.iter().filter(|member| is_usual(member.confidence));
        Self {
            kind: found.kind,
            source: found.source.as_ref().map(Spot::from),
            sink: Spot::from(&found.sink),
            out_of_turn: found.out_of_turn,
            in_runs: Labels { failing: found.failing, passing: found.passing, unlabeled: 0 },
            of_runs,
            strength: found.strength,
            between: between.take(BETWEEN).map(|member| Spot::from(&member.point)).collect(),
        }
    }
}
