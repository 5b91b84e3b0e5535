//! Priorities of harts: nobody is held for longer than each other hart may lead.
//!
//! The proof follows one hart, whichever the solver likes, and counts the cycles for which its access is
//! held by rank. A hart that is held moves up by one whenever the leader gives way; so what it has waited
//! is bounded by its rank.

use hdl::{
    Bundle, Module, Sig, assert, assume, cover, hardware, index_width, input, lit, ports, reg,
    select,
};

use super::any::{chosen_once, signal, signals};
use crate::perturbation::{HOLD_BITS, Limits, Priorities, PrioritiesIo};

/// Bits of a count of cycles: enough for all harts but one.
const COUNT_BITS: usize = HOLD_BITS + 2;

/// Numbers so small that a run soon shows everything.
const LIMITS: Limits = Limits { absent_after: 2, spins_after: 2, shuffles: 5 };

#[derive(Clone, Debug, PartialEq)]
pub(super) struct PrioritiesProof {
    pub harts: usize,
}

/// What the solver chooses besides the unit's inputs.
#[derive(Clone, Copy, Debug, Bundle)]
pub(super) struct Choice {
    any_hart: Sig,
}

/// Follows any one hart.
#[hardware]
impl Module for PrioritiesProof {
    type Io = (PrioritiesIo, Choice);

    fn name(&self) -> String {
        format!("prove_priorities_{}", self.harts)
    }

    fn build(&self) -> (PrioritiesIo, Choice) {
        let harts = self.harts;
        let io = Priorities { harts, limits: LIMITS }.build();
        let choice = ports(Choice { any_hart: input(index_width(harts)) });
        let followed = chosen_once(choice.any_hart);
        assume("is_a_hart", followed.lt(harts), "there are so many");
        let max_hold = io.settings.max_hold;
        let setting = chosen_once(max_hold);
        assume("max_hold_stays", max_hold.eq(setting), "a setting");

        let rank = select(followed, &signals("rank", harts));
        let waits = select(followed, &io.hold) & !select(followed, &io.resting);
        /// For how many cycles in a row the followed hart has been held.
        let held_for = reg(COUNT_BITS).reset(0);
        held_for.set(waits.mux(held_for + 1, 0));

        let times = |factor: Sig| (factor * max_hold).zext(COUNT_BITS + 2).trunc(COUNT_BITS);
        let allowed = times(rank) + signal("waited").zext(COUNT_BITS);
        assert(
            "waits_by_rank",
            !waits | held_for.le(allowed),
            "it waits for those that were above it",
        );
        let bound = times(lit(index_width(harts), harts - 1));
        assert(
            "held_within_bound",
            !waits | held_for.lt(bound),
            "nobody is held for longer than each other hart may lead",
        );
        let longest = waits & (held_for + 1).eq(bound) & max_hold.gt(1);
        cover("bound_is_met", longest, "somebody is held for as long as may be");
        (io, choice)
    }
}
