//! Breakpoints as an observer of coherence: the row of `features` that puts them into a machine.

use config::Config;
use hdl::{Bundle, Module, Sig, array, bits, hardware};

use super::comparators::{self, Comparators, ToHart};
use super::rendezvous::{Export, Heard, Rendezvous};
use crate::observer::{Lane, LinkShape, Observer, Opaque, Seat, Served};

/// The rendezvous as an observer of coherence, for its window and its links: it hears of no transaction.
#[derive(Clone, Debug, PartialEq)]
pub struct Breakpoints {
    /// The rendezvous.
    pub rendezvous: Rendezvous,
}

impl Breakpoints {
    /// As a configuration has them. `Err` names the key that switches them off.
    pub fn from_config(config: &Config) -> Result<Breakpoints, &'static str> {
        match config.breakpoints.entries {
            0 => Err("breakpoints.entries is 0"),
            entries => {
                let (harts, entries) = (config.harts as usize, entries as usize);
                Ok(Breakpoints { rendezvous: Rendezvous { harts, entries } })
            }
        }
    }

    /// The comparators beside each hart.
    pub fn comparators(&self, config: &Config) -> Comparators {
        Comparators { rendezvous: self.rendezvous.clone(), line: config.l1.line as usize }
    }
}

/// What is exported of all harts.
#[derive(Clone, Debug, Bundle)]
pub struct Exports {
    /// Events of the hart in this cycle: arrive (bit 0), hit (1), go (2), timeout (3), pause (4).
    pub events: Vec<Sig>,
    /// The number of the entry that the hart visits; valid with an event, else 0.
    pub entry: Vec<Sig>,
    /// The number of the hart's party in the entry; valid with an event, else 0.
    pub party: Vec<Sig>,
    /// The first word of the compared value; valid with an event, else 0.
    pub first: Vec<Sig>,
    /// The second word of the compared value; valid with an event, else 0.
    pub second: Vec<Sig>,
    /// The hart's visit to a breakpoint ends.
    pub ended: Vec<Sig>,
    /// The entries whose `control` register is written in this cycle, a bit each.
    pub cleared: Sig,
}

impl Exports {
    fn of(harts: &[Export], ended: Vec<Sig>, cleared: Sig) -> Exports {
        let each = |of: fn(&Export) -> Sig| harts.iter().map(of).collect();
        Exports {
            events: each(|export| export.events),
            entry: each(|export| export.entry),
            party: each(|export| export.party),
            first: each(|export| export.first),
            second: each(|export| export.second),
            ended,
            cleared,
        }
    }
}

#[hardware]
impl Observer for Breakpoints {
    fn name(&self) -> &'static str {
        "breakpoints"
    }

    fn module(&self) -> String {
        self.rendezvous.name()
    }

    fn export(&self) -> Option<Lane<Opaque>> {
        let shapes: Vec<Export> =
            (0..self.rendezvous.harts).map(|_| self.rendezvous.export()).collect();
        let ended = array(self.rendezvous.harts, |_| bits(1));
        let of = Opaque::of(Exports::of(&shapes, ended, bits(self.rendezvous.entries)));
        Some(Lane { name: "breakpoint".into(), doc: "", of })
    }

    fn link(&self) -> Option<Lane<LinkShape>> {
        Some(comparators::link(&self.rendezvous))
    }

    fn attach(&self, seat: &Seat) -> Served {
        let rendezvous = self.rendezvous.clone().instance();
        rendezvous.device.drive(&seat.device);
        let heard: Vec<Heard> = seat.from_hart.iter().map(|from| from.get::<Heard>()).collect();
        for (to, from) in rendezvous.heard.iter().zip(&heard) {
            to.drive(from);
        }
        let ended = heard.iter().map(|heard| heard.ended).collect();
        let to_hart = rendezvous.told.iter().map(|&told| {
            let (armed, cleared) = (rendezvous.armed, rendezvous.cleared);
            Opaque::of(ToHart { told, armed, cleared, place: rendezvous.place.clone() })
        });
        Served {
            device_data: Some(rendezvous.device_data),
            export: Some(Opaque::of(Exports::of(&rendezvous.export, ended, rendezvous.cleared))),
            to_hart: to_hart.collect(),
            ..Served::default()
        }
    }
}
