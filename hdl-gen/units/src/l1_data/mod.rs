//! The first-level data cache of one hart: write-back, MESI, in order.
//!
//! An access is taken in one cycle, in which all ways of its set are read, and looked up in the next. A
//! load or store that hits is complete then, and a store is written in the cycle after. What is not
//! complete waits in registers of its own, from which the bus, the observers and the arrays get all they
//! need; an access that was taken behind it is dropped. The arrays have one port for reading, and looks of
//! the bus come first: what an access would read is never written in the same cycle, since nothing is taken
//! then.
//!
//! What cannot be a hit asks the bus, and is complete when the line arrives; only an atomic operation takes a
//! cycle more, and no other transaction comes between. `ports` says what passes to and from the bus.

mod access;
mod amo;
mod answers;
mod arrays;
mod check;
mod export;
mod io;
mod lines;
mod lookup;
mod marks;
mod order;
mod plru;
mod ports;
mod reservation;
mod speculation;
mod way;

use config::Config;
use hdl::{Module, Sig, hardware};

pub use io::{Hit, HitKind, L1DataIo, Watch};
pub use lines::{Lines, LinesIo};
pub use plru::{Plru, PlruIo};
pub use ports::{Answer, CacheBus, CacheRequest, Fill, Look, Verdict};
pub use reservation::{Reservation, ReservationIo};
pub use speculation::{CAUSE_BITS, SpeculationPort};
pub use way::{Entry, Mesi, Way, WayIo};

use crate::features;
use crate::geometry::Geometry;
use crate::observer::Observers;
use check::Facts;
use order::Cycle;

/// The data cache of one hart.
#[derive(Clone, Debug, PartialEq)]
pub struct L1Data {
    /// Its shape.
    pub geometry: Geometry,
    /// The features that add to requests or keep something with every line.
    pub observers: Observers,
    /// Accesses can be held back from outside.
    pub perturbed: bool,
    /// The hart has ephemeral transactions.
    pub colored: bool,
}

/// A hit completes in the cycle after it was taken, one per cycle. After reset the sets are made
/// invalid, one per cycle.
#[hardware]
impl Module for L1Data {
    type Io = L1DataIo;

    fn name(&self) -> String {
        let (geometry, tag) = (self.geometry.tag_text(), self.observers.tag());
        let perturbed = if self.perturbed { "_perturbed" } else { "" };
        let colored = if self.colored { "_colored" } else { "" };
        format!("l1_data_{geometry}{tag}{perturbed}{colored}")
    }

    fn build(&self) -> L1DataIo {
        let io = self.ports();
        let sweep = self.sweep(&io);
        let speculation = self.speculation(&io);
        let current = self.current(&io, speculation.as_ref());
        let lookup = self.look_up(&io, &current, speculation.as_ref());
        let (reservation, conditional) = self.reservation(&current);
        let demands = speculation
            .as_ref()
            .map(|speculation| self.demands(&io, &current, &lookup, conditional, speculation));
        let outcome = self.order(&io, &current, &lookup, conditional.lapsed, demands);
        self.ask_bus(&io, &current, &outcome, conditional.lapsed, speculation.as_ref());
        let victim_address = self.answer_look(&io, &current, &lookup);

        let cycle = Cycle { io: &io, current: &current, lookup: &lookup, outcome: &outcome };
        let reads_again = self.offer_port(&cycle, sweep, speculation.as_ref());
        let withdrawn = self.withdraw(&cycle);
        let amo_written = self.respond(&cycle);
        self.advance(&cycle, withdrawn, reads_again, demands);

        let reads_line = self.read_arrays(&cycle);
        let writes = self.next_entry(&cycle, sweep);
        let stored = self.write_arrays(&cycle, &writes, sweep.sweeping, amo_written);
        self.keep_use(&cycle, &writes, sweep.sweeping);
        self.keep_reservation(&cycle, writes.downgrades, victim_address, &reservation);

        if let Some((speculation, demands)) = speculation.as_ref().zip(demands) {
            self.keep_speculation(&cycle, speculation, demands);
        }

        self.export_hit(&cycle);
        self.watch(&cycle, stored);
        let facts = Facts {
            sweeping: sweep.sweeping,
            writes,
            reads_line,
            writes_line: stored.writes_line,
            conditional_fails: conditional.fails,
        };
        self.check(&cycle, &facts);
        io
    }
}

/// Bits of a word's number that tell accesses to different words apart early in a cycle.
const LOW_BITS: usize = 5;

/// The low bits of the number of the word that an address is in.
#[track_caller]
fn low_word_number(address: Sig) -> Sig {
    address.bits(2..2 + LOW_BITS)
}

/// The number of the word that an address is in.
#[track_caller]
fn word_number(address: Sig) -> Sig {
    address.bits(2..)
}

impl L1Data {
    /// An access that waits may have to be looked up again.
    fn looks_again(&self) -> bool {
        self.perturbed || self.colored
    }

    /// The data cache of a configuration, perturbed as in simulation.
    pub fn from_config(config: &Config) -> L1Data {
        L1Data {
            geometry: Geometry::of_data(config),
            observers: features::observers(config),
            perturbed: true,
            colored: false,
        }
    }
}
