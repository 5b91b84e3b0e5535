//! What a failure depended on: backwards from the failing statement, through the writes whose values were read and what those
//! depended on in turn.

use super::inputs::{Role, reads_of_failure};
use crate::log::Log;
use std::collections::BTreeMap;

/// Steps that are followed backwards.
const DEEPEST: u32 = 4;
/// Reads that are looked at.
const MOST_READS: usize = 256;
/// Conditions before a write that it is taken to depend on.
const CONDITIONS: usize = 2;

/// How a word belongs to the failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Distance {
    /// The failing statement depended on it directly.
    Read,
    /// Through so many writes.
    Through(u32),
    /// The failing function, or an earlier condition, read it.
    Near,
}

/// The words that a failure depended on, each with its shortest distance.
pub fn slice(log: &Log) -> BTreeMap<u32, Distance> {
    let mut found = BTreeMap::<u32, Distance>::new();
    let mut frontier = Vec::new();
    for (role, number) in reads_of_failure(log) {
        let Some(read) = log.access(number) else { continue };
        match role {
            Role::Pointer | Role::Code | Role::Condition | Role::Predicate => {
                note(&mut found, read.address, Distance::Read);
                frontier.push(number);
            }
            Role::Earlier | Role::Nearby => {
                note(&mut found, read.address, Distance::Near);
            }
        }
    }
    let mut seen = 0;
    for depth in 1..=DEEPEST {
        let mut next = Vec::new();
        for number in std::mem::take(&mut frontier) {
            seen += 1;
            if seen > MOST_READS {
                return found;
            }
            let Some(read) = log.access(number) else { continue };
            let Some((at, write)) = log.writer_before(number, read) else { continue };
            let data = log.depends.data(at).iter();
            let tested = log.depends.tested_before(write.thread, at).take(CONDITIONS);
            let control = tested.flat_map(|condition| condition.sources.loads());
            for load in data.chain(control) {
                let Some(access) = log.access(*load) else { continue };
                if note(&mut found, access.address, Distance::Through(depth)) {
                    next.push(*load);
                }
            }
        }
        frontier = next;
    }
    found
}

/// Notes a word at a distance; whether it is news that it is that near.
fn note(found: &mut BTreeMap<u32, Distance>, address: u32, distance: Distance) -> bool {
    let known = found.insert(address >> 2, distance);
    let nearer = known.is_some_and(|known| known <= distance);
    if let Some(known) = known.filter(|_| nearer) {
        found.insert(address >> 2, known);
    }
    !nearer
}
