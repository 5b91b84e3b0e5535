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
    /// An exception from a habit: a code point is suspicious if it mostly communicates in the same few
    /// contexts, and now and then in another. Largest first.
    ///
    /// Unlabeled: Σ_x F_x² / (Σ_x F_x)² · (1 - min F_x / max F_x). Labeled: the square of max
    /// F_x / (1 + P_x) over contexts of bug-only edges, divided by Σ_x F_x over all runs. Deployed: max
    /// F_x over new contexts, divided by the number of field runs.
    #[default]
    Exception,
    /// The formula of Bugaboo §5 as it is printed: Σ_x F_x / F_*, smallest first, with F_x in runs and
    /// F_* in executions.
    Printed,
}

/// What a code point did in one context: in how many of the runs that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextCount {
    /// The context.
    pub ctx: Ctx,
    /// In how many runs: F_{CP,x}.
    pub runs: u32,
    /// Labeled: in how many passing runs the code point had the context too: P_{CP,x}.
    pub passing: u32,
}

impl ContextCount {
    /// How much of an exception it is: F_{CP,x} / (1 + P_{CP,x}).
    fn exception(&self) -> f64 {
        f64::from(self.runs) / (1.0 + f64::from(self.passing))
    }
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
    /// Labeled: in how many passing runs the code point had this context too; else 0.
    pub passing: u32,
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

impl Mode {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unlabeled => "unlabeled",
            Self::Labeled => "labeled",
            Self::Deployed => "deployed",
        }
    }
}

impl Formula {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exception => "exception",
            Self::Printed => "printed",
        }
    }

    /// Whether the smallest score comes first.
    pub fn ascends(self) -> bool {
        self == Self::Printed
    }

    /// The score of a code point with these contexts, of which there is at least one.
    fn score(self, mode: Mode, contexts: &[ContextCount], count: u64, usual: u64) -> f64 {
        let runs = || contexts.iter().map(|context| f64::from(context.runs));
        let (least, most) = (runs().fold(f64::INFINITY, f64::min), runs().fold(0.0, f64::max));
        let sum: f64 = runs().sum();
        match (self, mode) {
            (Self::Printed, _) => sum / count.max(1) as f64,
            (Self::Exception, Mode::Labeled) => {
                // What passing runs do in the same context is no exception, whatever it led to.
                let most = contexts.iter().map(ContextCount::exception).fold(0.0, f64::max);
                most * most / usual.max(1) as f64
            }
            (Self::Exception, Mode::Deployed) => most / usual.max(1) as f64,
            (Self::Exception, Mode::Unlabeled) => {
                let squares: f64 = runs().map(|runs| runs * runs).sum();
                squares / (sum * sum) * (1.0 - least / most)
            }
        }
    }
}

/// Ranks code points: the first is the one to inspect first. Equal scores are in the order of the code
/// points, so the result depends on nothing but the counts.
///
/// `usual` says how much a code point does altogether: labeled, the sum of F_x over all contexts and all
/// runs; deployed, the number of field runs; unlabeled, it is not asked.
pub fn rank(
    places: &[PlaceCount],
    mode: Mode,
    formula: Formula,
    usual: impl Fn(PointKey) -> u64,
) -> Vec<RankedPoint> {
    let mut places: Vec<_> = places
        .iter()
        .filter(|place| place.runs > 0 && place.point != PointKey::Nothing)
        .copied()
        .collect();
    places.sort_unstable_by_key(|place| (place.point, place.ctx));
    let mut ranked: Vec<RankedPoint> = places
        .chunk_by(|a, b| a.point == b.point)
        .map(|places| {
            let point = places[0].point;
            let context = |place: &PlaceCount| ContextCount {
                ctx: place.ctx,
                runs: place.runs,
                passing: place.passing,
            };
            let mut contexts: Vec<_> = places.iter().map(context).collect();
            let count = places.iter().map(|place| place.count).sum();
            let score = formula.score(mode, &contexts, count, usual(point));
            // Unlabeled, what is rare tells; else all is rare already, and what comes back tells.
            let rare_first = mode == Mode::Unlabeled;
            contexts.sort_by(|a, b| {
                let order = a.exception().total_cmp(&b.exception());
                let order = if rare_first { order } else { order.reverse() };
                order.then_with(|| a.ctx.cmp(&b.ctx))
            });
            RankedPoint { point, score, contexts, count }
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
        passing: 0,
        count: place.count,
    };
    let places: Vec<_> = census.places.iter().map(count).collect();
    rank(&places, Mode::Unlabeled, formula, |_| 0)
}

/// The labeled ranking over the bug-only graphs that [`crate::recon::find`] counted.
pub fn labeled(census: &Census, bug_only: &[PlaceCount], formula: Formula) -> Vec<RankedPoint> {
    let usual = |point: PointKey| {
        // Places are sorted by their code points.
        let from = census.places.partition_point(|place| place.point < point);
        let of_point = census.places[from..].iter().take_while(|place| place.point == point);
        of_point.map(|place| u64::from(place.runs.all())).sum()
    };
    rank(bug_only, Mode::Labeled, formula, usual)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(point: u64, ctx: u32, runs: u32, count: u64) -> PlaceCount {
        PlaceCount { point: PointKey::Address(point), ctx: Ctx(ctx), runs, passing: 0, count }
    }

    fn scores(ranked: &[RankedPoint]) -> Vec<(PointKey, f64)> {
        ranked.iter().map(|row| (row.point, row.score)).collect()
    }

    #[test]
    fn the_printed_formula_divides_runs_by_executions_smallest_first() {
        let places = [place(1, 0, 4, 8), place(1, 1, 2, 4), place(2, 0, 5, 5)];
        let ranked = rank(&places, Mode::Unlabeled, Formula::Printed, |_| 0);
        let (one, two) = (PointKey::Address(1), PointKey::Address(2));
        assert_eq!(scores(&ranked), [(one, 0.5), (two, 1.0)]);
    }

    #[test]
    fn unlabeled_a_habit_with_an_exception_comes_first() {
        // The first always does the same, the second nearly always, the third never.
        let places = [
            place(1, 0, 10, 10),
            place(2, 0, 9, 9),
            place(2, 1, 1, 1),
            place(3, 0, 5, 5),
            place(3, 1, 5, 5),
        ];
        let ranked = rank(&places, Mode::Unlabeled, Formula::Exception, |_| 0);
        let expected = 82.0 / 100.0 * (1.0 - 1.0 / 9.0);
        assert_eq!(ranked[0].point, PointKey::Address(2));
        assert!((ranked[0].score - expected).abs() < 1e-12);
        assert_eq!(
            ranked[0].contexts[0],
            ContextCount { ctx: Ctx(1), runs: 1, passing: 0 },
            "the rare one"
        );
        assert_eq!((ranked[1].score, ranked[2].score), (0.0, 0.0));
    }

    #[test]
    fn labeled_the_recurring_part_of_all_a_code_point_does_counts() {
        let bug_only = [place(1, 7, 3, 3), place(1, 8, 4, 9), place(2, 7, 4, 4)];
        let usual = |point| if point == PointKey::Address(1) { 8 } else { 40 };
        let ranked = rank(&bug_only, Mode::Labeled, Formula::Exception, usual);
        let (one, two) = (PointKey::Address(1), PointKey::Address(2));
        assert_eq!(scores(&ranked), [(one, 2.0), (two, 0.4)]);
    }

    #[test]
    fn labeled_a_context_that_passing_runs_have_too_counts_little() {
        let usual_context = PlaceCount { passing: 24, ..place(1, 7, 25, 25) };
        let bug_only = [usual_context, place(2, 7, 2, 2)];
        let ranked = rank(&bug_only, Mode::Labeled, Formula::Exception, |_| 50);
        let (one, two) = (PointKey::Address(1), PointKey::Address(2));
        assert_eq!(scores(&ranked), [(two, 0.08), (one, 0.02)]);
    }

    #[test]
    fn memory_is_no_code_point() {
        let nothing = PlaceCount { point: PointKey::Nothing, ..place(0, 0, 3, 3) };
        assert_eq!(rank(&[nothing], Mode::Unlabeled, Formula::Exception, |_| 0), []);
    }
}
