//! The order of a run with two accesses the other way round, and everything else as it was.

use super::flips::{Act, Acts, Pair};
use super::sections::{Held, Sections};
use crate::event::Thread;
use crate::log::Log;
use golden::machine::{Turn, Uninterrupted};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What it counts for that a hart is held back for longer than needed, in points.
const HELD_BACK: usize = 64;

/// All scheduling points of a run, in order: the event's number and the hart.
#[derive(Clone, Debug)]
pub struct Course(Vec<(u64, usize)>);

impl Course {
    /// Of a run on a machine with so many harts.
    pub fn of(log: &Log, harts: usize) -> Self {
        let of_hart = |hart: usize| {
            let points = (1..=log.points(hart)).filter_map(move |count| log.point(hart, count));
            points.map(move |number| (number, hart))
        };
        let mut points: Vec<_> = (0..harts).flat_map(of_hart).collect();
        points.sort_unstable();
        Self(points)
    }

    /// The hart whose point an event is.
    fn hart(&self, number: u64) -> Option<usize> {
        let place = self.0.binary_search_by_key(&number, |point| point.0).ok()?;
        Some(self.0[place].1)
    }

    /// How many points the event's hart has performed with it.
    pub fn reached(&self, number: u64) -> Option<Turn> {
        let hart = self.hart(number)?;
        let own = self.0.iter().filter(|point| point.1 == hart && point.0 <= number);
        Some(Turn { hart, until: own.count() as u64 })
    }

    /// How many points change places if those of a hart between two events come after, or before, those of the others.
    fn moved(&self, from: u64, to: u64, hart: usize) -> usize {
        let within = || self.0.iter().filter(|point| (from..=to).contains(&point.0));
        let own = within().filter(|point| point.1 == hart).count();
        own.min(within().count() - own)
    }

    /// Everything before an event as it was; then the points up to another event without those of a hart; then those.
    fn delayed(&self, from: u64, to: u64, hart: usize) -> Vec<Turn> {
        let within = |number: u64| (from..=to).contains(&number);
        let keep = |point: &&(u64, usize)| !(within(point.0) && point.1 == hart);
        let until = self.0.iter().filter(|point| point.0 <= to).filter(keep);
        let own = self.0.iter().filter(|point| within(point.0) && point.1 == hart);
        let rest = self.0.iter().filter(|point| point.0 > to);
        script(until.chain(own).chain(rest).map(|point| point.1))
    }

    /// Everything before an event as it was; then the points of a hart up to another event; then the others' until then.
    fn advanced(&self, from: u64, to: u64, hart: usize) -> Vec<Turn> {
        let within = |number: u64| (from..=to).contains(&number);
        let before = self.0.iter().filter(|point| point.0 < from);
        let own = self.0.iter().filter(|point| within(point.0) && point.1 == hart);
        let others = self.0.iter().filter(|point| within(point.0) && point.1 != hart);
        let rest = self.0.iter().filter(|point| point.0 > to);
        script(before.chain(own).chain(others).chain(rest).map(|point| point.1))
    }

    /// As [`delayed`](Self::delayed), and the other goes on as long as it can before the hart does.
    fn held_back(&self, from: u64, to: u64, hart: usize, other: usize) -> Vec<Turn> {
        let within = |number: u64| (from..=to).contains(&number);
        let keep = |point: &&(u64, usize)| !(within(point.0) && point.1 == hart);
        let until = self.0.iter().filter(|point| point.0 <= to).filter(keep);
        let mut turns = script(until.map(|point| point.1));
        turns.push(Turn { hart: other, until: u64::MAX });
        turns
    }

    /// Everything before an event as it was; then a turn; then the rest.
    fn with(&self, from: u64, turn: Turn) -> Vec<Turn> {
        let before = self.0.iter().filter(|point| point.0 < from).map(|point| point.1);
        let mut turns = script(before);
        let mut rest = script(self.0.iter().map(|point| point.1));
        let done = turns.len();
        turns.push(turn);
        // Counts go on: turns of the rest that are over already do nothing.
        turns.extend(rest.drain(done.saturating_sub(1).min(rest.len())..));
        turns
    }
}

/// The turns of a sequence of harts.
fn script(harts: impl Iterator<Item = usize>) -> Vec<Turn> {
    let mut performed = BTreeMap::<usize, u64>::new();
    let mut turns: Vec<Turn> = Vec::new();
    for hart in harts {
        let done = performed.entry(hart).or_default();
        *done += 1;
        let turn = Turn { hart, until: *done };
        match turns.last_mut() {
            Some(last) if last.hart == hart => *last = turn,
            _ => turns.push(turn),
        }
    }
    turns
}

/// Two accesses whose order may matter.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The two.
    pub pair: Pair,
    /// Locks held at each.
    held: [Vec<Held>; 2],
    /// If the failing run ended before the second: how far its hart has to go.
    pub reach: Option<Turn>,
}

impl Candidate {
    /// Whether a lock is held at both, so that the order is the program's choice and no accident.
    pub fn is_locked(&self) -> bool {
        self.common().next().is_some()
    }

    fn common(&self) -> impl Iterator<Item = &Held> {
        let [first, second] = &self.held;
        first.iter().filter(|held| second.iter().any(|other| other.lock == held.lock))
    }

    /// Where the first access can be held back: before itself, or before the sections that it shares with the second;
    /// before all of its sections.
    fn cuts(&self) -> BTreeSet<u64> {
        let own = self.pair.first.number;
        let common = self.common().map(|held| held.from).min().unwrap_or(own);
        let all = self.held[0].iter().map(|held| held.from).min().unwrap_or(own);
        [common, all.min(common)].into()
    }

    /// Scripts in which the two come the other way round, if nothing prevents it, each with the number of points that change
    /// places; the gentlest first.
    pub fn swapped(&self, course: &Course) -> Vec<(Vec<Turn>, usize)> {
        let Pair { first, second, .. } = self.pair;
        let cuts = self.cuts().into_iter().rev();
        if let Some(reach) = self.reach {
            return cuts.map(|from| (course.with(from, reach), 1)).collect();
        }
        let (Some(one), Some(other)) = (course.hart(first.number), course.hart(second.number))
        else {
            return Vec::new();
        };
        let to = second.number;
        cuts.flat_map(|from| {
            [
                (course.delayed(from, to, one), course.moved(from, to, one)),
                (course.advanced(from, to, other), course.moved(from, to, other)),
                (course.held_back(from, to, one, other), HELD_BACK + course.moved(from, to, one)),
            ]
        })
        .collect()
    }
}

/// Two accesses of one thread that another came between.
#[derive(Clone, Copy, Debug)]
pub struct Sequence {
    /// The earlier one.
    pub before: Act,
    /// The other thread's: the one that came after the earlier one, and the one that came before the later one. They are the
    /// same if all are about one word.
    pub between: [Act; 2],
    /// The later one.
    pub after: Act,
}

impl Sequence {
    /// The part of the program from the first to the last, and how many points its thread performs there.
    pub fn uninterrupted(&self, course: &Course) -> Option<(Uninterrupted, usize)> {
        let hart = course.hart(self.before.number)?;
        let within = |number: u64| number > self.before.number && number <= self.after.number;
        let points = course.0.iter().filter(|point| point.1 == hart && within(point.0)).count();
        let (first, last) = (self.before.pc, self.after.pc);
        let most = 4 * points as u64 + 64;
        (first != last).then_some((Uninterrupted { first, last, most }, points))
    }

    /// Its two pairs.
    pub fn pairs(&self) -> [Pair; 2] {
        let Self { before, between: [next, last], after } = *self;
        [(before, next), (last, after)].map(|(first, second)| Pair {
            first,
            second,
            unfinished: false,
        })
    }
}

/// The sequences of a run that were interrupted so that no order of whole sequences has the same outcome.
pub fn sequences(acts: &Acts) -> Vec<Sequence> {
    let mut found = of_one_word(acts);
    found.extend(of_two_words(acts));
    found.sort_by_key(|one| one.after.number);
    found
}

/// Two accesses of one call to two words, and another thread that came after the one and before the other: neither order of the
/// two as a whole has the same outcome.
fn of_two_words(acts: &Acts) -> Vec<Sequence> {
    // By thread that came after and thread that came before: the pairs.
    let mut followed = BTreeMap::<[Thread; 2], Vec<[Act; 2]>>::new();
    let pairs = frontier(acts);
    for [first, second] in &pairs {
        let threads = [first.place.thread, second.place.thread];
        followed.entry(threads).or_default().push([*first, *second]);
    }
    let sequence = |[last, after]: &[Act; 2]| {
        let earlier = followed.get(&[after.place.thread, last.place.thread])?;
        let interrupted = earlier.iter().filter(|[before, next]| {
            before.place.stack == after.place.stack
                && before.address >> 2 != after.address >> 2
                && next.number <= last.number
                && before.number < next.number
        });
        let [before, next] = interrupted.max_by_key(|[before, _]| before.number)?;
        Some(Sequence { before: *before, between: [*next, *last], after: *after })
    };
    pairs.iter().filter_map(sequence).collect()
}

/// By word, two accesses of a thread in a row, and another's between them that cannot be moved before or behind both.
fn of_one_word(acts: &Acts) -> Vec<Sequence> {
    let mut found = Vec::new();
    for acts in acts.shared().values() {
        let mut last = BTreeMap::<Thread, usize>::new();
        for (place, after) in acts.iter().enumerate() {
            if let Some(earlier) = last.insert(after.place.thread, place) {
                let before = acts[earlier];
                let between = acts[earlier + 1..place]
                    .iter()
                    .rfind(|between| is_interrupted(&before, between, after));
                found.extend(between.map(|&between| Sequence {
                    before,
                    between: [between; 2],
                    after: *after,
                }));
            }
        }
    }
    found
}

/// Whether the one in the middle cannot be moved before the first or behind the last.
pub(super) fn is_interrupted(before: &Act, between: &Act, after: &Act) -> bool {
    matches!(
        (before.deed.writes(), between.deed.writes(), after.deed.writes()),
        (_, true, false) | (false, true, true) | (true, false, true)
    )
}

/// The pairs of a run whose order may matter: each access with the last ones before it that conflict.
pub fn candidates(log: &Log, acts: &Acts) -> Vec<Candidate> {
    let held = held(log);
    let none = Vec::new();
    let of = |act: &Act| held.get(&act.number).unwrap_or(&none).clone();
    let pairs = frontier(acts).into_iter();
    pairs
        .map(|[first, second]| Candidate {
            pair: Pair { first, second, unfinished: false },
            held: [of(&first), of(&second)],
            reach: None,
        })
        .collect()
}

/// A pair of which the failing run has the first access alone. `reach` is where the second is in the run that has it.
pub fn unfinished(log: &Log, pair: Pair, reach: Turn) -> Candidate {
    let held = held(log).remove(&pair.first.number).unwrap_or_default();
    Candidate { pair, held: [held, Vec::new()], reach: Some(reach) }
}

/// By event, the locks that its thread holds; of accesses alone.
fn held(log: &Log) -> HashMap<u64, Vec<Held>> {
    use crate::event::Event;
    let mut sections = Sections::default();
    let mut all = HashMap::new();
    for (number, event) in log.events() {
        sections.see(number, event);
        let thread: Option<Thread> = match event {
            Event::Access(access) | Event::Inside(access) => Some(access.thread),
            Event::Call(call) => Some(call.thread),
            _ => None,
        };
        let held = thread.map_or(&[][..], |thread| sections.of(thread));
        if !held.is_empty() {
            all.insert(number, held.to_vec());
        }
    }
    all
}

/// Each access with those before it that it conflicts with and that nothing conflicting came after. What the library does to
/// its own words, or to a block that it has been given back, is left out.
fn frontier(acts: &Acts) -> Vec<[Act; 2]> {
    let mut found = BTreeSet::new();
    // By word: the last write, and the reads after it.
    let mut last = HashMap::<u32, (Option<Act>, Vec<Act>)>::new();
    for act in acts.iter().filter(|act| !act.inside) {
        for word in act.words() {
            let (write, reads) = last.entry(word).or_default();
            let before = write.iter().chain(if act.deed.writes() { &reads[..] } else { &[] });
            for earlier in before.filter(|earlier| earlier.conflicts(act)) {
                found.insert((act.number, earlier.number));
            }
            if act.deed.writes() {
                *write = Some(*act);
                reads.clear();
            } else {
                reads.retain(|read| read.place.thread != act.place.thread);
                reads.push(*act);
            }
        }
    }
    let by_number: HashMap<u64, Act> = acts.iter().map(|act| (act.number, *act)).collect();
    found.into_iter().map(|(second, first)| [by_number[&first], by_number[&second]]).collect()
}
