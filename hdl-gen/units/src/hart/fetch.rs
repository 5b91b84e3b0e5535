//! The first stage, F: the pc, what comes after it, and whether it may be fetched.

use hdl::{Bundle, Module, Sig, assert, cat, cover, hardware, lit, reg, set_when, when};

use super::branch_predictor::{BranchPredictor, BranchPredictorIo};
use super::csr_file::CsrFileIo;
use super::pmp::PmpCheck;
use super::regions::in_ram;
use super::stages::{DecodeStage, Flow};
use super::{Hart, HartIo};

/// Takes the word at the pc from the cache and tells it where to go on; gives the pc and the branch
/// predictor, which X teaches.
#[hardware]
pub fn fetch(
    hart: &Hart,
    io: &HartIo,
    csrs: &CsrFileIo,
    d: &DecodeStage,
    flow: &Flow,
) -> (Sig, BranchPredictorIo) {
    /// The pc of the instruction that is fetched.
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

    // That a word may not be fetched is known late: nothing but its mark depends on it in this cycle.
    /// Fetching from the pc of the cycle before is not permitted.
    let barred = reg(1).reset(0);
    /// The pc is the same as in the cycle before.
    let stays = reg(1).reset(0);
    let blocked = barred & stays;
    let word_there = io.fetch.hit | blocked;
    let turns = flow.flush | flow.redirect;
    let turn_pc = flow.flush_pc & flow.flush.repeat(32) | flow.redirect_pc;
    let next_pc = turn_pc | predicted_pc & (!turns).repeat(32);
    io.fetch.address.set(pc);
    io.fetch.next_address.set(predicted_pc);
    io.fetch.take.set(flow.decode_free);
    io.fetch.jump.set(turns);
    io.fetch.jump_address.set(turn_pc);
    io.fetch.blocked.set(blocked);
    io.fetch.barred.set(barred);
    barred.set(!may_fetch);

    let decode_takes = flow.decode_free & word_there;
    set_when(turns | decode_takes, pc, next_pc);
    stays.set(!(turns | decode_takes));
    set_when(flow.decode_free, d.valid, word_there);
    // What comes with it is taken whether or not the word is there.
    when(flow.decode_free, || {
        d.pc.set(pc);
        d.next_pc.set(predicted_pc);
        d.sequential.set(!predictor.taken);
        d.prediction.drive(&predictor.prediction);
        d.fault.set(!may_fetch);
        d.insn.set(io.fetch.word);
    });
    set_when(turns, d.valid, 0);
    cover("predicts_taken", decode_takes & predictor.taken, "a branch costs no bubble");
    cover("fetch_fault", decode_takes & !may_fetch, "an address that may not be fetched");
    (pc, *predictor)
}
