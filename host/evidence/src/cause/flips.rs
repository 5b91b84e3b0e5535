//! Which accesses changed places between two runs of a program: those that conflict, and come the other way
//! round in the other run.

use crate::event::{AccessKind, Event, Function, Site, Thread};
use crate::log::Log;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// What was done to some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deed {
    /// They were read.
    Read,
    /// They were written.
    Write,
    /// Both, in one step.
    Update,
    /// They were freed.
    Free,
}

impl Deed {
    /// Whether it leaves other bytes than before.
    pub fn writes(self) -> bool {
        self != Self::Read
    }
}

impl From<AccessKind> for Deed {
    fn from(kind: AccessKind) -> Self {
        match kind {
            AccessKind::Read => Self::Read,
            AccessKind::Write => Self::Write,
            AccessKind::Update => Self::Update,
        }
    }
}

/// Something that a thread did to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Act {
    /// The number of its event, in the run that it is of.
    pub number: u64,
    /// Where in the program, and by whom; the stack is the run's.
    pub place: Site,
    /// The instruction, which may be the library's.
    pub pc: u32,
    /// Its first byte.
    pub address: u32,
    /// How many bytes.
    pub bytes: u32,
    /// What was done.
    pub deed: Deed,
    /// The library did it to synchronize, or to manage memory.
    pub inside: bool,
}

impl Act {
    /// The act of an event, if it is one of the program or of its calls.
    pub fn of(log: &Log, number: u64) -> Option<Self> {
        let event = log.event(number)?;
        let act = match event {
            Event::Access(access) | Event::Inside(access) => Self {
                number,
                place: access.place(),
                pc: access.pc,
                address: access.address,
                bytes: access.size.into(),
                deed: access.kind.into(),
                inside: matches!(event, Event::Inside(_)),
            },
            // What was freed is nobody's.
            Event::Call(call) | Event::Return(call)
                if matches!(call.function, Function::Free | Function::Realloc) =>
            {
                let block = log.state.heap.freed_in(number)?;
                let (address, bytes) = (block.address, block.bytes);
                let (place, pc) = (call.place(), call.site);
                Self { number, place, pc, address, bytes, deed: Deed::Free, inside: false }
            }
            _ => return None,
        };
        (act.place.pc != 0).then_some(act)
    }

    /// Whether it makes a difference which of the two comes first.
    pub fn conflicts(&self, other: &Self) -> bool {
        self.place.thread != other.place.thread
            && (self.deed.writes() || other.deed.writes())
            && self.address < other.address + other.bytes
            && other.address < self.address + self.bytes
    }

    /// The words that it touches.
    pub(super) fn words(&self) -> impl Iterator<Item = u32> + use<> {
        self.address >> 2..=(self.address + self.bytes.max(1) - 1) >> 2
    }
}

/// An act, recognizable in another run of the program: the same instruction of the same thread, for the same
/// time.
type Key = (Thread, u32, u32);

/// All acts of a run, in its order, each with what it is recognized by.
pub struct Acts(Vec<(Key, Act)>);

impl Acts {
    /// Of a run.
    pub fn of(log: &Log) -> Self {
        let mut times = HashMap::<(Thread, u32), u32>::new();
        // Threads in calls that manage memory: the heap's lists and its lock are its own.
        let mut managing = BTreeSet::new();
        let acts = log.events().filter_map(|(number, event)| {
            match event {
                Event::Call(call) if call.function.manages_memory() => {
                    managing.insert(call.thread);
                }
                Event::Return(call) if call.function.manages_memory() => {
                    managing.remove(&call.thread);
                }
                _ => {}
            }
            let mut act = Act::of(log, number)?;
            act.inside |= act.deed != Deed::Free && managing.contains(&act.place.thread);
            Some(act)
        });
        let keyed = acts.map(|act| {
            let time = times.entry((act.place.thread, act.pc)).or_default();
            *time += 1;
            ((act.place.thread, act.pc, *time), act)
        });
        Self(keyed.collect())
    }

    /// The acts, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Act> {
        self.0.iter().map(|(_, act)| act)
    }

    /// The acts on words that several threads touch and at least one writes, by word.
    pub fn shared(&self) -> BTreeMap<u32, Vec<Act>> {
        let mut words = BTreeMap::<u32, Vec<Act>>::new();
        for (_, act) in self.0.iter().filter(|(_, act)| !act.inside) {
            act.words().for_each(|word| words.entry(word).or_default().push(*act));
        }
        words.retain(|_, acts| {
            let is_another = |act: &Act| act.place.thread != acts[0].place.thread;
            acts.iter().any(is_another) && acts.iter().any(|act| act.deed.writes())
        });
        words
    }

    /// Whether another run has the two accesses of a pair of this run the other way round, or lacks the first and with it
    /// the order, or has the second if this run lacks it.
    pub fn is_reversed(&self, other: &Self, pair: &Pair) -> bool {
        let keys: HashMap<u64, Key> = self.0.iter().map(|(key, act)| (act.number, *key)).collect();
        let there = other.numbers();
        let first = keys.get(&pair.first.number).and_then(|key| there.get(key));
        if pair.unfinished {
            let same = |(_, act): &&(Key, Act)| {
                act.place == pair.second.place || act.place.pc == pair.second.place.pc
            };
            let mut second = other.0.iter().filter(same);
            return match first {
                Some(first) => second.any(|(_, act)| act.number < first.number),
                None => second.next().is_some(),
            };
        }
        let second = keys.get(&pair.second.number).and_then(|key| there.get(key));
        match (first, second) {
            (Some(first), Some(second)) => second.number < first.number,
            (None, Some(_)) => true,
            (_, None) => false,
        }
    }

    fn numbers(&self) -> HashMap<Key, Act> {
        self.0.iter().copied().collect()
    }

    /// Pairs of acts that conflict, the second right after the first or after others of its kind.
    fn conflicts(&self) -> Vec<[(Key, Act); 2]> {
        let mut found = Vec::new();
        // By word, the last read and the last write of each thread.
        let mut last = HashMap::<u32, Vec<(Key, Act)>>::new();
        for one in &self.0 {
            for word in one.1.words() {
                let earlier = last.entry(word).or_default();
                let before = earlier.iter().filter(|(_, before)| before.conflicts(&one.1));
                found.extend(before.map(|before| [*before, *one]));
                let same = |(_, before): &(Key, Act)| {
                    before.place.thread == one.1.place.thread
                        && before.deed.writes() == one.1.deed.writes()
                        && before.address == one.1.address
                };
                match earlier.iter_mut().find(|before| same(before)) {
                    Some(before) => *before = *one,
                    None => earlier.push(*one),
                }
            }
        }
        found
    }
}

/// Two acts of different threads on common bytes, of which one writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pair {
    /// The earlier one.
    pub first: Act,
    /// The later one. If the failing run ended before it: as the other run has it.
    pub second: Act,
    /// The failing run ended before the second.
    pub unfinished: bool,
}

/// The pairs of a failing run that come the other way round in another run, in order.
pub fn flipped(failing: &Acts, other: &Acts) -> Vec<Pair> {
    let (here, there) = (failing.numbers(), other.numbers());
    let mut found = BTreeSet::new();
    for [(first_key, first), (second_key, second)] in failing.conflicts() {
        if let (Some(first_there), Some(second_there)) =
            (there.get(&first_key), there.get(&second_key))
            && second_there.number < first_there.number
        {
            found.insert((second.number, Pair { first, second, unfinished: false }));
        }
    }
    // What a read saw in the other run, and the failing run never came to: not once, for what a thread does again and again is
    // always about to be done once more.
    let did: HashSet<(Thread, u32, u32)> =
        failing.iter().map(|act| (act.place.thread, act.pc, act.address)).collect();
    for [(missing_key, missing), (key, read)] in other.conflicts() {
        if let (None, Some(first)) = (here.get(&missing_key), here.get(&key))
            && read.deed == Deed::Read
            && missing.deed != Deed::Free
            && !did.contains(&(missing.place.thread, missing.pc, missing.address))
        {
            let pair = Pair { first: *first, second: missing, unfinished: true };
            found.insert((u64::MAX, pair));
        }
    }
    found.into_iter().map(|(_, pair)| pair).collect()
}
