//! What surrounds a hart.

use super::alu::{AmoOp, Size};
use super::decode::Decoded;
use crate::Mode;
use border::interrupt::Interrupt;

/// What an instruction does to memory.
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
    /// Reads and writes.
    Amo(AmoOp),
}

impl DataKind {
    /// Whether it counts as a store where permissions and traps are concerned.
    pub fn is_store(self) -> bool {
        !matches!(self, Self::Load | Self::LoadReserved)
    }
}

/// One data access, aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataAccess {
    /// What it does.
    pub kind: DataKind,
    /// How many bytes.
    pub size: Size,
    /// Where.
    pub address: u32,
    /// The value stored, or the operand; in the low bits.
    pub data: u32,
    /// The instruction.
    pub pc: u32,
    /// The mode the instruction executes in: what the monitor selects by.
    pub mode: Mode,
    /// The mode whose rights count: differs from `mode` under MPRV.
    pub rights: Mode,
}

/// What an access did to its aligned word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// The word before.
    pub before: u32,
    /// The word after.
    pub after: u32,
    /// Whether it was written: false for loads and for an SC that failed.
    pub wrote: bool,
}

/// What became of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It took place.
    Done(Done),
    /// Nothing is there, or it may not be accessed so.
    Fault,
    /// It cannot take place now; the instruction has no effect and is tried again.
    Later,
}

/// What the instruction bytes at a pc are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fetched {
    /// An instruction.
    Instruction(Decoded),
    /// Nothing that can be executed is there.
    Fault,
    /// It cannot be known now.
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

/// An interrupt that is taken now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TakenInterrupt {
    /// The interrupt.
    pub interrupt: Interrupt,
    /// False if others may have been taken instead; then the first read of `mcause` tells.
    pub certain: bool,
}

/// What surrounds a hart: bytes, data, interrupts, clocks.
pub trait Environment {
    /// The cycle.
    fn now(&self) -> u64;

    /// The instruction at an aligned pc.
    fn fetch(&mut self, pc: u32) -> Fetched;

    /// A data access that is aligned and that PMP allows.
    fn access(&mut self, access: &DataAccess) -> Answer;

    /// FENCE.I: fetched instructions are forgotten.
    fn forget_instructions(&mut self);

    /// Whether an interrupt is taken before the next instruction. `enabled` has the bits that may
    /// be; it is not 0.
    fn interrupt(&mut self, enabled: u32) -> Option<TakenInterrupt>;

    /// Whether a WFI ends; `enabled` is `mie`.
    fn wakes(&mut self, enabled: u32) -> bool;

    /// `mip` as an instruction reads it.
    fn pending(&mut self) -> u32;

    /// A half of `mcycle` as an instruction reads it; `value` is what this hart makes of it.
    fn cycle(&mut self, half: Half, value: u64) -> u32;

    /// The same after a write that kept a part of what nobody saw: this hart only guesses.
    fn unsure_cycle(&mut self, half: Half, value: u64) -> u32 {
        self.cycle(half, value)
    }

    /// A half of `time` as an instruction reads it.
    fn time(&mut self, half: Half) -> u32;

    /// `mcause` after an interrupt that was not certain.
    fn cause(&mut self, value: u32) -> u32;
}
