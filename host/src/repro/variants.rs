//! What may make a candidate surer: a longer or shorter wait, visits that are skipped, an end after the first hit.

use super::candidate::Candidate;
use super::evidence::Evidence;
use crate::breakpoint::{Entry, Set};
use ::evidence::event::Event;
use ::evidence::log::Log;
use border::breakpoint::Word;

/// Opposite orders that are tried after a first hit.
const ONCE: usize = 4;

/// Variants of a candidate, the gentlest first.
pub fn variants(candidate: &Candidate, evidence: &Evidence) -> Vec<Candidate> {
    let bounded = |set: &Set| each(set, |entry| Entry { bound: 1, ..entry.clone() });
    // A thread that waits long is missing elsewhere meanwhile.
    let shorter = |times: u32| {
        candidate.changed(|set| {
            each(set, |entry| Entry { wait: (entry.wait / times).max(1), ..entry.clone() })
        })
    };
    let longer = candidate.changed(|set| set.waiting(8));
    let mut found = vec![longer.clone(), shorter(8), shorter(64)];
    let skipped = skipping(candidate, evidence);
    found.extend(skipped.clone());
    found.extend(
        [candidate, &longer].into_iter().chain(&skipped).map(|one| Candidate {
            forced: bounded(&one.forced),
            opposites: one.opposites.clone(),
        }),
    );
    found.push(candidate.changed(|set| set.waiting(64)));
    found
}

/// Its order once, and an opposite order from then on: where the failure comes and goes with each time, it comes once.
pub fn once(candidate: &Candidate) -> Vec<Candidate> {
    let [entry] = candidate.forced.entries.as_slice() else { return Vec::new() };
    let opposites = candidate.opposites.iter().take(ONCE);
    let sets = opposites.filter_map(|opposite| {
        let [then] = opposite.entries.as_slice() else { return None };
        let entry = Entry { bound: 1, ..entry.clone() };
        let then = Entry { after: Some(0), bound: 0, ..then.clone() };
        let forced = Set { entries: vec![entry, then] };
        Some(Candidate { forced, opposites: vec![opposite.clone()] })
    });
    sets.collect()
}

/// The same with each entry changed.
pub fn each(set: &Set, change: impl Fn(&Entry) -> Entry) -> Set {
    Set { entries: set.entries.iter().map(change).collect() }
}

/// With as many visits skipped as every failing run made before the one that failed; none if some made none. The opposite
/// order is forced at every visit.
fn skipping(candidate: &Candidate, evidence: &Evidence) -> Option<Candidate> {
    let least = |pc: u32| evidence.failing.iter().map(|log| visits(log, pc)).min().unwrap_or(0);
    let mut forced = candidate.forced.clone();
    for party in forced.entries.iter_mut().flat_map(|entry| &mut entry.parties) {
        let before = least(party.pc).saturating_sub(1);
        party.skip = before.min(Word::SKIP.of(u32::MAX));
    }
    (forced != candidate.forced)
        .then(|| Candidate { forced, opposites: candidate.opposites.clone() })
}

/// How many times a location was visited in a run that failed.
fn visits(log: &Log, pc: u32) -> u32 {
    let here = |event: &Event| match event {
        Event::Access(access) => access.pc == pc,
        Event::Call(call) => call.site == pc,
        _ => false,
    };
    log.events().filter(|(_, event)| here(event)).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::breakpoint::Party;

    #[test]
    fn an_order_that_comes_once_is_followed_by_its_opposite() {
        let order = Candidate::order([Party::at(4), Party::at(8)], [None; 2], 9);
        let found = once(&order);
        assert_eq!(found.len(), 1);
        let [first, then] = found[0].forced.entries.as_slice() else { panic!("two entries") };
        assert_eq!((first.bound, first.parties[0].pc), (1, 4));
        assert_eq!((then.after, then.parties[0].pc), (Some(0), 8));
        assert_eq!(found[0].opposites, order.opposites);
    }
}
