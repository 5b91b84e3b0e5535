//! Many runs' fragments put together: how sure is each part of a reconstruction (Recon §3.3)?

use super::counts::Counted;
use super::features::consistency;
use super::fragments::Fragments;
use super::{Features, Member, Part, Reconstruction, Region};
use crate::bugaboo::{PairCount, PlaceCount};
use crate::census::Census;

/// The most members that a region lists: the surest. Where nothing is sure, all nodes of the program
/// might be members, for each of thousands of reconstructions.
const LISTED: usize = 256;

/// What one pass over the failing runs gives.
pub(super) struct Aggregated {
    /// The reconstructions that this pass could count, with no features but R.
    pub reconstructions: Vec<Reconstruction>,
    /// The counted bug-only graphs, with contexts.
    pub places: Vec<PlaceCount>,
    /// The same without contexts.
    pub pairs: Vec<PairCount>,
}

/// Puts together what a pass counted.
pub(super) fn aggregate(census: &Census, fragments: Fragments<'_>, cut: f64) -> Aggregated {
    let Fragments {
        executions,
        candidates,
        quota,
        runs,
        mut examples,
        nodes,
        points,
        bug_only,
        pairs,
        pair_runs,
        ..
    } = fragments;
    let (nodes, points) = (nodes.finish(quota), points.finish(quota));
    let reconstruct = |(candidate, edge): (usize, &u32)| {
        let runs = runs[candidate];
        let sure_nodes =
            Part::REGIONS.map(|part| sure(members(&nodes, candidate, part), executions, cut));
        let all = sure_nodes.iter().flatten().map(|member| member.confidence);
        let features = Features { r: consistency(all), ..Features::default() };
        let region = |part: Part, nodes: Vec<Member<u32>>| Region {
            nodes: nodes.into_iter().take(LISTED).collect(),
            points: sure(members(&points, candidate, part), executions, cut)
                .into_iter()
                .take(LISTED)
                .map(|member| Member {
                    what: census.points[member.what as usize],
                    confidence: member.confidence,
                })
                .collect(),
        };
        let [prefix, body, suffix] = sure_nodes;
        let (prefix, body, suffix) =
            (region(Part::Prefix, prefix), region(Part::Body, body), region(Part::Suffix, suffix));
        let example = examples[candidate].take().unwrap_or_default();
        let score = 0.0;
        Reconstruction {
            edge: *edge,
            features,
            score,
            // As the other features: known when all edges are.
            strength: None,
            out_of_turn: false,
            runs,
            prefix,
            body,
            suffix,
            example,
        }
    };
    let counted = &candidates[..quota.candidates()];
    let reconstructions = counted.iter().enumerate().map(reconstruct).collect();
    let places = census
        .places
        .iter()
        .zip(bug_only)
        .filter(|(_, (runs, _))| *runs > 0)
        .map(|(place, (runs, count))| PlaceCount {
            point: place.point,
            ctx: place.ctx,
            runs,
            failing: place.runs.failing,
            passing: place.runs.passing,
            count,
        })
        .collect();
    let point = |place: u32| census.points[place as usize];
    let pairs = pairs.list.iter().zip(pair_runs);
    let pairs = pairs.map(|((source, sink), runs)| PairCount {
        source: point(*source),
        sink: point(*sink),
        runs,
    });
    Aggregated { reconstructions, places, pairs: pairs.collect() }
}

/// What a candidate's region has, and in how many runs.
fn members(counts: &Counted, candidate: usize, part: Part) -> impl Iterator<Item = (u32, u32)> {
    let region = Part::REGIONS.iter().position(|other| *other == part).unwrap_or(0);
    counts.of(candidate, region)
}

/// Those with at least `cut` times the highest confidence (§5.3), the surest first.
fn sure(counts: impl Iterator<Item = (u32, u32)>, runs: u32, cut: f64) -> Vec<Member<u32>> {
    let mut counts: Vec<_> = counts.collect();
    let most = counts.iter().map(|(_, runs)| *runs).max().unwrap_or(0);
    counts.retain(|(_, runs)| f64::from(*runs) >= cut * f64::from(most));
    counts.sort_unstable_by_key(|(what, runs)| (u32::MAX - runs, *what));
    let member = |(what, in_runs): (u32, u32)| {
        let confidence = f64::from(in_runs) / f64::from(runs.max(1));
        Member { what, confidence }
    };
    counts.into_iter().map(member).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_below_half_of_the_maximum_is_cut() {
        let kept = sure([(1, 1), (2, 4), (3, 2)].into_iter(), 8, 0.5);
        let member = |what, confidence| Member { what, confidence };
        assert_eq!(kept, [member(2, 0.5), member(3, 0.25)]);
    }
}
