//! Bugaboo's ranking of code points (§5): which line to look at first.
//!
//! A code point is suspicious for the contexts it communicated in. Unlabeled, all runs count; labeled,
//! only what failing runs have and no passing run has (bug-only graphs); deployed, only what testing
//! never showed.

use crate::census::{Census, PlaceTally};
use crate::code::PointKey;
use crate::evidence::Evidence;
use hashbrown::HashMap;
use record::Ctx;

/// How a code point's contexts become its rank. `docs/host.md` compares them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Formula {
    /// An exception from a habit: a code point is suspicious if it mostly communicates in the same few
    /// contexts, and now and then in another. Largest first.
    ///
    /// Unlabeled: how many contexts x have F_x = 1, divided by Σ_x F_x. Labeled: Σ_x E_x over the contexts of
    /// bug-only edges, or over the code points it communicates with in failing runs only, whichever is
    /// more, divided by Σ_x F_x over all runs plus their number; E is the [`Evidence`] that something
    /// belongs to failing runs. Deployed: max F_x over new contexts, divided by the number of field runs.
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
    /// The number of runs in which it did: F_{CP,x}.
    pub runs: u32,
    /// Labeled: in how many passing runs the code point had the context too: P_{CP,x}.
    pub passing: u32,
}

impl ContextCount {
    /// How exceptional the context is: F_{CP,x} / (1 + P_{CP,x}).
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
    /// The number of runs in which it communicated.
    pub runs: u32,
    /// Labeled: in how many failing runs the code point had this context, through whatever edge; else 0.
    pub failing: u32,
    /// Labeled: in how many passing runs the code point had this context too; else 0.
    pub passing: u32,
    /// How often it communicated, in all these runs together.
    pub count: u64,
}

/// Two code points that communicate in failing runs only, whatever their contexts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairCount {
    /// The source.
    pub source: PointKey,
    /// The sink.
    pub sink: PointKey,
    /// The number of failing runs in which they do.
    pub runs: u32,
}

/// A code point with its rank.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedPoint {
    /// The code point.
    pub point: PointKey,
    /// The result of the formula.
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
}

/// As printed: runs in each context over executions.
fn printed(places: &[PlaceCount]) -> f64 {
    let (runs, count) = places
        .iter()
        .fold((0, 0), |(runs, count), place| (runs + u64::from(place.runs), count + place.count));
    runs as f64 / count.max(1) as f64
}

/// Unlabeled: how much of what a code point does happened in one run only.
fn only_once(places: &[PlaceCount]) -> f64 {
    let once = places.iter().filter(|place| place.runs == 1).count();
    let sum: u64 = places.iter().map(|place| u64::from(place.runs)).sum();
    once as f64 / sum.max(1) as f64
}

/// Ranks code points by what `score` gives for all places of one: the first is the one to inspect first.
/// Equal scores are in the order of the code points, so the result depends on nothing but the counts.
fn rank(
    places: &[PlaceCount],
    mode: Mode,
    formula: Formula,
    mut score: impl FnMut(&[PlaceCount]) -> f64,
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
            let score = score(places);
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
        failing: 0,
        passing: 0,
        count: place.count,
    };
    let places: Vec<_> = census.places.iter().map(count).collect();
    let score = match formula {
        Formula::Printed => printed,
        Formula::Exception => only_once,
    };
    rank(&places, Mode::Unlabeled, formula, score)
}

/// The labeled ranking over the bug-only graphs that [`crate::recon::find`] counted, with contexts and
/// without.
pub fn labeled(
    census: &Census,
    places: &[PlaceCount],
    pairs: &[PairCount],
    formula: Formula,
) -> Vec<RankedPoint> {
    if formula == Formula::Printed {
        return rank(places, Mode::Labeled, formula, printed);
    }
    let mut evidence = Evidence::new(census.labels);
    let mut partners: HashMap<PointKey, f64> = HashMap::new();
    for pair in pairs {
        let weight = evidence.of(pair.runs, 0);
        *partners.entry(pair.source).or_default() += weight;
        if pair.sink != pair.source {
            *partners.entry(pair.sink).or_default() += weight;
        }
    }
    let usual = |point: PointKey| -> u64 {
        // Places are sorted by their code points.
        let from = census.places.partition_point(|place| place.point < point);
        let of_point = census.places[from..].iter().take_while(|place| place.point == point);
        of_point.map(|place| u64::from(place.runs.all())).sum()
    };
    // A code point that does next to nothing else would come first for one run in which it did it.
    let runs = u64::from(census.labels.all());
    rank(places, Mode::Labeled, formula, |places| {
        let point = places[0].point;
        let contexts = places.iter().map(|place| evidence.of(place.failing, place.passing)).sum();
        let partners = partners.get(&point).copied().unwrap_or(0.0);
        f64::max(contexts, partners) / (usual(point) + runs) as f64
    })
}

/// The ranking in the field, over what testing never showed in so many field runs.
pub fn deployed(places: &[PlaceCount], runs: u64, formula: Formula) -> Vec<RankedPoint> {
    rank(places, Mode::Deployed, formula, |places| match formula {
        Formula::Printed => printed(places),
        Formula::Exception => {
            let most = places.iter().map(|place| place.runs).max().unwrap_or(0);
            f64::from(most) / runs.max(1) as f64
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::census::ByLabel;

    fn place(point: u64, ctx: u32, runs: u32, count: u64) -> PlaceCount {
        let point = PointKey::Address(point);
        PlaceCount { point, ctx: Ctx(ctx), runs, failing: runs, passing: 0, count }
    }

    /// A census of so many failing and passing runs, in which these places are all there are.
    fn census(runs: u32, places: &[PlaceCount]) -> Census {
        let labels = |failing, passing| ByLabel { failing, passing, unknown: 0 };
        let tally = |place: &PlaceCount| PlaceTally {
            point: place.point,
            ctx: place.ctx,
            runs: labels(place.failing, place.passing),
            count: place.count,
        };
        let mut census = Census::default();
        census.labels = labels(runs, runs);
        census.places = places.iter().map(tally).collect();
        census
    }

    fn scores(ranked: &[RankedPoint]) -> Vec<(PointKey, f64)> {
        ranked.iter().map(|row| (row.point, row.score)).collect()
    }

    #[test]
    fn the_printed_formula_divides_runs_by_executions_smallest_first() {
        let places = [place(1, 0, 4, 8), place(1, 1, 2, 4), place(2, 0, 5, 5)];
        let ranked = rank(&places, Mode::Unlabeled, Formula::Printed, printed);
        let (one, two) = (PointKey::Address(1), PointKey::Address(2));
        assert_eq!(scores(&ranked), [(one, 0.5), (two, 1.0)]);
    }

    #[test]
    fn unlabeled_what_happens_once_comes_first() {
        // The first always does the same, the second nearly always, the third as often this as that.
        let places = [
            place(1, 0, 10, 10),
            place(2, 0, 9, 9),
            place(2, 1, 1, 1),
            place(3, 0, 5, 5),
            place(3, 1, 5, 5),
        ];
        let ranked = rank(&places, Mode::Unlabeled, Formula::Exception, only_once);
        let [one, two, three] = [1, 2, 3].map(PointKey::Address);
        assert_eq!(scores(&ranked), [(two, 0.1), (one, 0.0), (three, 0.0)]);
        let rare = ContextCount { ctx: Ctx(1), runs: 1, passing: 0 };
        assert_eq!(ranked[0].contexts[0], rare);
    }

    #[test]
    fn labeled_the_evidence_of_all_contexts_counts_beside_all_it_does() {
        // The same evidence, but the second code point does more besides.
        let bug_only = [place(1, 7, 4, 4), place(1, 8, 3, 3), place(2, 7, 4, 4), place(2, 8, 3, 3)];
        let usual = PlaceCount { passing: 10, failing: 10, ..place(2, 9, 0, 20) };
        let census = census(10, &[&bug_only[..], &[usual]].concat());
        let ranked = labeled(&census, &bug_only, &[], Formula::Exception);
        let mut evidence = Evidence::new(census.labels);
        let weight = evidence.of(4, 0) + evidence.of(3, 0);
        let (one, two) = (PointKey::Address(1), PointKey::Address(2));
        assert_eq!(scores(&ranked), [(one, weight / 27.0), (two, weight / 47.0)]);
    }

    #[test]
    fn labeled_a_context_that_passing_runs_have_too_counts_little() {
        let usual_context = PlaceCount { passing: 24, ..place(1, 7, 25, 25) };
        let bug_only = [usual_context, place(2, 7, 3, 3)];
        let ranked = labeled(&census(25, &bug_only), &bug_only, &[], Formula::Exception);
        assert_eq!(ranked[0].point, PointKey::Address(2));
    }

    #[test]
    fn labeled_a_partner_of_failing_runs_alone_tells_as_much_as_a_context() {
        // In other contexts every time: each is in few runs, what it communicates with in all.
        let bug_only: Vec<_> = (0..5).map(|ctx| place(1, ctx, 2, 2)).collect();
        let often = [place(2, 0, 8, 8)];
        let places = [&bug_only[..], &often].concat();
        let census = census(10, &places);
        let (one, two) = (PointKey::Address(1), PointKey::Address(2));
        let pair = PairCount { source: PointKey::Nothing, sink: one, runs: 10 };
        let first =
            |pairs: &[PairCount]| labeled(&census, &places, pairs, Formula::Exception)[0].point;
        assert_eq!((first(&[]), first(&[pair])), (two, one));
    }

    #[test]
    fn memory_is_no_code_point() {
        let nothing = PlaceCount { point: PointKey::Nothing, ..place(0, 0, 3, 3) };
        assert_eq!(deployed(&[nothing], 3, Formula::Exception), []);
    }
}
