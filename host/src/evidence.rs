//! How surely something belongs to failing runs: Fisher's exact test.
//!
//! A thing that is in more failing runs than passing ones may be so by chance. How small that chance is
//! can be compared between things that are in many runs and things that are in few, which ratios cannot.

use crate::census::ByLabel;
use hashbrown::HashMap;
use serde::Serialize;

/// What rounding can make of a chance of 1.
const ROUNDING: f64 = 1e-9;

/// How strong the evidence is that one of several candidates tells failing runs from passing ones.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Strength {
    /// The chance that some candidate is in failing runs so much more often than in passing ones if none has to do with
    /// failing: the p of the test times the number of candidates (Bonferroni), at most 1.
    pub p: f64,
    /// How many candidates there were.
    pub candidates: u64,
}

impl Strength {
    /// Above this, what was found may be chance.
    pub const ENOUGH: f64 = 0.05;

    /// Whether it may be called a cause.
    pub fn is_enough(self) -> bool {
        self.p <= Self::ENOUGH
    }
}

/// The test, for so many runs of each label.
pub struct Evidence {
    failing: u32,
    passing: u32,
    /// The logarithm of 0!, 1!, 2! and so on.
    factorials: Vec<f64>,
    known: HashMap<(u32, u32), f64>,
}

impl Evidence {
    /// For runs with these labels.
    pub fn new(labels: ByLabel) -> Self {
        let ByLabel { failing, passing, .. } = labels;
        let mut factorials = vec![0.0];
        for number in 1..=failing + passing {
            factorials.push(factorials[number as usize - 1] + f64::from(number).ln());
        }
        Self { failing, passing, factorials, known: HashMap::new() }
    }

    /// The decimal logarithm of 1 / p, where p is the chance that of the runs that have a thing at least
    /// `failing` are failing ones, if it had nothing to do with failing. `passing` of them pass.
    pub fn of(&mut self, failing: u32, passing: u32) -> f64 {
        if let Some(known) = self.known.get(&(failing, passing)) {
            return *known;
        }
        let evidence = self.compute(failing, passing);
        self.known.insert((failing, passing), evidence);
        evidence
    }

    /// The strength of a thing that so many runs have, found among so many candidates; none unless there are runs
    /// of both labels.
    pub fn strength(&mut self, runs: ByLabel, candidates: usize) -> Option<Strength> {
        let comparable = self.failing > 0 && self.passing > 0;
        comparable.then(|| {
            let p = 10f64.powf(-self.of(runs.failing, runs.passing));
            Strength { p: (p * candidates as f64).min(1.0), candidates: candidates as u64 }
        })
    }

    fn compute(&self, failing: u32, passing: u32) -> f64 {
        let with = failing + passing;
        let all = self.choose(self.failing + self.passing, with);
        let chances = (failing..=with.min(self.failing))
            .filter(|some| with - some <= self.passing)
            .map(|some| {
                self.choose(self.failing, some) + self.choose(self.passing, with - some) - all
            });
        // Of thousands of runs, chances are too small for numbers that are no logarithms.
        let most = chances.clone().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = chances.map(|chance| (chance - most).exp()).sum();
        let evidence = -(most + sum.ln()) / std::f64::consts::LN_10;
        if evidence < ROUNDING { 0.0 } else { evidence }
    }

    /// The logarithm of the number of ways to choose.
    fn choose(&self, from: u32, some: u32) -> f64 {
        let factorial = |number: u32| self.factorials[number as usize];
        factorial(from) - factorial(some) - factorial(from - some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(failing: u32, passing: u32, of: [u32; 2]) -> f64 {
        let labels = ByLabel { failing: of[0], passing: of[1], unknown: 9 };
        Evidence::new(labels).of(failing, passing)
    }

    #[test]
    fn chances_by_hand() {
        let close = |evidence: f64, chance: f64| (evidence + chance.log10()).abs() < 1e-9;
        // One of two runs fails and has it: the other might as well.
        assert!(close(evidence(1, 0, [1, 1]), 0.5));
        // Both failing runs of four, of C(4, 2) pairs.
        assert!(close(evidence(2, 0, [2, 2]), 1.0 / 6.0));
        // Two or three failing ones of three, of six runs: (3 · 3 + 1) / C(6, 3).
        assert!(close(evidence(2, 1, [3, 3]), 0.5));
    }

    #[test]
    fn what_all_or_no_runs_have_and_what_no_passing_run_could_lack_tells_nothing() {
        assert_eq!(evidence(25, 25, [25, 25]), 0.0);
        assert_eq!(evidence(0, 7, [25, 25]), 0.0);
        assert_eq!(evidence(25, 0, [25, 0]), 0.0);
    }

    #[test]
    fn the_more_candidates_the_weaker_the_evidence() {
        let runs = |failing, passing| ByLabel { failing, passing, unknown: 0 };
        let mut evidence = Evidence::new(runs(5, 5));
        // One way in C(10, 5) = 252.
        let one = evidence.strength(runs(5, 0), 1).unwrap();
        assert!((one.p - 1.0 / 252.0).abs() < 1e-9 && one.is_enough());
        let twelve = evidence.strength(runs(5, 0), 12).unwrap();
        assert!((twelve.p - 12.0 / 252.0).abs() < 1e-9 && twelve.is_enough());
        assert!(!evidence.strength(runs(5, 0), 13).unwrap().is_enough());
        assert_eq!(evidence.strength(runs(1, 1), 13), Some(Strength { p: 1.0, candidates: 13 }));
        assert_eq!(Evidence::new(runs(5, 0)).strength(runs(5, 0), 1), None, "nothing to compare");
    }

    #[test]
    fn more_failing_and_fewer_passing_runs_tell_more() {
        let all = [25, 25];
        assert!(evidence(8, 0, all) > evidence(7, 0, all));
        assert!(evidence(8, 0, all) > evidence(8, 1, all));
        assert!(evidence(20, 2, all) > evidence(5, 0, all), "many against few");
        let many = evidence(4000, 0, [4000, 4000]);
        assert!(many.is_finite() && many > evidence(3000, 0, [4000, 4000]), "{many}");
    }
}
