//! The first stage, F: the pc, what comes after it, and whether it may be fetched.
//!
//! Whether the cache has a word is known late. The pc goes on as if it had; if it had not, D gets no instruction, and
//! the pc goes back a cycle later, from a register.

use hdl::{Bundle, Module, Sig, assert, cat, cover, hardware, lit, reg, set_when, when};

use super::branch_predictor::{BranchPredictor, BranchPredictorIo};
use super::csr_file::CsrFileIo;
use super::pmp::PmpCheck;
use super::regions::in_ram;
use super::stages::{DecodeStage, Flow};
use super::{Hart, HartIo};

/// What the rest of the hart sees of F.
pub struct Fetched {
    /// The branch predictor, which X teaches.
    pub predictor: BranchPredictorIo,
    /// The pc of the oldest instruction in F and D.
    pub pc: Sig,
    /// The next instruction is not there.
    pub missing: Sig,
}

/// Takes the word at the pc from the cache and tells it where to go on.
#[hardware]
pub fn fetch(hart: &Hart, io: &HartIo, csrs: &CsrFileIo, d: &DecodeStage, flow: &Flow) -> Fetched {
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

    // That a word may not be fetched is known late as well: D gets an instruction that says so, and the cache hears of it a
    // cycle later.
    /// Fetching from the pc of the cycle before is not permitted.
    let barred = reg(1).reset(0);
    /// The word at the pc of the cycle before was taken, and was not in the cache.
    let missed = reg(1).reset(0);
    let back = missed & !barred;
    let turns = flow.flush | flow.redirect;
    let turn_pc = flow.flush_pc & flow.flush.repeat(32) | flow.redirect_pc;
    let ahead_pc = back.mux(d.pc, predicted_pc);
    let next_pc = turn_pc | ahead_pc & (!turns).repeat(32);
    io.fetch.address.set(pc);
    io.fetch.next_address.set(ahead_pc);
    io.fetch.take.set(flow.decode_free);
    io.fetch.back.set(back);
    io.fetch.jump.set(turns);
    io.fetch.jump_address.set(turn_pc);
    io.fetch.barred.set(barred);
    barred.set(!may_fetch);

    let goes_on = flow.decode_free & io.fetch.shown;
    let takes = goes_on & !back;
    set_when(turns | back | goes_on, pc, next_pc);
    missed.set(takes & !turns & !io.fetch.hit);
    let ends = io.fetch.hit | io.fetch.shown & !may_fetch;
    // What comes with it is taken whether or not the word is there.
    when(flow.decode_free, || {
        d.valid.set(!back & ends);
        d.pc.set(pc);
        d.next_pc.set(predicted_pc);
        d.sequential.set(!predictor.taken);
        d.prediction.drive(&predictor.prediction);
        d.fault.set(!may_fetch);
        d.insn.set(io.fetch.word);
    });
    set_when(turns, d.valid, 0);
    assert("goes_back_alone", !back | !d.valid, "what was missing is not in D");
    cover("predicts_taken", takes & ends & predictor.taken, "a branch costs no bubble");
    cover("fetch_fault", takes & !may_fetch, "an address that may not be fetched");
    cover("goes_back", back & !turns, "a word that was missing is fetched again");
    cover("barred_miss", missed & barred, "a word that is missing may not be fetched");
    let oldest = (d.valid | back).mux(d.pc, pc);
    Fetched { predictor: *predictor, pc: oldest, missing: back | !ends }
}
