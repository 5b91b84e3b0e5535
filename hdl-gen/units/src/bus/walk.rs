//! Walk: a hart reads a line of its tables of colors.
//!
//! It is a Fetch for somebody else than the instruction cache: the same course, with requesters of its own, behind all
//! others. In a machine without colors there are none.

use hdl::{Sig, assume, cover, hardware, lit, select, when};

use super::look::Asks;
use super::phases::{Phase, Registers, Requester};
use super::{Bus, BusIo};

/// The code of a Walk in what the bus exports.
pub(super) const CODE: u64 = 7;

impl Bus {
    /// How many requesters walk.
    pub(super) fn walkers(&self) -> usize {
        if self.colored { self.harts } else { 0 }
    }

    /// Whether the hart that has the bus still asks for a line to fetch, or to walk through.
    pub(super) fn line_wanted(&self, io: &BusIo, registers: &Registers, fetches: &[Sig]) -> Sig {
        let fetch = select(registers.hart, fetches);
        let Some(walking) = registers.walking else { return fetch };
        let walks: Vec<Sig> = io.walk.iter().map(|walk| walk.request.valid).collect();
        walking.mux(select(registers.hart, &walks), fetch)
    }
}

#[hardware]
impl Bus {
    /// Notes that the winner walks, or that it does not.
    pub(super) fn set_walker(&self, winner: Sig, registers: &Registers) {
        let Registers { requester, hart, walking, .. } = *registers;
        let Some(walking) = walking else { return };
        let first = 2 * self.harts + 1;
        walking.set(0);
        when(!winner.lt(first), || {
            walking.set(1);
            requester.set(Requester::Fetch);
            hart.set((winner - lit(winner.width(), first)).trunc(hart.width()));
        });
    }

    /// Serves the walk that has the bus, if one does.
    pub(super) fn serve_walk(&self, io: &BusIo, registers: &Registers, asks: &Asks, granted: Sig) {
        let Some(is_walk) = asks.is_walk else { return };
        let Registers { phase, hart, line, .. } = *registers;
        let delivers = phase.is(Phase::Deliver);
        for (place, walk) in io.walk.iter().enumerate() {
            let mine = is_walk & hart.eq(place);
            walk.request.ready.set(granted & mine);
            walk.response_valid.set(delivers & mine);
            walk.response_line.set(line);
        }
        when(phase.is(Phase::Grant) & is_walk, || {
            assume("walk_holds", asks.still_stands, "a walk waits until it is taken");
        });
        cover("grant_Walk", granted & is_walk, "a table of colors is read");
    }
}
