//! The smallest set that still shows what a larger one does.

use super::MET;
use super::candidate::Candidate;
use super::halves::Halves;
use super::proof::Proof;
use super::variants::each;
use crate::breakpoint::{Entry, Party, Set};
use crate::hunt::HuntError;
use border::breakpoint::Value;

/// Schedules after which a smaller set counts as no worse, until it is proved.
const KEPT: u64 = 60;

/// The same with fewer entries, without `until`, without predicates, and with shorter waits, in this order, as far as both halves still
/// hold.
///
/// # Errors
/// If a run cannot be made.
pub fn shrunk(halves: &Halves<'_>, proof: Proof) -> Result<Proof, HuntError> {
    let mut proof = proof;
    for step in [without_an_entry, without_until, without_predicates] {
        for smaller in step(&proof.candidate) {
            if let Some(smaller) = still(halves, &proof, smaller)? {
                proof = smaller;
                break;
            }
        }
    }
    let mut shorter = Vec::new();
    let mut set = proof.candidate.forced.clone();
    while set.longest_wait() > 1 {
        set = each(&set, |entry| Entry { wait: entry.wait.div_ceil(2), ..entry.clone() });
        let rate = halves.screening().rate_until(&set, KEPT, |rate| rate.misses() > 0)?;
        if rate.misses() > 0 || rate.hitting() < MET {
            break;
        }
        shorter.push(set.clone());
    }
    // The shortest is the likeliest to miss once in a while.
    for forced in shorter.into_iter().rev() {
        if let Some(rates) = halves.forced(&forced)? {
            proof.candidate.forced = forced;
            proof.forced = rates;
            break;
        }
    }
    Ok(proof)
}

/// A smaller set with all that is measured of it, if it shows as much.
fn still(
    halves: &Halves<'_>,
    known: &Proof,
    smaller: Candidate,
) -> Result<Option<Proof>, HuntError> {
    let enough = |rate: &super::Rate| rate.misses() > 1;
    let rate = halves.screening().rate_until(&smaller.forced, KEPT, enough)?;
    if rate.misses() > 1 {
        return Ok(None);
    }
    let Some(forced) = halves.forced(&smaller.forced)? else { return Ok(None) };
    let proof = halves.opposed(smaller, forced)?;
    Ok(Some(proof).filter(|proof| proof.weight() >= known.weight()))
}

/// Without one of several entries; what was after another is after nothing.
fn without_an_entry(candidate: &Candidate) -> Vec<Candidate> {
    let entries = candidate.forced.entries.len();
    if entries < 2 {
        return Vec::new();
    }
    let without = |left_out: usize| {
        candidate.changed(|set| {
            // An opposite that is one order for all of them stays as it is.
            if set.entries.len() < entries {
                return set.clone();
            }
            let mut entries = set.entries.clone();
            entries.remove(left_out);
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
    fn a_set_of_two_loses_one_entry_at_a_time() {
        let one = |pc| Candidate::order([Party::at(pc), Party::at(pc + 4)], [None; 2], 9);
        let mut both = one(0x10).with(&one(0x20));
        both.forced.entries[1].after = Some(0);
        let smaller = without_an_entry(&both);
        assert_eq!(smaller, [one(0x10), one(0x20)]);
        assert!(without_an_entry(&one(0x10)).is_empty());
        let whole = one(0x30).forced;
        both.opposites.push(whole.clone());
        assert!(without_an_entry(&both).iter().all(|smaller| smaller.opposites[1] == whole));
    }
}
