//! How far apart two places are reached in runs that pass: how long it is worth waiting.

use super::hunted::Hunted;
use crate::hunt::{HuntError, Visit};
use border::breakpoint::MAX_WAIT;
use std::collections::BTreeSet;

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
}
