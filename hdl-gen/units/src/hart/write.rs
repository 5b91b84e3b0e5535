//! The fifth stage, W: waits for a data access that did not hit, writes the register, tells RVFI.

use hdl::{Sig, assert, cover, hardware, lit, reg, set_when, when};

use super::HartIo;
use super::beside::Hooks;
use super::csr_file::CsrFileIo;
use super::memory::lanes;
use super::rvfi::Rvfi;
use super::stages::Flow;
use crate::data_port::load_value;

/// The registers of W.
#[derive(Clone, Copy)]
pub(super) struct WriteStage {
    /// What was done; `rd_wdata` is the result before the correction. If the access waits, what it gives is filled
    /// in when it is complete.
    pub done: Rvfi,
    /// What the upper half of an unsigned product exceeds that of a signed one by; 0 else.
    pub correction: Sig,
    /// `minstret` counts the instruction.
    pub counts: Sig,
    /// The low two bits of the address of its access.
    pub lane: Sig,
    /// Its access is a StoreConditional.
    pub conditional: Sig,
    /// Its access is an atomic operation.
    pub amo: Sig,
    /// It has just come, and went on as if its access had hit: if the access waits, what is behind it is dropped.
    pub hoped: Sig,
}

#[hardware]
impl WriteStage {
    /// The registers.
    pub(super) fn registers() -> WriteStage {
        let w = reg(Rvfi::shape());
        w.valid.reset(0);
        let w_correction = reg(32);
        let w_counts = reg(1).reset(0);
        let w_lane = reg(2);
        let w_conditional = reg(1);
        let w_amo = reg(1);
        let w_hoped = reg(1).reset(0);
        WriteStage {
            done: w,
            correction: w_correction,
            counts: w_counts,
            lane: w_lane,
            conditional: w_conditional,
            amo: w_amo,
            hoped: w_hoped,
        }
    }
}

/// Completes the instruction in W. Returns its RVFI record.
#[hardware]
pub(super) fn write(
    io: &HartIo,
    csrs: &CsrFileIo,
    w: &WriteStage,
    flow: &Flow,
    hooks: &Hooks,
) -> Rvfi {
    let done = w.done;
    let data = &io.data;
    flow.late.set(data.late);
    flow.late_ends.set(data.late_valid);
    flow.write_valid.set(done.valid);
    let retires = done.valid & !flow.late;
    csrs.retire.set(retires & w.counts);

    // What the access that waited gives.
    let late_word = load_value(data.late_data, w.lane, done.insn.bits(12..15));
    when(flow.late & flow.late_ends, || {
        done.rd_wdata.set(w.conditional.mux(data.late_failed.zext(32), late_word));
        done.mem_rdata.set(data.late_data & lanes(done.mem_rmask));
        done.mem_wmask.set(done.mem_wmask & (!data.late_failed).repeat(4));
        set_when(w.amo, done.mem_wdata, data.late_written);
        set_when(data.late_failed, done.mem_wdata, 0);
    });
    if let Some(void) = hooks.void {
        set_when(flow.late & flow.late_ends & void.valid, done.valid, 0);
    }

    let writes = retires & done.rd_addr.any();
    flow.write_rd.set(done.rd_addr & done.valid.repeat(5));
    flow.write_result.set(done.rd_wdata - w.correction);
    if let Some(void) = hooks.void {
        when(void.restore, || {
            flow.write_rd.set(void.register);
            flow.write_result.set(void.value);
        });
    }
    let voids = hooks.void.map_or(lit(1, 0), |void| void.valid);
    /// A unit voided the instruction whose access waits.
    let voided = reg(1).reset(0);
    voided.set(flow.late & (voids | voided));
    assert("late_is_in_write", !flow.late | done.valid | voids | voided, "what waits is in W");
    cover("retires_late", flow.late & flow.late_ends & done.valid, "an access waits in W");
    let result = flow.write_result & writes.repeat(32);
    Rvfi { valid: retires, rd_wdata: result, ..done }
}
