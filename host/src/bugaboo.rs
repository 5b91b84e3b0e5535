//! Bugaboo's ranking of code points (§5): which line to look at first.
//!
//! A code point is suspicious for the contexts it communicated in. Unlabeled, all runs count; labeled,
//! only what failing runs have and no passing run has (bug-only graphs); deployed, only what testing
//! never showed.

use crate::census::{Census, PlaceTally};
use crate::code::PointKey;
use record::Ctx;

/// How a code point's contexts become its rank. `docs/host.md` compares them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Formula {
    /// How regularly the same context comes back among the runs that count; see [`Formula::score`].
    #[default]
    Recurrence,
    /// The formula of Bugaboo §5 as it is printed: Σ_x F_{CP,x} / F_{CP,*}, smallest first, with
    /// F_{CP,x} in runs and F_{CP,*} in executions.
    Printed,
}

/// What a code point did in one context: in how many of the runs that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextCount {
    /// The context.
    pub ctx: Ctx,
    /// In how many runs: F_{CP,x}.
    pub runs: u32,
}

/// What the ranking is made from: a code point in a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceCount {
    /// The code point.
    pub point: PointKey,
    /// The context.
    pub ctx: Ctx,
    /// In how many runs.
    pub runs: u32,
    /// How often, in all these runs together.
    pub count: u64,
}

/// A code point with its rank.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedPoint {
    /// The code point.
    pub point: PointKey,
    /// What the formula gave.
    pub score: f64,
    /// The contexts that count, the most telling first.
    pub contexts: Vec<ContextCount>,
    /// How often it communicated in them.
    pub count: u64,
}

/// A mode of Bugaboo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// All runs count alike.
    Unlabeled,
    /// Bug-only graphs of the failing runs.
    Labeled,
    /// What testing never showed.
    Deployed,
}

impl Formula {
    /// The score of a code point in `mode`, over `runs` runs.
    fn score(self, mode: Mode, contexts: &[ContextCount], count: u64, runs: u32) -> f64 {
        let share = |context: &ContextCount| f64::from(context.runs) / f64::from(runs.max(1));
        match (self, mode) {
            (Self::Printed, _) => {
                let sum: u64 = contexts.iter().map(|context| u64::from(context.runs)).sum();
                sum as f64 / count.max(1) as f64
            }
            (Self::Recurrence, Mode::Labeled | Mode::Deployed) => {
                contexts.iter().map(share).fold(0.0, f64::max)
            }
            (Self::Recurrence, Mode::Unlabeled) => contexts
                .iter()
                .map(|context| {
                    let share = share(context);
                    share * (1.0 - share)
                })
                .fold(0.0, f64::max),
        }
    }

    /// Whether the smallest score comes first.
    pub fn ascends(self) -> bool {
        self == Self::Printed
    }
}

/// Ranks code points: the first is the one to inspect first. Equal scores are in the order of the code
/// points, so the result depends on nothing but the counts.
pub fn rank(places: &[PlaceCount], mode: Mode, runs: u32, formula: Formula) -> Vec<RankedPoint> {
    let mut places: Vec<_> = places
        .iter()
        .filter(|place| place.runs > 0 && place.point != PointKey::Nothing)
        .copied()
        .collect();
    places.sort_unstable_by_key(|place| (place.point, place.ctx));
    let mut ranked: Vec<RankedPoint> = places
        .chunk_by(|a, b| a.point == b.point)
        .map(|places| {
            let contexts = places.iter().map(|p| ContextCount { ctx: p.ctx, runs: p.runs });
            let mut contexts: Vec<_> = contexts.collect();
            let count = places.iter().map(|place| place.count).sum();
            let score = formula.score(mode, &contexts, count, runs);
            contexts.sort_by_key(|context| {
                let rare_first = u32::from(formula == Formula::Printed);
                let runs = if rare_first == 1 { context.runs } else { u32::MAX - context.runs };
                (runs, context.ctx)
            });
            RankedPoint { point: places[0].point, score, contexts, count }
        })
        .collect();
    ranked.sort_by(|a, b| {
        let order = a.score.total_cmp(&b.score);
        let order = if formula.ascends() { order } else { order.reverse() };
        order.then_with(|| a.point.cmp(&b.point))
    });
    ranked
}

/// The unlabeled ranking: every run counts, whatever its label.
pub fn unlabeled(census: &Census, formula: Formula) -> Vec<RankedPoint> {
    let count = |place: &PlaceTally| PlaceCount {
        point: place.point,
        ctx: place.ctx,
        runs: place.runs.all(),
        count: place.count,
    };
    let places: Vec<_> = census.places.iter().map(count).collect();
    rank(&places, Mode::Unlabeled, census.labels.all(), formula)
}
