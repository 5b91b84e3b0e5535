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
    /// There is an instruction in D.
    pub valid: Sig,
    /// The pc of the instruction in D.
    pub pc: Sig,
    /// The pc that was fetched after the instruction in D.
    pub next_pc: Sig,
    /// The pc fetched after the instruction in D is the next one in memory: it was not predicted to
    /// jump.
    pub sequential: Sig,
    /// What the branch predictor had on the instruction in D.
    pub prediction: Prediction,
    /// The fetch of the instruction in D is an access fault; the instruction word is then
    /// undefined.
    pub fault: Sig,
    /// The instruction word in D.
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
    /// There is an instruction in X.
    pub valid: Sig,
    /// The pc of the instruction in X.
    pub pc: Sig,
    /// The pc that was fetched after the instruction in X.
    pub next_pc: Sig,
    /// The pc fetched after the instruction in X is the next one in memory.
    pub sequential: Sig,
    /// The pc fetched after the instruction in X is `x_target`.
    pub predicts_target: Sig,
    /// What the branch predictor had on the instruction in X.
    pub prediction: Prediction,
    /// The fetch of the instruction in X was an access fault.
    pub fault: Sig,
    /// X has redirected the fetch after its instruction in an earlier cycle.
    pub redirected: Sig,
    /// The instruction word in X.
    pub insn: Sig,
    /// The control signals of the instruction in X.
    pub control: Control,
    /// The immediate of the instruction in X.
    pub immediate: Sig,
    /// The sum of pc and immediate of the instruction in X: the target of a branch or JAL, or the
    /// result of AUIPC.
    pub target: Sig,
    /// The number of the first register that the instruction in X reads; 0 if none.
    pub rs1_address: Sig,
    /// The number of the second register that the instruction in X reads; 0 if none.
    pub rs2_address: Sig,
    /// The value of the first register that the instruction in X reads.
    pub rs1: Sig,
    /// The value of the second register that the instruction in X reads.
    pub rs2: Sig,
    /// The number of the register that the instruction in X writes; 0 if none.
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
    /// There is an instruction in M.
    pub valid: Sig,
    /// The pc of the instruction in M.
    pub pc: Sig,
    /// The pc of the instruction after the one in M.
    pub next_pc: Sig,
    /// The instruction word in M.
    pub insn: Sig,
    /// The number of the first register that the instruction in M reads; 0 if none.
    pub rs1_address: Sig,
    /// The number of the second register that the instruction in M reads; 0 if none.
    pub rs2_address: Sig,
    /// The value of the first register that the instruction in M reads.
    pub rs1: Sig,
    /// The value of the second register that the instruction in M reads.
    pub rs2: Sig,
    /// The number of the register that the instruction in M writes; 0 if none.
    pub rd: Sig,
    /// The source of the result in M: ALU (0), address (1), pc + 4 (2), divider (3), data access
    /// (4), multiplier (5), CSR (6).
    pub result_from: Enum<ResultFrom>,
    /// The result, where X knows it; else the address of the data access, or the correction of a
    /// product.
    pub result: Sig,
    /// The instruction in M is not executed: the interrupt `m_cause` is taken in its place.
    pub interrupt: Sig,
    /// The instruction in M is not executed: it raises the exception `m_cause`.
    pub exception: Sig,
    /// The number of the interrupt or exception.
    pub cause: Sig,
    /// The cache has taken the data access of the instruction in M. With `m_exception` it is
    /// cancelled.
    pub access: Sig,
    /// The access in M is of a kind that always waits in W: LR, SC, AMO or to a device.
    pub waits: Sig,
    /// The operation of the data access in M: load (0), store (1), LR (2), SC (3), AMO (4). Valid
    /// with `m_access`.
    pub access_op: Enum<AccessOp>,
    /// The bytes of the aligned word that are accessed, a bit each; valid with `m_access`.
    pub mask: Sig,
    /// The effect of the instruction in M beyond registers and memory: none (0), CSR access (1),
    /// FENCE.I (2), MRET (3), WFI (4), ECALL (5), EBREAK (6).
    pub system: Enum<SystemOp>,
    /// The instruction in M may empty the pipeline: no other enters M before it has left.
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
    /// D is empty, or its instruction moves on in this cycle.
    pub decode_free: Sig,
    /// X is empty, or its instruction moves on in this cycle.
    pub execute_free: Sig,
    /// M can take an instruction at the end of this cycle.
    pub memory_free: Sig,
    /// The instruction in M leaves it in this cycle.
    pub memory_ends: Sig,
    /// X found that the wrong pc was fetched: the instructions in F and D are dropped. Never with
    /// `flow_flush`.
    pub redirect: Sig,
    /// The pc to fetch instead; 0 without `flow_redirect`.
    pub redirect_pc: Sig,
    /// M empties the pipeline: the instructions in F, D and X are dropped.
    pub flush: Sig,
    /// The pc to fetch next; valid with `flow_flush`.
    pub flush_pc: Sig,
    /// The result of the instruction in X, if it is known there.
    pub execute_result: Sig,
    /// The result of the instruction in M is known in this cycle.
    pub memory_known: Sig,
    /// The number of the register that W writes; 0 if none.
    pub write_rd: Sig,
    /// The value that W writes; valid if `flow_write_rd` is not 0 and `flow_late` is 0.
    pub write_result: Sig,
    /// The access of the instruction in W waits: the instruction is not complete.
    pub late: Sig,
    /// The waiting access in W completes in this cycle; the instruction leaves W in the next.
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
