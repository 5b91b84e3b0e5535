//! The bus arbiter: requesters get the bus in turn and, when perturbed, sometimes out of turn.
//!
//! A requester that waits sees at most one grant to each of the others, and at most `max_passes` more
//! that are out of turn. For that a grant out of turn leaves the turn where it is, and none is given
//! while somebody who waits has seen that many.

use hdl::{
    Bundle, Module, Sig, assert, cover, hardware, index_width, input, lit, output, ports, reg,
    set_when, wire,
};

use crate::one_hot;

/// Bits of a number of passes: up to 64.
pub const PASSES_BITS: usize = 7;

/// The arbiter.
#[derive(Clone, Debug, PartialEq)]
pub struct BusArbiter {
    /// How many ask.
    pub requesters: usize,
    /// Grants can be out of turn.
    pub perturbed: bool,
}

/// What disturbs the turn.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Disturbance {
    /// Requesters to pass over in this cycle, a bit each; ignored if no other requester asks.
    pub pass_over: Sig,
    /// How many out-of-turn grants a waiting requester may see before grants are in turn again.
    pub max_passes: Sig,
}

/// Ports of [`BusArbiter`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct BusArbiterIo {
    /// The requesters that ask for the bus, a bit each.
    pub requests: Sig,
    /// The next requester is chosen in this cycle, if any asks.
    pub take: Sig,
    /// The number of the requester chosen; valid if any bit of `requests` is 1.
    pub winner: Sig,
    /// The requester chosen last is granted its transaction in this cycle.
    pub granted: Sig,
    /// Perturbation: requesters to pass over.
    pub disturbance: Option<Disturbance>,
}

/// Round-robin. When perturbed, some grants are out of turn, within a bound for each waiting
/// requester.
#[hardware]
impl Module for BusArbiter {
    type Io = BusArbiterIo;

    fn name(&self) -> String {
        let perturbed = if self.perturbed { "_perturbed" } else { "" };
        format!("bus_arbiter_{}{perturbed}", self.requesters)
    }

    fn build(&self) -> BusArbiterIo {
        let count = self.requesters;
        let io = ports(BusArbiterIo {
            requests: input(count),
            take: input(1),
            winner: output(index_width(count)),
            granted: input(1),
            disturbance: self
                .perturbed
                .then(|| Disturbance { pass_over: input(count), max_passes: input(PASSES_BITS) }),
        });
        /// The requesters after the one that had its turn last: they come before the others.
        let upcoming = reg(count).reset(0);
        let in_turn = self.first_of(io.requests, upcoming);
        let taken = io.take & io.requests.any();

        let winner = wire(count);
        let moves_turn = wire(1);
        if let Some(Disturbance { pass_over, max_passes }) = io.disturbance {
            /// The requester chosen last was chosen out of turn.
            let out_of_turn = reg(1).reset(0);
            /// The requester chosen last, one bit each.
            let last_winner = reg(count).reset(0);
            let mut patient = lit(1, 1);
            for place in 0..count {
                /// How many out-of-turn grants this requester has seen while it waits.
                let passes = reg(PASSES_BITS).reset(0).named(&format!("passes_{place}"));
                let waits = io.requests.bit(place);
                let mine = last_winner.bit(place);
                set_when(io.granted & out_of_turn & waits & !mine, passes, passes + 1);
                set_when(!waits | io.granted & mine, passes, 0);
                patient = patient & (!waits | passes.lt(max_passes));
                assert(
                    &format!("passes_within_bounds_{place}"),
                    passes.le(max_passes),
                    "nobody is passed over too often",
                );
            }
            let remaining = io.requests & !pass_over;
            let disturbed = self.first_of(remaining, upcoming);
            let disturbs = remaining.any() & patient & disturbed.ne(in_turn);
            winner.set(disturbs.mux(disturbed, in_turn));
            moves_turn.set(taken & !disturbs);
            set_when(taken, out_of_turn, disturbs);
            set_when(taken, last_winner, winner);
            cover("out_of_turn", taken & disturbs, "somebody is passed over");
        } else {
            winner.set(in_turn);
            moves_turn.set(taken);
        }
        let winners = one_hot::apart(winner);
        io.winner.set(one_hot::index(&winners, index_width(count)));
        let after = one_hot::after_first(&winners);
        set_when(moves_turn, upcoming, one_hot::together(&after));
        assert("one_winner", one_hot::at_most_one(&winners), "one is taken at a time");
        io
    }
}

impl BusArbiter {
    /// The first of those that ask, counted from the upcoming ones on.
    #[track_caller]
    fn first_of(&self, requests: Sig, upcoming: Sig) -> Sig {
        let ahead = requests & upcoming;
        let first = |bits: Sig| one_hot::together(&one_hot::first(&one_hot::apart(bits)));
        ahead.any().mux(first(ahead), first(requests))
    }
}
