//! The instruction set: RV32IMA_Zicsr_Zifencei with M and U modes, one instruction at a time.
//!
//! [`Hart`] knows registers, CSRs, traps and PMP. Everything around it (instruction bytes, data,
//! interrupts, clocks) comes through [`Environment`], so that the same hart follows hardware and runs
//! alone.

pub mod alu;
mod csr;
mod cycles;
mod decode;
mod environment;
mod events;
mod hart;
mod pmp;
mod retired;
mod trap;

pub use alu::{AluOp, AmoOp, Condition, Size};
pub use csr::Csrs;
pub use decode::{CsrAction, Decoded, Op, decode};
pub use environment::{
    Answer, DataAccess, DataKind, Done, Environment, Fetched, Half, TakenInterrupt,
};
pub use hart::{Checkpoint, Hart};
pub use pmp::{Permission, Pmp};
pub use retired::Retired;
pub use trap::{INTERRUPTS, INTERRUPTS_WITH_TABLE, interrupt_of_highest_priority};

#[cfg(test)]
mod tests;
