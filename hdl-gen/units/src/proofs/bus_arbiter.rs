//! The arbiter of the bus: who waits is granted, within a bound.
//!
//! The proof follows one requester, whichever the solver likes, and counts the grants to others while
//! it waits. What it assumes is how the bus uses the arbiter: one is taken, then granted or given up,
//! then the next is taken; and the one that is followed waits until it is granted.

use hdl::{
    Bundle, Module, Sig, assert, assume, cover, hardware, index_width, input, lit, ports, reg,
    select, set_when, when,
};

use super::any::{chosen_once, signal, signals};
use crate::bus::{BusArbiter, BusArbiterIo, PASSES_BITS};
use crate::one_hot;

/// Bits of a count of grants; more than any bound needs.
const COUNT_BITS: usize = PASSES_BITS + 1;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct ArbiterProof {
    pub requesters: usize,
    pub perturbed: bool,
}

/// What the solver chooses besides the unit's inputs.
#[derive(Clone, Copy, Debug, Bundle)]
pub(super) struct Choice {
    any_requester: Sig,
    /// The requester chosen last gives up, or has to come again.
    gives_up: Sig,
}

/// Follows any one requester.
#[hardware]
impl Module for ArbiterProof {
    type Io = (BusArbiterIo, Choice);

    fn name(&self) -> String {
        let perturbed = if self.perturbed { "_perturbed" } else { "" };
        format!("prove_bus_arbiter_{}{perturbed}", self.requesters)
    }

    fn build(&self) -> (BusArbiterIo, Choice) {
        let count = self.requesters;
        let number_bits = index_width(count);
        let io = BusArbiter { requesters: count, perturbed: self.perturbed }.build();
        let choice = ports(Choice { any_requester: input(number_bits), gives_up: input(1) });
        let followed = chosen_once(choice.any_requester);
        assume("is_a_requester", followed.lt(count), "there are so many");
        let requests = one_hot::apart(io.requests);
        let waits = select(followed, &requests);

        // How the bus uses it.
        /// A requester was chosen, and was neither granted nor has given up yet.
        let pending = reg(1).reset(0);
        /// The number of the requester chosen last.
        let taken_last = reg(number_bits).reset(0);
        let takes = io.take & io.requests.any();
        let gives_up = choice.gives_up & pending;
        let is_mine = taken_last.eq(followed);
        set_when(io.granted | gives_up, pending, 0);
        when(takes, || {
            pending.set(1);
            taken_last.set(io.winner);
        });
        assume("takes_one_at_a_time", !(io.take & pending), "the bus is atomic");
        assume("grants_what_was_taken", !io.granted | pending, "what was taken is granted");
        assume("one_end", !(io.granted & gives_up), "it is granted or gives up");
        assume("mine_stands", !(gives_up & is_mine), "the one that is followed does not give up");
        let granted_mine = io.granted & is_mine;
        let granted_other = io.granted & !is_mine;
        /// The followed requester waited in the cycle before, and was not granted.
        let must_wait = reg(1).reset(0);
        must_wait.set(waits & !granted_mine);
        assume("keeps_asking", !must_wait | waits, "the one that is followed waits");

        // Grants to others that it has seen.
        let out_of_turn = match self.perturbed {
            true => signal("out_of_turn"),
            false => lit(1, 0),
        };
        /// Grants to others, in turn, that the followed requester has seen while it waits.
        let seen = reg(COUNT_BITS).reset(0);
        /// Grants to others, out of turn, that the followed requester has seen while it waits.
        let passed = reg(COUNT_BITS).reset(0);
        let sees_one = granted_other & waits;
        seen.set(seen + (sees_one & !out_of_turn).zext(COUNT_BITS));
        passed.set(passed + (sees_one & out_of_turn).zext(COUNT_BITS));
        when(!waits | granted_mine, || {
            seen.set(0);
            passed.set(0);
        });

        // Who has its turn before the one that is followed: what `seen` can still grow by.
        let upcoming = one_hot::apart(signal("upcoming"));
        let mine_upcoming = select(followed, &upcoming);
        let before: Vec<Sig> = upcoming
            .iter()
            .enumerate()
            .map(|(place, &ahead)| {
                ahead & !mine_upcoming | ahead.eq(mine_upcoming) & followed.gt(place)
            })
            .collect();
        let still_before = before
            .iter()
            .map(|before| before.zext(COUNT_BITS))
            .reduce(|sum, one| sum + one)
            .expect("there are requesters");
        let pending_in_turn = pending & !is_mine & !out_of_turn;
        let breaks: Vec<Sig> = upcoming.windows(2).map(|pair| pair[0] & !pair[1]).collect();
        assert("taken_exists", taken_last.lt(count), "a requester is taken");
        assert("turn_goes_up", !one_hot::any(&breaks), "the upcoming are all from a place on");
        assert(
            "last_comes_last",
            !(pending_in_turn & select(taken_last, &before)),
            "one that was taken in turn is behind all others",
        );
        assert(
            "turns_add_up",
            !waits
                | pending & is_mine
                | (seen + still_before + pending_in_turn.zext(COUNT_BITS)).lt(count),
            "what it has seen and what is still before it are not more than the others",
        );
        assert("sees_each_once", seen.lt(count), "at most one grant in turn to each of the others");
        cover("sees_all_others", granted_mine & seen.eq(count - 1), "the bound is met");

        if let Some(disturbance) = io.disturbance {
            let max_passes = disturbance.max_passes;
            let setting = chosen_once(max_passes);
            assume("max_passes_stays", max_passes.eq(setting), "a setting");
            let bound = max_passes.zext(COUNT_BITS);
            let last_winner = one_hot::apart(signal("last_winner"));
            let last_number = one_hot::index(&last_winner, number_bits);
            assert("knows_the_last", !pending | last_number.eq(taken_last), "the one taken last");
            assert("one_was_last", one_hot::at_most_one(&last_winner), "it is one");
            assert("some_was_last", !pending | one_hot::any(&last_winner), "and not none");
            let passes = signals("passes", count);
            for (place, passes) in passes.iter().enumerate() {
                let to_come = pending & out_of_turn & !last_winner[place];
                assert(
                    &format!("passes_add_up_{place}"),
                    (passes.zext(COUNT_BITS) + to_come.zext(COUNT_BITS)).le(bound),
                    "nobody who has seen enough is passed over",
                );
            }
            let counted = select(followed, &passes).zext(COUNT_BITS);
            assert("counts_passes", passed.eq(counted), "the unit counts them too");
            assert("passed_within_bound", passed.le(bound), "at most `max_passes` out of turn");
            cover("passed_twice", granted_mine & passed.eq(2) & seen.ne(0), "it is passed over");
        }
        (io, choice)
    }
}
