//! The record of each instruction that retires or traps: the RISC-V formal interface.

use hdl::{Bundle, Sig, bits};

/// One instruction, in the cycle after it retired or trapped (docs/machine.md §5). What an instruction
/// does not have is zero: registers it does not read or write, memory it does not touch. An
/// instruction that traps writes no register and touches no memory; one that could not be fetched, or
/// is illegal, reads no register either; one that could not be fetched has the word 0.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Rvfi {
    /// An instruction retires or traps, and the other fields of the record describe it.
    pub valid: Sig,
    /// The number of the instruction, from 0.
    pub order: Sig,
    /// The instruction word; 0 if it could not be fetched.
    pub insn: Sig,
    /// The instruction trapped.
    pub trap: Sig,
    /// The instruction is the first one of a trap handler.
    pub intr: Sig,
    /// The mode in which the instruction was executed: M (3) or U (0).
    pub mode: Sig,
    /// The number of the first register that the instruction reads; 0 if none.
    pub rs1_addr: Sig,
    /// The number of the second register that the instruction reads; 0 if none.
    pub rs2_addr: Sig,
    /// The value of the first register that the instruction reads; 0 if none.
    pub rs1_rdata: Sig,
    /// The value of the second register that the instruction reads; 0 if none.
    pub rs2_rdata: Sig,
    /// The number of the register that the instruction writes; 0 if none.
    pub rd_addr: Sig,
    /// The value that the instruction writes to register `rd_addr`; 0 if none.
    pub rd_wdata: Sig,
    /// The pc of the instruction.
    pub pc_rdata: Sig,
    /// The pc of the next instruction, unless an interrupt is taken before it. If the instruction
    /// traps: the address of the handler.
    pub pc_wdata: Sig,
    /// The address of the memory word that the instruction accesses, its low two bits 0; 0 if none.
    pub mem_addr: Sig,
    /// The bytes of the word at `mem_addr` that the instruction reads, a bit each.
    pub mem_rmask: Sig,
    /// The bytes of the word at `mem_addr` that the instruction writes, a bit each.
    pub mem_wmask: Sig,
    /// The bytes that the instruction reads, each in its lane of the word; the other lanes are 0.
    pub mem_rdata: Sig,
    /// The bytes that the instruction writes, each in its lane of the word; the other lanes are 0.
    pub mem_wdata: Sig,
    /// `mcause` of the trap; 0 if the instruction did not trap.
    pub cause: Sig,
}

impl Rvfi {
    /// Its shape.
    pub fn shape() -> Rvfi {
        Rvfi {
            valid: bits(1),
            order: bits(64),
            insn: bits(32),
            trap: bits(1),
            intr: bits(1),
            mode: bits(2),
            rs1_addr: bits(5),
            rs2_addr: bits(5),
            rs1_rdata: bits(32),
            rs2_rdata: bits(32),
            rd_addr: bits(5),
            rd_wdata: bits(32),
            pc_rdata: bits(32),
            pc_wdata: bits(32),
            mem_addr: bits(32),
            mem_rmask: bits(4),
            mem_wmask: bits(4),
            mem_rdata: bits(32),
            mem_wdata: bits(32),
            cause: bits(32),
        }
    }
}
