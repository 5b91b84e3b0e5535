//! The first stage, F: the pc, what comes after it, and whether it may be fetched.

use hdl::{Bundle, Module, Sig, assert, cat, cover, hardware, lit, reg, set_when, when};

use super::branch_predictor::{BranchPredictor, BranchPredictorIo};
use super::csr_file::CsrFileIo;
use super::pmp::PmpCheck;
use super::regions::in_ram;
use super::stages::{DecodeStage, Flow};
use super::{Hart, HartIo};

/// Looks up the pc in the cache and in the branch predictor; gives the pc and the predictor, which X
/// teaches.
#[hardware]
pub fn fetch(
    hart: &Hart,
    io: &HartIo,
    csrs: &CsrFileIo,
    d: &DecodeStage,
    flow: &Flow,
) -> (Sig, BranchPredictorIo) {
    /// The address of the next instruction to fetch.
    let pc = reg(32).reset(hart.reset_vector);
    assert("pc_is_aligned", pc.trunc(2).none(), "a jump to a misaligned address traps instead");

    let predictor = BranchPredictor { entries: hart.predictor_entries }.instance();
    predictor.pc.set(pc);
    let sequential_pc = cat([pc.bits(2..) + 1, lit(2, 0)]);
    let predicted_pc = predictor.taken.mux(predictor.target, sequential_pc);

    let fetch_protection = PmpCheck.instance();
    fetch_protection.pmp.drive(&csrs.pmp);
    fetch_protection.address.set(pc);
    fetch_protection.machine_mode.set(csrs.machine_mode);
    fetch_protection.reads.set(0);
    fetch_protection.writes.set(0);
    fetch_protection.executes.set(1);
    let may_fetch = in_ram(pc, io.ram_last) & fetch_protection.allowed;

    io.fetch.lookup_valid.set(flow.decode_takes);
    io.fetch.lookup_address.set(pc);

    when(flow.decode_takes, || {
        pc.set(predicted_pc);
        d.pc.set(pc);
        d.next_pc.set(predicted_pc);
        d.prediction.drive(&predictor.prediction);
        d.fault.set(!may_fetch);
    });
    set_when(flow.decode_takes, d.valid, 1);
    when(flow.redirect, || {
        pc.set(flow.redirect_pc);
        d.valid.set(0);
    });
    when(flow.flush, || {
        pc.set(flow.flush_pc);
        d.valid.set(0);
    });
    cover("predicts_taken", flow.decode_takes & predictor.taken, "a branch costs no bubble");
    cover("fetch_fault", flow.decode_takes & !may_fetch, "an address that may not be fetched");
    (pc, *predictor)
}
