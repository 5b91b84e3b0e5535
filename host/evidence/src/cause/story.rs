//! The accesses that a person is told of: from every order that decides, those that decide most sharply, and
//! that the failing statement can have seen.

use super::Explained;
use super::flips::{Act, Acts, Pair};
use crate::event::{Event, Function, Thread};
use crate::log::Log;
use crate::verdict::{Role, reads_of_failure};
use std::collections::{BTreeMap, BTreeSet};

/// Pairs that are told at most.
const MOST_PAIRS: usize = 4;
/// A pair is told if it weighs at least this part of the heaviest.
const LIGHTEST: f64 = 0.45;
/// What a pair of an interrupted sequence weighs.
const INTERRUPTED: f64 = 0.4;
/// How much more a pair weighs if the failing statement read what it is about, or may have.
const READ: f64 = 1.5;
const NEAR: f64 = 1.2;
/// What a pair that other failing runs have too weighs besides, if all of them do.
const COMMON: f64 = 0.5;

/// Two instructions of the program.
type Key = (u32, u32);

/// What is known of a pair of instructions in one run.
#[derive(Clone, Copy, Debug)]
struct Weighed {
    weight: f64,
    /// The pair to show: of the sharpest order that decides, the closest.
    pair: Pair,
}

/// The pairs of accesses to tell of the first of these runs, the weightiest first. A pair of two schedules that
/// differ in nothing else weighs 1; if more changed places between them, all of those share it. The other runs
/// failed in the same way; what they have in common weighs more. Words with which the library synchronizes are
/// told of if nothing else changed places.
pub fn told(runs: &[&Explained]) -> Vec<Pair> {
    let Some((shown, others)) = runs.split_first() else { return Vec::new() };
    for inside in [false, true] {
        let others: Vec<_> = others.iter().map(|other| weigh(other, inside)).collect();
        let common = |key: &Key| {
            let weight =
                |other: &BTreeMap<Key, Weighed>| other.get(key).map_or(0.0, |one| one.weight);
            let sum: f64 = others.iter().map(weight).map(|weight| weight.min(1.0)).sum();
            COMMON * sum / others.len().max(1) as f64
        };
        let mut ranked: Vec<Weighed> = weigh(shown, inside)
            .into_iter()
            .map(|(key, one)| Weighed { weight: one.weight + common(&key), ..one })
            .collect();
        ranked.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.pair.cmp(&b.pair)));
        let heaviest = ranked.first().map_or(0.0, |one| one.weight);
        let heavy = ranked.iter().take_while(|one| one.weight >= LIGHTEST * heaviest);
        let pairs: Vec<Pair> = heavy.take(MOST_PAIRS).map(|one| one.pair).collect();
        if !pairs.is_empty() {
            return pairs;
        }
    }
    Vec::new()
}

fn key(pair: &Pair) -> Key {
    (pair.first.place.pc, pair.second.place.pc)
}

/// How close the two accesses are: the smaller the closer.
fn distance(pair: &Pair) -> u64 {
    pair.second.number.abs_diff(pair.first.number)
}

fn weigh(run: &Explained, inside: bool) -> BTreeMap<Key, Weighed> {
    let anchors = anchors(&run.log);
    let anchor = |act: &Act| anchors.get(&(act.address >> 2)).copied().unwrap_or(1.0);
    let mut weights = BTreeMap::<Key, Weighed>::new();
    let mut add = |pair: Pair, weight: f64| {
        let anchor = anchor(&pair.first).max(anchor(&pair.second));
        // What the run did not come to counts only if the failing statement missed it.
        if pair.unfinished && anchor < READ {
            return;
        }
        let weight = weight * anchor;
        let known = weights.entry(key(&pair)).or_insert(Weighed { weight, pair });
        let closer = weight == known.weight && distance(&pair) < distance(&known.pair);
        if weight > known.weight || closer {
            *known = Weighed { weight, pair };
        }
    };
    for pairs in &run.decisive {
        let mut closest = BTreeMap::<Key, Pair>::new();
        for pair in pairs.iter().filter(|pair| pair.first.inside == inside) {
            let known = closest.entry(key(pair)).or_insert(*pair);
            if distance(pair) < distance(known) {
                *known = *pair;
            }
        }
        let share = 1.0 / closest.len().max(1) as f64;
        closest.into_values().for_each(|pair| add(pair, share));
    }
    if !inside {
        let acts = Acts::of(&run.log);
        let shared = acts.shared();
        let ends = run.turns.iter().filter_map(|needed| {
            let end = run.log.point(needed.turn.hart, needed.turn.until)?;
            Some(stop(&acts, Act::of(&run.log, end)?))
        });
        let lives = Lives::of(&run.log);
        let pairs = ends.flat_map(|end| interrupted(&shared, end));
        let pairs: BTreeSet<Pair> = pairs.filter(|pair| !lives.order(pair)).collect();
        pairs.into_iter().for_each(|pair| add(pair, INTERRUPTED));
    }
    weights
}

/// Where the thread of a turn's last act really stopped: it goes on as long as the others only wait for it.
fn stop(acts: &Acts, end: Act) -> Act {
    let after = acts.iter().filter(|act| act.number > end.number);
    let mut last = end;
    for act in after {
        if act.place.thread == end.place.thread {
            last = *act;
        } else if !act.inside {
            break;
        }
    }
    last
}

/// The pairs of sequences that the end of a turn interrupted: a thread's access to a word before, its next
/// one after, and between them another's that cannot be moved before or behind both.
fn interrupted(shared: &BTreeMap<u32, Vec<Act>>, end: Act) -> Vec<Pair> {
    let mut found = Vec::new();
    for acts in shared.values() {
        let own = |act: &&Act| act.place.thread == end.place.thread;
        let before = acts.iter().filter(|act| act.number <= end.number).rfind(own);
        let after = acts.iter().filter(|act| act.number > end.number).find(own);
        let (Some(before), Some(after)) = (before, after) else { continue };
        let is_between = |act: &&Act| act.number > before.number && act.number < after.number;
        let cannot_move =
            |act: &&Act| match (before.deed.writes(), act.deed.writes(), after.deed.writes()) {
                (_, true, false) | (false, true, true) | (true, false, true) => true,
                (_, false, _) | (true, true, true) => false,
            };
        if let Some(middle) = acts.iter().filter(is_between).rfind(cannot_move) {
            for (first, second) in [(before, middle), (middle, after)] {
                found.push(Pair { first: *first, second: *second, unfinished: false });
            }
        }
    }
    found
}

/// When threads were created and joined: what that orders, no schedule can change.
struct Lives {
    /// Creator, thread, and the number of the event.
    created: Vec<(Thread, Thread, u64)>,
    /// Thread that joined, thread, and the number of the event.
    joined: Vec<(Thread, Thread, u64)>,
}

impl Lives {
    fn of(log: &Log) -> Self {
        let (mut created, mut joined) = (Vec::new(), Vec::new());
        let mut handles = BTreeMap::new();
        for (number, event) in log.events() {
            match event {
                Event::Create { by, thread, handle } => {
                    created.push((*by, *thread, number));
                    handles.insert(*handle, *thread);
                }
                Event::Call(call) if call.function == Function::Join => {
                    if let Some(thread) = handles.get(&call.values[0]) {
                        joined.push((call.thread, *thread, number));
                    }
                }
                _ => {}
            }
        }
        Self { created, joined }
    }

    /// Whether they order a pair: the first act before its thread created the second's, or the second after its
    /// thread joined the first's.
    fn order(&self, pair: &Pair) -> bool {
        let (first, second) = (pair.first.place.thread, pair.second.place.thread);
        let created = |(by, thread, at): &(Thread, Thread, u64)| {
            *by == first && *thread == second && pair.first.number < *at
        };
        let joined = |(by, thread, at): &(Thread, Thread, u64)| {
            *by == second && *thread == first && pair.second.number > *at
        };
        self.created.iter().any(created) || self.joined.iter().any(joined)
    }
}

/// By word: how much more it weighs.
fn anchors(log: &Log) -> BTreeMap<u32, f64> {
    let mut anchors = BTreeMap::new();
    for (role, number) in reads_of_failure(log) {
        let Some(read) = log.access(number) else { continue };
        let weight = match role {
            Role::Pointer | Role::Code | Role::Condition | Role::Predicate => READ,
            Role::Earlier | Role::Nearby => NEAR,
        };
        let known: &mut f64 = anchors.entry(read.address >> 2).or_insert(1.0);
        *known = known.max(weight);
    }
    anchors
}

/// The accesses of pairs, each once: in the failing run's order, then those that it did not come to.
pub fn in_order(pairs: &[Pair]) -> Vec<(Act, bool)> {
    let mut acts: Vec<(bool, Act)> = pairs
        .iter()
        .flat_map(|pair| [(false, pair.first), (pair.unfinished, pair.second)])
        .collect();
    acts.sort_unstable_by_key(|(unfinished, act)| (*unfinished, act.number));
    acts.dedup();
    acts.into_iter().map(|(unfinished, act)| (act, unfinished)).collect()
}
