//! The environment of a hart that follows the hardware: the order is given, the rest is predicted
//! and compared with the exports.

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
use border::breakpoint::Word;
use border::interrupt::{INTERRUPT_BIT, Interrupt};

/// Cycles by which a clock read may differ from the model.
const CLOCK_SLACK: u64 = 64;

/// An ordered access, as exported by the hardware.
#[derive(Clone, Copy, Debug)]
pub(super) enum OrderedAccess {
    Bus {
        grant: BusGrant,
        tap: Option<Tap>,
        /// Number of records of the requester at the grant.
        records: u64,
    },
    Hit {
        hart: usize,
        hit: Hit,
    },
}

/// An ordered access, and its cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub cycle: u64,
    pub access: OrderedAccess,
}

impl Event {
    /// The hart whose data access it is; `None` for a fetch or a host access.
    pub fn hart(&self) -> Option<usize> {
        match &self.access {
            OrderedAccess::Bus { grant, .. } => {
                let is_data =
                    grant.kind.is_coherent() || grant.kind == crate::memory::BusKind::Device;
                let hart = usize::from(grant.requester);
                (is_data && grant.requester != crate::memory::NOBODY).then_some(hart)
            }
            OrderedAccess::Hit { hart, .. } => Some(*hart),
        }
    }
}

/// Effect of an instruction's access on interrupts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing happened.
    Quiet,
    /// An edge was offered to the hart's table.
    Edge,
    /// A device was accessed.
    Device,
}

/// The environment of one instruction.
pub(super) struct Observed<'a> {
    pub hart: usize,
    pub memory: &'a mut Memory,
    pub lines: &'a mut InstructionLines,
    pub signals: &'a Signals,
    /// The record of the instruction; `cycle` is when it retired.
    pub record: &'a Retired,
    pub window: Window,
    /// Number of earlier records of this hart.
    pub order: u64,
    /// The next ordered access, if it is this hart's.
    pub next: Option<&'a Event>,
    /// `mtvec`.
    pub vector: u32,
    /// Mask of the interrupts that may have been the last one taken.
    pub possible: &'a mut u32,
    /// The instruction executed.
    pub decoded: Option<Decoded>,
    /// Address of an access that is not ordered yet.
    pub waits_at: Option<u32>,
    /// Effect of the access, once it has used `next`.
    pub effect: Option<Effect>,
    /// The access, if it was to memory.
    pub accessed: Option<Accessed>,
    pub problem: Option<Problem>,
}

impl Observed<'_> {
    fn complain(&mut self, problem: Problem) {
        self.problem = self.problem.or(Some(problem));
    }

    fn compare(&mut self, ordered: &Ordered, event: &Event) {
        let absent = |field| Some(Problem::Field { field, expected: 1, actual: 0 });
        let problem = match (ordered, &event.access) {
            (Ordered::Hit { hit: expected, .. }, OrderedAccess::Hit { hit, .. }) => {
                compare::hits(expected, hit)
            }
            (
                Ordered::Granted { grant: expected, tap: edge, .. },
                OrderedAccess::Bus { grant, tap, .. },
            ) => compare::grants((expected, edge), (grant, tap)),
            (Ordered::Device { grant: expected, .. }, OrderedAccess::Bus { grant, tap, .. }) => {
                compare::grants((expected, &None), (grant, tap))
            }
            (Ordered::Hit { .. }, OrderedAccess::Bus { .. }) => absent("hit_valid"),
            (Ordered::Granted { .. } | Ordered::Device { .. }, OrderedAccess::Hit { .. }) => {
                absent("bus_valid")
            }
            (Ordered::Stalled, OrderedAccess::Bus { .. }) => {
                Some(Problem::Field { field: "bus_valid", expected: 0, actual: 1 })
            }
            (Ordered::Stalled, OrderedAccess::Hit { .. }) => {
                Some(Problem::Field { field: "hit_valid", expected: 0, actual: 1 })
            }
        };
        if let Some(problem) = problem {
            self.complain(problem);
        }
    }

    /// A device's answer: the hardware's where it is unpredictable, if it is a possible one.
    fn answer(&self, read: DeviceRead, access: &DataAccess, ordered: u64) -> u32 {
        let Some(why) = read.unpredictable else { return read.value };
        let actual = access.size.extract(self.record.mem_rdata, access.address, false);
        let plausible = match why {
            Unpredictable::Time(half, time) => {
                let end = time.wrapping_add(self.window.to.wrapping_sub(ordered));
                is_between(half, actual, time, end)
            }
            Unpredictable::Count => actual <= Word::HIT_COUNT.mask(),
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
        self.decoded = self.lines.retiring(pc, self.window.to, self.order, self.record.insn);
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
        self.effect = Some(effect);
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
            // If it is none of these, the pc will differ from the expected one.
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
        // Between the bits that must be set and those that can be.
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

    fn events(&mut self, half: Half, least: u64, most: u64) -> u32 {
        let actual = self.record.rd_wdata;
        // It never goes back, so there is slack only at the end.
        let start = least.wrapping_add(CLOCK_SLACK);
        if is_between(half, actual, start, most) { actual } else { half.of(least) }
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

/// Whether a half can be that of a clock between two times, within the slack.
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
