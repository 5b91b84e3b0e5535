//! Bugaboo's monitors as an observer of coherence: the row that puts them into a machine.
//!
//! Every line carries the metadata of its last writer; at a grant the requester's monitor records the
//! communication and the holders' monitors add an event to their contexts (Bugaboo §4.2).

use config::{Config, Overflow, Update};
use hdl::{Bundle, Module, Sig, bits, connect, hardware};

use crate::comm_monitor::CommMonitor;
use crate::hart::interrupts::{Interrupt, TABLE};
use crate::line_metadata::LineMetadata;
use crate::metadata::Metadata;
use crate::monitors::{Monitors, Tap};
use crate::observer::{Audience, GrantFacts, Keeper, Lane, Observer, Opaque, Seat, Served, gated};

/// A communication monitor for every hart.
#[derive(Clone, Debug, PartialEq)]
pub struct Bugaboo {
    /// The monitor of each hart.
    pub monitor: CommMonitor,
    /// The stores that replace a line's metadata.
    pub update: Update,
}

impl Bugaboo {
    /// As a configuration has them. `Err` names the key that switches them off.
    pub fn from_config(config: &Config) -> Result<Bugaboo, &'static str> {
        let monitor = CommMonitor::from_config(config)?;
        Ok(Bugaboo { monitor, update: config.metadata.update })
    }
}

/// What a grant shows beside the transaction itself.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct GrantExport {
    /// The transaction is monitored: the requester's monitor is on, and the mode and pc of the
    /// access are selected.
    pub monitored: Sig,
    /// The metadata supplied with the line (for an Upgrade, the requester's own); 0 if no cache
    /// supplied it.
    pub meta: Metadata,
}

#[hardware]
impl Observer for Bugaboo {
    fn name(&self) -> &'static str {
        "monitors"
    }

    fn module(&self) -> String {
        self.monitor.name()
    }

    fn tag(&self) -> String {
        let update = match self.update {
            Update::Miss => "",
            Update::FirstWrite => "_first_write",
            Update::EveryWrite => "_every_write",
        };
        format!("_{}{update}", self.monitor.fields.tag())
    }

    fn needs_origin(&self) -> bool {
        true
    }

    fn time_bits(&self) -> usize {
        self.monitor.fields.time_bits
    }

    fn audience(&self) -> Option<Audience> {
        Some(Audience::Holders)
    }

    fn stalls(&self) -> bool {
        self.monitor.overflow == Overflow::Stall
    }

    fn line(&self) -> Option<Lane<Opaque>> {
        let of = Opaque::of(self.monitor.fields.metadata());
        Some(Lane { name: "meta".into(), doc: "The metadata of the line's last writer.", of })
    }

    fn marks_hits(&self) -> bool {
        self.update != Update::Miss
    }

    fn keep(&self, way: &Keeper) -> Opaque {
        let line_metadata = LineMetadata {
            lines: way.sets,
            fields: self.monitor.fields,
            update: self.update,
            apart: true,
        }
        .instance();
        line_metadata.lookup_valid.set(1);
        line_metadata.lookup_line.set(way.read_set);
        line_metadata.update_valid.set(way.update_valid);
        line_metadata.update_line.set(way.write_set);
        line_metadata.update_cause.set_from(way.update_cause);
        line_metadata.update_meta.drive(&way.update_meta.get());
        Opaque::of(line_metadata.lookup_meta)
    }

    fn grant_export(&self) -> Option<Opaque> {
        let meta = self.monitor.fields.metadata();
        Some(Opaque::of(GrantExport { monitored: bits(1), meta }))
    }

    fn export_grant(&self, grant: &GrantFacts) -> Opaque {
        let supplied = grant.meta.as_ref().map(Opaque::get::<Metadata>);
        let meta = supplied.unwrap_or_else(|| self.monitor.fields.null());
        Opaque::of(GrantExport {
            monitored: grant.monitored & grant.granted,
            meta: gated(&meta, grant.supplied),
        })
    }

    fn export(&self) -> Option<Lane<Opaque>> {
        Some(Lane { name: "tap".into(), doc: "", of: Opaque::of(Tap::shape(self)) })
    }

    fn interrupt(&self) -> Option<Interrupt> {
        Some(TABLE)
    }

    fn attach(&self, seat: &Seat) -> Served {
        let monitors = Monitors { harts: seat.harts, bugaboo: self.clone() }.instance();
        monitors.device.drive(&seat.device);
        if let Some(bus) = &seat.bus {
            connect(&monitors.bus, bus);
        }
        monitors.time_wraps.drive(&seat.time_wraps.filter(|_| self.time_bits() > 0));
        for hart in 0..seat.harts {
            monitors.pc[hart].set(seat.pc[hart].zext(self.monitor.core_pc_bits));
            monitors.machine_mode[hart].set(seat.machine_mode[hart]);
        }
        Served {
            device_data: Some(monitors.device_data),
            store_meta: monitors
                .bus
                .hart
                .iter()
                .filter_map(|hart| hart.store_meta.clone())
                .collect(),
            interrupt: monitors.irq.clone(),
            export: Some(Opaque::of(monitors.tap)),
            to_hart: Vec::new(),
        }
    }
}
