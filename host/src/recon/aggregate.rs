//! Many runs' fragments put together: how sure is each part of a reconstruction (Recon §3.3)?

use super::fragments::Fragments;
use super::{Features, Member, Part, Reconstruction, Region};
use crate::bugaboo::PlaceCount;
use crate::census::Census;

/// How many runs have something in a region of a candidate's reconstruction.
///
/// Everything is noted as it comes and counted now and then: memory grows with what is distinct.
#[derive(Default)]
pub(super) struct Counts {
    noted: Vec<u64>,
    /// Sorted.
    counted: Vec<(u64, u32)>,
}

/// Notes that are kept before they are counted.
const NOTES: usize = 1 << 20;

impl Counts {
    pub fn add(&mut self, candidate: usize, region: usize, what: u32) {
        self.noted.push((candidate as u64) << 34 | (region as u64) << 32 | u64::from(what));
        if self.noted.len() >= NOTES {
            self.count();
        }
    }

    pub fn merge(&mut self, mut other: Self) {
        self.count();
        other.count();
        self.take(other.counted);
    }

    fn count(&mut self) {
        self.noted.sort_unstable();
        let groups = self.noted.chunk_by(|a, b| a == b);
        let counted: Vec<_> = groups.map(|group| (group[0], group.len() as u32)).collect();
        self.noted.clear();
        self.take(counted);
    }

    /// Adds counts, sorted as ours are.
    fn take(&mut self, more: Vec<(u64, u32)>) {
        if self.counted.is_empty() {
            self.counted = more;
        } else if !more.is_empty() {
            self.counted.extend(more);
            self.counted.sort_unstable();
            self.counted.dedup_by(|later, first| {
                let same = later.0 == first.0;
                if same {
                    first.1 += later.1;
                }
                same
            });
        }
    }

    /// All counts of a candidate's region.
    fn of(&self, candidate: usize, region: usize) -> impl Iterator<Item = (u32, u32)> {
        let from = (candidate as u64) << 34 | (region as u64) << 32;
        let start = self.counted.partition_point(|(key, _)| *key < from);
        let here = self.counted[start..].iter().take_while(move |(key, _)| key >> 32 == from >> 32);
        here.map(|(key, runs)| (*key as u32, *runs))
    }
}

/// Reconstructions without their features, and the counted bug-only graphs.
pub(super) fn aggregate(
    census: &Census,
    fragments: Fragments<'_>,
    cut: f64,
) -> (Vec<Reconstruction>, Vec<PlaceCount>) {
    let Fragments {
        executions,
        candidates,
        runs,
        mut examples,
        mut nodes,
        mut points,
        bug_only,
        ..
    } = fragments;
    nodes.count();
    points.count();
    let reconstruct = |(candidate, edge): (usize, &u32)| {
        let runs = runs[candidate];
        let region = |part: Part| {
            let region = Part::REGIONS.iter().position(|other| *other == part).unwrap_or(0);
            let points = sure(points.of(candidate, region), executions, cut).into_iter();
            Region {
                nodes: sure(nodes.of(candidate, region), executions, cut),
                points: points
                    .map(|member| Member {
                        what: census.points[member.what as usize],
                        confidence: member.confidence,
                    })
                    .collect(),
            }
        };
        let (prefix, body, suffix) =
            (region(Part::Prefix), region(Part::Body), region(Part::Suffix));
        let example = examples[candidate].take().unwrap_or_default();
        let features = Features::default();
        Reconstruction { edge: *edge, features, runs, prefix, body, suffix, example }
    };
    let reconstructions = candidates.iter().enumerate().map(reconstruct).collect();
    let bug_only = census
        .places
        .iter()
        .zip(bug_only)
        .filter(|(_, (runs, _))| *runs > 0)
        .map(|(place, (runs, count))| PlaceCount {
            point: place.point,
            ctx: place.ctx,
            runs,
            count,
        })
        .collect();
    (reconstructions, bug_only)
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
    fn counting_in_pieces_is_counting() {
        let mut counts = Counts::default();
        let mut other = Counts::default();
        for (place, what) in [3, 1, 3, 3, 2, 1].into_iter().enumerate() {
            let counts = if place % 2 == 0 { &mut counts } else { &mut other };
            counts.add(7, 1, what);
            counts.count();
        }
        counts.add(7, 2, 1);
        counts.add(8, 1, 1);
        counts.merge(other);
        assert_eq!(counts.of(7, 1).collect::<Vec<_>>(), [(1, 2), (2, 1), (3, 3)]);
        assert_eq!(counts.of(7, 2).collect::<Vec<_>>(), [(1, 1)]);
        assert_eq!(counts.of(7, 0).count(), 0);
    }

    #[test]
    fn what_is_below_half_of_the_maximum_is_cut() {
        let kept = sure([(1, 1), (2, 4), (3, 2)].into_iter(), 8, 0.5);
        let member = |what, confidence| Member { what, confidence };
        assert_eq!(kept, [member(2, 0.5), member(3, 0.25)]);
    }
}
