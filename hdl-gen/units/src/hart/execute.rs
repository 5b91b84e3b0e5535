//! The third stage, X: computes, resolves branches, finds faults and offers the data access.

use hdl::{
    Bundle, Enum, HwEnum, Module, Sig, assert, cat, cover, hardware, lit, set_when, switch, when,
    wire,
};

use super::HartIo;
use super::alu::Alu;
use super::beside::Hooks;
use super::branch_predictor::BranchPredictorIo;
use super::control::{Jump, ResultFrom, SystemOp};
use super::csr_file::CsrFileIo;
use super::divider::Divider;
use super::multiplier::correction;
use super::pmp::PmpCheck;
use super::regions::{DataAccess, data_access};
use super::stages::{ExecuteStage, Flow, MemoryStage};
use crate::data_port::AccessOp;

/// Numbers of exceptions: `mcause`.
pub mod exception {
    use border::interrupt::Exception;

    pub const FETCH_MISALIGNED: u64 = Exception::MisalignedFetch.mcause() as u64;
    pub const FETCH_FAULT: u64 = Exception::FetchAccess.mcause() as u64;
    pub const ILLEGAL: u64 = Exception::IllegalInstruction.mcause() as u64;
    pub const BREAKPOINT: u64 = Exception::Breakpoint.mcause() as u64;
    pub const LOAD_MISALIGNED: u64 = Exception::MisalignedLoad.mcause() as u64;
    pub const LOAD_FAULT: u64 = Exception::LoadAccess.mcause() as u64;
    pub const STORE_MISALIGNED: u64 = Exception::MisalignedStore.mcause() as u64;
    pub const STORE_FAULT: u64 = Exception::StoreAccess.mcause() as u64;
    pub const ECALL_FROM_U: u64 = Exception::EcallFromUser.mcause() as u64;
    pub const ECALL_FROM_M: u64 = Exception::EcallFromMachine.mcause() as u64;
}

/// The size of a data access: the low bits of `funct3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum Size {
    /// One byte.
    Byte,
    /// Two.
    Half,
    /// Four.
    Word,
    /// None.
    Reserved,
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
    let control = x.control;
    let funct3 = x.insn.bits(12..15);

    // Values.
    let alu = Alu.instance();
    alu.op.set_from(control.alu);
    alu.a.set(x.rs1);
    alu.b.set(control.alu_immediate.mux(x.immediate, x.rs2));
    let base = control.relative.mux(x.pc, x.rs1);
    let base_plus_immediate = base + x.immediate;
    /// JALR drops the lowest bit.
    let drops_bit = control.jump.is(Jump::Register);
    let address = cat([base_plus_immediate.bits(1..), base_plus_immediate.bit(0) & !drops_bit]);
    let sequential_pc = cat([x.pc.bits(2..) + 1, lit(2, 0)]);

    // Branches.
    let comparison = funct3.bit(2).mux(alu.less, alu.equal) ^ funct3.bit(0);
    let always = control.jump.is(Jump::Always) | control.jump.is(Jump::Register);
    let taken = always | (control.jump.is(Jump::Branch) & comparison);
    let next_pc = taken.mux(address, sequential_pc);
    let mispredicted = taken.mux(address.ne(x.next_pc), sequential_pc.ne(x.next_pc));

    // The data access.
    let size = Enum::<Size>::from_sig(funct3.trunc(2));
    let lane = address.trunc(2);
    let mask = wire(4);
    let store_data = wire(32);
    let misaligned = wire(1);
    switch(size, |size_is| {
        size_is.case(Size::Byte, || {
            mask.set(lit(4, 1) << lane);
            store_data.set(x.rs2.trunc(8).repeat(4));
            misaligned.set(0);
        });
        size_is.case(Size::Half, || {
            mask.set(lane.bit(1).mux(lit(4, 12), 3));
            store_data.set(x.rs2.trunc(16).repeat(2));
            misaligned.set(lane.bit(0));
        });
        size_is.case([Size::Word, Size::Reserved], || {
            mask.set(15);
            store_data.set(x.rs2);
            misaligned.set(lane.any());
        });
    });
    let is_load = control.access_op.is(AccessOp::Load);
    let is_store = control.access_op.is(AccessOp::Store);
    let reads = is_load | control.access_op.is(AccessOp::LoadReserved);
    let data_protection = PmpCheck.instance();
    data_protection.pmp.drive(&csrs.pmp);
    data_protection.address.set(address);
    data_protection.machine_mode.set(csrs.data_machine_mode);
    data_protection.reads.set(reads);
    data_protection.writes.set(!reads);
    data_protection.executes.set(0);
    let possible = data_access(DataAccess {
        address,
        ram_last: io.ram_last,
        machine_mode: csrs.data_machine_mode,
        byte: size.is(Size::Byte),
        word: size.is(Size::Word),
        atomic: !is_load & !is_store,
    });
    let allowed = possible & data_protection.allowed;

    // Exceptions, the last one that applies first.
    let is_ecall = control.system.is(SystemOp::Ecall);
    let is_ebreak = control.system.is(SystemOp::Ebreak);
    let illegal = control.illegal | (control.system.is(SystemOp::Mret) & !csrs.machine_mode);
    let exception_found = wire(1);
    let cause = wire(5);
    exception_found.set(0);
    cause.set(0);
    let raise = |condition: Sig, number: Sig| {
        when(condition, || {
            exception_found.set(1);
            cause.set(number);
        });
    };
    let load_or_store = |load: u64, store: u64| reads.mux(lit(5, load), store);
    raise(control.access & !allowed, load_or_store(exception::LOAD_FAULT, exception::STORE_FAULT));
    raise(
        control.access & misaligned,
        load_or_store(exception::LOAD_MISALIGNED, exception::STORE_MISALIGNED),
    );
    raise(taken & address.bit(1), lit(5, exception::FETCH_MISALIGNED));
    raise(is_ebreak, lit(5, exception::BREAKPOINT));
    raise(
        is_ecall,
        csrs.machine_mode.mux(lit(5, exception::ECALL_FROM_M), exception::ECALL_FROM_U),
    );
    raise(illegal, lit(5, exception::ILLEGAL));
    raise(x.fault, lit(5, exception::FETCH_FAULT));

    // When it goes on. Faults come late in the cycle and do not count here: an instruction that faults
    // waits for the cache, or divides, as if it did not.
    let interrupted = csrs.interrupt;
    let executed = !exception_found & !interrupted;
    let may_go = x.valid & flow.memory_free & !hooks.stops(io.hold, interrupted);
    let accesses = control.access & executed;
    let divides = control.result.is(ResultFrom::Divider) & !interrupted;
    let divider = Divider.instance();
    let access_taken = !control.access | io.data.request.ready | interrupted;
    let execute_goes = may_go & access_taken & (!divides | divider.done);
    flow.execute_free.set(!x.valid | execute_goes);

    io.data.request.valid.set(may_go & accesses);
    io.data.request.payload.address.set(address);
    io.data.request.payload.op.set_from(control.access_op);
    io.data.request.payload.amo.set_from(control.amo);
    io.data.request.payload.mask.set(mask);
    io.data.request.payload.data.set(store_data);
    if let (Some(pc), Some(machine_mode)) =
        (io.data.request.payload.pc, io.data.request.payload.machine_mode)
    {
        pc.set(x.pc);
        machine_mode.set(csrs.machine_mode);
    }

    divider.start.set(x.valid & divides);
    divider.is_signed.set(!funct3.bit(0));
    divider.remainder.set(funct3.bit(1));
    divider.dividend.set(x.rs1);
    divider.divisor.set(x.rs2);
    divider.leave.set(execute_goes | flow.flush);

    // A wrong guess is put right at once, even while the instruction itself cannot go on. Where it
    // traps in M, what is fetched here is dropped again.
    let redirect = x.valid & mispredicted & !x.redirected;
    flow.redirect.set(redirect);
    flow.redirect_pc.set(cat([next_pc.bits(2..), lit(2, 0)]));
    set_when(redirect, x.redirected, 1);
    predictor.update_valid.set(execute_goes & !interrupted & !x.fault);
    predictor.update_pc.set(x.pc);
    predictor.update_prediction.drive(&x.prediction);
    predictor.update_branches.set(!control.jump.is(Jump::Never));
    predictor.update_always.set(always);
    predictor.update_taken.set(taken);
    predictor.update_target.set(address);

    // What M gets.
    let early_result = wire(32);
    early_result.set(alu.result);
    when(control.result.is(ResultFrom::Address), || early_result.set(address));
    when(control.result.is(ResultFrom::Link), || early_result.set(sequential_pc));
    flow.execute_result.set(early_result);
    let result = wire(32);
    result.set(early_result);
    switch(control.result, |result_is| {
        result_is.case(ResultFrom::Divider, || result.set(divider.result));
        result_is.case(ResultFrom::Product, || result.set(correction(funct3, x.rs1, x.rs2)));
        result_is.case(ResultFrom::Access, || result.set(address));
    });
    // A jump that traps shows its target.
    set_when(exception_found & taken, result, address);

    set_when(flow.memory_ends, m.valid, 0);
    when(execute_goes, || {
        m.valid.set(1);
        m.pc.set(x.pc);
        m.next_pc.set(next_pc);
        m.insn.set(x.insn);
        m.rs1_address.set(x.rs1_address);
        m.rs2_address.set(x.rs2_address);
        m.rs1.set(x.rs1);
        m.rs2.set(x.rs2);
        m.rd.set(x.rd);
        m.result_from.set_from(control.result);
        m.result.set(result);
        m.interrupt.set(interrupted);
        m.exception.set(exception_found);
        m.cause.set(interrupted.mux(csrs.interrupt_cause, cause));
        m.access.set(accesses);
        m.access_op.set_from(control.access_op);
        m.mask.set(mask);
        m.system.set_from(control.system);
        m.alone.set(!executed | !control.system.is(SystemOp::Nothing));
    });

    assert("flush_stops_execute", !(flow.flush & execute_goes), "what M drops does not enter M");
    cover("redirects_early", redirect & !execute_goes, "the right path is fetched during a wait");
    cover(
        "interrupt_stops_division",
        x.valid & interrupted & divider.done,
        "a division is repeated",
    );
    cover("held", x.valid & io.hold & flow.memory_free, "only `hold` keeps an instruction back");
    address
}
