//! The third stage, X: computes, resolves branches, finds faults and offers the data access.

use hdl::{
    Bundle, Inst, Module, Sig, assert, cat, cover, hardware, lit, set_when, switch, when, wire,
};

use super::HartIo;
use super::access_check::{Access, Raised, check_access, find_exception};
use super::alu::{Alu, AluIo};
use super::beside::Hooks;
use super::branch_predictor::BranchPredictorIo;
use super::control::{Jump, ResultFrom, SystemOp};
use super::csr_file::CsrFileIo;
use super::divider::{Divider, DividerIo};
use super::multiplier::correction;
use super::stages::{ExecuteStage, Flow, MemoryStage};

/// What the instruction computes, whether or not it is valid.
struct Computed {
    /// The field of the instruction that selects the size, the comparison or the operation.
    funct3: Sig,
    alu: Inst<AluIo>,
    /// The address of its access, or of a jump that is relative to a register.
    address: Sig,
    /// The pc after it.
    sequential_pc: Sig,
}

/// Where the program goes on.
#[derive(Clone, Copy)]
struct Branch {
    /// A jump, not a branch.
    always: Sig,
    /// A jump, or a branch whose condition holds.
    taken: Sig,
    /// Where it goes if it is taken.
    target: Sig,
    /// The pc of the next instruction.
    next_pc: Sig,
    /// `target` should have been fetched next, and was not.
    missed_target: Sig,
    /// The pc after this one in memory should have been, and was not.
    missed_sequential: Sig,
}

/// Whether the instruction goes on to M.
struct Progress {
    divider: Inst<DividerIo>,
    /// An interrupt is taken in place of the instruction.
    interrupted: Sig,
    /// The instruction is executed: no exception, no interrupt.
    executed: Sig,
    /// The instruction may go on once its access is taken and its division is done.
    may_go: Sig,
    /// It makes a data access.
    accesses: Sig,
    /// It divides.
    divides: Sig,
    /// It enters M at the end of this cycle.
    execute_goes: Sig,
}

/// An instruction enters M when M can take it, `hold` is 0, no unit holds or voids it, the cache took
/// its access and its division is done. If an interrupt is to be taken, it enters at once, marked, and
/// is not executed. Returns the address of its access or jump.
#[hardware]
pub fn execute(
    io: &HartIo,
    csrs: &CsrFileIo,
    predictor: &BranchPredictorIo,
    x: &ExecuteStage,
    m: &MemoryStage,
    flow: &Flow,
    hooks: &Hooks,
) -> Sig {
    let computed = compute(x);
    let address = computed.address;
    let branch = resolve_branch(x, &computed);
    let target = branch.target;
    let access = check_access(io, csrs, x, computed.funct3, address);
    let raised = find_exception(csrs, x, &access, branch.taken, target);
    let progress = advance(io, csrs, x, m, flow, hooks, raised.exception_found);
    offer_access(io, csrs, x, &access, &progress, address);
    drive_divider(x, flow, computed.funct3, &progress);
    let redirect = steer_fetch(predictor, x, flow, branch, &computed, &progress);
    let result = choose_result(x, flow, &computed, &progress);
    // A jump that traps shows its target.
    set_when(branch.taken & target.bit(1), result, target);
    enter_memory(csrs, x, m, flow, &Leaving { branch, access, raised, result }, &progress);

    let Progress { ref divider, interrupted, execute_goes, .. } = progress;
    assert("flush_stops_execute", !(flow.flush & execute_goes), "what M drops does not enter M");
    cover("redirects_early", redirect & !execute_goes, "the right path is fetched during a wait");
    cover(
        "interrupt_stops_division",
        x.valid & interrupted & divider.done,
        "a division is repeated",
    );
    cover("held", x.valid & io.hold & flow.memory_free, "only `hold` keeps an instruction back");
    x.control.relative.mux(x.target, address)
}

/// Computes the result of the ALU and the address.
#[hardware]
fn compute(x: &ExecuteStage) -> Computed {
    let control = x.control;
    let funct3 = x.insn.bits(12..15);
    let alu = Alu.instance();
    alu.op.set_from(control.alu);
    alu.a.set(x.rs1);
    alu.b.set(control.alu_immediate.mux(x.immediate, x.rs2));
    let indexed = x.rs1 + x.immediate;
    /// JALR clears the lowest bit of its target.
    let drops_bit = control.jump.is(Jump::Register);
    let address = cat([indexed.bits(1..), indexed.bit(0) & !drops_bit]);
    let sequential_pc = cat([x.pc.bits(2..) + 1, lit(2, 0)]);
    Computed { funct3, alu, address, sequential_pc }
}

/// Resolves a jump or branch.
#[hardware]
fn resolve_branch(x: &ExecuteStage, computed: &Computed) -> Branch {
    let control = x.control;
    let Computed { funct3, address, sequential_pc, .. } = *computed;
    // A comparator of its own: the ALU's waits for the choice of its operand.
    let signed = !funct3.bit(1);
    let extended = |word: Sig| cat([word.bit(31) & signed, word]);
    let less = extended(x.rs1).lt_signed(extended(x.rs2));
    let comparison = funct3.bit(2).mux(less, x.rs1.eq(x.rs2)) ^ funct3.bit(0);
    let register = control.jump.is(Jump::Register);
    let always = control.jump.is(Jump::Always) | register;
    let taken = always | (control.jump.is(Jump::Branch) & comparison);
    let target = register.mux(address, x.target);
    let next_pc = taken.mux(target, sequential_pc);
    let wrong_register = register & !jumps_to(x.rs1, x.immediate, x.next_pc);
    let missed_target = taken & !register & !x.predicts_target | wrong_register;
    let missed_sequential = !taken & !x.sequential;
    Branch { always, taken, target, next_pc, missed_target, missed_sequential }
}

/// Whether a JALR to the sum of these goes to this pc, without adding: each bit of the pc tells what was
/// carried into the next if the sum is right. The lowest bit of the sum does not count.
#[hardware]
fn jumps_to(base: Sig, offset: Sig, pc: Sig) -> Sig {
    let wants_carry = base ^ offset ^ pc;
    let carries = base & offset | (base | offset) & !pc;
    let carries_from_lowest = base.bit(0) & offset.bit(0);
    let carried = cat([carries.bits(1..carries.width() - 1), carries_from_lowest]);
    wants_carry.bits(1..).eq(carried)
}

/// Decides whether the instruction goes on. Exceptions are known late in the cycle and do not count
/// here: an instruction that faults waits for the cache, or divides, as if it did not.
#[hardware]
fn advance(
    io: &HartIo,
    csrs: &CsrFileIo,
    x: &ExecuteStage,
    m: &MemoryStage,
    flow: &Flow,
    hooks: &Hooks,
    exception_found: Sig,
) -> Progress {
    let control = x.control;
    let interrupted = csrs.interrupt;
    let executed = !exception_found & !interrupted;
    // What reads or changes the state of the hart comes after all that is older has retired.
    let is_system = !control.system.is(SystemOp::Nothing) & !interrupted;
    let comes_early = is_system & (m.valid | flow.write_valid);
    let may_go = x.valid & flow.memory_free & !comes_early & !hooks.stops(io.hold, interrupted);
    // Whether it may make the access is known late: one that may not is cancelled from M.
    let accesses = control.access & !interrupted;
    let divides = control.result.is(ResultFrom::Divider) & !interrupted;
    let divider = Divider.instance();
    let access_taken = !control.access | io.data.request.ready | interrupted;
    let execute_goes = may_go & access_taken & (!divides | divider.done);
    flow.execute_free.set(!x.valid | execute_goes);
    Progress { divider, interrupted, executed, may_go, accesses, divides, execute_goes }
}

/// Offers the data access to the cache.
#[hardware]
fn offer_access(
    io: &HartIo,
    csrs: &CsrFileIo,
    x: &ExecuteStage,
    access: &Access,
    progress: &Progress,
    address: Sig,
) {
    let funct3 = x.insn.bits(12..15);
    let control = x.control;
    io.data.request.valid.set(progress.may_go & progress.accesses);
    io.data.request.payload.address.set(address);
    io.data.request.payload.op.set_from(control.access_op);
    io.data.request.payload.amo.set_from(control.amo);
    io.data.request.payload.mask.set(access.mask);
    io.data.request.payload.load.set(funct3);
    io.data.request.payload.data.set(access.store_data);
    if let (Some(pc), Some(machine_mode)) =
        (io.data.request.payload.pc, io.data.request.payload.machine_mode)
    {
        pc.set(x.pc);
        machine_mode.set(csrs.machine_mode);
    }
}

/// Starts the divider, and lets it go when the instruction leaves.
#[hardware]
fn drive_divider(x: &ExecuteStage, flow: &Flow, funct3: Sig, progress: &Progress) {
    let Progress { ref divider, divides, execute_goes, .. } = *progress;
    divider.start.set(x.valid & divides);
    divider.is_signed.set(!funct3.bit(0));
    divider.remainder.set(funct3.bit(1));
    divider.dividend.set(x.rs1);
    divider.divisor.set(x.rs2);
    divider.leave.set(execute_goes | flow.flush);
}

/// Corrects a misprediction at once, even while the instruction itself cannot go on, and trains the
/// predictor. If the instruction traps in M, what is fetched from here is dropped again. Returns
/// whether fetch is redirected in this cycle.
#[hardware]
fn steer_fetch(
    predictor: &BranchPredictorIo,
    x: &ExecuteStage,
    flow: &Flow,
    branch: Branch,
    computed: &Computed,
    progress: &Progress,
) -> Sig {
    let control = x.control;
    let Branch { always, taken, target, missed_target, missed_sequential, .. } = branch;
    let Progress { interrupted, execute_goes, .. } = *progress;
    // Which pc it is to be is known last, so that it only lets one of two through.
    let steers = x.valid & !x.redirected & !flow.flush;
    let to_target = steers & missed_target;
    let to_sequential = steers & missed_sequential;
    let redirect = to_target | to_sequential;
    flow.redirect.set(redirect);
    let redirect_pc =
        target & to_target.repeat(32) | computed.sequential_pc & to_sequential.repeat(32);
    flow.redirect_pc.set(cat([redirect_pc.bits(2..), lit(2, 0)]));
    set_when(redirect, x.redirected, 1);
    predictor.update_valid.set(execute_goes & !interrupted & !x.fault);
    predictor.update_pc.set(x.pc);
    predictor.update_prediction.drive(&x.prediction);
    predictor.update_branches.set(!control.jump.is(Jump::Never));
    predictor.update_always.set(always);
    predictor.update_taken.set(taken);
    predictor.update_target.set(target);
    redirect
}

/// Chooses the result that M gets, and the part of it that is forwarded.
#[hardware]
fn choose_result(x: &ExecuteStage, flow: &Flow, computed: &Computed, progress: &Progress) -> Sig {
    let control = x.control;
    let Computed { funct3, ref alu, address, sequential_pc } = *computed;
    let divider = &progress.divider;
    let early_result = wire(32);
    early_result.set(alu.result);
    when(control.result.is(ResultFrom::Address), || early_result.set(x.target));
    when(control.result.is(ResultFrom::Link), || early_result.set(sequential_pc));
    flow.execute_result.set(early_result);
    let result = wire(32);
    result.set(early_result);
    switch(control.result, |result_is| {
        result_is.case(ResultFrom::Divider, || result.set(divider.result));
        result_is.case(ResultFrom::Product, || result.set(correction(funct3, x.rs1, x.rs2)));
        result_is.case(ResultFrom::Access, || result.set(address));
    });
    result
}

/// What the instruction takes to M.
struct Leaving {
    branch: Branch,
    access: Access,
    raised: Raised,
    result: Sig,
}

/// Fills the registers of M.
#[hardware]
fn enter_memory(
    csrs: &CsrFileIo,
    x: &ExecuteStage,
    m: &MemoryStage,
    flow: &Flow,
    leaving: &Leaving,
    progress: &Progress,
) {
    let control = x.control;
    let Raised { exception_found, cause } = leaving.raised;
    let Progress { interrupted, executed, accesses, execute_goes, .. } = *progress;
    set_when(flow.memory_ends, m.valid, 0);
    set_when(execute_goes, m.valid, 1);
    when(flow.memory_free, || {
        m.pc.set(x.pc);
        m.next_pc.set(leaving.branch.next_pc);
        m.insn.set(x.insn);
        m.rs1_address.set(x.rs1_address);
        m.rs2_address.set(x.rs2_address);
        m.rs1.set(x.rs1);
        m.rs2.set(x.rs2);
        m.rd.set(x.rd);
        m.result_from.set_from(control.result);
        m.result.set(leaving.result);
        m.interrupt.set(interrupted);
        m.exception.set(exception_found);
        m.cause.set(interrupted.mux(csrs.interrupt_cause, cause));
        m.access.set(accesses);
        m.waits.set(leaving.access.atomic | leaving.access.device);
        m.access_op.set_from(control.access_op);
        m.mask.set(leaving.access.mask);
        m.system.set_from(control.system);
        m.alone.set(!executed | !control.system.is(SystemOp::Nothing));
    });
}
