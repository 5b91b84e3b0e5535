//! The devices: CLINT and UART.

use crate::isa::Half;
use border::{clint, uart};
use std::collections::VecDeque;

/// A device register's value that depends on more than the order of accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unpredictable {
    /// A half of `mtime`, which is approximately this.
    Time(Half, u64),
    /// A received byte.
    UartData,
    /// The status: byte received, room to send.
    UartStatus,
    /// What a breakpoint counted by the cycle of the read.
    Count,
}

/// Answer of a device to a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceRead {
    /// The value in the low bits.
    pub value: u32,
    /// Why the hardware may answer differently.
    pub unpredictable: Option<Unpredictable>,
}

impl DeviceRead {
    /// A value determined by the order of accesses.
    pub fn known(value: u32) -> Self {
        Self { value, unpredictable: None }
    }
}

/// The core-local interrupts: software interrupts and the timer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clint {
    software: Vec<bool>,
    compare: Vec<u64>,
    /// `mtime` at cycle 0.
    offset: u64,
}

/// A register of the CLINT.
enum ClintRegister {
    Software(usize),
    Compare(usize, Half),
    Time(Half),
    Nothing,
}

impl Clint {
    /// State after reset.
    pub fn new(harts: usize) -> Self {
        Self { software: vec![false; harts], compare: vec![u64::MAX; harts], offset: 0 }
    }

    fn register(&self, offset: u32) -> ClintRegister {
        let half = if offset & 4 == 0 { Half::Low } else { Half::High };
        let harts = self.software.len();
        let hart = |first: clint::Word| {
            let hart = (offset.checked_sub(first.offset())? / first.stride()) as usize;
            (hart < harts).then_some(hart)
        };
        const TIME: u32 = clint::Word::Mtime.offset();
        const TIME_HIGH: u32 = clint::Word::MtimeHigh.offset();
        const COMPARE: u32 = clint::Word::Mtimecmp.offset();
        match offset & !3 {
            TIME | TIME_HIGH => ClintRegister::Time(half),
            COMPARE.. => hart(clint::Word::Mtimecmp)
                .map_or(ClintRegister::Nothing, |hart| ClintRegister::Compare(hart, half)),
            _ => hart(clint::Word::Msip).map_or(ClintRegister::Nothing, ClintRegister::Software),
        }
    }

    /// `mtime`.
    #[inline]
    pub fn time(&self, now: u64) -> u64 {
        self.offset.wrapping_add(now)
    }

    /// `mtimecmp` of a hart.
    pub fn compare(&self, hart: usize) -> u64 {
        self.compare[hart]
    }

    /// `msip` of a hart.
    #[inline]
    pub fn software(&self, hart: usize) -> bool {
        self.software[hart]
    }

    /// Whether a hart's timer interrupt is pending.
    #[inline]
    pub fn timer(&self, hart: usize, now: u64) -> bool {
        self.time(now) >= self.compare[hart]
    }

    /// Reads the register at an offset.
    pub fn read(&self, offset: u32, now: u64) -> DeviceRead {
        match self.register(offset) {
            ClintRegister::Software(hart) => DeviceRead::known(self.software[hart].into()),
            ClintRegister::Compare(hart, half) => DeviceRead::known(half.of(self.compare[hart])),
            ClintRegister::Time(half) => {
                let time = self.time(now);
                let unpredictable = Some(Unpredictable::Time(half, time));
                DeviceRead { value: half.of(time), unpredictable }
            }
            ClintRegister::Nothing => DeviceRead::known(0),
        }
    }

    /// Writes the register at an offset.
    pub fn write(&mut self, offset: u32, data: u32, now: u64) {
        match self.register(offset) {
            ClintRegister::Software(hart) => self.software[hart] = data & 1 != 0,
            ClintRegister::Compare(hart, half) => {
                self.compare[hart] = half.replace(self.compare[hart], data);
            }
            ClintRegister::Time(half) => {
                self.offset = half.replace(self.time(now), data).wrapping_sub(now);
            }
            ClintRegister::Nothing => {}
        }
    }
}

const RECEIVED: u8 = uart::Word::RECEIVED.mask() as u8;
const HAS_ROOM: u8 = (uart::Word::ROOM.mask() | uart::Word::IDLE.mask()) as u8;
const DIVISOR_ACCESS: u8 = uart::Word::DIVISOR_ACCESS.mask() as u8;

/// The serial port. It always has room to send.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uart {
    line_control: u8,
    scratch: u8,
    received: VecDeque<u8>,
    sent: Vec<u8>,
}

impl Uart {
    /// Reads the register at an offset; reading the data register takes a received byte.
    pub fn read(&mut self, offset: u32) -> DeviceRead {
        let hidden = self.line_control & DIVISOR_ACCESS != 0;
        let unpredictable =
            |value: u8, why| DeviceRead { value: value.into(), unpredictable: Some(why) };
        match uart::Word::numbered(offset) {
            Some(uart::Word::Data) if !hidden => {
                unpredictable(self.received.pop_front().unwrap_or(0), Unpredictable::UartData)
            }
            Some(uart::Word::LineControl) => DeviceRead::known(self.line_control.into()),
            Some(uart::Word::LineStatus) => {
                let ready = if self.received.is_empty() { 0 } else { RECEIVED };
                unpredictable(HAS_ROOM | ready, Unpredictable::UartStatus)
            }
            Some(uart::Word::Scratch) => DeviceRead::known(self.scratch.into()),
            Some(uart::Word::Data) | None => DeviceRead::known(0),
        }
    }

    /// Writes the register at an offset.
    pub fn write(&mut self, offset: u32, data: u8) {
        let hidden = self.line_control & DIVISOR_ACCESS != 0;
        match uart::Word::numbered(offset) {
            Some(uart::Word::Data) if !hidden => self.sent.push(data),
            Some(uart::Word::LineControl) => self.line_control = data,
            Some(uart::Word::Scratch) => self.scratch = data,
            Some(uart::Word::Data | uart::Word::LineStatus) | None => {}
        }
    }

    /// Receives a byte.
    pub fn receive(&mut self, byte: u8) {
        self.received.push_back(byte);
    }

    /// All bytes sent so far.
    pub fn sent(&self) -> &[u8] {
        &self.sent
    }

    /// Whether a value can be that of the status register.
    pub fn is_status(value: u8) -> bool {
        let room = value & HAS_ROOM;
        value & !(HAS_ROOM | RECEIVED) == 0 && (room == 0 || room == HAS_ROOM)
    }
}
