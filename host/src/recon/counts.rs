//! Counting what lies around thousands of edges, in bounded memory.
//!
//! Where every run has other nodes around an edge, their counts would grow with the runs, up to all nodes
//! for every candidate. So a pass over the runs has a quota: when counts become too many, the last
//! candidates are left for another pass. What a candidate comes to does not depend on its pass.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Notes that are kept before they are counted.
const NOTES: usize = 1 << 20;

/// How many candidates a pass counts, from the first; all threads of it share this.
pub(super) struct Quota {
    candidates: AtomicUsize,
    /// The most counts of one kind that a thread keeps, unless a single candidate has more.
    counts: usize,
}

impl Quota {
    /// For so many candidates, and so many counts.
    pub fn new(candidates: usize, counts: usize) -> Self {
        Self { candidates: AtomicUsize::new(candidates), counts }
    }

    /// The candidates that are still in.
    pub fn candidates(&self) -> usize {
        self.candidates.load(Ordering::Relaxed)
    }

    fn lower_to(&self, candidates: usize) {
        self.candidates.fetch_min(candidates.max(1), Ordering::Relaxed);
    }
}

/// Candidate, region and what was there, in one number that sorts in this order.
fn key(candidate: usize, region: usize, what: u32) -> u64 {
    (candidate as u64) << 34 | (region as u64) << 32 | u64::from(what)
}

fn candidate_of(key: u64) -> usize {
    (key >> 34) as usize
}

/// How many runs have something in a region of a candidate's reconstruction. Everything is noted as it
/// comes and counted now and then.
#[derive(Default)]
pub(super) struct Counts {
    noted: Vec<u64>,
    counted: Counted,
}

impl Counts {
    /// A run has this there.
    pub fn add(&mut self, quota: &Quota, candidate: usize, region: usize, what: u32) {
        self.noted.push(key(candidate, region, what));
        if self.noted.len() >= NOTES.min(quota.counts) {
            self.count(quota);
            self.counted.keep_within(quota);
        }
    }

    /// Adds what another thread counted.
    pub fn merge(&mut self, quota: &Quota, other: Self) {
        let other = other.finish(quota);
        self.count(quota);
        self.counted.take(other.counts);
    }

    /// All counts.
    pub fn finish(mut self, quota: &Quota) -> Counted {
        self.count(quota);
        self.counted
    }

    fn count(&mut self, quota: &Quota) {
        let inside = quota.candidates();
        self.noted.retain(|note| candidate_of(*note) < inside);
        self.noted.sort_unstable();
        let groups = self.noted.chunk_by(|a, b| a == b);
        let counts: Vec<_> = groups.map(|group| (group[0], group.len() as u32)).collect();
        self.noted.clear();
        self.counted.take(counts);
        self.counted.leave_out_from(inside);
    }
}

/// Counts, sorted by candidate, region and what was there.
#[derive(Default)]
pub(super) struct Counted {
    counts: Vec<(u64, u32)>,
}

impl Counted {
    /// Adds counts that are sorted alike.
    fn take(&mut self, more: Vec<(u64, u32)>) {
        if self.counts.is_empty() {
            self.counts = more;
        } else if !more.is_empty() {
            self.counts.extend(more);
            // Two sorted pieces: a stable sort merges them.
            self.counts.sort_by_key(|(key, _)| *key);
            self.counts.dedup_by(|later, first| {
                let same = later.0 == first.0;
                if same {
                    first.1 += later.1;
                }
                same
            });
        }
    }

    /// Leaves the last candidates for another pass if there are too many counts.
    fn keep_within(&mut self, quota: &Quota) {
        if self.counts.len() > quota.counts {
            quota.lower_to(candidate_of(self.counts[quota.counts / 2].0));
            self.leave_out_from(quota.candidates());
        }
    }

    fn leave_out_from(&mut self, inside: usize) {
        let end = self.counts.partition_point(|(key, _)| candidate_of(*key) < inside);
        self.counts.truncate(end);
    }

    /// All counts of a candidate's region.
    pub fn of(&self, candidate: usize, region: usize) -> impl Iterator<Item = (u32, u32)> {
        let from = key(candidate, region, 0);
        let start = self.counts.partition_point(|(key, _)| *key < from);
        let here = self.counts[start..].iter().take_while(move |(key, _)| key >> 32 == from >> 32);
        here.map(|(key, runs)| (*key as u32, *runs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_in_pieces_is_counting() {
        let quota = Quota::new(9, usize::MAX);
        let mut counts = Counts::default();
        let mut other = Counts::default();
        for (place, what) in [3, 1, 3, 3, 2, 1].into_iter().enumerate() {
            let counts = if place % 2 == 0 { &mut counts } else { &mut other };
            counts.add(&quota, 7, 1, what);
            counts.count(&quota);
        }
        counts.add(&quota, 7, 2, 1);
        counts.add(&quota, 8, 1, 1);
        counts.merge(&quota, other);
        let counted = counts.finish(&quota);
        assert_eq!(counted.of(7, 1).collect::<Vec<_>>(), [(1, 2), (2, 1), (3, 3)]);
        assert_eq!(counted.of(7, 2).collect::<Vec<_>>(), [(1, 1)]);
        assert_eq!(counted.of(7, 0).count(), 0);
    }

    #[test]
    fn too_many_counts_leave_the_last_candidates_for_another_pass() {
        let quota = Quota::new(10, 40);
        let mut counts = Counts::default();
        for what in 0..10 {
            (0..10).for_each(|candidate| counts.add(&quota, candidate, 1, what));
            counts.count(&quota);
            counts.counted.keep_within(&quota);
        }
        assert!((1..10).contains(&quota.candidates()), "{}", quota.candidates());
        let inside = quota.candidates();
        let counted = counts.finish(&quota);
        assert!(counted.counts.len() <= 40);
        assert!((0..inside).all(|candidate| counted.of(candidate, 1).count() == 10));
        assert_eq!(counted.of(inside, 1).count(), 0);
    }

    #[test]
    fn a_single_candidate_is_always_counted() {
        let quota = Quota::new(1, 2);
        let mut counts = Counts::default();
        (0..10).for_each(|what| counts.add(&quota, 0, 0, what));
        counts.count(&quota);
        counts.counted.keep_within(&quota);
        assert_eq!(counts.finish(&quota).of(0, 0).count(), 10);
    }
}
