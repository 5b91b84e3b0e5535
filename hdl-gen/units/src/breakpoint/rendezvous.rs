//! The rendezvous: which hart waits for which others at a breakpoint, and when each may go on.
//!
//! One arrival is handled in a cycle, so there is one comparison of values for each hart, not for each pair. The
//! contract is docs/machine.md §12, rules 5 to 15.

mod arrival;
mod moves;

use border::breakpoint::{Event, PARTIES};
use config::Config;
use hdl::{
    Bundle, Enum, HwEnum, Module, Sig, array, bits, hardware, index_width, input, output, ports,
    reg,
};

use super::entries::{self, COUNT_BITS, Counters, Entry, PARTY_BITS, Place, WAIT_BITS};
use crate::bus::DeviceRequest;
use crate::geometry::WORD_BITS;
use crate::one_hot;

/// How far a hart's visit has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum Phase {
    /// It is in no visit.
    Away,
    /// It waits for the other parties.
    Postponed,
    /// It did, and was interrupted.
    Paused,
    /// It waits for its turn after a hit.
    Turn,
    /// It may go on.
    Gone,
}

/// The rendezvous of a machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Rendezvous {
    /// How many harts there are.
    pub harts: usize,
    /// How many entries there are.
    pub entries: usize,
}

/// Where a hart stands: valid while the instruction at the location is the next one.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Standing {
    /// The hart stands at a breakpoint: its next instruction matches an armed entry.
    pub valid: Sig,
    /// The number of the entry that the hart's next instruction matches; valid with `valid`.
    pub entry: Sig,
    /// The parties of the entry that the hart matches, a bit each; valid with `valid`.
    pub parties: Sig,
    /// The first word of the value to compare with the other parties: an address or an operand of
    /// the instruction.
    pub first: Sig,
    /// The second word of the value to compare with the other parties; 0 unless both operands are
    /// compared.
    pub second: Sig,
}

/// What a hart tells the rendezvous.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Heard {
    /// Where the hart stands.
    pub at: Standing,
    /// The hart's visit to a breakpoint ends.
    pub ended: Sig,
    /// The entries at whose `until` location the hart retires an instruction, a bit each.
    pub passed: Sig,
}

/// What the rendezvous tells a hart. From registers.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Told {
    /// The hart is in a visit to a breakpoint.
    pub visiting: Sig,
    /// The visit waits: for other parties, or for its turn.
    pub waits: Sig,
    /// The visit no longer waits: the instruction at the breakpoint may go on.
    pub gone: Sig,
}

/// What the machine exports of a hart.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Export {
    /// Events of the hart in this cycle: arrive (bit 0), hit (1), go (2), timeout (3), pause (4).
    pub events: Sig,
    /// The number of the entry that the hart visits; valid with an event, else 0.
    pub entry: Sig,
    /// The number of the hart's party in the entry; valid with an event, else 0.
    pub party: Sig,
    /// The first word of the compared value; valid with an event, else 0.
    pub first: Sig,
    /// The second word of the compared value; valid with an event, else 0.
    pub second: Sig,
}

/// Ports of [`Rendezvous`].
#[derive(Clone, Debug, Bundle)]
pub struct RendezvousIo {
    /// What each hart reports.
    pub heard: Vec<Heard>,
    /// The state of each hart's visit, from registers.
    pub told: Vec<Told>,
    /// The entries that are armed, a bit each: harts stop at their locations.
    pub armed: Sig,
    /// The entries whose `control` register is written in this cycle, a bit each.
    pub cleared: Sig,
    /// The settings of each entry.
    pub place: Vec<Place>,
    /// The events of each hart.
    pub export: Vec<Export>,
    /// The device access of this cycle, to any device.
    pub device: DeviceRequest,
    /// The word read from the breakpoints' window in the cycle before; 0 if that cycle had no such
    /// read.
    pub device_data: Sig,
}

/// The registers of a hart.
#[derive(Clone, Copy)]
struct Visitor {
    phase: Enum<Phase>,
    entry: Sig,
    party: Sig,
    first: Sig,
    second: Sig,
    left: Sig,
    ahead: Sig,
    has_gone: Sig,
}

/// What an entry counts.
struct Tally {
    hits: Sig,
    timeouts: Sig,
    skipped: Vec<Sig>,
    /// There was a hit.
    has_hit: Sig,
    /// There were as many hits as the bound allows.
    is_used_up: Sig,
}

impl Rendezvous {
    /// The rendezvous of a configuration. `Err` names the key that switches it off.
    pub fn from_config(config: &Config) -> Result<Rendezvous, &'static str> {
        let (harts, entries) = (config.harts as usize, config.breakpoints.entries as usize);
        if entries == 0 {
            Err("breakpoints.entries is 0")
        } else {
            Ok(Rendezvous { harts, entries })
        }
    }

    /// Bits of an entry's number.
    pub(crate) fn entry_bits(&self) -> usize {
        index_width(self.entries)
    }

    /// The shape of what a hart tells.
    pub(crate) fn heard(&self) -> Heard {
        let at = Standing {
            valid: bits(1),
            entry: bits(self.entry_bits()),
            parties: bits(PARTIES as usize),
            first: bits(WORD_BITS),
            second: bits(WORD_BITS),
        };
        Heard { at, ended: bits(1), passed: bits(self.entries) }
    }

    /// The shape of what a hart is told.
    pub(crate) fn told(&self) -> Told {
        Told { visiting: bits(1), waits: bits(1), gone: bits(1) }
    }

    /// The shape of what is exported of a hart.
    pub(crate) fn export(&self) -> Export {
        Export {
            events: bits(Event::ALL.len()),
            entry: bits(self.entry_bits()),
            party: bits(PARTY_BITS),
            first: bits(WORD_BITS),
            second: bits(WORD_BITS),
        }
    }
}

/// Lets harts meet at breakpoints. Decisions depend on registers and on what the harts report in
/// the same cycle.
#[hardware]
impl Module for Rendezvous {
    type Io = RendezvousIo;

    fn name(&self) -> String {
        format!("rendezvous_{}_{}", self.harts, self.entries)
    }

    fn build(&self) -> RendezvousIo {
        let io = ports(RendezvousIo {
            heard: array(self.harts, |_| input(self.heard())),
            told: array(self.harts, |_| output(self.told())),
            armed: output(self.entries),
            cleared: output(self.entries),
            place: array(self.entries, |_| output(Place::shape())),
            export: array(self.harts, |_| output(self.export())),
            device: input(DeviceRequest::shape()),
            device_data: output(WORD_BITS),
        });
        let tallies = array(self.entries, |_| {
            let hits = reg(COUNT_BITS).reset(0);
            let timeouts = reg(COUNT_BITS).reset(0);
            let skipped = array(PARTIES as usize, |_| reg(COUNT_BITS).reset(0));
            let has_hit = reg(1).reset(0);
            let is_used_up = reg(1).reset(0);
            Tally { hits, timeouts, skipped, has_hit, is_used_up }
        });
        let bus = entries::bus(io.device);
        let entries: Vec<Entry> = (0..)
            .zip(&tallies)
            .map(|(number, tally)| {
                let Tally { hits, timeouts, .. } = *tally;
                entries::entry(number, bus, Counters { hits, timeouts })
            })
            .collect();
        let shown = entries.iter().map(|entry| entry.shown).reduce(|left, right| left | right);
        let shown = shown.expect("there is an entry");
        /// The word read in the cycle before.
        let read_word = reg(WORD_BITS).reset(0);
        read_word.set(shown & bus.read_valid.repeat(WORD_BITS));
        io.device_data.set(read_word);
        for (to, entry) in io.place.iter().zip(&entries) {
            to.drive(&entry.place);
        }
        let cleared: Vec<Sig> = entries.iter().map(|entry| entry.cleared).collect();
        io.cleared.set(one_hot::together(&cleared));

        // Harts wait for this in X, so it is from flags, not from counters.
        let armed: Vec<Sig> = entries
            .iter()
            .zip(&tallies)
            .map(|(entry, tally)| {
                let came: Vec<Sig> = (0..)
                    .zip(&tallies)
                    .map(|(index, tally)| entry.after.eq(index as u64) & tally.has_hit)
                    .collect();
                entry.enable & !tally.is_used_up & (!entry.has_after | one_hot::any(&came))
            })
            .collect();
        let armed_set = one_hot::together(&armed);
        io.armed.set(armed_set);

        let visitors = self.visitors();
        let arrival = self.arrival(&io, &entries, &tallies, armed_set, &visitors);
        self.move_on(&io, &entries, &tallies, armed_set, &visitors, &arrival);
        io
    }
}

#[hardware]
impl Rendezvous {
    fn visitors(&self) -> Vec<Visitor> {
        array(self.harts, |_| {
            let phase = reg(Phase::shape()).reset(Phase::Away);
            /// The entry that the hart visits, or visited last.
            let entry = reg(self.entry_bits()).reset(0);
            let party = reg(PARTY_BITS).reset(0);
            let first = reg(WORD_BITS).reset(0);
            let second = reg(WORD_BITS).reset(0);
            /// Cycles left until the wait times out.
            let left = reg(WAIT_BITS).reset(0);
            /// During a hit: the hart that goes before this one, one bit each.
            let ahead = reg(self.harts).reset(0);
            /// During a hit: the hart before this one has gone.
            let has_gone = reg(1).reset(0);
            Visitor { phase, entry, party, first, second, left, ahead, has_gone }
        })
    }
}
