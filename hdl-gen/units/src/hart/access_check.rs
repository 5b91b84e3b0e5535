//! The checks of the third stage, X: alignment and protection of the data access, and which
//! exception the instruction raises.

use hdl::{Bundle, Enum, Module, Sig, hardware, lit, switch, when, wire};

use super::HartIo;
use super::control::SystemOp;
use super::csr_file::CsrFileIo;
use super::pmp::PmpCheck;
use super::regions::{DataAccess, data_access};
use super::stages::ExecuteStage;
use crate::data_port::{AccessOp, Size};

/// Exception codes, as in `mcause`.
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

/// The data access of the instruction; counts only if it makes one.
#[derive(Clone, Copy)]
pub(super) struct Access {
    /// The bytes of the aligned word.
    pub mask: Sig,
    /// The data of a store, in its lanes.
    pub store_data: Sig,
    /// The address is not a multiple of the size.
    pub misaligned: Sig,
    /// A load or an LR.
    pub reads: Sig,
    /// The address map and the PMP allow it.
    pub allowed: Sig,
    /// An LR, SC or AMO.
    pub atomic: Sig,
    /// It is to a device, if it is allowed.
    pub device: Sig,
}

/// The exception of the instruction.
#[derive(Clone, Copy)]
pub(super) struct Raised {
    /// It has one.
    pub exception_found: Sig,
    /// Its code; valid with `exception_found`.
    pub cause: Sig,
}

/// Puts the data access in its lanes, and checks whether it is aligned and allowed.
#[hardware]
pub(super) fn check_access(
    io: &HartIo,
    csrs: &CsrFileIo,
    x: &ExecuteStage,
    funct3: Sig,
    address: Sig,
) -> Access {
    let control = x.control;
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
    let atomic = !is_load & !is_store;
    let device = !address.bit(31);
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
        atomic,
    });
    let allowed = possible & data_protection.allowed;
    Access { mask, store_data, misaligned, reads, allowed, atomic, device }
}

/// Finds the exception of the instruction; of several, the one raised last here counts.
#[hardware]
pub(super) fn find_exception(
    csrs: &CsrFileIo,
    x: &ExecuteStage,
    access: &Access,
    taken: Sig,
    address: Sig,
) -> Raised {
    let control = x.control;
    let Access { reads, allowed, misaligned, .. } = *access;
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
    Raised { exception_found, cause }
}
