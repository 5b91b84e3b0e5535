//! The CSR file: which CSRs exist, which mode may access them, and what they hold.

use hdl::{
    Bundle, Enum, HwEnum, Module, Sig, array, cat, hardware, input, lit, output, ports, switch,
    wire,
};

use super::counters::Counters;
use super::csr_numbers as csr;
use super::interrupts::{self, Interrupt};
use super::pmp::{ENTRIES, Pmp, PmpRegisters};
use super::trap_registers::{Trap, TrapRegisters};
use crate::observer::Each;

/// `misa`: RV32, with A, I, M and U.
const MISA: u32 = 0x4010_1101;

/// What a CSR instruction does with its operand: `funct3` without its top bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum CsrOp {
    /// Not used.
    Reserved,
    /// Replaces the CSR.
    Write,
    /// Sets bits.
    Set,
    /// Clears bits.
    Clear,
}

/// The CSR file.
#[derive(Clone, Debug, PartialEq)]
pub struct CsrFile {
    /// The interrupts beside software and timer.
    pub interrupts: Vec<Interrupt>,
    /// The numbers of the CSRs of units beside the hart.
    pub custom: Vec<u64>,
}

/// A CSR of a unit beside the hart.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct CustomCsr {
    /// The value that a read of the CSR returns.
    pub value: Sig,
    /// The CSR is written at the end of this cycle.
    pub write: Sig,
    /// The new value; valid with `write`.
    pub data: Sig,
}

/// Ports of [`CsrFile`].
#[derive(Clone, Debug, Bundle)]
pub struct CsrFileIo {
    /// `mhartid`; constant.
    pub hart: Sig,
    /// `mtime`: what the CSRs `time` and `timeh` read.
    pub mtime: Sig,
    /// The interrupt lines: levels. Software and timer, then the others.
    #[bundle(flat)]
    pub irq: Each<Sig>,

    /// A CSR instruction is executed in this cycle.
    pub valid: Sig,
    /// The number of the CSR that is accessed. `value` and `illegal` follow it in every cycle, also
    /// without `valid`.
    pub number: Sig,
    /// How the new value is made: write the operand (1), set its bits (2), clear its bits (3).
    pub op: Enum<CsrOp>,
    /// The instruction writes the CSR; valid with `valid`.
    pub writes: Sig,
    /// The register or immediate operand of the instruction.
    pub operand: Sig,
    /// The value of the CSR before the instruction.
    pub value: Sig,
    /// The access is illegal, so nothing is written: the CSR does not exist, is read-only and
    /// written, or the mode may not access it.
    pub illegal: Sig,

    /// An instruction that is counted by `minstret` retires in this cycle. Never while a CSR
    /// instruction is executed.
    pub retire: Sig,
    /// `minstret` is to count the instruction that leaves the fourth stage in this cycle, when it
    /// retires: not inhibited, and not a write to `minstret`.
    pub counts: Sig,
    /// The trap of this cycle.
    pub trap: Trap,
    /// The address of the handler for `trap`.
    pub trap_target: Sig,
    /// An MRET retires in this cycle.
    pub mret: Sig,
    /// The value of `mepc`, where an MRET continues.
    pub epc: Sig,
    /// The hart is in M mode (1) or U mode (0).
    pub machine_mode: Sig,
    /// Loads and stores have the rights of M mode (1) or U mode (0).
    pub data_machine_mode: Sig,
    /// An interrupt is pending and enabled, and the mode and `mstatus` allow it.
    pub interrupt: Sig,
    /// The number of the interrupt of the highest priority; valid with `interrupt`.
    pub interrupt_cause: Sig,
    /// An interrupt is pending and enabled in `mie`: a WFI ends.
    pub wakeup: Sig,
    /// Physical memory protection.
    pub pmp: Pmp,
    /// The CSRs of units beside the hart.
    pub custom: Vec<CustomCsr>,
}

/// Reads, and at the end of the cycle writes, one CSR.
#[hardware]
impl Module for CsrFile {
    type Io = CsrFileIo;

    fn name(&self) -> String {
        let custom: String = self.custom.iter().map(|number| format!("_c{number:x}")).collect();
        format!("csr_file{}{custom}", interrupts::tag(&self.interrupts))
    }

    fn build(&self) -> CsrFileIo {
        let io = ports(CsrFileIo {
            hart: input(8),
            mtime: input(64),
            irq: interrupts::lines(&self.interrupts),
            valid: input(1),
            number: input(12),
            op: input(CsrOp::shape()),
            writes: input(1),
            operand: input(32),
            value: output(32),
            illegal: output(1),
            retire: input(1),
            counts: output(1),
            trap: input(Trap::shape()),
            trap_target: output(32),
            mret: input(1),
            epc: output(32),
            machine_mode: output(1),
            data_machine_mode: output(1),
            interrupt: output(1),
            interrupt_cause: output(5),
            wakeup: output(1),
            pmp: output(Pmp::shape()),
            custom: array(self.custom.len(), |_| CustomCsr {
                value: input(32),
                write: output(1),
                data: output(32),
            }),
        });
        let traps = TrapRegisters { interrupts: self.interrupts.clone() }.instance();
        let counters = Counters.instance();
        let pmp = PmpRegisters.instance();

        let is = |number: u64| io.number.eq(number);
        // What can be read. Registers that are constant zero only exist.
        let low = |counter: Sig| counter.trunc(32);
        let high = |counter: Sig| counter.bits(32..);
        let mut readable: Vec<(Sig, Sig)> = vec![
            (is(csr::MHARTID), io.hart.zext(32)),
            (is(csr::MISA), lit(32, MISA)),
            (is(csr::MSTATUS), traps.status),
            (is(csr::MIE), traps.enable),
            (is(csr::MTVEC), traps.vector),
            (is(csr::MSCRATCH), traps.scratch),
            (is(csr::MEPC), traps.epc),
            (is(csr::MCAUSE), traps.cause),
            (is(csr::MTVAL), traps.value),
            (is(csr::MIP), traps.pending),
            (is(csr::MCOUNTEREN), counters.enable),
            (is(csr::MCOUNTINHIBIT), counters.inhibit),
            (is(csr::MCYCLE) | is(csr::CYCLE), low(counters.cycle)),
            (is(csr::MCYCLEH) | is(csr::CYCLEH), high(counters.cycle)),
            (is(csr::TIME), low(io.mtime)),
            (is(csr::TIMEH), high(io.mtime)),
            (is(csr::MINSTRET) | is(csr::INSTRET), low(counters.instret)),
            (is(csr::MINSTRETH) | is(csr::INSTRETH), high(counters.instret)),
            (is(csr::PMPCFG0), pmp.cfg),
        ];
        let addresses = pmp.pmp.entries.iter().zip(csr::PMPADDR0..);
        readable.extend(addresses.map(|(entry, number)| (is(number), entry.address)));
        for (&number, csr) in self.custom.iter().zip(&io.custom) {
            assert!(csr::is_for_units(number), "{number:#x} is no CSR of a unit beside the hart");
            readable.push((is(number), csr.value));
        }

        let offered = readable.iter().map(|&(chosen, value)| chosen.repeat(32) & value);
        let value = offered.reduce(|sum, value| sum | value).unwrap_or(lit(32, 0));
        io.value.set(value);

        // Whether the access is legal.
        let held = readable.iter().map(|&(chosen, _)| chosen);
        let zero =
            csr::ZERO.iter().map(|range| io.number.ge(*range.start()) & io.number.le(*range.end()));
        let exists = cat(held.chain(zero)).any();
        let read_only = io.number.bits(10..).all();
        let for_machine = io.number.bits(8..10).any();
        // `cycle`, `time` and `instret` are 0, 1 and 2 in the low bits of number and `mcounteren`.
        let counter_shown = counters.enable.trunc(3).at(io.number.trunc(2));
        let reachable = traps.machine_mode | (!for_machine & counter_shown);
        let illegal = !exists | !reachable | (io.writes & read_only);
        io.illegal.set(illegal);

        // What is written.
        let write = io.valid & io.writes & !illegal;
        let write_data = wire(32);
        switch(io.op, |op_is| {
            op_is.case([CsrOp::Write, CsrOp::Reserved], || write_data.set(io.operand));
            op_is.case(CsrOp::Set, || write_data.set(value | io.operand));
            op_is.case(CsrOp::Clear, || write_data.set(value & !io.operand));
        });
        let writes = |number: u64| write & is(number);
        traps.write_data.set(write_data);
        traps.write.status.set(writes(csr::MSTATUS));
        traps.write.enable.set(writes(csr::MIE));
        traps.write.vector.set(writes(csr::MTVEC));
        traps.write.scratch.set(writes(csr::MSCRATCH));
        traps.write.epc.set(writes(csr::MEPC));
        traps.write.cause.set(writes(csr::MCAUSE));
        traps.write.value.set(writes(csr::MTVAL));
        counters.write_data.set(write_data);
        counters.write.cycle.set(writes(csr::MCYCLE));
        counters.write.cycle_upper.set(writes(csr::MCYCLEH));
        counters.write.instret.set(writes(csr::MINSTRET));
        counters.write.instret_upper.set(writes(csr::MINSTRETH));
        counters.write.inhibit.set(writes(csr::MCOUNTINHIBIT));
        counters.write.enable.set(writes(csr::MCOUNTEREN));
        pmp.write_data.set(write_data);
        pmp.write_cfg.set(writes(csr::PMPCFG0));
        let pmp_writes = (0..ENTRIES as u64).rev().map(|place| writes(csr::PMPADDR0 + place));
        pmp.write_address.set(cat(pmp_writes));

        for (&number, csr) in self.custom.iter().zip(&io.custom) {
            csr.write.set(writes(number));
            csr.data.set(write_data);
        }

        // The rest is passed on.
        counters.retire.set(io.retire);
        io.counts.set(counters.counts);
        traps.irq.drive(&io.irq);
        traps.trap.drive(&io.trap);
        traps.mret.set(io.mret);
        io.trap_target.set(traps.target);
        io.epc.set(traps.epc);
        io.machine_mode.set(traps.machine_mode);
        io.data_machine_mode.set(traps.data_machine_mode);
        io.interrupt.set(traps.interrupt);
        io.interrupt_cause.set(traps.interrupt_cause);
        io.wakeup.set(traps.wakeup);
        io.pmp.drive(&pmp.pmp);
        io
    }
}
