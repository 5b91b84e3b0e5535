//! The accesses that a person is told of: from every order that decides, those that decide most sharply, and
//! that the failing statement can have seen.

use super::Explained;
use super::flips::{Pair, Shared};
use crate::event::Event;
use crate::log::Log;
use crate::verdict::{Role, inputs_of_failure};
use std::collections::{BTreeMap, BTreeSet};

/// Pairs that are told at most.
const MOST_PAIRS: usize = 3;
/// A pair is told if it weighs at least this part of the heaviest.
const LIGHTEST: f64 = 0.25;
/// What a pair of an interrupted sequence weighs besides.
const INTERRUPTED: f64 = 0.5;
/// How much more a pair weighs if the failing statement read what it is about, or may have.
const READ: f64 = 3.0;
const NEAR: f64 = 1.5;

/// Two instructions of the program.
type Key = (u32, u32);

/// What is known of a pair of instructions in one run.
#[derive(Clone, Copy, Debug)]
struct Weighed {
    weight: f64,
    /// The pair to show: of the sharpest order that decides, the closest.
    pair: Pair,
    sharpness: f64,
}

/// The pairs of accesses to tell of the first of these runs, the weightiest first. A pair of two schedules that
/// differ in nothing else weighs 1; if more changed places between them, all of those share it. The other runs
/// failed in the same way, and count as much.
pub fn told(runs: &[&Explained]) -> Vec<Pair> {
    let Some(shown) = runs.first() else { return Vec::new() };
    for inside in [false, true] {
        let own = weigh(shown, inside);
        let mut sums: BTreeMap<Key, f64> =
            own.iter().map(|(key, one)| (*key, one.weight)).collect();
        for other in &runs[1..] {
            for (key, one) in weigh(other, inside) {
                if let Some(sum) = sums.get_mut(&key) {
                    *sum += one.weight;
                }
            }
        }
        let mut ranked: Vec<_> = sums.into_iter().collect();
        ranked.sort_by(|(a, x), (b, y)| y.total_cmp(x).then(own[a].pair.cmp(&own[b].pair)));
        let heaviest = ranked.first().map_or(0.0, |(_, weight)| *weight);
        let heavy = ranked.into_iter().take_while(|(_, weight)| *weight >= LIGHTEST * heaviest);
        let pairs: Vec<Pair> = heavy.take(MOST_PAIRS).map(|(key, _)| own[&key].pair).collect();
        if !pairs.is_empty() {
            return pairs;
        }
    }
    Vec::new()
}

fn weigh(run: &Explained, inside: bool) -> BTreeMap<Key, Weighed> {
    let anchors = anchors(&run.log);
    let mut weights = BTreeMap::<Key, Weighed>::new();
    let mut add = |pair: Pair, weight: f64| {
        let (Some(first), Some(second)) = (site(&run.log, pair.first), site(&run.log, pair.second))
        else {
            return;
        };
        let words = [pair.first, pair.second].into_iter().filter_map(|one| address(&run.log, one));
        let anchor = words.map(|word| anchors.get(&(word >> 2)).copied().unwrap_or(1.0));
        let weight = weight * anchor.fold(1.0, f64::max);
        let new = Weighed { weight: 0.0, pair, sharpness: 0.0 };
        let known = weights.entry((first, second)).or_insert(new);
        known.weight += weight;
        let closeness = |pair: Pair| pair.second - pair.first;
        let closer = || weight == known.sharpness && closeness(pair) < closeness(known.pair);
        if weight > known.sharpness || closer() {
            (known.pair, known.sharpness) = (pair, weight);
        }
    };
    for decisive in &run.decisive {
        let pairs = if inside { &decisive.inside } else { &decisive.pairs };
        let mut keys = BTreeMap::<Key, Vec<Pair>>::new();
        for pair in pairs {
            if let (Some(a), Some(b)) = (site(&run.log, pair.first), site(&run.log, pair.second)) {
                keys.entry((a, b)).or_default().push(*pair);
            }
        }
        let share = 1.0 / keys.len().max(1) as f64;
        for pairs in keys.values() {
            let closest = pairs.iter().min_by_key(|pair| (pair.second - pair.first, **pair));
            if let Some(pair) = closest {
                add(*pair, share);
            }
        }
    }
    if !inside {
        let mut pairs = BTreeSet::new();
        for needed in &run.turns {
            pairs.extend(interrupted(&run.log, needed.turn.hart, needed.turn.until));
        }
        for pair in pairs {
            add(pair, INTERRUPTED);
        }
    }
    weights
}

/// The pairs of sequences that the end of a turn interrupted: a thread's access to a word before, another's
/// after, and between them a third one's that cannot be moved before or behind both.
fn interrupted(log: &Log, hart: usize, until: u64) -> Vec<Pair> {
    let Some(end) = log.point(hart, until) else { return Vec::new() };
    let Some(Event::Access(last) | Event::Inside(last)) = log.event(end) else { return Vec::new() };
    let thread = last.thread;
    let shared = Shared::of(log);
    let mut found = Vec::new();
    for accesses in shared.words() {
        let own = |number: &&u64| log.access(**number).is_some_and(|a| a.thread == thread);
        let before = accesses.iter().filter(|number| **number <= end).rfind(own);
        let after = accesses.iter().filter(|number| **number > end).find(own);
        let (Some(before), Some(after)) = (before, after) else { continue };
        let writes = |number: u64| log.access(number).is_some_and(|a| a.kind.writes());
        let between = accesses.iter().filter(|number| *number > before && *number < after);
        let conflicting = |middle: &&u64| match (writes(*before), writes(**middle), writes(*after))
        {
            (_, true, false) | (false, true, true) => true,
            (true, false, true) => true,
            _ => false,
        };
        if let Some(middle) = between.clone().rfind(conflicting) {
            found.push(Pair { first: *before, second: *middle });
            found.push(Pair { first: *middle, second: *after });
        }
    }
    found
}

/// By word: how much more it weighs.
fn anchors(log: &Log) -> BTreeMap<u32, f64> {
    let mut anchors = BTreeMap::new();
    for input in inputs_of_failure(log) {
        let weight = match input.role {
            Role::Pointer | Role::Code | Role::Condition | Role::Predicate => READ,
            Role::Earlier | Role::Nearby => NEAR,
        };
        let known: &mut f64 = anchors.entry(input.read.address >> 2).or_insert(1.0);
        *known = known.max(weight);
    }
    anchors
}

fn site(log: &Log, number: u64) -> Option<u32> {
    let site = match log.event(number)? {
        Event::Access(access) | Event::Inside(access) => access.site,
        Event::Call(call) => call.site,
        _ => return None,
    };
    (site != 0).then_some(site)
}

fn address(log: &Log, number: u64) -> Option<u32> {
    match log.event(number)? {
        Event::Access(access) | Event::Inside(access) => Some(access.address),
        _ => None,
    }
}

/// The accesses of pairs, each once, in the run's order.
pub fn in_order(pairs: &[Pair]) -> Vec<u64> {
    let mut numbers: Vec<u64> = pairs.iter().flat_map(|pair| [pair.first, pair.second]).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
