//! When places are reached in runs that pass: how far apart, which is how long it is worth waiting; how often, and in which order.

use super::hunted::Hunted;
use crate::hunt::{HuntError, Visit};
use border::breakpoint::MAX_WAIT;
use std::collections::{BTreeMap, BTreeSet};

/// Runs that are looked at.
const RUNS: usize = 6;
/// The shortest wait.
const LEAST: u64 = 64;

/// The visits of places in passing runs; in failing ones if none passed.
pub struct Visits(Vec<Vec<Visit>>);

impl Visits {
    /// Of these places.
    ///
    /// # Errors
    /// If a run cannot be made again.
    pub fn of(hunted: &Hunted<'_>, places: BTreeSet<u32>) -> Result<Self, HuntError> {
        let schedules = match hunted.passing.is_empty() {
            true => &hunted.failing,
            false => &hunted.passing,
        };
        let visits = schedules.iter().take(RUNS);
        let visits = visits.map(|schedule| hunted.source.visits(*schedule, &places));
        Ok(Self(visits.collect::<Result<_, HuntError>>()?))
    }

    /// Twice the 99th percentile of the distance from a visit of one of these places to the nearest of another of them by another
    /// hart; or of the same, if there is but one.
    pub fn wait(&self, places: &[u32]) -> Option<u32> {
        let mut distances: Vec<u64> = Vec::new();
        for visits in &self.0 {
            let here: Vec<&Visit> = visits.iter().filter(|one| places.contains(&one.pc)).collect();
            let one_place = places.iter().all(|place| *place == places[0]);
            for (index, visit) in here.iter().enumerate() {
                let other = |other: &&&Visit| {
                    other.hart != visit.hart && (one_place || other.pc != visit.pc)
                };
                let before =
                    here[..index].iter().rev().find(other).map(|one| visit.time - one.time);
                let after = here[index..].iter().find(other).map(|one| one.time - visit.time);
                distances.extend(before.into_iter().chain(after).min());
            }
        }
        distances.sort_unstable();
        let most =
            distances.get((distances.len() * 99 / 100).min(distances.len().checked_sub(1)?))?;
        Some((2 * most).clamp(LEAST, MAX_WAIT.into()) as u32)
    }

    /// The harts that come to a place.
    pub fn harts(&self, place: u32) -> BTreeSet<usize> {
        let here = self.0.iter().flatten().filter(|visit| visit.pc == place);
        here.map(|visit| visit.hart).collect()
    }

    /// How often a place is visited, if that is the same in all runs.
    pub fn total(&self, place: u32) -> Option<u32> {
        let count = |run: &Vec<Visit>| run.iter().filter(|visit| visit.pc == place).count() as u32;
        same(self.0.iter().map(count))
    }

    /// How often every hart that comes to a place does so, if that is the same for all of them and in all runs.
    pub fn each(&self, place: u32) -> Option<u32> {
        let harts = self.harts(place);
        let of = |hart: usize| {
            let here = move |visit: &&Visit| visit.pc == place && visit.hart == hart;
            self.0.iter().map(move |run| run.iter().filter(here).count() as u32)
        };
        same(harts.into_iter().flat_map(of))
    }

    /// Whether every hart comes to one place before it comes to another for the first time.
    pub fn leads(&self, one: u32, other: u32) -> bool {
        let leads = |course: Vec<u32>| course.first().is_none_or(|first| *first == one);
        !self.harts(one).is_empty() && self.courses(&[one, other]).all(leads)
    }

    /// Whether every visit of a place is after one of `begin` and before the next of `end`, and these two alternate.
    pub fn encloses(&self, begin: u32, end: u32, place: u32) -> bool {
        let alternates = |course: Vec<u32>| {
            let mut open = false;
            let whole = course.into_iter().all(|pc| {
                let fits = if pc == begin { !open } else { open };
                open = pc != end;
                fits
            });
            whole && !open
        };
        let is_visited = !self.harts(place).is_empty();
        begin != end && is_visited && self.courses(&[begin, end, place]).all(alternates)
    }

    /// What each hart visits of some places, in each run.
    fn courses(&self, places: &[u32]) -> impl Iterator<Item = Vec<u32>> {
        let of_run = move |run: &Vec<Visit>| {
            let mut of_harts = BTreeMap::<usize, Vec<u32>>::new();
            for visit in run.iter().filter(|visit| places.contains(&visit.pc)) {
                of_harts.entry(visit.hart).or_default().push(visit.pc);
            }
            of_harts.into_values()
        };
        self.0.iter().flat_map(of_run)
    }
}

#[cfg(test)]
impl Visits {
    /// Of runs whose visits are these, in order, each a hart and a place.
    pub fn seen(runs: &[&[(usize, u32)]]) -> Self {
        let visit = |(&(hart, pc), time): (&(usize, u32), u64)| Visit { time, hart, pc };
        Self(runs.iter().map(|run| run.iter().zip(0..).map(visit).collect()).collect())
    }
}

/// What all of them are.
fn same(mut all: impl Iterator<Item = u32>) -> Option<u32> {
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_is_twice_the_longest_but_for_one_in_a_hundred() {
        // Hart 0 at place 4 every 1000, hart 1 at place 8 so much later.
        let visits = |late: &dyn Fn(u64) -> u64| {
            let visit = |time, hart, pc| Visit { time, hart, pc };
            let runs = (0..200u64)
                .flat_map(|n| [visit(1000 * n, 0, 4), visit(1000 * n + late(n), 1, 8)])
                .collect::<Vec<Visit>>();
            Visits(vec![runs])
        };
        assert_eq!(visits(&|_| 100).wait(&[4, 8]), Some(200));
        assert_eq!(visits(&|n| if n == 3 { 400 } else { 100 }).wait(&[4, 8]), Some(200));
        assert_eq!(visits(&|_| 1).wait(&[4, 8]), Some(LEAST as u32));
        assert_eq!(visits(&|_| 100).wait(&[4]), None, "one hart alone");
        assert_eq!(visits(&|_| 100).wait(&[12, 16]), None);
    }

    #[test]
    fn visits_are_counted_where_all_runs_agree() {
        let once = [(0, 4), (1, 4), (0, 8), (0, 4), (1, 4)];
        let visits = Visits::seen(&[&once, &[(1, 4), (1, 4), (0, 4), (0, 4)]]);
        assert_eq!((visits.total(4), visits.each(4)), (Some(4), Some(2)));
        assert_eq!((visits.total(8), visits.each(8)), (None, None));
        assert_eq!(visits.harts(4), [0, 1].into());
        let uneven = Visits::seen(&[&[(0, 4), (1, 4), (1, 4)]]);
        assert_eq!((uneven.total(4), uneven.each(4)), (Some(3), None));
    }

    #[test]
    fn a_sequence_encloses_what_is_never_outside() {
        // Both harts: begin 4, place 8 twice, end 12.
        let whole = [(0, 4), (1, 4), (0, 8), (1, 8), (0, 8), (0, 12), (1, 8), (1, 12)];
        let visits = Visits::seen(&[&whole]);
        assert!(visits.encloses(4, 12, 8) && visits.leads(4, 8));
        assert!(!visits.encloses(4, 8, 12), "12 is behind its end");
        assert!(!visits.encloses(8, 12, 4) && !visits.leads(8, 4), "4 is before its beginning");
        assert!(!visits.encloses(8, 12, 8), "8 comes twice before it ends");
        let cut = Visits::seen(&[&whole[..7]]);
        assert!(!cut.encloses(4, 12, 8), "it does not always end");
    }
}
