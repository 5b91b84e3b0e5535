//! What a hart says of each instruction that retires or traps: the RISC-V formal interface.

use hdl::{Bundle, Sig, bits};

/// One instruction, in the cycle after it retired or trapped (docs/machine.md §5). What an instruction
/// does not have is zero: registers it does not read or write, memory it does not touch. An
/// instruction that traps writes no register and touches no memory; one that could not be fetched, or
/// is illegal, reads no register either; one that could not be fetched has the word 0.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Rvfi {
    /// There is an instruction in this cycle.
    pub valid: Sig,
    /// Its number, from 0.
    pub order: Sig,
    /// The instruction word.
    pub insn: Sig,
    /// It trapped.
    pub trap: Sig,
    /// It is the first one of a trap handler.
    pub intr: Sig,
    /// The mode it was executed in: 3 is M, 0 is U.
    pub mode: Sig,
    /// The first register it reads.
    pub rs1_addr: Sig,
    /// The second one.
    pub rs2_addr: Sig,
    /// What was in the first.
    pub rs1_rdata: Sig,
    /// What was in the second.
    pub rs2_rdata: Sig,
    /// The register it writes.
    pub rd_addr: Sig,
    /// With what.
    pub rd_wdata: Sig,
    /// Its pc.
    pub pc_rdata: Sig,
    /// The pc of the next instruction, unless an interrupt comes between; of one that traps, the handler's.
    pub pc_wdata: Sig,
    /// The address of the word it accesses, low bits zero.
    pub mem_addr: Sig,
    /// Bytes of the word it reads.
    pub mem_rmask: Sig,
    /// Bytes of the word it writes.
    pub mem_wmask: Sig,
    /// What it reads, in its lanes.
    pub mem_rdata: Sig,
    /// What it writes, in its lanes.
    pub mem_wdata: Sig,
    /// `mcause` of a trap; 0 else.
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
