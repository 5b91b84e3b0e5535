//! The search for a set under which the failure comes every time and whose opposite order never fails.

use super::bench::{Bench, Rate};
use super::candidate::{Candidate, candidates};
use super::distance::Visits;
use super::evidence::{EXAMINED, Evidence};
use super::hunted::Hunted;
use super::variants::{each, variants};
use super::{MET, SURE, USUAL_WAIT};
use crate::breakpoint::{Entry, Party, Set};
use crate::hunt::HuntError;
use border::breakpoint::Value;
use std::collections::BTreeSet;

/// Schedules that a candidate is tried on first.
const SCREENED: u64 = 20;
/// Schedules after which a smaller set counts as no worse, until it is proved.
const KEPT: u64 = 60;
/// A candidate that fails in this part of the first schedules is worth more of them.
pub(super) const PROMISING: f64 = 0.9;
/// Candidates of which variants are tried, and that are tried together.
const VARIED: usize = 5;
/// Schedules after which an opposite order that fails without being forced is given up.
const SOON: u64 = 100;
/// What the opposite order came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opposite {
    /// It never fails.
    NeverFails,
    /// It fails although every visit hit.
    Fails,
    /// It does not fail where every visit hit, but too few schedules are like that, and others fail.
    NotForced,
}

impl Opposite {
    /// Of what was measured, if so many schedules without a miss are enough.
    pub fn of(rate: &Rate, enough: u64) -> Self {
        let met = 2 * rate.hit >= rate.runs;
        match (rate.clean_failed, rate.failed) {
            (0, 0) if met => Self::NeverFails,
            (0, _) if rate.clean >= enough => Self::NeverFails,
            (0, _) => Self::NotForced,
            _ => Self::Fails,
        }
    }
}

/// A set with all that was measured of it, at each level.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The set and its opposite.
    pub candidate: Candidate,
    /// Under the set.
    pub forced: Vec<Rate>,
    /// Under the opposite order.
    pub opposite: Vec<Rate>,
    /// Which of the opposite orders that is.
    pub by: usize,
    /// The same schedules without breakpoints.
    pub unaided: Vec<Rate>,
    /// How many schedules without a miss are enough.
    pub schedules: u64,
}

impl Proof {
    /// Of a first half.
    pub(super) fn forced(candidate: Candidate, forced: Vec<Rate>, unaided: Vec<Rate>) -> Self {
        Self { candidate, forced, opposite: Vec::new(), by: 0, unaided, schedules: SURE }
    }

    /// The first half holds, at every level.
    pub fn is_reproduced(&self) -> bool {
        !self.forced.is_empty() && self.forced.iter().all(|rate| rate.is_sure(self.schedules))
    }

    /// What the opposite order shows, at the level where it shows least.
    pub fn opposed(&self) -> Opposite {
        let all = || self.opposite.iter().map(|rate| Opposite::of(rate, self.schedules));
        if self.opposite.is_empty() {
            return Opposite::NotForced;
        }
        let worst = [Opposite::Fails, Opposite::NotForced];
        worst
            .into_iter()
            .find(|one| all().any(|other| other == *one))
            .unwrap_or(Opposite::NeverFails)
    }

    /// Both halves hold.
    pub fn is_confirmed(&self) -> bool {
        self.opposed() == Opposite::NeverFails
    }
}

/// What came out.
#[derive(Clone, Debug)]
pub enum Proved {
    /// A set that reproduces the failure, confirmed or not.
    Found(Box<Proof>),
    /// None does. The best, if any hit at all.
    Nothing {
        /// Candidates that were tried.
        tried: usize,
        /// The one under which most schedules failed, with what was measured.
        best: Option<(Box<Candidate>, Rate)>,
        /// The same number of schedules without breakpoints.
        unaided: Rate,
    },
}

struct Search<'a> {
    benches: &'a [Bench<'a>],
    tried: usize,
    best: Option<(Candidate, Rate)>,
    /// Reproduces the failure, and so does its opposite, or it was never forced.
    sufficient: Option<Proof>,
}

/// Looks for a set. The first bench screens; all of them confirm.
///
/// # Errors
/// If a run cannot be made.
pub fn prove(hunted: &Hunted<'_>, benches: &[Bench<'_>]) -> Result<Proved, HuntError> {
    let evidence = Evidence::of(hunted, EXAMINED)?;
    let all = waiting(hunted, candidates(&evidence, USUAL_WAIT))?;
    let mut search = Search { benches, tried: 0, best: None, sufficient: None };
    let screened = search.screened(all)?;
    if let Some(proof) = search.first_confirmed(&screened)? {
        return search.shrunk(proof).map(|proof| Proved::Found(Box::new(proof)));
    }
    // What already comes every time does not come surer; its opposite is the matter.
    if let Some(proof) = search.sufficient.take() {
        return Ok(Proved::Found(Box::new(proof)));
    }
    let best: Vec<Candidate> =
        screened.iter().filter(|(_, rate)| rate.hit > 0).map(|(one, _)| one.clone()).collect();
    let varied = best.iter().take(VARIED).flat_map(|one| variants(one, &evidence)).collect();
    let varied = search.screened(varied)?;
    if let Some(proof) = search.first_confirmed(&varied)? {
        return search.shrunk(proof).map(|proof| Proved::Found(Box::new(proof)));
    }
    let together = search.screened(pairs(&best))?;
    if let Some(proof) = search.first_confirmed(&together)? {
        return search.shrunk(proof).map(|proof| Proved::Found(Box::new(proof)));
    }
    if let Some(proof) = search.sufficient.take() {
        return Ok(Proved::Found(Box::new(proof)));
    }
    let unaided = benches[0].rate(&Set::default(), SCREENED)?;
    let best = search.best.map(|(one, rate)| (Box::new(one), rate));
    Ok(Proved::Nothing { tried: search.tried, best, unaided })
}

/// With the waits that passing runs suggest.
pub fn waiting(hunted: &Hunted<'_>, all: Vec<Candidate>) -> Result<Vec<Candidate>, HuntError> {
    let places: BTreeSet<u32> = all.iter().flat_map(Candidate::locations).collect();
    let visits = Visits::of(hunted, places)?;
    let fitting = |entry: &Entry| {
        let places: Vec<u32> = entry.parties.iter().map(|party| party.pc).collect();
        Entry { wait: visits.wait(&places).unwrap_or(USUAL_WAIT), ..entry.clone() }
    };
    Ok(all.iter().map(|one| one.changed(|set| each(set, fitting))).collect())
}

/// Two at a time: both armed, or the second once the first had its hit.
fn pairs(best: &[Candidate]) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (index, first) in best.iter().take(VARIED).enumerate() {
        for (other, second) in best.iter().take(VARIED).enumerate() {
            if index < other {
                found.push(first.with(second));
            }
            if index != other {
                let mut one = first.with(second);
                let number = first.forced.entries.len();
                for entry in &mut one.forced.entries[number..] {
                    entry.after = Some(0);
                }
                found.push(one);
            }
        }
    }
    found
}

impl Search<'_> {
    /// Tries all of them on a few schedules; gives them best first.
    fn screened(&mut self, all: Vec<Candidate>) -> Result<Vec<(Candidate, Rate)>, HuntError> {
        let mut rated = Vec::new();
        for candidate in all {
            let rate = self.benches[0].rate(&candidate.forced, SCREENED)?;
            self.tried += 1;
            if self.best.as_ref().is_none_or(|(_, best)| rate.failing() > best.failing()) {
                self.best = Some((candidate.clone(), rate));
            }
            rated.push((candidate, rate));
        }
        rated.sort_by(|(_, a), (_, b)| b.failing().total_cmp(&a.failing()));
        Ok(rated)
    }

    /// The first of them of which both halves hold.
    fn first_confirmed(
        &mut self,
        screened: &[(Candidate, Rate)],
    ) -> Result<Option<Proof>, HuntError> {
        let promising = screened
            .iter()
            .filter(|(_, rate)| rate.failing() >= PROMISING && rate.hitting() >= PROMISING);
        for (candidate, _) in promising {
            let Some(forced) = self.forced(&candidate.forced)? else { continue };
            let proof = self.proof(candidate.clone(), forced)?;
            if proof.is_confirmed() {
                return Ok(Some(proof));
            }
            self.sufficient.get_or_insert(proof);
        }
        Ok(None)
    }

    /// What the set comes to at every level, if it fails in 0.99 of schedules for sure.
    fn forced(&self, set: &Set) -> Result<Option<Vec<Rate>>, HuntError> {
        let mut rates = Vec::new();
        for bench in self.benches {
            let rate = bench.sure_rate(set, SURE)?;
            if !rate.is_sure(SURE) {
                return Ok(None);
            }
            rates.push(rate);
        }
        Ok(Some(rates))
    }

    /// Measures the other half.
    fn proof(&self, candidate: Candidate, forced: Vec<Rate>) -> Result<Proof, HuntError> {
        let unaided = self.benches.iter().map(|bench| bench.rate(&Set::default(), SURE));
        let unaided = unaided.collect::<Result<_, _>>()?;
        opposed(self.benches, Proof::forced(candidate, forced, unaided))
    }

    /// The same with fewer entries, without `until`, without predicates, and with shorter waits, in this order, as far as both halves still
    /// hold.
    fn shrunk(&self, proof: Proof) -> Result<Proof, HuntError> {
        let mut proof = proof;
        for step in [without_an_entry, without_until, without_predicates] {
            for smaller in step(&proof.candidate) {
                if let Some(smaller) = self.still(smaller)? {
                    proof = smaller;
                    break;
                }
            }
        }
        let mut shorter = Vec::new();
        let mut set = proof.candidate.forced.clone();
        while set.longest_wait() > 1 {
            set = each(&set, |entry| Entry { wait: entry.wait.div_ceil(2), ..entry.clone() });
            let rate = self.benches[0].rate_until(&set, KEPT, |rate| rate.misses() > 0)?;
            if rate.misses() > 0 || rate.hitting() < MET {
                break;
            }
            shorter.push(set.clone());
        }
        // The shortest is the likeliest to miss once in a while.
        for forced in shorter.into_iter().rev() {
            if let Some(rates) = self.forced(&forced)? {
                proof.candidate.forced = forced;
                proof.forced = rates;
                break;
            }
        }
        Ok(proof)
    }

    fn still(&self, smaller: Candidate) -> Result<Option<Proof>, HuntError> {
        let rate = self.benches[0].rate_until(&smaller.forced, KEPT, |rate| rate.misses() > 1)?;
        if rate.misses() > 1 {
            return Ok(None);
        }
        let Some(forced) = self.forced(&smaller.forced)? else { return Ok(None) };
        Ok(Some(self.proof(smaller, forced)?).filter(Proof::is_confirmed))
    }
}

/// Measures the opposite orders, until one of them never fails.
pub(super) fn opposed(benches: &[Bench<'_>], proof: Proof) -> Result<Proof, HuntError> {
    let enough = proof.schedules;
    let is_clear = |rate: &Rate| {
        let without = rate.runs >= enough && rate.failed == 0;
        let hopeless = rate.runs >= SOON && rate.failed > 0 && 2 * rate.clean < rate.runs;
        rate.clean >= enough || rate.clean_failed > 0 || without || hopeless
    };
    let mut proof = proof;
    for (by, opposite) in proof.candidate.opposites.iter().enumerate() {
        let rates = benches.iter().map(|bench| bench.rate_until(opposite, 2 * enough, is_clear));
        (proof.opposite, proof.by) = (rates.collect::<Result<_, _>>()?, by);
        if proof.is_confirmed() {
            break;
        }
    }
    Ok(proof)
}

/// Without one of several entries; what was after another is after nothing.
fn without_an_entry(candidate: &Candidate) -> Vec<Candidate> {
    let entries = candidate.forced.entries.len();
    if entries < 2 {
        return Vec::new();
    }
    let without = |left_out: usize| {
        candidate.changed(|set| {
            let mut entries = set.entries.clone();
            if left_out < entries.len() {
                entries.remove(left_out);
            }
            let entries = entries.into_iter().map(|entry| Entry { after: None, ..entry });
            Set { entries: entries.collect() }
        })
    };
    (0..entries).rev().map(without).collect()
}

fn without_until(candidate: &Candidate) -> Vec<Candidate> {
    let has_one = candidate.forced.entries.iter().any(|entry| entry.until.is_some());
    let forced = each(&candidate.forced, |entry| Entry { until: None, ..entry.clone() });
    let smaller = Candidate { forced, opposites: candidate.opposites.clone() };
    if has_one { vec![smaller] } else { Vec::new() }
}

fn without_predicates(candidate: &Candidate) -> Vec<Candidate> {
    let bare = |entry: &Entry| {
        let parties = entry.parties.iter().map(|party| Party {
            value: Value::Nothing,
            in_region: false,
            local: None,
            ..*party
        });
        Entry { parties: parties.collect(), region: None, crossed: false, ..entry.clone() }
    };
    let forced = each(&candidate.forced, bare);
    let smaller = Candidate { forced, opposites: candidate.opposites.clone() };
    if smaller == *candidate { Vec::new() } else { vec![smaller] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opposite_order_is_no_proof_where_nobody_met() {
        let rate = |hit, clean, failed, clean_failed| Rate {
            runs: 300,
            failed,
            hit,
            clean,
            clean_failed,
            ..Rate::default()
        };
        let of = |rate: &Rate| Opposite::of(rate, SURE);
        assert_eq!(of(&rate(300, 300, 0, 0)), Opposite::NeverFails);
        assert_eq!(of(&rate(300, 300, 4, 0)), Opposite::NeverFails, "apart");
        assert_eq!(of(&rate(300, 0, 0, 0)), Opposite::NeverFails, "in none at all");
        assert_eq!(of(&rate(300, 20, 4, 0)), Opposite::NotForced);
        assert_eq!(of(&rate(3, 3, 0, 0)), Opposite::NotForced, "hardly met");
        assert_eq!(of(&rate(300, 300, 1, 1)), Opposite::Fails);
    }

    #[test]
    fn a_set_of_two_loses_one_entry_at_a_time() {
        let one = |pc| Candidate::order([Party::at(pc), Party::at(pc + 4)], [None; 2], 9);
        let mut both = one(0x10).with(&one(0x20));
        both.forced.entries[1].after = Some(0);
        let smaller = without_an_entry(&both);
        assert_eq!(smaller, [one(0x10), one(0x20)]);
        assert!(without_an_entry(&one(0x10)).is_empty());
    }
}
