//! The surroundings of a hart that follows the hardware: the order is given, the rest is predicted
//! and held against what was observed.

use super::accessed::Accessed;
use super::compare;
use super::disagreement::Problem;
use super::lines::InstructionLines;
use super::signals::{Signals, Window};
use crate::isa::{
    Answer, DataAccess, Decoded, Environment, Fetched, Half, Retired, TakenInterrupt,
    interrupt_of_highest_priority,
};
use crate::memory::{BusGrant, DeviceRead, Hit, Memory, Ordered, Region, Tap, Uart, Unpredictable};
use border::interrupt::{INTERRUPT_BIT, Interrupt};

/// Cycles by which a clock may be read off its model.
const CLOCK_SLACK: u64 = 64;

/// A place in the order, as the hardware showed it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Bus {
        grant: BusGrant,
        tap: Option<Tap>,
        /// Records of the requester when it was granted.
        records: u64,
    },
    Hit {
        hart: usize,
        hit: Hit,
    },
}

/// A place in the order, and when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub cycle: u64,
    pub place: Place,
}

impl Event {
    /// The hart whose data access it orders, if it does.
    pub fn hart(&self) -> Option<usize> {
        match &self.place {
            Place::Bus { grant, .. } => {
                let is_data =
                    grant.kind.is_coherent() || grant.kind == crate::memory::BusKind::Device;
                let hart = usize::from(grant.requester);
                (is_data && grant.requester != crate::memory::NOBODY).then_some(hart)
            }
            Place::Hit { hart, .. } => Some(*hart),
        }
    }
}

/// What an instruction's access did to the rest of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing that interrupts depend on.
    Quiet,
    /// An edge went to the hart's table.
    Edge,
    /// A device was accessed.
    Device,
}

/// What surrounds one instruction.
pub(super) struct Observed<'a> {
    pub hart: usize,
    pub memory: &'a mut Memory,
    pub lines: &'a mut InstructionLines,
    pub signals: &'a Signals,
    /// The record of the instruction, and its cycle.
    pub record: &'a Retired,
    pub window: Window,
    /// How many records of this hart came before.
    pub order: u64,
    /// The next place in the order, if it is this hart's.
    pub next: Option<&'a Event>,
    /// `mtvec`.
    pub vector: u32,
    /// Interrupts that may have been taken the last time.
    pub possible: &'a mut u32,
    /// What was executed.
    pub decoded: Option<Decoded>,
    /// The access that waits for its place in the order.
    pub waits_at: Option<u32>,
    /// The access took the place.
    pub took_place: Option<Effect>,
    /// What it was, if it was one to memory.
    pub accessed: Option<Accessed>,
    pub problem: Option<Problem>,
}

impl Observed<'_> {
    fn complain(&mut self, problem: Problem) {
        self.problem = self.problem.or(Some(problem));
    }

    fn compare(&mut self, ordered: &Ordered, event: &Event) {
        let absent = |field| Some(Problem::Field { field, expected: 1, actual: 0 });
        let problem = match (ordered, &event.place) {
            (Ordered::Hit { hit: expected, .. }, Place::Hit { hit, .. }) => {
                compare::hits(expected, hit)
            }
            (
                Ordered::Granted { grant: expected, tap: edge, .. },
                Place::Bus { grant, tap, .. },
            ) => compare::grants((expected, edge), (grant, tap)),
            (Ordered::Device { grant: expected, .. }, Place::Bus { grant, tap, .. }) => {
                compare::grants((expected, &None), (grant, tap))
            }
            (Ordered::Hit { .. }, Place::Bus { .. }) => absent("hit_valid"),
            (Ordered::Granted { .. } | Ordered::Device { .. }, Place::Hit { .. }) => {
                absent("bus_valid")
            }
            (Ordered::Stalled, Place::Bus { .. }) => {
                Some(Problem::Field { field: "bus_valid", expected: 0, actual: 1 })
            }
            (Ordered::Stalled, Place::Hit { .. }) => {
                Some(Problem::Field { field: "hit_valid", expected: 0, actual: 1 })
            }
        };
        if let Some(problem) = problem {
            self.complain(problem);
        }
    }

    /// A device's answer: that of the hardware where it is the only one to know, if it can be.
    fn answer(&self, read: DeviceRead, access: &DataAccess, ordered: u64) -> u32 {
        let Some(why) = read.unpredictable else { return read.value };
        let actual = access.size.extract(self.record.mem_rdata, access.address, false);
        let plausible = match why {
            Unpredictable::Time(half, time) => {
                let end = time.wrapping_add(self.window.to.wrapping_sub(ordered));
                is_between(half, actual, time, end)
            }
            Unpredictable::UartData => actual <= 0xff,
            Unpredictable::UartStatus => actual <= 0xff && Uart::is_status(actual as u8),
        };
        if plausible { actual } else { read.value }
    }
}

impl Environment for Observed<'_> {
    fn now(&self) -> u64 {
        self.window.to
    }

    fn fetch(&mut self, pc: u32) -> Fetched {
        if self.memory.map().region(pc) != Region::Ram {
            return Fetched::Fault;
        }
        self.decoded = self.lines.ending(pc, self.window.to, self.order, self.record.insn);
        match self.decoded {
            Some(decoded) => Fetched::Instruction(decoded),
            None => {
                self.complain(Problem::NotFetched { pc });
                Fetched::Later
            }
        }
    }

    fn access(&mut self, access: &DataAccess) -> Answer {
        let Some(region) = self.memory.map().answering(access) else { return Answer::Fault };
        if self.record.trap {
            // It will never be ordered.
            self.complain(Problem::Field { field: "rvfi_trap", expected: 0, actual: 1 });
        }
        let Some(event) = self.next.take() else {
            self.waits_at = Some(access.address);
            return Answer::Later;
        };
        let ordered = self.memory.order(self.hart, access, region, event.cycle);
        self.compare(&ordered, event);
        let (effect, done) = match ordered {
            Ordered::Hit { done, .. } => (Effect::Quiet, done),
            Ordered::Granted { done, tap: None, .. } => (Effect::Quiet, done),
            Ordered::Granted { done, tap: Some(_), .. } => (Effect::Edge, done),
            Ordered::Device { read: None, done, .. } => (Effect::Device, done),
            Ordered::Device { read: Some(read), mut done, .. } => {
                let answer = self.answer(read, access, event.cycle);
                done.before = access.size.insert(0, access.address, answer);
                (Effect::Device, done)
            }
            Ordered::Stalled => return Answer::Later,
        };
        self.took_place = Some(effect);
        if effect != Effect::Device {
            self.accessed = Accessed::of(self.hart, access, done.wrote);
        }
        Answer::Done(done)
    }

    fn forget_instructions(&mut self) {
        self.lines.forget(self.window.to);
    }

    fn interrupt(&mut self, enabled: u32) -> Option<TakenInterrupt> {
        if !self.record.intr {
            return None;
        }
        let pending = self.signals.can_be_high(self.window);
        let possible = enabled & pending;
        let Some(first) = interrupt_of_highest_priority(possible) else {
            self.complain(Problem::NotPending { enabled, pending });
            return None;
        };
        if self.vector & 1 != 0 {
            let number = self.record.pc_rdata.wrapping_sub(self.vector & !3) / 4;
            // If it is none of these, its pc will not be the one expected.
            let taken = Interrupt::numbered(number).filter(|taken| possible & taken.bit() != 0);
            return Some(TakenInterrupt { interrupt: taken.unwrap_or(first), certain: true });
        }
        let certainly = possible & !self.signals.can_be_low(self.window);
        *self.possible = possible;
        let certain = possible & !first.bit() == 0 || certainly & first.bit() != 0;
        Some(TakenInterrupt { interrupt: first, certain })
    }

    fn wakes(&mut self, enabled: u32) -> bool {
        if self.signals.can_be_high(self.window) & enabled == 0 {
            self.complain(Problem::NotAwake { enabled });
        }
        true
    }

    fn pending(&mut self) -> u32 {
        let actual = self.record.rd_wdata;
        let high = self.signals.can_be_high(self.window);
        let certain = high & !self.signals.can_be_low(self.window);
        // Between what must be set and what can be.
        actual & high | certain
    }

    fn cycle(&mut self, half: Half, value: u64) -> u32 {
        let actual = self.record.rd_wdata;
        let start = value.wrapping_sub(self.window.to - self.window.from);
        if is_between(half, actual, start, value) { actual } else { half.of(value) }
    }

    fn unsure_cycle(&mut self, _: Half, _: u64) -> u32 {
        self.record.rd_wdata
    }

    fn time(&mut self, half: Half) -> u32 {
        let value = self.memory.clint().time(self.window.to);
        self.cycle(half, value)
    }

    fn cause(&mut self, value: u32) -> u32 {
        let actual = self.record.rd_wdata;
        let number = actual & !INTERRUPT_BIT;
        let possible = number < 32 && *self.possible >> number & 1 != 0;
        if actual & INTERRUPT_BIT != 0 && possible { actual } else { value }
    }
}

/// Whether a half can be that of a clock between two readings, give or take.
fn is_between(half: Half, actual: u32, start: u64, end: u64) -> bool {
    let (start, end) = (start.wrapping_sub(CLOCK_SLACK), end.wrapping_add(CLOCK_SLACK));
    let span = end.wrapping_sub(start);
    let offset = match half {
        Half::Low => actual.wrapping_sub(start as u32),
        Half::High => actual.wrapping_sub((start >> 32) as u32),
    };
    match half {
        Half::Low => u64::from(offset) <= span,
        Half::High => offset <= ((end >> 32) as u32).wrapping_sub((start >> 32) as u32),
    }
}
