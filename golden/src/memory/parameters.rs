//! The parameters of a configuration that the golden machine needs.

use super::map::RAM;
use crate::Fields;
use crate::isa::{Hart, INTERRUPTS, INTERRUPTS_WITH_TABLE};
use config::{Config, Overflow, Update};

/// The sizes of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Number of harts, 1 to 32.
    pub harts: usize,
    /// Address at which every hart starts.
    pub reset_vector: u32,
    /// The address of RAM's last byte; a line ends there.
    pub ram_last: u32,
    /// Bytes in a line, a power of two.
    pub line: u32,
    /// Sets of a data cache.
    pub sets: u32,
    /// Ways of a data cache, a power of two.
    pub ways: u32,
    /// Bits of the transaction counter; without a monitor nothing is counted.
    pub time_bits: u32,
    /// The monitor, if there is one.
    pub monitor: Option<MonitorSetup>,
    /// Entries of the breakpoint unit; 0: there is none.
    pub breakpoints: usize,
    /// Harts have counters of events.
    pub counters: bool,
    /// ColorSafe, if there is any.
    pub color: Option<config::Color>,
}

/// The parameters of every hart's monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonitorSetup {
    /// Bits stored of each access.
    pub fields: Fields,
    /// Edges in a table.
    pub depth: usize,
    /// Policy when a table is full.
    pub overflow: Overflow,
    /// Which stores replace a line's metadata.
    pub update: Update,
}

/// A configuration that the golden machine does not model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the golden machine does not model {key} = {value}; expected {allowed}")]
pub struct Unsupported {
    /// The configuration key.
    pub key: &'static str,
    /// Its value.
    pub value: &'static str,
    /// The values modelled.
    pub allowed: &'static str,
}

impl Parameters {
    /// The parameters of a configuration, with all its RAM.
    pub fn of(config: &Config) -> Result<Self, Unsupported> {
        let has_monitor = config.context.events > 0;
        if config.standalone {
            return Err(Unsupported { key: "standalone", value: "true", allowed: "false" });
        }
        let line = config.l1.line;
        let monitor = has_monitor.then(|| MonitorSetup {
            fields: Fields {
                pc_bits: config.pc_bits,
                events: config.context.events,
                hart_bits: config.harts.next_power_of_two().trailing_zeros(),
                time_bits: config.timestamp_bits,
            },
            depth: config.ct.depth as usize,
            overflow: config.ct.overflow,
            update: config.metadata.update,
        });
        Ok(Self {
            harts: config.harts as usize,
            reset_vector: config.reset_vector,
            ram_last: RAM + (config.simulation.ram_bytes - 1),
            line,
            sets: config.l1.data.sets(line),
            ways: config.l1.data.ways,
            time_bits: config.timestamp_bits,
            monitor,
            breakpoints: config.breakpoints.entries as usize,
            counters: config.counters,
            color: (config.color.items > 0).then_some(config.color),
        })
    }

    /// A hart of the machine, after reset.
    pub fn hart(&self, number: usize) -> Hart {
        let hart = Hart::new(number as u32, self.reset_vector, self.interrupts());
        if self.counters { hart.counting_events() } else { hart }
    }

    /// The bits of `mie` and `mip` that exist.
    pub fn interrupts(&self) -> u32 {
        if self.monitor.is_some() { INTERRUPTS_WITH_TABLE } else { INTERRUPTS }
    }
}
