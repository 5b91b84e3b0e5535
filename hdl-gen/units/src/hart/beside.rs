//! Units beside the hart: features that hold, undo, interrupt or watch its instructions.
//!
//! The hart is built with a list of [`HartUnits`]. Each sees what is in the stages and may act on it; what no unit
//! needs is not generated. The contract is docs/machine.md §10.

use std::fmt::Debug;

use hdl::{Bundle, Sig, bits, lit, wire};

use super::csr_file::CsrFileIo;
use super::interrupts::Interrupt;
use super::rvfi::Rvfi;
use crate::observer::{Each, Lane, LinkPort, LinkShape, Opaque};
use crate::parts::Parts;

/// A feature beside a hart. Every method but the name has a default that adds nothing.
pub trait HartUnit: Debug {
    /// For the name of the hart: derived from every parameter that changes the hardware.
    fn name(&self) -> String;

    /// It may hold the instruction in X.
    fn holds(&self) -> bool {
        false
    }

    /// It may void instructions. At most one unit of a hart does.
    fn voids(&self) -> bool {
        false
    }

    /// The interrupts that it raises.
    fn interrupts(&self) -> Vec<Interrupt> {
        Vec::new()
    }

    /// The numbers of its CSRs, in the ranges for custom M-mode registers or those for counters of events.
    fn csrs(&self) -> Vec<u64> {
        Vec::new()
    }

    /// It counts events: the hart shows them, and exports them.
    fn counts_events(&self) -> bool {
        false
    }

    /// Signals between it and its observer of coherence, as shapes under a name.
    fn link(&self) -> Option<Lane<LinkShape>> {
        None
    }

    /// Builds it inside the hart.
    fn attach(&self, beside: &Beside) -> Acts;
}

/// The units beside a hart.
pub type HartUnits = Parts<dyn HartUnit>;

/// The instruction in D.
#[derive(Clone, Copy, Debug)]
pub struct InDecode {
    /// There is an instruction in D.
    pub valid: Sig,
    /// Its pc.
    pub pc: Sig,
    /// It is in X in the next cycle.
    pub goes: Sig,
}

/// The instruction in X.
#[derive(Clone, Copy, Debug)]
pub struct InExecute {
    /// There is an instruction in X.
    pub valid: Sig,
    /// Its pc.
    pub pc: Sig,
    /// The instruction word.
    pub insn: Sig,
    /// The value of its first operand; valid if it has one.
    pub rs1: Sig,
    /// The value of its second operand; valid if it has one.
    pub rs2: Sig,
    /// The address of its access or jump; valid if it makes one.
    pub address: Sig,
    /// It is executed in M mode; else in U mode.
    pub machine_mode: Sig,
    /// It enters M at the end of this cycle.
    pub goes: Sig,
}

/// A write to one of the unit's CSRs.
#[derive(Clone, Copy, Debug)]
pub struct CsrWrite {
    /// The CSR is written at the end of this cycle.
    pub valid: Sig,
    /// The new value; valid with `valid`.
    pub data: Sig,
}

/// What a unit sees of the hart, in the cycle in which it is true.
#[derive(Clone, Debug)]
pub struct Beside {
    /// The instruction in D.
    pub decode: InDecode,
    /// The instruction in X.
    pub execute: InExecute,
    /// There is an instruction in M.
    pub memory_valid: Sig,
    /// There is an instruction in W: it retires in this cycle, or its access waits.
    pub write_valid: Sig,
    /// An interrupt is pending, enabled and allowed: it is taken in place of the instruction in X.
    pub interrupted: Sig,
    /// There is an access in the cache: of the instruction in M, or of that in W and not answered in this cycle.
    pub accessing: Sig,
    /// The instruction that retired or trapped in the cycle before.
    pub retired: Rvfi,
    /// `void` is in force, and M and W are empty.
    pub settled: Sig,
    /// Writes to the unit's CSRs, in the order of [`HartUnit::csrs`].
    pub csr: Vec<CsrWrite>,
    /// The events that happen in this cycle, in the order of [`Event::ALL`](border::event::Event::ALL), if a unit
    /// counts them.
    pub events: Each<Sig>,
    /// What the unit's observer drives, if it has a link.
    pub to_hart: Option<Opaque>,
}

/// Voids everything that is not committed.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Void {
    /// A unit voids everything that is not committed: nothing is committed in this cycle; the
    /// instructions in D, X and M are dropped, and one that waits in W.
    pub valid: Sig,
    /// The pc to fetch in the cycle after the last one of the void.
    pub pc: Sig,
    /// A register is written at the end of this cycle; only while M and W are empty.
    pub restore: Sig,
    /// The number of the register to write, 1 to 31; valid with `unit_void_restore`.
    pub register: Sig,
    /// The value to write to that register; valid with `unit_void_restore`.
    pub value: Sig,
}

impl Void {
    fn shape() -> Void {
        Void { valid: bits(1), pc: bits(32), restore: bits(1), register: bits(5), value: bits(32) }
    }
}

/// What a unit does to the hart. A field is there exactly if the unit's other methods announce it.
#[derive(Default)]
pub struct Acts {
    /// The instruction in X does not enter M in this cycle, and its access is not offered.
    pub hold: Option<Sig>,
    /// Voids everything that is not committed.
    pub void: Option<Void>,
    /// The lines of its interrupts: levels, in the order of [`HartUnit::interrupts`].
    pub interrupts: Vec<Sig>,
    /// The values that reads of its CSRs return, in the order of [`HartUnit::csrs`].
    pub csrs: Vec<Sig>,
    /// What it drives to its observer.
    pub from_hart: Option<Opaque>,
}

/// The wires through which units act on the stages. Each exists only if a unit drives it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hooks {
    /// Some unit holds the instruction in X.
    pub hold: Option<Sig>,
    /// A unit voids what is not committed.
    pub void: Option<Void>,
}

impl Hooks {
    #[track_caller]
    pub(super) fn of(units: &HartUnits) -> Hooks {
        let voiding = units.iter().filter(|unit| unit.voids()).count();
        assert!(voiding <= 1, "{voiding} units void instructions; expected at most one");
        let hold = units.iter().any(HartUnit::holds).then(|| wire(1).named("unit_hold"));
        let void = (voiding == 1).then(|| wire(Void::shape()));
        if let Some(void) = &void {
            hdl::Named::give_name(void, "unit_void", "");
        }
        Hooks { hold, void }
    }

    /// The instruction in X must stay there, whatever M does.
    #[track_caller]
    pub(super) fn stops(&self, hold: Sig, interrupted: Sig) -> Sig {
        let stops = self.hold.map_or(hold, |unit| hold | (unit & !interrupted));
        self.void.map_or(stops, |void| stops | void.valid)
    }

    /// `valid`, unless its instruction is void.
    #[track_caller]
    pub(super) fn live(&self, valid: Sig) -> Sig {
        self.void.map_or(valid, |void| valid & !void.valid)
    }
}

/// All interrupts of a hart beside software and timer: those from outside, then those of its units.
pub(super) fn interrupts(outside: &[Interrupt], units: &HartUnits) -> Vec<Interrupt> {
    outside.iter().copied().chain(units.iter().flat_map(HartUnit::interrupts)).collect()
}

/// Builds the units and connects them with the hooks, the CSR file and their links.
#[track_caller]
pub(super) fn attach(
    units: &HartUnits,
    beside: &Beside,
    hooks: &Hooks,
    csrs: &CsrFileIo,
    link: &Each<LinkPort>,
) {
    let mut hold = lit(1, 0);
    let added: usize = units.iter().map(|unit| unit.interrupts().len()).sum();
    let mut lines = csrs.irq.iter().skip(csrs.irq.iter().count() - added);
    let mut custom = csrs.custom.iter();
    for unit in units.iter() {
        let own: Vec<_> = custom.by_ref().take(unit.csrs().len()).collect();
        let writes = own.iter().map(|csr| CsrWrite { valid: csr.write, data: csr.data });
        let port = unit.link().and_then(|lane| link.get(&lane.name).cloned());
        let acts = unit.attach(&Beside {
            csr: writes.collect(),
            to_hart: port.as_ref().map(|port| port.to_hart.clone()),
            ..beside.clone()
        });
        hold = acts.hold.map_or(hold, |mine| hold | mine);
        if let (Some(to), Some(from)) = (&hooks.void, &acts.void) {
            to.drive(from);
        }
        lines.by_ref().zip(acts.interrupts).for_each(|(line, level)| line.set(level));
        own.iter().zip(acts.csrs).for_each(|(csr, value)| csr.value.set(value));
        if let (Some(port), Some(from)) = (&port, &acts.from_hart) {
            port.from_hart.drive(from);
        }
    }
    if let Some(to) = hooks.hold {
        to.set(hold);
    }
}
