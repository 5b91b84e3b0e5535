//! The accesses that a person is told of: from every order that decides, those that decide most sharply, and
//! that the failing statement can have seen.

use super::flips::{Act, Acts, Deed, Pair};
use super::link::{last_link, victims};
use super::swap::is_interrupted;
use super::{By, Explained};
use crate::event::{Event, Function, Thread};
use crate::log::Log;
use crate::verdict::{Distance, slice};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Pairs that are told at most.
const MOST_PAIRS: usize = 4;
/// A pair is told if it weighs at least this part of the heaviest.
const LIGHTEST: f64 = 0.45;
/// A pair of another variable is told if it is at least this sharp.
const SHARP: f64 = 0.4;
/// One that is less sharp, because as much as that changed places with it, is told only if nothing sharper is known.
const BLUNT: f64 = 0.1;
/// What a pair of an interrupted sequence weighs.
const INTERRUPTED: f64 = 0.4;
/// How much more a pair weighs if the failing statement read what it is about, or may have.
const READ: f64 = 2.0;
const NEAR: f64 = 1.2;
/// What is left of that with each write in between.
const THROUGH: f64 = 0.6;
/// What it weighs that nobody came between, if nobody else did either.
const WHOLE: f64 = 0.6;
/// Points that may change places as if it were one, and how much each doubling of that takes away.
const NEARBY: f64 = 8.0;
const FAR: f64 = 0.25;
/// How much more a pair weighs that no common lock orders.
const RACE: f64 = 1.25;
/// What is left of it if a lock is held at both: then the program orders the two one way or the other.
const LOCKED: f64 = 0.7;
/// What a pair that other failing runs have too weighs besides, if all of them do.
const COMMON: f64 = 0.5;

/// Two instructions of the program.
type Key = (u32, u32);

/// What is known of a pair of instructions in one run.
#[derive(Clone, Copy, Debug)]
struct Weighed {
    weight: f64,
    /// How little else changed places when the two were turned round: 1 if nothing did; 0 if that was not tried.
    sharpness: f64,
    /// The failure depended on it, as far as that was followed.
    needed: bool,
    /// How its order was tried.
    tried: Tried,
    /// The pair to show: of the sharpest order that decides, the closest.
    pair: Pair,
}

/// How it was tried whether an order decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tried {
    /// With the two the other way round, and the rest as it was as far as possible, it does not fail.
    Swapped,
    /// If nobody comes between two accesses of one thread, of which this pair has one, it does not fail.
    Whole,
    /// It does not fail with this and other pairs the other way round.
    Together,
    /// Not by itself: it is part of a sequence that was interrupted.
    Seen,
}

/// The pairs of accesses to tell of the first of these runs, the weightiest first. A pair of two schedules that
/// differ in nothing else weighs 1; if more changed places between them, all of those share it. The other runs
/// failed in the same way; what they have in common weighs more. Words with which the library synchronizes are
/// told of if nothing else changed places; if not even those did, what the thread that failed read too early.
pub fn told(runs: &[&Explained]) -> Vec<(Pair, Tried)> {
    let Some((shown, others)) = runs.split_first() else { return Vec::new() };
    for which in [Which::Program, Which::Inside, Which::Missed] {
        let others: Vec<_> = others.iter().map(|other| weigh(other, which)).collect();
        let common = |key: &Key| {
            let weight =
                |other: &BTreeMap<Key, Weighed>| other.get(key).map_or(0.0, |one| one.weight);
            let sum: f64 = others.iter().map(weight).map(|weight| weight.min(1.0)).sum();
            COMMON * sum / others.len().max(1) as f64
        };
        let mut ranked: Vec<Weighed> = weigh(shown, which)
            .into_iter()
            .map(|(key, one)| Weighed { weight: one.weight + common(&key), ..one })
            .collect();
        ranked.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.pair.cmp(&b.pair)));
        let pairs = chosen(&ranked);
        if !pairs.is_empty() {
            return completed(pairs, shown, &ranked);
        }
    }
    Vec::new()
}

/// The pairs with what makes them whole: the other half of a sequence that nobody may interrupt, and the last link. What was used
/// after it had been freed comes first.
fn completed(
    mut pairs: Vec<(Pair, Tried)>,
    shown: &Explained,
    ranked: &[Weighed],
) -> Vec<(Pair, Tried)> {
    let halves = shown.passing.iter().filter_map(|passing| match &passing.by {
        By::Whole { sequence, points } => Some((*points, sequence.pairs())),
        By::Turn | By::Swap { .. } => None,
    });
    let mut halves: Vec<(usize, [Pair; 2])> = halves.collect();
    halves.sort_unstable();
    let is_told = |pairs: &[(Pair, Tried)], pair: &Pair| pairs.iter().any(|(one, _)| one == pair);
    let half_told =
        |(_, [one, other]): &&(usize, [Pair; 2])| is_told(&pairs, one) != is_told(&pairs, other);
    if let Some((_, [one, other])) = halves.iter().find(half_told) {
        let missing = if is_told(&pairs, one) { other } else { one };
        pairs.push((*missing, Tried::Whole));
    }
    for link in last_link(&shown.log, &Acts::of(&shown.log)) {
        let known = ranked.iter().find(|one| one.pair == link).map(|one| one.tried);
        let known = pairs.iter().find(|(pair, _)| *pair == link).map(|(_, tried)| *tried).or(known);
        pairs.retain(|(pair, _)| *pair != link);
        let place = if link.first.deed == Deed::Free { 0 } else { pairs.len() };
        pairs.insert(place, (link, known.unwrap_or(Tried::Seen)));
    }
    pairs
}

/// How clear a run is: the weight of its heaviest pair that was tried by itself.
pub fn clarity(run: &Explained) -> f64 {
    let weighed = weigh(run, Which::Program).into_values().filter(|one| one.sharpness > 0.0);
    weighed.map(|one| one.weight).fold(0.0, f64::max)
}

/// The heaviest pairs, and of other variables that the failure depended on those that were turned round with little else.
fn chosen(ranked: &[Weighed]) -> Vec<(Pair, Tried)> {
    let is_blunt = |one: &&Weighed| one.sharpness > 0.0 && one.sharpness < BLUNT;
    let sharper = || ranked.iter().filter(|one| !is_blunt(one));
    let told: Vec<&Weighed> = match sharper().next() {
        Some(_) => sharper().collect(),
        None => ranked.iter().collect(),
    };
    let heaviest = told.first().map_or(0.0, |one| one.weight);
    let mut chosen: Vec<(Pair, Tried)> = Vec::new();
    for one in told {
        let about = one.pair.first.address >> 2;
        let is_new = !chosen.iter().any(|(pair, _)| pair.first.address >> 2 == about);
        if one.weight >= LIGHTEST * heaviest || (is_new && one.needed && one.sharpness >= SHARP) {
            chosen.push((one.pair, one.tried));
        }
    }
    chosen.truncate(MOST_PAIRS);
    chosen
}

pub(super) fn key(pair: &Pair) -> Key {
    (pair.first.place.pc, pair.second.place.pc)
}

/// How close the two accesses are: the smaller the closer.
fn distance(pair: &Pair) -> u64 {
    pair.second.number.abs_diff(pair.first.number)
}

/// Which pairs are weighed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    /// Those of the program's own accesses. What the run did not come to counts only if the failing statement missed it.
    Program,
    /// Those of the library's words.
    Inside,
    /// As of the program, but what the run did not come to counts if the thread that failed had read it anywhere.
    Missed,
}

fn weigh(run: &Explained, which: Which) -> BTreeMap<Key, Weighed> {
    let inside = which == Which::Inside;
    let missed = if which == Which::Missed { 0.0 } else { READ };
    let slice = slice(&run.log);
    let victims = victims(&run.log);
    let nearness = |act: &Act| weight_of(slice.get(&(act.address >> 2)).copied());
    let mut weights = BTreeMap::<Key, Weighed>::new();
    let mut add = |pair: Pair, weight: f64, sharpness: f64, tried: Tried| {
        let near = nearness(&pair.first).max(nearness(&pair.second));
        if pair.unfinished && (near < missed || !victims.contains(&pair.first.place.thread)) {
            return;
        }
        let (weight, needed) = (weight * near, near > 1.0);
        let found = Weighed { weight, sharpness, needed, tried, pair };
        let known = weights.entry(key(&pair)).or_insert(found);
        let closer = weight == known.weight && distance(&pair) < distance(&known.pair);
        if weight > known.weight || closer {
            *known = found;
        }
    };
    for passing in &run.passing {
        let mut closest = BTreeMap::<Key, Pair>::new();
        for pair in passing.flips.iter().filter(|pair| pair.first.inside == inside) {
            let known = closest.entry(key(pair)).or_insert(*pair);
            if distance(pair) < distance(known) {
                *known = *pair;
            }
        }
        let changed = closest.len().max(1) as f64;
        let gentle = |moved: usize| 1.0 / (1.0 + FAR * (1.0 + moved as f64 / NEARBY).log2());
        match &passing.by {
            By::Turn => {
                let tried = if closest.len() == 1 { Tried::Swapped } else { Tried::Together };
                closest.into_values().for_each(|pair| add(pair, 1.0 / changed, 0.0, tried));
            }
            _ if inside => {}
            By::Swap { candidate, moved } => {
                let race = if candidate.is_locked() { LOCKED } else { RACE };
                // What changed places later is a consequence.
                let until = candidate.pair.second.number;
                let with_it = |pair: &&Pair| {
                    let before = !pair.unfinished && pair.second.number <= until;
                    candidate.pair.unfinished || before
                };
                let with_it = closest.values().filter(with_it).count().max(1) as f64;
                let weight = race * gentle(*moved) / with_it.sqrt();
                let sharpness = gentle(*moved) / changed.sqrt();
                add(candidate.pair, weight, sharpness, Tried::Swapped);
            }
            By::Whole { sequence, points } => {
                let sharpness = WHOLE * gentle(*points);
                let pairs = sequence.pairs().into_iter();
                pairs.for_each(|pair| add(pair, sharpness, sharpness, Tried::Whole));
            }
        }
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
        pairs.into_iter().for_each(|pair| add(pair, INTERRUPTED, 0.0, Tried::Seen));
    }
    weights
}

fn weight_of(distance: Option<Distance>) -> f64 {
    match distance {
        Some(Distance::Read) => READ,
        Some(Distance::Through(writes)) => 1.0 + (READ - 1.0) * THROUGH.powi(writes as i32),
        Some(Distance::Near) => NEAR,
        None => 1.0,
    }
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
        let cannot_move = |act: &&Act| is_interrupted(before, act, after);
        if let Some(middle) = acts.iter().filter(is_between).rfind(cannot_move) {
            for (first, second) in [(before, middle), (middle, after)] {
                found.push(Pair { first: *first, second: *second, unfinished: false });
            }
        }
    }
    found
}

/// When threads were created and joined: what that orders, no schedule can change.
pub(super) struct Lives {
    /// Creator, thread, and the number of the event.
    created: Vec<(Thread, Thread, u64)>,
    /// Thread that joined, thread, and the number of the event.
    joined: Vec<(Thread, Thread, u64)>,
}

impl Lives {
    pub fn of(log: &Log) -> Self {
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
    pub fn order(&self, pair: &Pair) -> bool {
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

/// The accesses of pairs, each once: in the failing run's order, then those that it did not come to.
pub fn in_order<'a>(pairs: impl Iterator<Item = &'a Pair>) -> Vec<(Act, bool)> {
    let mut acts: Vec<(bool, Act)> =
        pairs.flat_map(|pair| [(false, pair.first), (pair.unfinished, pair.second)]).collect();
    acts.sort_unstable_by_key(|(unfinished, act)| (*unfinished, act.number));
    acts.dedup();
    acts.into_iter().map(|(unfinished, act)| (act, unfinished)).collect()
}
