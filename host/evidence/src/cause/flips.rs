//! Which accesses changed places between two runs: those of one run, in its order, that conflict and come the
//! other way round in the other run.

use crate::event::{Access, AccessKind, Event, Function, Thread};
use crate::log::Log;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// An access of a run, recognizable in another run of the program: the same instruction of the same thread, for
/// the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Key {
    thread: Thread,
    pc: u32,
    time: u32,
}

/// Two accesses of different threads to common bytes, of which one writes, by the numbers of their events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pair {
    /// The earlier one.
    pub first: u64,
    /// The later one.
    pub second: u64,
}

/// One of a run's accesses.
#[derive(Clone, Copy, Debug)]
struct Touch {
    number: u64,
    key: Key,
    address: u32,
    bytes: u32,
    writes: bool,
}

/// The words that several threads touch and at least one writes, with their accesses.
pub struct Shared(BTreeMap<u32, Vec<u64>>);

impl Shared {
    /// Of a run, without the library's own.
    pub fn of(log: &Log) -> Self {
        let mut words = BTreeMap::<u32, Vec<u64>>::new();
        for (number, event) in log.events() {
            if let Event::Access(access) = event
                && access.site != 0
            {
                words.entry(access.address >> 2).or_default().push(number);
            }
        }
        words.retain(|_, accesses| {
            let accesses = || accesses.iter().filter_map(|number| log.access(*number));
            let first = accesses().next().map(|access| access.thread);
            accesses().any(|access| Some(access.thread) != first)
                && accesses().any(|access| access.kind.writes())
        });
        Self(words)
    }

    /// The accesses of each word, by their events' numbers, in order.
    pub fn words(&self) -> impl Iterator<Item = &[u64]> {
        self.0.values().map(Vec::as_slice)
    }
}

/// Accesses of a run in its order.
struct Touches(Vec<Touch>);

impl Touches {
    fn of(log: &Log, inside: bool) -> Self {
        let mut times = HashMap::<(Thread, u32), u32>::new();
        let mut touches = Vec::new();
        for (number, event) in log.events() {
            let (place, pc, address, bytes, writes) = match event {
                Event::Access(access) if !inside && access.site != 0 => touch(access),
                Event::Inside(access) if inside && access.site != 0 => touch(access),
                // What was freed is nobody's: as if all of it were written.
                Event::Call(call) if !inside && call.function == Function::Free => {
                    let block = log.state.heap.freed_in(number);
                    let Some(block) = block else { continue };
                    (call.thread, call.site, block.address, block.bytes, true)
                }
                _ => continue,
            };
            let time = times.entry((place, pc)).or_default();
            *time += 1;
            let key = Key { thread: place, pc, time: *time };
            touches.push(Touch { number, key, address, bytes, writes });
        }
        Self(touches)
    }

    fn positions(&self) -> HashMap<Key, u64> {
        self.0.iter().map(|touch| (touch.key, touch.number)).collect()
    }
}

fn touch(access: &Access) -> (Thread, u32, u32, u32, bool) {
    let writes = access.kind != AccessKind::Read;
    (access.thread, access.pc, access.address, access.size.into(), writes)
}

/// The pairs of a run that come the other way round in another run, in the order of their second accesses. With
/// `inside`, those of the words with which the library synchronizes.
pub fn flipped(run: &Log, other: &Log, inside: bool) -> Vec<Pair> {
    let positions = Touches::of(other, inside).positions();
    let mut found = BTreeSet::new();
    // By word: the last read and write of each thread.
    let mut last = HashMap::<u32, Vec<Touch>>::new();
    for touch in Touches::of(run, inside).0 {
        let words = touch.address >> 2..=(touch.address + touch.bytes.max(1) - 1) >> 2;
        for word in words {
            let earlier = last.entry(word).or_default();
            for before in earlier.iter() {
                let conflict = before.key.thread != touch.key.thread
                    && (before.writes || touch.writes)
                    && before.address < touch.address + touch.bytes
                    && touch.address < before.address + before.bytes;
                let turned = || match (positions.get(&before.key), positions.get(&touch.key)) {
                    (Some(before), Some(now)) => now < before,
                    _ => false,
                };
                if conflict && turned() {
                    found.insert((touch.number, before.number));
                }
            }
            let same = |before: &Touch| {
                before.key.thread == touch.key.thread
                    && before.writes == touch.writes
                    && before.address == touch.address
            };
            match earlier.iter_mut().find(|before| same(before)) {
                Some(before) => *before = touch,
                None => earlier.push(touch),
            }
        }
    }
    found.into_iter().map(|(second, first)| Pair { first, second }).collect()
}
