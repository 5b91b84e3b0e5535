//! Methodology II of the paper: every pair of places that conflict, in both orders, whether or not anything points there.

use super::USUAL_WAIT;
use super::bench::{Bench, Rate};
use super::candidate::Candidate;
use super::evidence::{EXAMINED, Evidence};
use super::hunted::Hunted;
use super::prove::waiting;
use crate::breakpoint::Party;
use crate::hunt::HuntError;
use ::evidence::cause::flips::Acts;
use ::evidence::event::{Event, Function};
use ::evidence::log::Log;
use std::collections::{BTreeMap, BTreeSet};

/// Pairs that are tried at most.
const MOST: usize = 120;

/// A row of the paper's table.
#[derive(Clone, Debug)]
pub struct Row {
    /// The order.
    pub candidate: Candidate,
    /// What it came to.
    pub rate: Rate,
}

/// Tries all of them in both orders on so many schedules each; the order that fails most comes first.
///
/// # Errors
/// If a run cannot be made.
pub fn search(
    hunted: &Hunted<'_>,
    bench: &Bench<'_>,
    schedules: u64,
) -> Result<Vec<Row>, HuntError> {
    let evidence = Evidence::of(hunted, EXAMINED)?;
    let mut pairs = BTreeMap::<(u32, u32), bool>::new();
    for log in evidence.failing.iter().chain(&evidence.passing) {
        for (one, other) in accesses(log) {
            pairs.insert((one.min(other), one.max(other)), true);
        }
        for (one, other) in calls(log) {
            pairs.entry((one.min(other), one.max(other))).or_insert(false);
        }
    }
    let party = |pc: u32, is_access: bool| match is_access {
        true => Party::on_word(pc),
        false => Party::at(pc),
    };
    let both = pairs.into_iter().take(MOST).flat_map(|((one, other), is_access)| {
        let parties = [party(one, is_access), party(other, is_access)];
        let there = Candidate::order(parties, [None; 2], USUAL_WAIT);
        let back = Candidate::order([parties[1], parties[0]], [None; 2], USUAL_WAIT);
        if one == other { vec![there] } else { vec![there, back] }
    });
    let all = waiting(hunted, both.collect())?;
    let mut rows = Vec::new();
    for candidate in all {
        let rate = bench.rate(&candidate.forced, schedules)?;
        rows.push(Row { candidate, rate });
    }
    rows.sort_by(|a, b| b.rate.failing().total_cmp(&a.rate.failing()));
    Ok(rows)
}

/// Pairs of the program's own accesses that conflict.
fn accesses(log: &Log) -> BTreeSet<(u32, u32)> {
    let acts = Acts::of(log);
    let mut found = BTreeSet::new();
    for of_word in acts.shared().values() {
        let own: Vec<_> = of_word.iter().filter(|act| act.pc == act.place.pc).collect();
        let mut places = BTreeMap::new();
        for act in own {
            places.entry((act.pc, act.place.thread)).or_insert(act);
        }
        for one in places.values() {
            let others = places.values().filter(|other| one.conflicts(other));
            found.extend(others.map(|other| (one.pc, other.pc)));
        }
    }
    found
}

/// Pairs of calls on one lock, condition or semaphore.
fn calls(log: &Log) -> BTreeSet<(u32, u32)> {
    use Function::{
        CondBroadcast, CondSignal, CondWait, MutexLock, ReadLock, SemPost, SemWait, SpinLock,
        WriteLock,
    };
    let mut objects = BTreeMap::<u32, BTreeSet<(u32, u32)>>::new();
    for (_, event) in log.events() {
        if let Event::Call(call) = event
            && matches!(
                call.function,
                MutexLock
                    | ReadLock
                    | WriteLock
                    | SpinLock
                    | SemWait
                    | SemPost
                    | CondWait
                    | CondSignal
                    | CondBroadcast
            )
        {
            let sites = objects.entry(call.values[0]).or_default();
            sites.insert((call.site, call.thread.0));
        }
    }
    let mut found = BTreeSet::new();
    for sites in objects.values() {
        for one in sites {
            let others = sites.iter().filter(|other| other.1 != one.1);
            found.extend(others.map(|other| (one.0, other.0)));
        }
    }
    found
}
