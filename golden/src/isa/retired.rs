//! The record of one instruction, as on the RVFI port.

use crate::Mode;
use border::interrupt::Cause;

/// One instruction that retired or trapped. Memory fields refer to the aligned word: data and masks
/// are in their byte lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retired {
    /// Index of the record in its hart, from 0.
    pub order: u64,
    /// The instruction's encoding; 0 if it could not be fetched.
    pub insn: u32,
    /// It trapped, and had no other effect.
    pub trap: bool,
    /// Cause of the trap. On the port it is `mcause`, and 0 without a trap.
    pub cause: Option<Cause>,
    /// It is the first of a trap handler, for an exception or an interrupt.
    pub intr: bool,
    /// The mode it executed in.
    pub mode: Mode,
    /// The first register read; 0 if none.
    pub rs1_addr: u8,
    /// The second register read; 0 if none.
    pub rs2_addr: u8,
    /// Value of the first register read.
    pub rs1_rdata: u32,
    /// Value of the second register read.
    pub rs2_rdata: u32,
    /// The register written; 0 if none.
    pub rd_addr: u8,
    /// Value written; 0 if none.
    pub rd_wdata: u32,
    /// Its pc.
    pub pc_rdata: u32,
    /// The next pc, unless an interrupt is taken; for a trap, the address of the handler.
    pub pc_wdata: u32,
    /// The address of the word accessed; 0 without an access.
    pub mem_addr: u32,
    /// Mask of the bytes read.
    pub mem_rmask: u8,
    /// Mask of the bytes written.
    pub mem_wmask: u8,
    /// Data read.
    pub mem_rdata: u32,
    /// Data written.
    pub mem_wdata: u32,
}
