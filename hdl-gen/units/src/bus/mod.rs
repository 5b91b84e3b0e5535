//! The snooping bus: one transaction at a time, from the look to the end.
//!
//! | cycle | what happens |
//! |---|---|
//! | `Idle` | the arbiter takes one of those that ask, unless a store is being looked up |
//! | `Look` | the line's address goes to all data caches; a device has no line |
//! | `Answer` | they find out what they have of it |
//! | `Grant` | they answer, and the transaction is granted: the ordering point. States of the others change, observers hear of it. A request that is gone, or that an observer stalls, is not granted |
//! | `Collect` | if caches have them: the line that moves and the line that leaves |
//! | then | the line that leaves, then what an owner supplied, go to memory; memory is read if nobody supplied; the line arrives, the access completes |
//!
//! Nothing else happens on the bus until then, so a transaction is atomic.

mod arbiter;
mod clean;
mod export;
mod grant;
mod io;
mod judge;
mod look;
mod phases;
mod ports;
mod snoop;
mod transfer;
mod walk;

use config::Config;
use hdl::{Module, hardware};

pub use arbiter::{BusArbiter, BusArbiterIo, Disturbance, PASSES_BITS};
pub use io::BusIo;
pub use ports::{
    BusExport, BusKind, DeviceRequest, EXPORTED_HART_BITS, FetchPort, HostRequest, MemoryRequest,
    NO_HART,
};

use crate::features;
use crate::geometry::Geometry;
use crate::observer::Observers;
use phases::Registers;

/// The bus of a machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Bus {
    /// How many harts there are.
    pub harts: usize,
    /// The shape of every data cache.
    pub geometry: Geometry,
    /// The features that hear of transactions.
    pub observers: Observers,
    /// Grants can be out of turn.
    pub perturbed: bool,
    /// Harts have ephemeral transactions.
    pub colored: bool,
}

/// Carries one transaction at a time between the caches, the host, memory and the devices.
#[hardware]
impl Module for Bus {
    type Io = BusIo;

    fn name(&self) -> String {
        let (geometry, tag, time) =
            (self.geometry.tag_text(), self.observers.tag(), self.observers.time_tag());
        let stalls = if self.observers.stall() { "_stall" } else { "" };
        let perturbed = if self.perturbed { "_perturbed" } else { "" };
        let colored = if self.colored { "_colored" } else { "" };
        format!("bus_{}_{geometry}{tag}{time}{stalls}{perturbed}{colored}", self.harts)
    }

    fn build(&self) -> BusIo {
        let io = self.ports();
        let registers = Registers::of(self);
        let bus_arbiter = self.arbitrate(&io, &registers);
        let asks = self.look(&io, &registers);
        let grant = self.classify(&io, &registers, &asks);
        let decision = self.decide(&io, registers.hart, &asks, &grant, &bus_arbiter);
        let victim = self.give_verdicts(&io, &registers, &asks, &grant, &decision);
        self.start_transfer(&io, &registers, &asks, &grant, &decision, victim);
        self.transfer(&io, &registers, &asks, decision.granted);
        self.end_clean(&io, &registers, &grant);
        self.serve_walk(&io, &registers, &asks, decision.granted);
        self.export(&io, &registers, &asks, &grant, &decision, victim);
        self.check(&io, &registers, &asks, &grant, &decision, victim);
        io
    }
}

impl Bus {
    /// The bus of a configuration, perturbed as in simulation.
    pub fn from_config(config: &Config) -> Bus {
        Bus {
            harts: config.harts as usize,
            geometry: Geometry::of_data(config),
            observers: features::observers(config),
            perturbed: true,
            colored: false,
        }
    }

    /// The number of requesters.
    pub fn requesters(&self) -> usize {
        2 * self.harts + 1 + self.walkers()
    }
}
