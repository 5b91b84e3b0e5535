//! The search for a set under which the failure comes every time and whose opposite order never fails.

use super::USUAL_WAIT;
use super::bench::{Bench, Rate};
use super::candidate::{Candidate, candidates};
use super::distance::Visits;
use super::evidence::{EXAMINED, Evidence};
use super::halves::{GLANCE, Halves};
use super::hunted::Hunted;
use super::opposite::Opposites;
use super::proof::Proof;
use super::shrink::shrunk;
use super::values::valued;
use super::variants::{each, once, variants};
use crate::breakpoint::{Entry, Places, Set};
use crate::hunt::HuntError;
use std::collections::BTreeSet;

/// Schedules that a candidate is tried on first.
const SCREENED: u64 = 20;
/// A candidate that fails in this part of the first schedules is worth more of them.
pub(super) const PROMISING: f64 = 0.9;
/// Candidates of which variants are tried, and that are tried together.
const VARIED: usize = 5;
/// Candidates that come every time of which the other half is measured.
const PROVED: usize = 6;

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

/// What may make a candidate come every time, in the order in which it is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// Waits, skips and bounds.
    Times,
    /// More of what the first thread does.
    Wider,
    /// Once, and everything behind it in the opposite order.
    Once,
    /// The visits of one value.
    Value,
    /// Two candidates at a time.
    Two,
    /// A round more before it.
    Round,
}

const CHANGES: [Change; 6] =
    [Change::Times, Change::Wider, Change::Once, Change::Value, Change::Two, Change::Round];

struct Search<'a> {
    hunted: &'a Hunted<'a>,
    halves: &'a Halves<'a>,
    tried: usize,
    best: Option<(Candidate, Rate)>,
}

/// Looks for a set. The first bench screens; all of them confirm.
///
/// # Errors
/// If a run cannot be made.
pub fn prove(hunted: &Hunted<'_>, benches: &[Bench<'_>]) -> Result<Proved, HuntError> {
    let evidence = Evidence::of(hunted, EXAMINED)?;
    let opposites = Opposites::of(hunted, &evidence);
    let halves = Halves::new(benches, &opposites);
    let all = waiting(hunted, candidates(&evidence, USUAL_WAIT))?;
    let mut search = Search { hunted, halves: &halves, tried: 0, best: None };
    let found = |proof: Proof| -> Result<Proved, HuntError> {
        let proof = if proof.is_confirmed() { shrunk(&halves, proof)? } else { proof };
        Ok(Proved::Found(Box::new(proof)))
    };
    let screened = search.screened(all, SCREENED)?;
    // What already comes every time does not come surer; its opposite is the matter.
    if let Some(proof) = search.proved(&screened)? {
        return found(proof);
    }
    let best = screened.iter().filter(|(_, rate)| rate.hit > 0).take(VARIED);
    let best: Vec<Candidate> = best.map(|(one, _)| one.clone()).collect();
    for change in CHANGES {
        let mut all = Vec::new();
        for one in &best {
            all.extend(search.changed(&evidence, one, change)?);
        }
        if change == Change::Two {
            all.extend(pairs(&best));
        }
        let screened = search.screened(all, GLANCE)?;
        if let Some(proof) = search.proved(&screened)? {
            return found(proof);
        }
    }
    let unaided = halves.screening().rate(&Set::default(), SCREENED)?;
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

/// Whether all of a set can be written to a file, by lines.
fn has_lines(set: &Set, places: &Places) -> bool {
    let spot = |pc: u32| places.at(pc, false).is_some();
    let passed = |pc: u32| places.at(pc, true).is_some() || spot(pc);
    set.entries.iter().all(|entry| {
        let region = entry.region.into_iter().flat_map(|(begin, end)| [begin, end]);
        entry.parties.iter().all(|party| spot(party.pc))
            && entry.until.into_iter().chain(region).all(passed)
    })
}

impl Search<'_> {
    /// Tries all of them on a few schedules, and after the first of these only what has failed in one; gives them best first.
    fn screened(
        &mut self,
        all: Vec<Candidate>,
        first: u64,
    ) -> Result<Vec<(Candidate, Rate)>, HuntError> {
        let mut rated = Vec::new();
        let has_lines = |one: &Candidate| has_lines(&one.forced, &self.hunted.places);
        for candidate in all.into_iter().filter(has_lines) {
            if self.halves.is_late() {
                break;
            }
            let bench = self.halves.screening();
            let rate = match bench.rate(&candidate.forced, first)? {
                rate if rate.failed == 0 => rate,
                _ => bench.rate(&candidate.forced, SCREENED)?,
            };
            self.tried += 1;
            if self.best.as_ref().is_none_or(|(_, best)| rate.failing() > best.failing()) {
                self.best = Some((candidate.clone(), rate));
            }
            rated.push((candidate, rate));
        }
        rated.sort_by(|(_, a), (_, b)| b.failing().total_cmp(&a.failing()));
        Ok(rated)
    }

    fn changed(
        &self,
        evidence: &Evidence,
        one: &Candidate,
        change: Change,
    ) -> Result<Vec<Candidate>, HuntError> {
        let with_opposites = || -> Result<Candidate, HuntError> {
            Ok(Candidate { opposites: self.halves.likely(one)?, ..one.clone() })
        };
        Ok(match change {
            Change::Times => variants(one, evidence),
            Change::Wider => self.halves.wider(one)?,
            Change::Once => once(&with_opposites()?),
            Change::Value => valued(self.hunted, evidence, &with_opposites()?)?,
            Change::Two => Vec::new(),
            Change::Round => self.halves.rounds(one),
        })
    }

    /// The one of them that shows most: the first of which both halves hold, with an opposite order that is met at every visit.
    fn proved(&mut self, screened: &[(Candidate, Rate)]) -> Result<Option<Proof>, HuntError> {
        let promising = screened
            .iter()
            .filter(|(_, rate)| rate.failing() >= PROMISING && rate.hitting() >= PROMISING);
        let mut best: Option<Proof> = None;
        let mut proved = 0;
        for (candidate, _) in promising {
            if proved == PROVED || (best.is_some() && self.halves.is_late()) {
                break;
            }
            let Some(forced) = self.halves.forced(&candidate.forced)? else { continue };
            proved += 1;
            let proof = self.halves.proof(candidate.clone(), forced)?;
            if best.as_ref().is_none_or(|best| proof.weight() > best.weight()) {
                best = Some(proof);
            }
            if best.as_ref().is_some_and(Proof::is_clean) {
                break;
            }
        }
        Ok(best)
    }
}
