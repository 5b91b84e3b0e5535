//! The CSRs of trap handling, the mode, and which interrupt is taken next.

use hdl::{
    Bundle, Module, Named, Sig, array, bits, cat, hardware, input, lit, output, ports, reg,
    set_when, when, wire,
};

use super::interrupts::{self, Interrupt};
use crate::observer::Each;
use crate::one_hot;

/// The registers.
#[derive(Clone, Debug, PartialEq)]
pub struct TrapRegisters {
    /// The interrupts beside software and timer.
    pub interrupts: Vec<Interrupt>,
}

/// One bit for each register.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct TrapWrites {
    /// `mstatus` is written.
    pub status: Sig,
    /// `mie` is written.
    pub enable: Sig,
    /// `mtvec` is written.
    pub vector: Sig,
    /// `mscratch` is written.
    pub scratch: Sig,
    /// `mepc` is written.
    pub epc: Sig,
    /// `mcause` is written.
    pub cause: Sig,
    /// `mtval` is written.
    pub value: Sig,
}

impl TrapWrites {
    /// Its shape.
    pub fn shape() -> TrapWrites {
        TrapWrites {
            status: bits(1),
            enable: bits(1),
            vector: bits(1),
            scratch: bits(1),
            epc: bits(1),
            cause: bits(1),
            value: bits(1),
        }
    }
}

/// A trap, as it is taken.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Trap {
    /// A trap is taken in this cycle.
    pub valid: Sig,
    /// The trap is an interrupt (1) or an exception (0).
    pub interrupt: Sig,
    /// The number of the interrupt or exception, as in `mcause`.
    pub cause: Sig,
    /// The new value of `mepc`.
    pub pc: Sig,
    /// The new value of `mtval`.
    pub value: Sig,
}

impl Trap {
    /// Its shape.
    pub fn shape() -> Trap {
        Trap { valid: bits(1), interrupt: bits(1), cause: bits(5), pc: bits(32), value: bits(32) }
    }
}

/// Ports of [`TrapRegisters`].
#[derive(Clone, Debug, Bundle)]
pub struct TrapRegistersIo {
    /// The interrupt lines: levels. Software and timer, then the others.
    #[bundle(flat)]
    pub irq: Each<Sig>,
    /// The trap of this cycle; never together with `mret` or a write.
    pub trap: Trap,
    /// An MRET retires in this cycle.
    pub mret: Sig,
    /// Registers to write in this cycle, a signal each.
    pub write: TrapWrites,
    /// The value to write, in the layout of the written register; valid if any of the `write`
    /// signals is 1.
    pub write_data: Sig,
    /// The hart is in M mode (1) or U mode (0).
    pub machine_mode: Sig,
    /// Loads and stores have the rights of M mode (1) or U mode (0).
    pub data_machine_mode: Sig,
    /// The address of the handler for `trap`.
    pub target: Sig,
    /// An interrupt is pending, enabled in `mie`, and allowed by the mode and `mstatus.MIE`.
    pub interrupt: Sig,
    /// The number of the interrupt of the highest priority; valid with `interrupt`.
    pub interrupt_cause: Sig,
    /// An interrupt is pending and enabled in `mie`: a WFI ends.
    pub wakeup: Sig,
    /// The value of `mstatus`.
    pub status: Sig,
    /// The value of `mie`.
    pub enable: Sig,
    /// The value of `mip`.
    pub pending: Sig,
    /// The value of `mtvec`.
    pub vector: Sig,
    /// The value of `mscratch`.
    pub scratch: Sig,
    /// The value of `mepc`.
    pub epc: Sig,
    /// The value of `mcause`.
    pub cause: Sig,
    /// The value of `mtval`.
    pub value: Sig,
}

/// Enters and leaves traps. After reset: M mode, interrupts off, everything zero.
#[hardware]
impl Module for TrapRegisters {
    type Io = TrapRegistersIo;

    fn name(&self) -> String {
        format!("trap_registers{}", interrupts::tag(&self.interrupts))
    }

    fn build(&self) -> TrapRegistersIo {
        let io = ports(TrapRegistersIo {
            irq: interrupts::lines(&self.interrupts),
            trap: input(Trap::shape()),
            mret: input(1),
            write: input(TrapWrites::shape()),
            write_data: input(32),
            machine_mode: output(1),
            data_machine_mode: output(1),
            target: output(32),
            interrupt: output(1),
            interrupt_cause: output(5),
            wakeup: output(1),
            status: output(32),
            enable: output(32),
            pending: output(32),
            vector: output(32),
            scratch: output(32),
            epc: output(32),
            cause: output(32),
            value: output(32),
        });
        /// The hart is in M mode.
        let machine_mode = reg(1).reset(1);
        /// `mstatus.MIE`.
        let interrupts_on = reg(1).reset(0);
        /// `mstatus.MPIE`.
        let interrupts_were_on = reg(1).reset(0);
        /// `mstatus.MPP` is M (1) or U (0).
        let came_from_machine = reg(1).reset(0);
        /// `mstatus.MPRV`.
        let data_as_before = reg(1).reset(0);
        let rows = interrupts::rows(&self.interrupts);
        /// The bit of this interrupt in `mie`.
        let enables = array(rows.len(), |place| {
            reg(1).reset(0).named(&format!("enable_{}", rows[place].name))
        });
        let vector_base = reg(30).reset(0);
        let vectored = reg(1).reset(0);
        let scratch = reg(32).reset(0);
        let epc = reg(30).reset(0);
        let cause_interrupt = reg(1).reset(0);
        let cause = reg(6).reset(0);
        let value = reg(32).reset(0);

        // Which interrupt.
        let wanted = wanted(&rows, &io.irq, &enables);
        io.wakeup.set(one_hot::any(&wanted));
        io.interrupt.set(io.wakeup & (interrupts_on | !machine_mode));
        io.interrupt_cause.set(of_highest_priority(&rows, &wanted));

        // Where a trap goes.
        let offset = (io.trap.interrupt & vectored).mux(io.trap.cause.zext(30), 0);
        io.target.set(cat([vector_base + offset, lit(2, 0)]));

        // Writes.
        let data = io.write_data;
        when(io.write.status, || {
            interrupts_on.set(data.bit(3));
            interrupts_were_on.set(data.bit(7));
            // Only M and U exist: other values leave MPP alone.
            set_when(data.bit(11).eq(data.bit(12)), came_from_machine, data.bit(11));
            data_as_before.set(data.bit(17));
        });
        when(io.write.enable, || {
            for (row, enable) in rows.iter().zip(&enables) {
                enable.set(data.bit(row.number));
            }
        });
        when(io.write.vector, || {
            vector_base.set(data.bits(2..));
            vectored.set(data.bit(0));
        });
        set_when(io.write.scratch, scratch, data);
        set_when(io.write.epc, epc, data.bits(2..));
        when(io.write.cause, || {
            cause_interrupt.set(data.bit(31));
            cause.set(data.trunc(6));
        });
        set_when(io.write.value, value, data);

        // Traps.
        when(io.trap.valid, || {
            machine_mode.set(1);
            interrupts_on.set(0);
            interrupts_were_on.set(interrupts_on);
            came_from_machine.set(machine_mode);
            epc.set(io.trap.pc.bits(2..));
            cause_interrupt.set(io.trap.interrupt);
            cause.set(io.trap.cause.zext(6));
            value.set(io.trap.value);
        });
        when(io.mret, || {
            machine_mode.set(came_from_machine);
            interrupts_on.set(interrupts_were_on);
            interrupts_were_on.set(1);
            came_from_machine.set(0);
            set_when(!came_from_machine, data_as_before, 0);
        });

        // Reads.
        io.machine_mode.set(machine_mode);
        io.data_machine_mode.set(data_as_before.mux(came_from_machine, machine_mode));
        let status = wire(32);
        status.set(cat([
            lit(14, 0),
            data_as_before,
            lit(4, 0),
            came_from_machine.repeat(2),
            lit(3, 0),
            interrupts_were_on,
            lit(3, 0),
            interrupts_on,
            lit(3, 0),
        ]));
        io.status.set(status);
        let lines: Vec<Sig> = io.irq.iter().copied().collect();
        io.enable.set(interrupt_bits(&rows, &enables));
        io.pending.set(interrupt_bits(&rows, &lines));
        io.vector.set(cat([vector_base, lit(1, 0), vectored]));
        io.scratch.set(scratch);
        io.epc.set(cat([epc, lit(2, 0)]));
        io.cause.set(cat([cause_interrupt, lit(25, 0), cause]));
        io.value.set(value);
        io
    }
}

/// The interrupts that are pending and enabled in `mie`.
#[track_caller]
fn wanted(rows: &[Interrupt], irq: &Each<Sig>, enables: &[Sig]) -> Vec<Sig> {
    let lines = rows.iter().zip(irq.iter()).zip(enables);
    let wanted = lines.map(|((row, &irq), &enable)| {
        let wanted = irq & enable;
        wanted.give_name(row.name, "");
        wanted
    });
    wanted.collect()
}

/// The number of the interrupt with the highest priority among those wanted.
#[track_caller]
fn of_highest_priority(rows: &[Interrupt], wanted: &[Sig]) -> Sig {
    let mut ranked: Vec<(&Interrupt, Sig)> = rows.iter().zip(wanted.iter().copied()).collect();
    ranked.sort_by_key(|(row, _)| row.priority);
    let lowest = lit(5, ranked[0].0.number);
    ranked[1..].iter().fold(lowest, |below, (row, wanted)| {
        below.give_name(&format!("below_{}", row.name), "");
        wanted.mux(lit(5, row.number), below)
    })
}

/// A word in the layout of `mie` and `mip`.
#[track_caller]
fn interrupt_bits(rows: &[Interrupt], values: &[Sig]) -> Sig {
    let mut placed: Vec<(usize, Sig)> =
        rows.iter().zip(values).map(|(row, &bit)| (row.number, bit)).collect();
    placed.sort_by_key(|&(number, _)| number);
    let mut parts = Vec::new();
    let mut below = 0;
    for (number, bit) in placed {
        if number > below {
            parts.push(lit(number - below, 0));
        }
        parts.push(bit);
        below = number + 1;
    }
    if below < 32 {
        parts.push(lit(32 - below, 0));
    }
    cat(parts.into_iter().rev())
}
