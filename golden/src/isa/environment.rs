//! The environment of a hart: memory, interrupts, clocks.

use super::alu::{AmoOp, Size};
use super::decode::Decoded;
use crate::Mode;
use border::interrupt::Interrupt;

/// Kind of a data access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataKind {
    /// Reads.
    Load,
    /// Writes.
    Store,
    /// Reads, and reserves the line.
    LoadReserved,
    /// Writes, if the reservation still holds.
    StoreConditional,
    /// Reads and writes atomically.
    Amo(AmoOp),
}

impl DataKind {
    /// Whether it counts as a store for permissions and traps.
    pub fn is_store(self) -> bool {
        !matches!(self, Self::Load | Self::LoadReserved)
    }
}

/// One aligned data access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataAccess {
    /// Its kind.
    pub kind: DataKind,
    /// Its size.
    pub size: Size,
    /// Byte address.
    pub address: u32,
    /// The value stored, or the operand; in the low bits.
    pub data: u32,
    /// The instruction.
    pub pc: u32,
    /// The mode the instruction executes in, which the monitor's filter checks.
    pub mode: Mode,
    /// The mode whose privileges apply; differs from `mode` under MPRV.
    pub rights: Mode,
}

/// The effect of an access on its aligned word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// The word before.
    pub before: u32,
    /// The word after.
    pub after: u32,
    /// Whether it was written: false for loads and for an SC that failed.
    pub wrote: bool,
}

/// Result of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It took place.
    Done(Done),
    /// Access fault: the address is vacant, or does not allow this access.
    Fault,
    /// It cannot be performed yet; the instruction has no effect and is retried.
    Later,
}

/// Result of an instruction fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fetched {
    /// An instruction.
    Instruction(Decoded),
    /// Instruction access fault.
    Fault,
    /// Not known yet; retry.
    Later,
}

/// One half of a 64-bit CSR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// Bits 31 to 0.
    Low,
    /// Bits 63 to 32.
    High,
}

impl Half {
    /// This half of a value.
    pub fn of(self, value: u64) -> u32 {
        match self {
            Self::Low => value as u32,
            Self::High => (value >> 32) as u32,
        }
    }

    /// A value with this half replaced.
    pub fn replace(self, value: u64, half: u32) -> u64 {
        match self {
            Self::Low => value >> 32 << 32 | u64::from(half),
            Self::High => u64::from(half) << 32 | value & 0xffff_ffff,
        }
    }
}

/// An interrupt taken now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TakenInterrupt {
    /// The interrupt.
    pub interrupt: Interrupt,
    /// False if another interrupt may have been taken; the first read of `mcause` then decides.
    pub certain: bool,
}

/// The environment of a hart: instruction bytes, data, interrupts, clocks.
pub trait Environment {
    /// The cycle.
    fn now(&self) -> u64;

    /// The instruction at an aligned pc.
    fn fetch(&mut self, pc: u32) -> Fetched;

    /// A data access that is aligned and that PMP allows.
    fn access(&mut self, access: &DataAccess) -> Answer;

    /// FENCE.I: drops all fetched instructions.
    fn forget_instructions(&mut self);

    /// The interrupt taken before the next instruction, if any. `enabled` is the mask of those that
    /// may be; it is not 0.
    fn interrupt(&mut self, enabled: u32) -> Option<TakenInterrupt>;

    /// Whether a WFI ends; `enabled` is `mie`.
    fn wakes(&mut self, enabled: u32) -> bool;

    /// `mip` as an instruction reads it.
    fn pending(&mut self) -> u32;

    /// A half of `mcycle` as an instruction reads it; `value` is this hart's prediction.
    fn cycle(&mut self, half: Half, value: u64) -> u32;

    /// The same when `value` is only a guess, after a write that depended on unobserved bits.
    fn unsure_cycle(&mut self, half: Half, value: u64) -> u32 {
        self.cycle(half, value)
    }

    /// A half of a counter of events as an instruction reads it: at least `least`, at most `most`.
    fn events(&mut self, half: Half, least: u64, most: u64) -> u32;

    /// A half of `time` as an instruction reads it.
    fn time(&mut self, half: Half) -> u32;

    /// `mcause` after an interrupt that was not certain.
    fn cause(&mut self, value: u32) -> u32;
}
