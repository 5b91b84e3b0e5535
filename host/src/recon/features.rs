//! The three features of Recon §4.1, and the choice of candidates.

use super::Reconstruction;
use crate::bugaboo::{Formula, RankedPoint};
use crate::census::{ByLabel, Census, EdgeId, EdgeTally};
use crate::code::PointKey;
use hashbrown::HashMap;
use rayon::prelude::*;
use record::Ctx;

/// How likely a reconstruction shows the bug.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Features {
    /// Buggy frequency ratio: how much more often the edge is in failing runs than in passing ones.
    pub b: f64,
    /// Context variation ratio: how different the numbers of contexts are in which its two code points
    /// communicate.
    pub c: f64,
    /// What a C of zero counts as: less than any other with about as many contexts. Ours.
    pub least_c: f64,
    /// Reconstruction consistency: the average confidence of all nodes.
    pub r: f64,
    /// Suspicion: the labeled score of its more suspicious end, as a share of the highest of all; 0 if
    /// passing runs have the edge as often; 1 where nothing is suspicious. Ours.
    pub s: f64,
}

impl Features {
    /// One number. As printed (§4.2), the product of those of B, C and R that are not zero; else
    /// [`Self::unsuspecting`] times S.
    pub fn score(&self, formula: Formula) -> f64 {
        match formula {
            Formula::Printed => not_zero([self.b, self.c, self.r]),
            Formula::Exception => self.unsuspecting() * self.s,
        }
    }

    /// The printed product, but where C is zero, its least value stands for it: left out, the least of all
    /// differences would count as the greatest.
    pub fn unsuspecting(&self) -> f64 {
        not_zero([self.b, self.c.max(self.least_c), self.r])
    }
}

/// The product of what is not zero.
fn not_zero(features: [f64; 3]) -> f64 {
    features.into_iter().filter(|feature| *feature != 0.0).product()
}

/// Whether passing runs have the edge as often as failing ones. B alone does not tell: of an edge that no passing run has,
/// it is below 1 if few of many failing runs have it.
fn is_as_often_in_passing(edge: ByLabel, all: ByLabel) -> bool {
    let share = |part: u32, of_others: u32| u64::from(part) * u64::from(of_others);
    edge.passing > 0 && share(edge.failing, all.passing) <= share(edge.passing, all.failing)
}

/// B (§4.1.1): the edge is in `edge` runs, of `all`.
pub fn buggy_frequency_ratio(edge: ByLabel, all: ByLabel) -> f64 {
    let share = |part: u32, all: u32| f64::from(part) / f64::from(all.max(1));
    let failing = share(edge.failing, all.failing);
    // Never in a passing run: smaller than if it had been in one.
    let passing = match edge.passing {
        0 => 1.0 / f64::from(all.passing + 1),
        some => share(some, all.passing),
    };
    failing / passing
}

/// C (§4.1.2): the two code points communicated in so many contexts.
pub fn context_variation_ratio(failing: u32, passing: u32) -> f64 {
    match failing + passing {
        0 => 0.0,
        sum => f64::from(failing.abs_diff(passing)) / f64::from(sum),
    }
}

/// What stands for a C of zero with so many contexts on both sides together: less than if one side had one more, as
/// §4.1.1 does for B.
pub fn least_variation(contexts: u32) -> f64 {
    1.0 / (f64::from(contexts) + 2.0)
}

/// R (§4.1.3): the average of all nodes' confidence.
pub fn consistency(confidences: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, count) =
        confidences.into_iter().fold((0.0, 0usize), |(sum, n), value| (sum + value, n + 1));
    if count == 0 { 0.0 } else { sum / count as f64 }
}

/// The edges of failing runs with the highest B, first those that passing runs do not have as often, and how many there were to choose from.
pub(super) fn candidates(census: &Census, most: usize, hidden: &[bool]) -> (Vec<EdgeId>, usize) {
    let interesting = |edge: &EdgeTally| {
        let known = [edge.source, edge.sink].into_iter();
        let mut known = known.filter(|node| !census.nodes[*node as usize].node.pc.is_null());
        edge.runs.failing > 0 && known.any(|node| !hidden[node as usize])
    };
    let mut edges: Vec<EdgeId> = (0..census.edges.len() as EdgeId)
        .into_par_iter()
        .filter(|edge| interesting(&census.edges[*edge as usize]))
        .collect();
    let considered = edges.len();
    let order = |a: &EdgeId, b: &EdgeId| {
        let key = |edge: EdgeId| {
            let runs = census.edges[edge as usize].runs;
            let as_often = is_as_often_in_passing(runs, census.labels);
            (as_often, buggy_frequency_ratio(runs, census.labels), runs.failing)
        };
        let ((often_a, b_a, failing_a), (often_b, b_b, failing_b)) = (key(*a), key(*b));
        let by_ratio = || b_b.total_cmp(&b_a).then(failing_b.cmp(&failing_a)).then(a.cmp(b));
        often_a.cmp(&often_b).then_with(by_ratio)
    };
    if edges.len() > most {
        edges.select_nth_unstable_by(most, order);
        edges.truncate(most);
    }
    edges.sort_unstable_by(order);
    (edges, considered)
}

/// Contexts of source and sink, and in how many runs two code points communicated in them.
type Contexts = Vec<(Ctx, Ctx, ByLabel)>;

/// What all edges between one pair of code points have in common.
struct Together {
    c: f64,
    least_c: f64,
    /// The most passing runs that have one of them.
    most_passing: u32,
}

/// Fills in B, C and S of aggregated reconstructions, and whether they are out of turn; `ranking` is the labeled
/// one.
pub(super) fn complete(
    census: &Census,
    ranking: &[RankedPoint],
    reconstructions: &mut [Reconstruction],
) {
    let highest = ranking.first().map_or(0.0, |row| row.score);
    let suspicion: HashMap<PointKey, f64> =
        ranking.iter().map(|row| (row.point, row.score / highest)).collect();
    let suspicion = |point: PointKey| suspicion.get(&point).copied().unwrap_or(0.0);

    let pair = |edge: &EdgeTally| (census.point(edge.source), census.point(edge.sink));
    let mut contexts: HashMap<(PointKey, PointKey), Contexts> = reconstructions
        .iter()
        .map(|reconstruction| (pair(&census.edges[reconstruction.edge as usize]), Vec::new()))
        .collect();
    for edge in &census.edges {
        if let Some(contexts) = contexts.get_mut(&pair(edge)) {
            contexts.push((edge.key.source.ctx, edge.key.sink.ctx, edge.runs));
        }
    }
    let together = |contexts: Contexts| {
        let most_passing = contexts.iter().map(|(_, _, runs)| runs.passing).max().unwrap_or(0);
        let (failing, passing) = count(contexts);
        let c = context_variation_ratio(failing, passing);
        Together { c, least_c: least_variation(failing + passing), most_passing }
    };
    let pairs: HashMap<_, Together> =
        contexts.into_iter().map(|(pair, contexts)| (pair, together(contexts))).collect();
    for reconstruction in reconstructions {
        let edge = &census.edges[reconstruction.edge as usize];
        let b = buggy_frequency_ratio(edge.runs, census.labels);
        let (source, sink) = pair(edge);
        let known = pairs.get(&(source, sink));
        reconstruction.out_of_turn = !edge.key.source.pc.is_null()
            && known.is_some_and(|pair| pair.most_passing > edge.runs.passing);
        reconstruction.features = Features {
            b,
            c: known.map_or(0.0, |pair| pair.c),
            least_c: known.map_or(0.0, |pair| pair.least_c),
            r: reconstruction.features.r,
            s: match highest > 0.0 {
                false => 1.0,
                // What passing runs do as often is no cause, whoever does it.
                true if is_as_often_in_passing(edge.runs, census.labels) => 0.0,
                true => suspicion(source).max(suspicion(sink)),
            },
        };
    }
}

/// In how many contexts one pair of code points communicated in failing and in passing runs. Several instructions of a
/// line may have communicated in the same contexts: that is one.
fn count(mut contexts: Contexts) -> (u32, u32) {
    contexts.sort_unstable_by_key(|(source, sink, _)| (*source, *sink));
    let same = |a: &(Ctx, Ctx, ByLabel), b: &(Ctx, Ctx, ByLabel)| (a.0, a.1) == (b.0, b.1);
    let (mut failing, mut passing) = (0, 0);
    for group in contexts.chunk_by(same) {
        failing += u32::from(group.iter().any(|(_, _, runs)| runs.failing > 0));
        passing += u32::from(group.iter().any(|(_, _, runs)| runs.passing > 0));
    }
    (failing, passing)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(failing: u32, passing: u32) -> ByLabel {
        ByLabel { failing, passing, unknown: 0 }
    }

    #[test]
    fn b_compares_shares_of_failing_and_passing_runs() {
        let all = runs(20, 40);
        assert_eq!(buggy_frequency_ratio(runs(10, 10), all), 2.0);
        assert_eq!(buggy_frequency_ratio(runs(10, 40), all), 0.5);
        assert_eq!(buggy_frequency_ratio(runs(10, 0), all), 0.5 * 41.0);
        assert_eq!(buggy_frequency_ratio(runs(20, 1), all), 40.0, "in one is less than in none");
        assert_eq!(buggy_frequency_ratio(runs(20, 0), runs(20, 0)), 1.0);
    }

    #[test]
    fn c_is_the_difference_over_the_sum() {
        assert_eq!(context_variation_ratio(3, 1), 0.5);
        assert_eq!(context_variation_ratio(1, 3), 0.5);
        assert_eq!(context_variation_ratio(4, 0), 1.0);
        assert_eq!(context_variation_ratio(2, 2), 0.0);
        assert_eq!(context_variation_ratio(0, 0), 0.0);
    }

    #[test]
    fn contexts_that_two_instructions_share_count_once() {
        let at = |ctx, label| (Ctx(0), Ctx(ctx), label);
        let contexts =
            vec![at(1, runs(1, 0)), at(1, runs(0, 1)), at(2, runs(1, 0)), at(3, runs(2, 0))];
        assert_eq!(count(contexts), (3, 1));
    }

    #[test]
    fn what_passing_runs_have_as_often_is_told_by_shares_and_not_by_b() {
        let all = runs(100, 10);
        assert!(buggy_frequency_ratio(runs(5, 0), all) < 1.0);
        assert!(!is_as_often_in_passing(runs(5, 0), all), "no passing run has it");
        assert!(!is_as_often_in_passing(runs(11, 1), all));
        for edge in [runs(10, 1), runs(100, 10), runs(5, 1)] {
            assert!(is_as_often_in_passing(edge, all), "{edge:?}");
        }
    }

    #[test]
    fn a_c_of_zero_counts_less_than_any_other() {
        for contexts in 1..20 {
            let more = context_variation_ratio(contexts + 1, contexts);
            assert!((0.0..more).contains(&least_variation(2 * contexts)));
        }
        let none = Features { b: 2.0, c: 0.0, least_c: 0.25, r: 0.5, s: 1.0 };
        let some = Features { c: 1.0 / 3.0, least_c: 0.2, ..none };
        assert!(none.score(Formula::Exception) < some.score(Formula::Exception));
        assert!(none.score(Formula::Printed) > some.score(Formula::Printed), "§4.2, as printed");
    }

    #[test]
    fn r_is_the_average_and_zero_features_do_not_count_as_printed() {
        assert_eq!(consistency([1.0, 0.5, 0.5, 1.0]), 0.75);
        assert_eq!(consistency([]), 0.0);
        let of = |s| Features { b: 4.0, c: 0.0, least_c: 0.125, r: 0.5, s };
        let (none, some) = (Features { c: 0.0, ..of(0.5) }, Features { c: 0.25, ..of(0.5) });
        assert_eq!([none, some].map(|features| features.score(Formula::Printed)), [2.0, 0.5]);
        assert_eq!([none, some].map(|features| features.score(Formula::Exception)), [0.125, 0.25]);
    }
}
