//! The hart: RV32IMA_Zicsr_Zifencei with M and U modes, in order, in five stages.
//!
//! | stage | file | does |
//! |---|---|---|
//! | F | `fetch.rs` | instruction word from the cache, branch prediction, protection of fetches |
//! | D | `decode.rs` | control signals, operands |
//! | X | `execute.rs` | ALU, branches, address, faults, offers the data access; divides |
//! | M | `memory.rs` | end of a data access that hits, CSRs, traps, interrupts; multiplies |
//! | W | `write.rs` | waits for a data access that does not; writes the register, tells RVFI |
//!
//! An instruction goes on from M to W as if its access had hit. If it did not, the cache says so a cycle
//! later, from a register: the instruction waits in W, and everything behind it is dropped and fetched
//! again. An instruction is committed when it leaves M, or, if its access waits, when that is complete;
//! until then it can be dropped, and nothing it would change is changed (docs/machine.md §2). What a
//! checkpoint has to save is the register file, the CSR file and the pc of the oldest instruction.

mod access_check;
pub mod alu;
pub mod beside;
pub mod branch_predictor;
pub mod control;
pub mod counters;
pub mod csr_file;
mod csr_numbers;
mod decode;
pub mod decode_table;
pub mod divider;
pub mod event_counters;
pub(crate) mod events;
mod execute;
mod fetch;
pub mod interrupts;
mod memory;
mod multiplier;
pub mod pmp;
mod regions;
pub mod register_file;
pub mod rvfi;
mod stages;
pub mod trap_registers;
mod write;

use hdl::{
    Bundle, Enum, HwEnum, Module, Sig, cover, hardware, input, lit, output, ports, reg, when, wire,
};

use crate::data_port::DataPort;
use crate::l1_instruction::FetchPort;
use crate::observer::{Each, LinkPort, LinkShape};
use beside::{Beside, HartUnit, HartUnits, Hooks, InDecode, InExecute};
use control::SystemOp;
use csr_file::{CsrFile, CsrFileIo};
use interrupts::Interrupt;
use rvfi::Rvfi;
use stages::{DecodeStage, ExecuteStage, Flow, MemoryStage};
use write::WriteStage;

/// One hart, without its caches.
#[derive(Clone, Debug, PartialEq)]
pub struct Hart {
    /// The pc after reset; a multiple of 4.
    pub reset_vector: u32,
    /// Entries of the branch predictor, a power of two from 2.
    pub predictor_entries: usize,
    /// Data requests carry the pc and the mode of their instruction.
    pub origin: bool,
    /// The interrupts beside software and timer whose lines come from outside.
    pub interrupts: Vec<Interrupt>,
    /// The units beside it.
    pub units: HartUnits,
}

/// What a hart waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum WaitReason {
    /// Nothing: it runs.
    Running,
    /// An instruction.
    Fetch,
    /// The bus.
    Bus,
    /// A device.
    Device,
    /// Room in the communication table.
    TableFull,
    /// An interrupt, in WFI.
    Wfi,
    /// `hold`.
    Held,
    /// It is, or just was, in reset.
    Reset,
}

/// Ports of [`Hart`].
#[derive(Clone, Debug, Bundle)]
pub struct HartIo {
    /// `mhartid`; constant.
    pub hart: Sig,
    /// The address of the last byte of RAM; constant.
    pub ram_last: Sig,
    /// `mtime`: what the CSRs `time` and `timeh` read.
    pub mtime: Sig,
    /// The interrupt lines: levels. Software and timer, then the others.
    #[bundle(flat)]
    pub irq: Each<Sig>,
    /// 1: no instruction enters the fourth stage, M, in this cycle. While it has been 1 since
    /// reset, no instruction retires.
    pub hold: Sig,
    /// The port to the instruction cache.
    pub fetch: FetchPort,
    /// The port to the data cache.
    pub data: DataPort,
    /// The signals between units and their observers of coherence.
    #[bundle(flat)]
    pub link: Each<LinkPort>,
    /// The RVFI record (RISC-V formal interface) of the hart.
    pub rvfi: Rvfi,
    /// The pc of the oldest instruction that has not retired.
    pub wait_pc: Sig,
    /// What the oldest instruction that has not retired waits for: nothing, it runs (0); an
    /// instruction fetch (1); the bus (2); a device (3); room in the communication table (4); an
    /// interrupt, in WFI (5); it is held (6); reset (7).
    pub wait_reason: Enum<WaitReason>,
    /// The events that happen in this cycle, if a unit counts them.
    pub event: Each<Sig>,
}

/// Five stages: F fetches, D decodes, X computes, M ends accesses that hit and traps, W waits for
/// other accesses and writes the register.
#[hardware]
impl Module for Hart {
    type Io = HartIo;

    fn name(&self) -> String {
        let Hart { reset_vector, predictor_entries, .. } = self;
        let interrupts = interrupts::tag(&self.interrupts);
        let origin = if self.origin { "" } else { "_no_origin" };
        let units: String = self.units.iter().map(|unit| format!("_{}", unit.name())).collect();
        format!("hart_{reset_vector:08x}_p{predictor_entries}{interrupts}{origin}{units}")
    }

    fn build(&self) -> HartIo {
        let io = ports(HartIo {
            hart: input(8),
            ram_last: input(32),
            mtime: input(64),
            irq: interrupts::lines(&self.interrupts),
            hold: input(1),
            fetch: FetchPort::of_hart(),
            data: DataPort::answering(self.origin).flip(),
            link: self.link().each(LinkShape::of_hart),
            rvfi: output(Rvfi::shape()),
            wait_pc: output(32),
            wait_reason: output(WaitReason::shape()),
            event: events::ports(self.counts_events()),
        });
        let d = reg(DecodeStage::shape());
        let x = reg(ExecuteStage::shape());
        let m = reg(MemoryStage::shape());
        let w = WriteStage::registers();
        for valid in [d.valid, x.valid, m.valid] {
            valid.reset(0);
        }
        let flow = wire(Flow::shape());

        let hooks = Hooks::of(&self.units);
        let csrs = self.csr_file().instance();
        csrs.hart.set(io.hart);
        csrs.mtime.set(io.mtime);
        self.take_interrupts(&io, &csrs);

        /// 0 in reset and in the first cycle after it.
        let started = reg(1).reset(0);
        started.set(1);
        let fetched = fetch::fetch(self, &io, &csrs, &d, &flow);
        decode::decode(&io, &d, &x, &m, &flow, !started);
        let address = execute::execute(&io, &csrs, &fetched.predictor, &x, &m, &flow, &hooks);
        memory::memory(&io, &csrs, &m, &w, &flow, &hooks);
        let retired = write::write(&io, &csrs, &w, &flow, &hooks);
        io.rvfi.drive(&retired);

        // What it waits for.
        let wait_pc_from_x = x.valid.mux(x.pc, fetched.pc);
        let wait_pc_from_m = m.valid.mux(m.pc, wait_pc_from_x);
        io.wait_pc.set(flow.late.mux(w.done.pc_rdata, wait_pc_from_m));
        let reason = wire(WaitReason::shape());
        reason.set(WaitReason::Running);
        when(flow.late, || {
            when(io.data.waiting.eq(1), || reason.set(WaitReason::Bus));
            when(io.data.waiting.eq(2), || reason.set(WaitReason::Device));
            when(io.data.waiting.eq(3), || reason.set(WaitReason::TableFull));
            when(io.data.waiting.eq(4), || reason.set(WaitReason::Held));
        })
        .elsewhen(m.valid, || {
            let sleeps = m.system.is(SystemOp::Wfi) & !flow.memory_ends;
            when(sleeps, || reason.set(WaitReason::Wfi));
        })
        .elsewhen(x.valid, || {
            let held = hooks.hold.map_or(io.hold, |hold| io.hold | hold);
            when(held, || reason.set(WaitReason::Held));
        })
        .elsewhen(!d.valid & fetched.missing, || reason.set(WaitReason::Fetch));
        when(!started, || reason.set(WaitReason::Reset));
        io.wait_reason.set_from(reason);
        if self.counts_events() {
            events::show(&io, &d, &x, &w, &flow, (fetched.missing, reason));
        }
        if !self.units.is_empty() {
            let seen = beside_of(&csrs, &flow, &hooks, (&d, &x, &m), address, retired);
            let beside = Beside { events: io.event.clone(), ..seen };
            beside::attach(&self.units, &beside, &hooks, &csrs, &io.link);
        }
        cover("retires_every_cycle", w.done.valid & m.valid & x.valid & d.valid, "a full pipeline");
        io
    }
}

impl Hart {
    /// The signals between units and their observers of coherence.
    pub fn link(&self) -> Each<LinkShape> {
        self.units.iter().filter_map(HartUnit::link).collect()
    }

    /// Whether a unit counts its events.
    pub fn counts_events(&self) -> bool {
        self.units.iter().any(HartUnit::counts_events)
    }

    /// Gives the CSR file the interrupt lines from outside, a cycle later: they come from far away.
    fn take_interrupts(&self, io: &HartIo, csrs: &CsrFileIo) {
        for (line, to) in io.irq.0.iter().zip(csrs.irq.iter()) {
            let before = reg(1).reset(0).named(&format!("{}_before", line.name));
            before.set(line.of);
            to.set(before);
        }
    }

    fn csr_file(&self) -> CsrFile {
        CsrFile {
            interrupts: beside::interrupts(&self.interrupts, &self.units),
            custom: self.units.iter().flat_map(HartUnit::csrs).collect(),
        }
    }
}

/// What the units beside the hart see.
#[track_caller]
fn beside_of(
    csrs: &CsrFileIo,
    flow: &Flow,
    hooks: &Hooks,
    (d, x, m): (&DecodeStage, &ExecuteStage, &MemoryStage),
    address: Sig,
    retired: Rvfi,
) -> Beside {
    let voids = hooks.void.map_or(lit(1, 0), |void| void.valid);
    Beside {
        decode: InDecode {
            valid: d.valid,
            pc: d.pc,
            goes: d.valid & flow.decode_free & !flow.redirect & !flow.flush,
        },
        execute: InExecute {
            valid: x.valid,
            pc: x.pc,
            insn: x.insn,
            rs1: x.rs1,
            rs2: x.rs2,
            address,
            machine_mode: csrs.machine_mode,
            goes: x.valid & flow.execute_free,
        },
        memory_valid: m.valid,
        write_valid: flow.write_valid,
        interrupted: csrs.interrupt,
        accessing: m.valid & m.access & !m.exception | flow.late & !flow.late_ends,
        retired,
        settled: voids & !m.valid & !flow.write_valid & !flow.late,
        csr: Vec::new(),
        events: Each(Vec::new()),
        to_hart: None,
    }
}
