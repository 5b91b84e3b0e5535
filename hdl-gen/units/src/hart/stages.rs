//! The pipeline registers, and the signals between stages within a cycle.
//!
//! Everything an instruction carries is in these registers; what outlives it is in the register file,
//! the CSR file and the pc of [`super::fetch`].

use hdl::{Bundle, Enum, HwEnum, Sig, bits};

use super::branch_predictor::Prediction;
use super::control::{Control, ResultFrom, SystemOp};
use crate::data_port::AccessOp;

/// The second stage, D: decodes, and gathers the operands.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct DecodeStage {
    /// There is an instruction.
    pub valid: Sig,
    /// Its pc.
    pub pc: Sig,
    /// The pc that was fetched after it.
    pub next_pc: Sig,
    /// That is the pc after it in memory, as far as is known: it was not predicted to jump.
    pub sequential: Sig,
    /// What the branch predictor knew of it.
    pub prediction: Prediction,
    /// The fetch is an access fault; `insn` is then meaningless.
    pub fault: Sig,
    /// The instruction word.
    pub insn: Sig,
}

impl DecodeStage {
    /// Its shape.
    pub fn shape() -> DecodeStage {
        DecodeStage {
            valid: bits(1),
            pc: bits(32),
            next_pc: bits(32),
            sequential: bits(1),
            prediction: Prediction::shape(),
            fault: bits(1),
            insn: bits(32),
        }
    }
}

/// The third stage, X: computes, resolves branches, checks and offers the data access.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct ExecuteStage {
    /// There is an instruction.
    pub valid: Sig,
    /// Its pc.
    pub pc: Sig,
    /// The pc that was fetched after it.
    pub next_pc: Sig,
    /// That is the pc after it in memory.
    pub sequential: Sig,
    /// That is `target`.
    pub predicts_target: Sig,
    /// What the branch predictor knew of it.
    pub prediction: Prediction,
    /// Its fetch was an access fault.
    pub fault: Sig,
    /// D has already redirected the fetch after it.
    pub redirected: Sig,
    /// The instruction word.
    pub insn: Sig,
    /// What it does.
    pub control: Control,
    /// Its immediate.
    pub immediate: Sig,
    /// Its pc and its immediate: where a jump goes that is relative to the pc, or what AUIPC gives.
    pub target: Sig,
    /// The first register it reads; 0 if none.
    pub rs1_address: Sig,
    /// The second one.
    pub rs2_address: Sig,
    /// The value of the first.
    pub rs1: Sig,
    /// The value of the second.
    pub rs2: Sig,
    /// The register it writes; 0 if none.
    pub rd: Sig,
}

impl ExecuteStage {
    /// Its shape.
    pub fn shape() -> ExecuteStage {
        ExecuteStage {
            valid: bits(1),
            pc: bits(32),
            next_pc: bits(32),
            sequential: bits(1),
            predicts_target: bits(1),
            prediction: Prediction::shape(),
            fault: bits(1),
            redirected: bits(1),
            insn: bits(32),
            control: Control::shape(),
            immediate: bits(32),
            target: bits(32),
            rs1_address: bits(5),
            rs2_address: bits(5),
            rs1: bits(32),
            rs2: bits(32),
            rd: bits(5),
        }
    }
}

/// The fourth stage, M: a data access that hits ends; CSRs, traps and everything that empties the pipeline.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct MemoryStage {
    /// There is an instruction.
    pub valid: Sig,
    /// Its pc.
    pub pc: Sig,
    /// The pc of the instruction after it.
    pub next_pc: Sig,
    /// The instruction word.
    pub insn: Sig,
    /// The first register it reads; 0 if none.
    pub rs1_address: Sig,
    /// The second one.
    pub rs2_address: Sig,
    /// The value of the first.
    pub rs1: Sig,
    /// The value of the second.
    pub rs2: Sig,
    /// The register it writes; 0 if none.
    pub rd: Sig,
    /// Where the result comes from.
    pub result_from: Enum<ResultFrom>,
    /// The result, where the third stage knows it; else the address, or a product's correction.
    pub result: Sig,
    /// It is not executed: an interrupt is taken in its place, `cause`.
    pub interrupt: Sig,
    /// It is not executed: it traps, `cause`.
    pub exception: Sig,
    /// The number of the interrupt or exception.
    pub cause: Sig,
    /// Its data access has been taken by the cache. If there is an `exception`, it is cancelled.
    pub access: Sig,
    /// An access like this always waits: it is none of those that end in this stage if they hit.
    pub waits: Sig,
    /// The operation of that access; valid with `access`.
    pub access_op: Enum<AccessOp>,
    /// The bytes of the aligned word that it accesses, a bit each; valid with `access`.
    pub mask: Sig,
    /// What it does beyond registers and memory.
    pub system: Enum<SystemOp>,
    /// Nothing may follow it before it has left: it may empty the pipeline.
    pub alone: Sig,
}

impl MemoryStage {
    /// Its shape.
    pub fn shape() -> MemoryStage {
        MemoryStage {
            valid: bits(1),
            pc: bits(32),
            next_pc: bits(32),
            insn: bits(32),
            rs1_address: bits(5),
            rs2_address: bits(5),
            rs1: bits(32),
            rs2: bits(32),
            rd: bits(5),
            result_from: ResultFrom::shape(),
            result: bits(32),
            interrupt: bits(1),
            exception: bits(1),
            cause: bits(5),
            access: bits(1),
            waits: bits(1),
            access_op: AccessOp::shape(),
            mask: bits(4),
            system: SystemOp::shape(),
            alone: bits(1),
        }
    }
}

/// Signals between stages, valid in the cycle in which they are driven.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Flow {
    /// D is empty, or its instruction goes on.
    pub decode_free: Sig,
    /// X is empty, or its instruction goes on.
    pub execute_free: Sig,
    /// M is empty, or its instruction leaves and something may follow it.
    pub memory_free: Sig,
    /// The instruction in M leaves.
    pub memory_ends: Sig,
    /// X found that the wrong pc was fetched: everything before X is dropped. Never with `flush`.
    pub redirect: Sig,
    /// The pc to fetch instead; 0 without `redirect`.
    pub redirect_pc: Sig,
    /// M empties the pipeline: everything before M is dropped.
    pub flush: Sig,
    /// The pc to fetch next; valid with `flush`.
    pub flush_pc: Sig,
    /// The result of the instruction in X, if it is known there.
    pub execute_result: Sig,
    /// The result of the instruction in M is known.
    pub memory_known: Sig,
    /// The register that W writes; 0 if none.
    pub write_rd: Sig,
    /// The value written; valid if `write_rd` is not 0 and W is not `late`.
    pub write_result: Sig,
    /// The access of the instruction in W waits: the instruction is not complete.
    pub late: Sig,
    /// It is complete in the next cycle.
    pub late_ends: Sig,
    /// There is an instruction in W.
    pub write_valid: Sig,
}

impl Flow {
    /// Its shape.
    pub fn shape() -> Flow {
        Flow {
            decode_free: bits(1),
            execute_free: bits(1),
            memory_free: bits(1),
            memory_ends: bits(1),
            redirect: bits(1),
            redirect_pc: bits(32),
            flush: bits(1),
            flush_pc: bits(32),
            execute_result: bits(32),
            memory_known: bits(1),
            write_rd: bits(5),
            write_result: bits(32),
            late: bits(1),
            late_ends: bits(1),
            write_valid: bits(1),
        }
    }
}
