//! Who waits for whom at a breakpoint, and who goes when: rules 5 to 10 and 13 to 15.

use super::comparator::At;
use super::table::Table;
use border::breakpoint::Event;

/// How far a hart's visit has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// It is in no visit.
    Away,
    /// It waits for the other parties.
    Postponed,
    /// It did, and was interrupted.
    Paused,
    /// It waits for its turn after a hit: for this hart, which went already or not.
    Turn { ahead: usize, has_gone: bool },
    /// It may go on.
    Gone,
}

/// A hart, as the rendezvous knows it.
#[derive(Clone, Copy, Debug)]
struct Visitor {
    phase: Phase,
    entry: usize,
    party: usize,
    value: (u32, u32),
    /// The time that is left, while it waits.
    left: u32,
    /// It waited already before this cycle.
    counts: bool,
}

const NOBODY: Visitor =
    Visitor { phase: Phase::Away, entry: 0, party: 0, value: (0, 0), left: 0, counts: false };

/// What a hart does in one cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    /// Where it stands.
    pub at: Option<At>,
    /// Its visit ends.
    pub ended: bool,
    /// The entries whose `until` it retires, a bit each.
    pub passed: u32,
}

/// What the unit exports of a hart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Events {
    /// The events, as bits.
    pub events: u32,
    /// The entry, valid with an event.
    pub entry: usize,
    /// The party.
    pub party: usize,
    /// The value.
    pub value: (u32, u32),
}

/// The one place where harts meet.
#[derive(Clone, Debug)]
pub struct Rendezvous {
    /// The entries.
    table: Table,
    harts: Vec<Visitor>,
    events: Vec<Events>,
    /// The entries whose `control` was written since the last cycle, a bit each.
    cleared: u32,
}

impl Rendezvous {
    /// For this many harts and entries, as after reset.
    pub fn new(harts: usize, entries: usize) -> Self {
        Self {
            table: Table::new(entries),
            harts: vec![NOBODY; harts],
            events: vec![Events::default(); harts],
            cleared: 0,
        }
    }

    /// The entries.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Writes a word of the window. A write to `control` lets everybody go who waits at that entry.
    pub fn write(&mut self, number: u32, data: u32) -> Option<usize> {
        let entry = self.table.write(number, data)?;
        self.cleared |= 1 << entry;
        for visitor in &mut self.harts {
            let waits = matches!(visitor.phase, Phase::Postponed | Phase::Turn { .. });
            if waits && visitor.entry == entry {
                visitor.phase = Phase::Gone;
            }
        }
        Some(entry)
    }

    /// Whether a hart waits: for others, or for its turn.
    pub fn waits(&self, hart: usize) -> bool {
        matches!(self.harts[hart].phase, Phase::Postponed | Phase::Turn { .. })
    }

    /// Whether an instruction that matches would be an arrival: not if the hart waits, or went already.
    pub fn is_free(&self, hart: usize) -> bool {
        matches!(self.harts[hart].phase, Phase::Away | Phase::Paused)
    }

    /// The entry of a hart's visit, or of its last one.
    pub fn entry_of(&self, hart: usize) -> usize {
        self.harts[hart].entry
    }

    /// Whether a hart waits for others to come.
    pub fn is_postponed(&self, hart: usize) -> bool {
        self.harts[hart].phase == Phase::Postponed
    }

    /// Whether a hart is in a visit.
    pub fn is_visiting(&self, hart: usize) -> bool {
        self.harts[hart].phase != Phase::Away
    }

    /// Whether a hart may go on, and its visit is not over.
    pub fn has_gone(&self, hart: usize) -> bool {
        self.harts[hart].phase == Phase::Gone
    }

    /// Whether no hart is in a visit.
    pub fn is_quiet(&self) -> bool {
        self.harts.iter().all(|visitor| visitor.phase == Phase::Away)
    }

    /// How long it takes until a hart goes because its time is over, if nothing else happens.
    pub fn soonest(&self) -> Option<u32> {
        let harts = self.harts.iter();
        let times = |visitor: &&Visitor| {
            matches!(visitor.phase, Phase::Postponed | Phase::Turn { has_gone: true, .. })
        };
        harts.filter(times).map(|visitor| visitor.left).min()
    }

    /// One cycle of the unit (rule 13).
    pub fn cycle(&mut self, heard: &[Heard]) -> Vec<Events> {
        let cleared = std::mem::take(&mut self.cleared);
        let was_free: Vec<_> = (0..heard.len()).map(|hart| self.is_free(hart)).collect();
        self.settle(heard);
        for (hart, heard) in heard.iter().enumerate() {
            if heard.at.is_none() {
                self.pause(hart);
            }
        }
        let arrival = |hart: usize| {
            let Heard { at, ended, .. } = heard[hart];
            let is_open = |entry| self.table.is_armed(entry) && cleared >> entry & 1 == 0;
            let at = at.filter(|at| was_free[hart] && !ended && is_open(at.entry))?;
            Some((hart, at))
        };
        if let Some((hart, at)) = (0..heard.len()).find_map(arrival) {
            self.arrive(hart, &at);
        }
        self.count_down(1);
        self.take_events()
    }

    /// The events since they were last taken.
    pub fn take_events(&mut self) -> Vec<Events> {
        let none = vec![Events::default(); self.harts.len()];
        std::mem::replace(&mut self.events, none)
    }

    /// Begins a cycle: who waits at an entry that is not armed any more goes, visits end, `until`s retire. Each as
    /// things stood before the cycle.
    pub fn settle(&mut self, heard: &[Heard]) {
        let before = self.harts.clone();
        for (hart, visitor) in before.iter().enumerate() {
            self.harts[hart].counts = true;
            if visitor.phase == Phase::Postponed && !self.table.is_armed(visitor.entry) {
                self.harts[hart].phase = Phase::Gone;
            }
            if heard[hart].ended {
                self.harts[hart].phase = Phase::Away;
            }
        }
        for (hart, visitor) in before.iter().enumerate().filter(|(hart, _)| !heard[*hart].ended) {
            let Phase::Turn { ahead, has_gone } = visitor.phase else { continue };
            let Heard { ended, passed, .. } = heard[ahead];
            match self.table.entry(visitor.entry).until() {
                None if ended => self.go(hart),
                Some(_) if has_gone && passed >> visitor.entry & 1 != 0 => self.go(hart),
                Some(_) if ended && !has_gone => self.start_next(ahead, visitor.entry),
                _ => {}
            }
        }
    }

    /// A hart does not stand where it waits: it was interrupted.
    pub fn pause(&mut self, hart: usize) {
        if self.harts[hart].phase == Phase::Postponed {
            self.harts[hart].phase = Phase::Paused;
            self.tell(hart, Event::Pause);
        }
    }

    /// A hart arrives, or comes back.
    pub fn arrive(&mut self, hart: usize, at: &At) {
        let is_back = self.harts[hart].phase == Phase::Paused;
        let agreeing = self.agreeing(hart, at);
        let is_taken =
            |party: usize| agreeing.iter().any(|other| self.harts[*other].party == party);
        let mut parties = (0..32).filter(|party| at.parties >> party & 1 != 0);
        let lowest = parties.clone().next().expect("a hart is some party");
        let party = parties.find(|party| !is_taken(*party)).unwrap_or(lowest);

        let wait = self.table.entry(at.entry).wait();
        let left = if is_back { self.harts[hart].left } else { wait };
        self.harts[hart] = Visitor {
            phase: Phase::Postponed,
            entry: at.entry,
            party,
            value: at.value,
            left,
            counts: false,
        };
        self.tell(hart, Event::Arrive);
        if !is_back && self.table.entries[at.entry].skips(party) {
            self.go(hart);
            return;
        }
        let member = |other: usize| match other == party {
            true => Some(hart),
            false => agreeing.iter().copied().find(|found| self.harts[*found].party == other),
        };
        let members: Option<Vec<usize>> =
            (0..self.table.entry(at.entry).parties()).map(member).collect();
        if let Some(members) = members {
            self.hit(at.entry, &members);
        }
    }

    /// Time passes for everybody who waited before.
    pub fn count_down(&mut self, time: u32) {
        for hart in 0..self.harts.len() {
            let visitor = &mut self.harts[hart];
            let waits = match visitor.phase {
                Phase::Postponed => visitor.counts,
                Phase::Turn { has_gone, .. } => visitor.counts && has_gone,
                _ => false,
            };
            if !waits {
                continue;
            }
            visitor.left = visitor.left.saturating_sub(time);
            if visitor.left > 0 {
                continue;
            }
            if visitor.phase == Phase::Postponed {
                visitor.phase = Phase::Gone;
                let entry = visitor.entry;
                self.table.entries[entry].count_timeout();
                self.tell(hart, Event::Timeout);
            } else {
                self.go(hart);
            }
        }
    }

    /// The harts that are postponed where another arrives, with values that agree, in the order of their numbers.
    fn agreeing(&self, hart: usize, at: &At) -> Vec<usize> {
        let crossed = self.table.entry(at.entry).is_crossed();
        let agrees = |other: &usize| {
            let visitor = &self.harts[*other];
            let theirs = match crossed {
                true => (visitor.value.1, visitor.value.0),
                false => visitor.value,
            };
            *other != hart
                && visitor.phase == Phase::Postponed
                && visitor.entry == at.entry
                && theirs == at.value
        };
        (0..self.harts.len()).filter(agrees).collect()
    }

    /// These harts meet, party by party: the first goes, the others wait for their turns.
    fn hit(&mut self, entry: usize, members: &[usize]) {
        self.table.entries[entry].count_hit();
        for (party, hart) in members.iter().enumerate() {
            self.tell(*hart, Event::Hit);
            if party > 0 {
                self.harts[*hart].phase =
                    Phase::Turn { ahead: members[party - 1], has_gone: false };
            }
        }
        self.go(members[0]);
    }

    /// A hart may go on; the time of the one behind it begins.
    fn go(&mut self, hart: usize) {
        self.harts[hart].phase = Phase::Gone;
        self.tell(hart, Event::Go);
        self.start_next(hart, self.harts[hart].entry);
    }

    /// The time of the hart behind another begins.
    fn start_next(&mut self, ahead: usize, entry: usize) {
        let wait = self.table.entry(entry).wait();
        for visitor in &mut self.harts {
            if visitor.phase == (Phase::Turn { ahead, has_gone: false }) && visitor.entry == entry {
                visitor.phase = Phase::Turn { ahead, has_gone: true };
                (visitor.left, visitor.counts) = (wait, false);
            }
        }
    }

    fn tell(&mut self, hart: usize, event: Event) {
        let Visitor { entry, party, value, .. } = self.harts[hart];
        let events = self.events[hart].events | event.bit();
        self.events[hart] = Events { events, entry, party, value };
    }
}
