//! A round more before it counts: what fails only if a thread begins anew while the other stands ready.

use super::candidate::Candidate;
use super::opposite::Opposites;
use crate::breakpoint::{Entry, Party, Set};
use border::breakpoint::MAX_WAIT;

/// Times as long as the distance suggests: in a round others come and go.
const LONGER: u32 = 64;
/// Places before the one that stands ready.
const READY: usize = 5;
/// Places where the other meets it.
const MET: usize = 2;
/// Places where the other's round is over.
const ROUND: usize = 8;

/// A candidate of one entry, armed once the second thread has met the first, which then stood before its place, and has gone on to the
/// next round.
pub fn rounds(candidate: &Candidate, opposites: &Opposites<'_>) -> Vec<Candidate> {
    let [entry] = candidate.forced.entries.as_slice() else { return Vec::new() };
    let [first, second] = entry.parties.as_slice() else { return Vec::new() };
    let wait = entry.wait.saturating_mul(LONGER).min(MAX_WAIT);
    let [ready, round] = [first, second].map(|party| opposites.around(party.pc).begins);
    let mut found = Vec::new();
    for ready in ready.iter().filter(|place| **place != first.pc).take(READY) {
        for begin in round.iter().take(MET) {
            for end in round.iter().filter(|end| *end != begin).take(ROUND) {
                let parties = vec![Party::at(*begin), Party::at(*ready)];
                let plain = Entry::of(parties, wait);
                let before = Entry { until: Some(*end), bound: 1, ..plain };
                let then = Entry { after: Some(0), wait, ..entry.clone() };
                let forced = Set { entries: vec![before, then] };
                found.push(Candidate { forced, opposites: candidate.opposites.clone() });
            }
        }
    }
    found
}
