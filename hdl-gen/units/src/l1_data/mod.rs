//! The first-level data cache of one hart: write-back, MESI, one access at a time.
//!
//! An access is taken in one cycle, in which all ways of its set are read, and a hit is complete in
//! the next. The arrays have one port for reading, and looks of the bus come first: an access that
//! loses its place is read again. Whatever the arrays show counts for an access only while they are
//! `fresh`: read for it, and not written since.
//!
//! What cannot be a hit asks the bus. When the line has arrived the access completes as a hit does;
//! no other transaction comes between. `ports` says what passes to and from the bus.

mod access;
mod amo;
mod answers;
mod arrays;
mod check;
mod export;
mod io;
mod lookup;
mod order;
mod plru;
mod ports;
mod reservation;
mod way;

use config::Config;
use hdl::{Module, Sig, hardware};

pub use io::{Hit, HitKind, L1DataIo, Watch};
pub use plru::{Plru, PlruIo};
pub use ports::{Answer, CacheBus, CacheRequest, Fill, Look, Verdict};
pub use reservation::{Reservation, ReservationIo};
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
}

/// One access at a time; hits complete in the cycle after they were taken. After reset every set is
/// made invalid, one in a cycle.
#[hardware]
impl Module for L1Data {
    type Io = L1DataIo;

    fn name(&self) -> String {
        let (geometry, tag) = (self.geometry.tag_text(), self.observers.tag());
        let perturbed = if self.perturbed { "_perturbed" } else { "" };
        format!("l1_data_{geometry}{tag}{perturbed}")
    }

    fn build(&self) -> L1DataIo {
        let io = self.ports();
        let sweep = self.sweep(&io);
        let current = self.current(&io);
        let lookup = self.look_up(&io, &current);
        let (reservation, conditional_fails) = self.reservation(&current);
        let outcome = self.order(&io, &current, &lookup, conditional_fails);
        self.ask_bus(&io, &current, &outcome, conditional_fails);
        let victim = self.answer_look(&io, &current, &lookup);

        let cycle = Cycle { io: &io, current: &current, lookup: &lookup, outcome: &outcome };
        io.data.request.ready.set(!sweep.sweeping & (!current.busy | outcome.done));
        let withdrawn = self.withdraw(&cycle);
        let amo_written = self.respond(&cycle);
        let takes = self.advance(&cycle, withdrawn);

        let read = self.read_arrays(&cycle, takes);
        let writes = self.next_entry(&cycle, sweep);
        let stored = self.write_arrays(&cycle, &writes, sweep.sweeping, amo_written);
        self.note_fresh(&cycle, read, &writes);
        self.keep_use(&cycle, read, &writes, sweep.sweeping);
        self.keep_reservation(&cycle, &writes, victim, &reservation);

        self.export_hit(&cycle);
        self.watch(&cycle, stored);
        let writes_line = stored.writes_line;
        self.check(&cycle, &Facts { sweeping: sweep.sweeping, takes, writes, writes_line });
        io
    }
}

/// The number of the word that an address is in.
#[track_caller]
fn word_number(address: Sig) -> Sig {
    address.bits(2..)
}

impl L1Data {
    /// The data cache of a configuration, perturbed as in simulation.
    pub fn from_config(config: &Config) -> L1Data {
        L1Data {
            geometry: Geometry::of_data(config),
            observers: features::observers(config),
            perturbed: true,
        }
    }
}
