//! Hart and instruction cache as one module.

use hdl::{Bundle, Enum, HwEnum, Module, Sig, Stream, hardware, input, output, ports};
use units::data_port::{DataPort, DataRequest};
use units::hart::rvfi::Rvfi;
use units::hart::{Hart, HartIo, WaitReason};
use units::l1_instruction::{FetchPort, L1Instruction, L1InstructionIo};

use super::machine::{LINE, RAM};

/// Hart and instruction cache as one module.
#[derive(Clone, Debug, PartialEq)]
pub struct Core;

#[derive(Clone, Debug, Bundle)]
pub struct CoreIo {
    pub ram_last: Sig,
    pub mtime: Sig,
    pub irq_software: Sig,
    pub irq_timer: Sig,
    pub irq_table: Sig,
    pub hold: Sig,
    pub data: DataPort,
    pub fill_request: Stream<Sig>,
    pub fill_response_valid: Sig,
    pub fill_response_data: Sig,
    pub rvfi: Rvfi,
    pub wait_pc: Sig,
    pub wait_reason: Enum<WaitReason>,
}

/// A hart with its instruction cache.
#[hardware]
impl Module for Core {
    type Io = CoreIo;

    fn name(&self) -> String {
        "core".into()
    }

    fn build(&self) -> CoreIo {
        let io = ports(CoreIo {
            ram_last: input(32),
            mtime: input(64),
            irq_software: input(1),
            irq_timer: input(1),
            irq_table: input(1),
            hold: input(1),
            data: DataPort {
                request: Stream::output(DataRequest::shape()),
                withdraw: output(1),
                withdrawable: input(1),
                response_valid: input(1),
                response_data: input(32),
                response_written: input(32),
                response_failed: input(1),
                waiting: input(2),
            },
            fill_request: Stream::output(32),
            fill_response_valid: input(1),
            fill_response_data: input(8 * LINE),
            rvfi: output(Rvfi::shape()),
            wait_pc: output(32),
            wait_reason: output(WaitReason::shape()),
        });
        let hart = Hart { reset_vector: RAM, predictor_entries: 16 }.instance();
        let cache = L1Instruction { bytes: 1024, ways: 2, line: LINE }.instance();
        let (hart_io, cache_io): (&HartIo, &L1InstructionIo) = (&hart, &cache);
        hart_io.hart.set(5);
        hart_io.ram_last.set(io.ram_last);
        hart_io.mtime.set(io.mtime);
        hart_io.irq_software.set(io.irq_software);
        hart_io.irq_timer.set(io.irq_timer);
        hart_io.irq_table.set(io.irq_table);
        hart_io.hold.set(io.hold);
        io.data.request.connect(&hart_io.data.request);
        io.data.withdraw.set(hart_io.data.withdraw);
        hart_io.data.withdrawable.set(io.data.withdrawable);
        hart_io.data.response_valid.set(io.data.response_valid);
        hart_io.data.response_data.set(io.data.response_data);
        hart_io.data.response_written.set(io.data.response_written);
        hart_io.data.response_failed.set(io.data.response_failed);
        hart_io.data.waiting.set(io.data.waiting);
        FetchPort::connect(&hart_io.fetch, &cache_io.fetch);
        io.fill_request.connect(&cache_io.fill_request);
        cache_io.fill_response_valid.set(io.fill_response_valid);
        cache_io.fill_response_data.set(io.fill_response_data);
        io.rvfi.drive(&hart_io.rvfi);
        io.wait_pc.set(hart_io.wait_pc);
        io.wait_reason.set_from(hart_io.wait_reason);
        io
    }
}
