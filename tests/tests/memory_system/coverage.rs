//! What has happened to lines: which transitions, and with which other holders.

use std::collections::{HashMap, HashSet};

use golden::memory::{BusGrant, BusKind, HitKind, Memory, State};

/// A transition of a line in one cache: state before, who did what, state after.
pub type Transition = (State, &'static str, State);

/// A grant to a data cache: its kind, the requester, the other holders, and the state they have the line in
/// (one in M or E, or any number in S).
pub type Pattern = (BusKind, usize, u32, State);

/// How a line is held, and what else the cache of one hart holds.
pub struct Before {
    states: Vec<State>,
    lines: Vec<(u32, State)>,
}

impl Before {
    /// Of an address; `hart` is the one that asks.
    pub fn of(memory: &Memory, harts: usize, address: u32, hart: Option<usize>) -> Before {
        Before {
            states: (0..harts).map(|other| memory.cache(other).state(address)).collect(),
            lines: hart.map_or_else(Vec::new, |hart| memory.cache(hart).lines().collect()),
        }
    }
}

/// All that has happened.
#[derive(Default)]
pub struct Seen {
    pub transitions: HashMap<Transition, u64>,
    pub patterns: HashSet<Pattern>,
}

impl Seen {
    fn note(&mut self, transition: Transition) {
        *self.transitions.entry(transition).or_default() += 1;
    }

    /// A transaction of a data cache.
    pub fn grant(&mut self, memory: &Memory, before: &Before, grant: &BusGrant) {
        let hart = usize::from(grant.requester);
        let (own, others) = match grant.kind {
            BusKind::Read => ("read", "read by another"),
            BusKind::ReadX => ("write", "written by another"),
            _ => ("upgrade", "written by another"),
        };
        let mut held = State::Invalid;
        for (other, &was) in before.states.iter().enumerate() {
            let is = memory.cache(other).state(grant.address);
            if other == hart {
                self.note((was, own, is));
            } else if was != State::Invalid {
                self.note((was, others, is));
                held = held.max(was);
            }
        }
        if grant.victim {
            let left = before.lines.iter().find(|(line, _)| *line == grant.victim_address);
            self.note((left.map_or(State::Invalid, |left| left.1), "evicted", State::Invalid));
        }
        self.patterns.insert((grant.kind, hart, grant.holders, held));
    }

    /// An access of a hart that needed no transaction.
    pub fn hit(
        &mut self,
        memory: &Memory,
        before: &Before,
        hart: usize,
        address: u32,
        kind: HitKind,
    ) {
        let is = memory.cache(hart).state(address);
        match kind {
            HitKind::FailingSc => {}
            HitKind::Load | HitKind::LoadReserved => {
                self.note((before.states[hart], "load hit", is));
            }
            HitKind::Store | HitKind::Sc | HitKind::Amo => {
                self.note((before.states[hart], "store hit", is));
            }
        }
    }

    /// An access to the line that is no data cache's.
    pub fn outside(&mut self, memory: &Memory, before: &Before, address: u32, cause: &'static str) {
        for (hart, &was) in before.states.iter().enumerate() {
            if was != State::Invalid {
                self.note((was, cause, memory.cache(hart).state(address)));
            }
        }
    }
}
