//! An analysis as plain data with names in it: what `--json` prints and what a report shows.
//!
//! Every field is documented in `docs/host.md`. Nothing in here holds a time of day or an absolute path,
//! so the same runs give the same bytes.

mod make;

pub use make::events;

use crate::census::RunSummary;
use crate::code::CodePoint;
use crate::evidence::Strength;
use crate::graph::Kind;
use crate::verdict::Finding;
use ::evidence::account::Account;
use serde::Serialize;

/// Which runs there were.
#[derive(Clone, Debug, Serialize)]
pub struct RunsView {
    /// All of them.
    pub total: u32,
    /// Those that failed.
    pub failing: u32,
    /// Those that passed.
    pub passing: u32,
    /// Those without a label.
    pub unlabeled: u32,
    /// Distinct edges of all runs together.
    pub distinct_edges: usize,
    /// Edges of all runs together.
    pub edges: u64,
    /// Edges that the tables lost, in all runs together.
    pub lost_edges: u64,
    /// Events of a context.
    pub context_events: u8,
    /// The program's name.
    pub program: String,
    /// How runs ended, and how many ended so, the commonest first.
    pub outcomes: Vec<OutcomeView>,
}

/// How some runs ended.
#[derive(Clone, Debug, Serialize)]
pub struct OutcomeView {
    /// The outcome in words, such as `exit code 0`.
    pub how: String,
    /// How many runs ended so.
    pub runs: u32,
}

/// One run.
#[derive(Clone, Debug, Serialize)]
pub struct RunView {
    /// Its file, below the folder that was named.
    pub name: String,
    /// The seed of its schedule.
    pub seed: u64,
    /// failing, passing or unknown.
    pub label: &'static str,
    /// How it ended, in words.
    pub outcome: String,
    /// Its distinct edges.
    pub distinct_edges: u64,
    /// Its edges.
    pub edges: u64,
    /// Edges that its tables lost.
    pub lost_edges: u64,
    /// Cycles it took; 0: not known.
    pub cycles: u64,
}

impl From<&RunSummary> for RunView {
    fn from(run: &RunSummary) -> Self {
        Self {
            name: run.file.name.clone(),
            seed: run.about.header.seed,
            label: run.about.label.name(),
            outcome: run.about.ending.outcome.to_string(),
            distinct_edges: run.distinct,
            edges: run.count,
            lost_edges: run.lost(),
            cycles: run.about.ending.cycles,
        }
    }
}

/// A code point with its short name.
#[derive(Clone, Debug, Serialize)]
pub struct PointView {
    /// The shortest name that a person can find it by.
    pub name: String,
    /// All that is known of it.
    #[serde(flatten)]
    pub point: CodePoint,
}

/// A row of the ranking.
#[derive(Clone, Debug, Serialize)]
pub struct RankView {
    /// From 1: how many inspections it takes to get here.
    pub rank: usize,
    /// What to look at.
    pub point: PointView,
    /// The result of the formula.
    pub score: f64,
    /// How often it communicated in the contexts that count.
    pub count: u64,
    /// The contexts that count, the most telling first.
    pub contexts: Vec<ContextView>,
}

/// A context and how many runs have it.
#[derive(Clone, Debug, Serialize)]
pub struct ContextView {
    /// Its events, the newest first. Contexts start out as if full of LcRd.
    pub events: Vec<&'static str>,
    /// The number of runs that count in which it occurs.
    pub runs: u32,
}

/// A member of a region.
#[derive(Clone, Debug, Serialize)]
pub struct MemberView {
    /// The code point.
    pub point: PointView,
    /// In which share of the failing runs it is in this region.
    pub confidence: f64,
}

impl EventView {
    /// What its lane is called.
    pub fn lane(hart: Option<u8>) -> String {
        hart.map_or_else(|| "unknown".to_owned(), |hart| format!("hart {hart}"))
    }
}

/// An access in the example of a reconstruction.
#[derive(Clone, Debug, Serialize)]
pub struct EventView {
    /// The number of its transaction.
    pub time: u64,
    /// Its hart, if that is known: the lane to draw it in.
    pub hart: Option<u8>,
    /// prefix, source, body, sink or suffix.
    pub part: &'static str,
    /// The code point.
    pub point: PointView,
    /// In which share of the failing runs its code point is in this part; source and sink: in which
    /// share they communicate so.
    pub confidence: f64,
}

/// A reconstruction.
#[derive(Clone, Debug, Serialize)]
pub struct ReconstructionView {
    /// From 1.
    pub rank: usize,
    /// What the formula made of the features.
    pub score: f64,
    /// Buggy frequency ratio.
    pub b: f64,
    /// Context variation ratio.
    pub c: f64,
    /// Reconstruction consistency.
    pub r: f64,
    /// Suspicion of its ends.
    pub s: f64,
    /// Failing runs that have the edge.
    pub failing: u32,
    /// Passing runs that have the edge.
    pub passing: u32,
    /// How surely it is not chance that failing runs have it; absent unless there are runs of both labels.
    pub strength: Option<Strength>,
    /// What the sink did with whose value.
    pub kind: Kind,
    /// The code point that wrote; absent if no writer is known.
    pub source: Option<PointView>,
    /// The source's context, newest event first.
    pub source_context: Vec<&'static str>,
    /// The code point that read or overwrote.
    pub sink: PointView,
    /// The sink's context, newest event first.
    pub sink_context: Vec<&'static str>,
    /// What came before the source.
    pub prefix: Vec<MemberView>,
    /// What came between source and sink.
    pub body: Vec<MemberView>,
    /// What came after the sink.
    pub suffix: Vec<MemberView>,
    /// The failing run that the example is from.
    pub example_run: Option<String>,
    /// One failing run's accesses in time order.
    pub example: Vec<EventView>,
    /// Whether the two communicate in passing runs too, but never in these contexts.
    pub out_of_turn: bool,
    /// In which runs, what happened, what ran in between, and whether that may be chance: one sentence.
    pub sentence: String,
}

/// Everything that a report shows.
#[derive(Clone, Debug, Serialize)]
pub struct AnalysisView {
    /// What the runs show, in a sentence.
    pub verdict: String,
    /// The same as data.
    pub finding: Finding,
    /// What was found by trying out orders of accesses: one account for each way of failing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accounts: Vec<Account>,
    /// unlabeled, labeled or deployed.
    pub mode: &'static str,
    /// exception or printed.
    pub formula: &'static str,
    /// Which runs there were.
    pub runs: RunsView,
    /// Code points, the one to inspect first first.
    pub ranking: Vec<RankView>,
    /// How many code points the whole ranking has.
    pub ranked: usize,
    /// Reconstructions, the likeliest first.
    pub reconstructions: Vec<ReconstructionView>,
    /// How many there are in all.
    pub reconstructed: usize,
    /// Edges of failing runs from which the reconstructed ones were chosen.
    pub considered: usize,
}

impl PointView {
    /// The function to show beside the name: none where the name itself is of a symbol.
    pub fn function_beside(&self) -> Option<&str> {
        self.point.function_beside()
    }

    /// The name, with its function: `bank.c:31 (withdraw)`.
    pub fn titled(&self) -> String {
        match self.function_beside() {
            Some(function) => format!("{} ({function})", self.name),
            None => self.name.clone(),
        }
    }
}
