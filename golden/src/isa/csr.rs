//! The control and status registers.

use super::cycles::CycleCounter;
use super::environment::Half;
use super::events::Events;
use super::pmp::Pmp;
use crate::Mode;
use border::event::Event;
use border::interrupt::INTERRUPT_BIT;

const MISA: u32 = 0x4010_1101;
const CAUSE_BITS: u32 = 0x8000_003f;
const COUNTER_ENABLES: u32 = 0b111;
/// `mcountinhibit`: cycles and instructions; time cannot be stopped.
const INHIBIT_CYCLES: u32 = 0b001;
const INHIBIT_INSTRUCTIONS: u32 = 0b100;

const MIE: u32 = 1 << 3;
const MPIE: u32 = 1 << 7;
const MPP: u32 = 0b11 << 11;
const MPRV: u32 = 1 << 17;

/// An implemented CSR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Csr {
    /// Always this value; writes are ignored.
    Constant(u32),
    HartId,
    Status,
    Enable,
    Pending,
    Vector,
    Scratch,
    ExceptionPc,
    Cause,
    TrapValue,
    CounterEnable,
    CounterInhibit,
    Cycle(Half),
    Time(Half),
    Instret(Half),
    /// A counter of events; 0 without them.
    Events(Event, Half),
    /// What a counter of events counts; 0 without them.
    EventSelector(Event),
    PmpConfig,
    PmpAddress(u8),
}

/// Finds a CSR by number, without checking privileges.
pub(super) fn find(number: u32) -> Option<Csr> {
    use Half::{High, Low};
    if let Some(csr) = of_event(number) {
        return Some(csr);
    }
    Some(match number {
        0x300 => Csr::Status,
        0x301 => Csr::Constant(MISA),
        0x304 => Csr::Enable,
        0x305 => Csr::Vector,
        0x306 => Csr::CounterEnable,
        0x320 => Csr::CounterInhibit,
        0x340 => Csr::Scratch,
        0x341 => Csr::ExceptionPc,
        0x342 => Csr::Cause,
        0x343 => Csr::TrapValue,
        0x344 => Csr::Pending,
        0x3a0 => Csr::PmpConfig,
        0x3b0..=0x3b3 => Csr::PmpAddress((number - 0x3b0) as u8),
        0xb00 | 0xc00 => Csr::Cycle(Low),
        0xb80 | 0xc80 => Csr::Cycle(High),
        0xb02 | 0xc02 => Csr::Instret(Low),
        0xb82 | 0xc82 => Csr::Instret(High),
        0xc01 => Csr::Time(Low),
        0xc81 => Csr::Time(High),
        0xf14 => Csr::HartId,
        // mstatush, menvcfg(h)
        0x310 | 0x30a | 0x31a
        // mhpmevent3-31, mhpmcounter3-31(h)
        | 0x323..=0x33f | 0xb03..=0xb1f | 0xb83..=0xb9f
        // pmpcfg1-3, pmpaddr4-15
        | 0x3a1..=0x3a3 | 0x3b4..=0x3bf
        // tselect, tdata1-3
        | 0x7a0..=0x7a3
        // mvendorid, marchid, mimpid, mconfigptr
        | 0xf11..=0xf13 | 0xf15 => Csr::Constant(0),
        _ => return None,
    })
}

/// Finds what belongs to a counter of events.
fn of_event(number: u32) -> Option<Csr> {
    let event = Event::numbered(number & 31)?;
    match number & !31 {
        0xb00 => Some(Csr::Events(event, Half::Low)),
        0xb80 => Some(Csr::Events(event, Half::High)),
        0x320 => Some(Csr::EventSelector(event)),
        _ => None,
    }
}

/// The lowest mode that may access a CSR.
pub(super) fn least_mode(number: u32) -> Mode {
    if number >> 8 & 3 == 0 { Mode::User } else { Mode::Machine }
}

/// Whether a CSR is read-only.
pub(super) fn is_read_only(number: u32) -> bool {
    number >> 10 == 3
}

/// All CSRs of a hart, with the mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Csrs {
    hart: u32,
    /// The bits of `mie` that exist.
    interrupts: u32,
    /// The current privilege mode.
    pub mode: Mode,
    interrupts_on: bool,
    previously_on: bool,
    previous_mode: Mode,
    modify_privilege: bool,
    /// `mie`.
    pub enabled: u32,
    /// `mtvec`.
    pub vector: u32,
    scratch: u32,
    /// `mepc`.
    pub exception_pc: u32,
    /// `mcause`.
    pub cause: u32,
    /// The interrupt taken may be another than `cause`.
    pub(super) cause_uncertain: bool,
    /// `mtval`.
    pub trap_value: u32,
    counter_enable: u32,
    counter_inhibit: u32,
    cycle: CycleCounter,
    /// `minstret`.
    pub instret: u64,
    /// `minstret` was written by this instruction, which then is not counted.
    pub(super) instret_written: bool,
    /// The counters of events, if there are any.
    events: Option<Box<Events>>,
    /// Memory protection.
    pub pmp: Pmp,
}

impl Csrs {
    /// After reset; `interrupts` are the bits of `mie` that exist.
    pub fn new(hart: u32, interrupts: u32) -> Self {
        Self {
            hart,
            interrupts,
            mode: Mode::Machine,
            interrupts_on: false,
            previously_on: false,
            previous_mode: Mode::User,
            modify_privilege: false,
            enabled: 0,
            vector: 0,
            scratch: 0,
            exception_pc: 0,
            cause: 0,
            cause_uncertain: false,
            trap_value: 0,
            counter_enable: 0,
            counter_inhibit: 0,
            cycle: CycleCounter::default(),
            instret: 0,
            instret_written: false,
            events: None,
            pmp: Pmp::default(),
        }
    }

    /// With counters of events.
    pub(super) fn counting_events(self) -> Self {
        Self { events: Some(Box::default()), ..self }
    }

    /// The least and the most that a counter of events can be; none without them.
    pub(super) fn event_bounds(&self, event: Event, now: u64) -> Option<(u64, u64)> {
        self.events.as_ref().map(|events| events.bounds(event, now))
    }

    /// Records the observed value of a half of a counter of events.
    pub(super) fn saw_events(&mut self, event: Event, half: Half, value: u32, now: u64) {
        if let Some(events) = &mut self.events {
            events.saw(event, half, value, now);
        }
    }

    /// Mask of the interrupts that would be taken now if pending.
    #[inline]
    pub fn takeable(&self) -> u32 {
        if self.interrupts_on || self.mode == Mode::User { self.enabled } else { 0 }
    }

    /// The mode whose privileges apply to loads and stores.
    #[inline]
    pub fn data_mode(&self) -> Mode {
        if self.modify_privilege { self.previous_mode } else { self.mode }
    }

    /// Whether retired instructions count.
    pub(super) fn counts_instructions(&self) -> bool {
        self.counter_inhibit & INHIBIT_INSTRUCTIONS == 0
    }

    /// Whether U mode may read a counter (CSR numbers from 0xc00).
    pub(super) fn user_may_count(&self, number: u32) -> bool {
        self.counter_enable >> (number & 31) & 1 != 0
    }

    /// The `mstatus` word.
    pub fn status(&self) -> u32 {
        let bit = |is: bool, bit: u32| if is { bit } else { 0 };
        bit(self.interrupts_on, MIE)
            | bit(self.previously_on, MPIE)
            | bit(self.previous_mode == Mode::Machine, MPP)
            | bit(self.modify_privilege, MPRV)
    }

    fn write_status(&mut self, value: u32) {
        self.interrupts_on = value & MIE != 0;
        self.previously_on = value & MPIE != 0;
        self.modify_privilege = value & MPRV != 0;
        match value & MPP {
            0 => self.previous_mode = Mode::User,
            MPP => self.previous_mode = Mode::Machine,
            _ => {}
        }
    }

    /// Enters the trap handler; returns its address.
    pub(super) fn enter(&mut self, cause: u32, pc: u32, value: u32) -> u32 {
        self.exception_pc = pc;
        self.cause = cause;
        self.cause_uncertain = false;
        self.trap_value = value;
        self.previously_on = self.interrupts_on;
        self.interrupts_on = false;
        self.previous_mode = self.mode;
        self.mode = Mode::Machine;
        self.handler(cause)
    }

    /// Address of the trap handler.
    pub fn handler(&self, cause: u32) -> u32 {
        let base = self.vector & !3;
        let is_interrupt = cause & INTERRUPT_BIT != 0;
        if self.vector & 1 != 0 && is_interrupt {
            base.wrapping_add(4 * (cause & !INTERRUPT_BIT))
        } else {
            base
        }
    }

    /// MRET; returns the target.
    pub(super) fn leave(&mut self) -> u32 {
        self.interrupts_on = self.previously_on;
        self.previously_on = true;
        self.mode = self.previous_mode;
        self.previous_mode = Mode::User;
        if self.mode == Mode::User {
            self.modify_privilege = false;
        }
        self.exception_pc
    }

    /// `mcycle`.
    pub fn cycles(&self, now: u64) -> u64 {
        self.cycle.read(now)
    }

    /// Whether a half of `mcycle` is uncertain.
    pub(super) fn is_unsure(&self, half: Half) -> bool {
        match half {
            Half::Low => self.cycle.low_unsure,
            Half::High => self.cycle.high_unsure,
        }
    }

    /// Records the observed value of a half of `mcycle`.
    pub(super) fn saw_cycles(&mut self, half: Half, value: u32, now: u64) {
        self.cycle.set_half(half, value, true, now);
    }

    /// Writes a half of `mcycle` with a value that depends on unobserved bits.
    pub(super) fn write_unseen_cycles(&mut self, half: Half, value: u32, now: u64) {
        let is_known = half == Half::High && !self.is_unsure(half);
        self.cycle.set_half(half, value, is_known, now);
    }

    /// The value of a CSR by its number; none if there is no such CSR, or if it changes by itself.
    pub fn numbered(&self, number: u32) -> Option<u32> {
        let csr = find(number)?;
        let moves = match csr {
            Csr::Pending | Csr::Cycle(_) | Csr::Time(_) | Csr::Instret(_) => true,
            Csr::Events(..) => self.events.is_some(),
            _ => false,
        };
        (!moves).then(|| self.read(csr, 0))
    }

    /// The value of a CSR. `mip`, `time` and counters of events come from the environment: 0 here.
    pub(super) fn read(&self, csr: Csr, now: u64) -> u32 {
        match csr {
            Csr::Constant(value) => value,
            Csr::HartId => self.hart,
            Csr::Status => self.status(),
            Csr::Enable => self.enabled,
            Csr::Pending | Csr::Time(_) | Csr::Events(..) => 0,
            Csr::EventSelector(event) => self.events.as_ref().map_or(0, |_| event.number()),
            Csr::Vector => self.vector,
            Csr::Scratch => self.scratch,
            Csr::ExceptionPc => self.exception_pc,
            Csr::Cause => self.cause,
            Csr::TrapValue => self.trap_value,
            Csr::CounterEnable => self.counter_enable,
            Csr::CounterInhibit => self.counter_inhibit,
            Csr::Cycle(half) => half.of(self.cycle.read(now)),
            Csr::Instret(half) => half.of(self.instret),
            Csr::PmpConfig => self.pmp.config(),
            Csr::PmpAddress(entry) => self.pmp.address(entry.into()),
        }
    }

    pub(super) fn write(&mut self, csr: Csr, value: u32, now: u64) {
        match csr {
            Csr::Constant(_) | Csr::HartId | Csr::Pending | Csr::Time(_) => {}
            Csr::Events(..) | Csr::EventSelector(_) => {}
            Csr::Status => self.write_status(value),
            Csr::Enable => self.enabled = value & self.interrupts,
            Csr::Vector => self.vector = value & !2,
            Csr::Scratch => self.scratch = value,
            Csr::ExceptionPc => self.exception_pc = value & !3,
            Csr::Cause => {
                self.cause = value & CAUSE_BITS;
                self.cause_uncertain = false;
            }
            Csr::TrapValue => self.trap_value = value,
            Csr::CounterEnable => self.counter_enable = value & COUNTER_ENABLES,
            Csr::CounterInhibit => {
                self.counter_inhibit = value & (INHIBIT_CYCLES | INHIBIT_INSTRUCTIONS);
                self.cycle.hold(now);
                self.cycle.stopped = value & INHIBIT_CYCLES != 0;
            }
            Csr::Cycle(half) => self.cycle.set_half(half, value, true, now),
            Csr::Instret(half) => {
                self.instret = half.replace(self.instret, value);
                self.instret_written = true;
            }
            Csr::PmpConfig => self.pmp.write_config(value),
            Csr::PmpAddress(entry) => self.pmp.write_address(entry.into(), value),
        }
    }
}
