//! A core of the machine: a hart with its instruction cache.

use config::Config;
use hdl::{Bundle, Module, connect, hardware};

use crate::features;
use crate::hart::Hart;
use crate::hart::rvfi::Rvfi;
use crate::l1_instruction::L1Instruction;
use crate::soc::{Core, CoreIo, CoreShape, WAIT_REASON_BITS};

/// Entries of each hart's branch predictor.
const PREDICTOR_ENTRIES: usize = 32;

/// One core.
#[derive(Clone, Debug, PartialEq)]
pub struct HartCore {
    /// The hart.
    pub hart: Hart,
    /// Its instruction cache.
    pub l1_instruction: L1Instruction,
}

impl HartCore {
    /// A core of a configuration.
    pub fn from_config(config: &Config) -> HartCore {
        let reset_vector = config.reset_vector;
        let observers = features::observers(config);
        HartCore {
            hart: Hart {
                reset_vector,
                predictor_entries: PREDICTOR_ENTRIES,
                origin: observers.need_origin(),
                interrupts: observers.interrupts(),
                units: features::hart_units(config),
            },
            l1_instruction: L1Instruction::from_config(config),
        }
    }

    /// What shapes its ports.
    pub fn shape(&self) -> CoreShape {
        CoreShape {
            line_bits: 8 * self.l1_instruction.line,
            origin: self.hart.origin,
            interrupts: self.hart.interrupts.clone(),
            link: self.hart.link(),
            counts_events: self.hart.counts_events(),
        }
    }
}

/// A hart and its instruction cache; the data cache belongs to the memory system.
#[hardware]
impl Module for HartCore {
    type Io = CoreIo<Rvfi>;

    fn name(&self) -> String {
        format!("core_{}_{}", self.hart.name(), self.l1_instruction.name())
    }

    fn build(&self) -> CoreIo<Rvfi> {
        let io = CoreIo::ports(&self.shape(), Rvfi::shape());
        let hart = self.hart.clone().instance();
        let l1_instruction = self.l1_instruction.clone().instance();

        hart.hart.set(io.hart.trunc(hart.hart.width()));
        hart.ram_last.set(io.ram_last);
        hart.mtime.set(io.mtime);
        let pending = [io.software_pending, io.timer_pending];
        let pending = pending.iter().chain(io.observed_pending.iter());
        hart.irq.iter().zip(pending).for_each(|(irq, &pending)| irq.set(pending));
        hart.hold.set(!io.run);
        connect(&hart.link, &io.link);

        connect(&hart.fetch, &l1_instruction.fetch);
        io.fetch.request.connect(&l1_instruction.fill_request);
        l1_instruction.fill_response_valid.set(io.fetch.response_valid);
        l1_instruction.fill_response_data.set(io.fetch.response_line);

        connect(&io.data, &hart.data);

        io.rvfi.drive(&hart.rvfi);
        io.wait.pc.set(hart.wait_pc);
        io.wait.reason.set(hart.wait_reason.sig().zext(WAIT_REASON_BITS));
        io.event.drive(&hart.event);
        io
    }
}

impl Core for HartCore {
    type Rvfi = Rvfi;

    fn rvfi(&self) -> Rvfi {
        Rvfi::shape()
    }

    fn counts_events(&self) -> bool {
        self.hart.counts_events()
    }
}
