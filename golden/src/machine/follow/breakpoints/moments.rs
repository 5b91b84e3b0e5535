//! What was seen of a cycle and of an instruction, until everything about it is known.

use crate::breakpoint::{Events, Next, Table};
use crate::isa::{Decoded, Hart, Op};
use crate::machine::breakpoints::next;
use border::breakpoint::{Event, Local, Value};

/// A cycle in which something happened.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    pub cycle: u64,
    /// Of each hart; none if nothing was exported.
    pub events: Vec<Events>,
    /// The harts whose visits end, a bit each.
    pub ended: u32,
    /// The entries whose `control` is written.
    pub cleared: u32,
    /// The harts that retire an instruction of U mode.
    pub users: u32,
    /// Of each hart the number of records up to this cycle.
    pub records: Vec<u64>,
}

impl Moment {
    pub fn has(&self, hart: usize, event: Event) -> bool {
        self.events.get(hart).is_some_and(|events| events.events & event.bit() != 0)
    }

    pub fn ends(&self, hart: usize) -> bool {
        self.ended >> hart & 1 != 0
    }

    pub fn is_user(&self, hart: usize) -> bool {
        self.users >> hart & 1 != 0
    }

    /// The state of the hart in this cycle has to be known.
    pub fn looks_at(&self, hart: usize) -> bool {
        self.has(hart, Event::Arrive) || self.has(hart, Event::Pause) || self.ends(hart)
    }
}

/// An instruction before it is executed, and which of its operands it has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    pub next: Next,
    pub has_first: bool,
    pub has_second: bool,
    pub has_address: bool,
}

impl Seen {
    pub fn of(hart: &Hart, decoded: Option<&Decoded>) -> Self {
        let accesses = |decoded: &&Decoded| {
            matches!(
                decoded.op,
                Op::Load { .. }
                    | Op::Store(_)
                    | Op::LoadReserved
                    | Op::StoreConditional
                    | Op::Amo(_)
            )
        };
        Self {
            next: next(hart, decoded),
            has_first: decoded.is_some_and(|decoded| decoded.reads_rs1),
            has_second: decoded.is_some_and(|decoded| decoded.reads_rs2),
            has_address: decoded.as_ref().is_some_and(accesses),
        }
    }

    /// Whether some party with its pc asks for what the instruction does not have: then nothing is said of it.
    pub fn is_undefined(&self, table: &Table) -> bool {
        (0..table.len()).map(|entry| table.entry(entry)).any(|entry| {
            (0..entry.parties()).map(|party| entry.party(party)).any(|party| {
                let lacks_value = match party.value() {
                    Value::Nothing => false,
                    Value::AddressWord | Value::AddressLine => !self.has_address,
                    Value::First => !self.has_first,
                    Value::Second => !self.has_second,
                    Value::Both => !(self.has_first && self.has_second),
                };
                let lacks_local = match party.local() {
                    Local::Nothing => false,
                    Local::First => !self.has_first,
                    Local::Second => !self.has_second,
                    Local::Address => !self.has_address,
                };
                party.location & !3 == self.next.pc & !3 && (lacks_value || lacks_local)
            })
        })
    }
}

/// An instruction of U mode that was executed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Executed {
    pub seen: Seen,
    pub trapped: bool,
    /// A cycle before it left X.
    pub since: u64,
}
