//! The record of one instruction: what the RVFI port shows of it.

use crate::Mode;

/// One instruction that retired or trapped. Memory fields speak of the aligned word: data and masks
/// stand in their byte lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retired {
    /// The how-manieth record of its hart, from 0.
    pub order: u64,
    /// Its bits; 0 if they could not be fetched.
    pub insn: u32,
    /// It trapped: nothing but the trap happened.
    pub trap: bool,
    /// `mcause` of the trap; 0 without one.
    pub cause: u32,
    /// It is the first of a trap handler, be it of an exception or an interrupt.
    pub intr: bool,
    /// The mode it executed in.
    pub mode: Mode,
    /// The first register read; 0 if none.
    pub rs1_addr: u8,
    /// The second register read; 0 if none.
    pub rs2_addr: u8,
    /// What was in the first.
    pub rs1_rdata: u32,
    /// What was in the second.
    pub rs2_rdata: u32,
    /// The register written; 0 if none.
    pub rd_addr: u8,
    /// What was written; 0 if nothing.
    pub rd_wdata: u32,
    /// Its address.
    pub pc_rdata: u32,
    /// The address of the next one, unless an interrupt comes between; of a trap: of the handler.
    pub pc_wdata: u32,
    /// The address of the word accessed; 0 without an access.
    pub mem_addr: u32,
    /// The bytes read.
    pub mem_rmask: u8,
    /// The bytes written.
    pub mem_wmask: u8,
    /// What was read.
    pub mem_rdata: u32,
    /// What was written.
    pub mem_wdata: u32,
}
