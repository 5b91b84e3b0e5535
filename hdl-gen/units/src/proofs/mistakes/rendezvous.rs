//! Mistakes in who meets whom at a breakpoint, and who waits for how long.

use super::Mistake;

pub(super) const MISTAKES: &[Mistake] = &[
    Mistake {
        proof: "rendezvous_2",
        what: "rendezvous: values are not compared",
        module: "prove_rendezvous",
        was: "wire agrees_0 = stays && (entry == at_entry) && is_equal;",
        becomes: "wire agrees_0 = stays && (entry == at_entry);",
        fails: "values_agree",
        cycle: None,
    },
    Mistake {
        proof: "rendezvous_2",
        what: "rendezvous: a wait ends a cycle late",
        module: "prove_rendezvous",
        was: "wire last_cycle_0 = left == 21'd1;",
        becomes: "wire last_cycle_0 = left == 21'd0;",
        fails: "time_is_left",
        cycle: None,
    },
    Mistake {
        proof: "rendezvous_2",
        what: "rendezvous: the bound is not counted",
        module: "prove_rendezvous",
        was: "if (hit_3 && is_last) begin",
        becomes: "if (1'd0) begin",
        fails: "knows_the_bound",
        cycle: None,
    },
    Mistake {
        proof: "rendezvous_2",
        what: "rendezvous: the second goes without the first",
        module: "prove_rendezvous",
        was: "wire released_0 = in_turn_0 && !heard_0_ended && (place_has_until ? ahead_passed : ahead_ended);",
        becomes: "wire released_0 = in_turn_0 && !heard_0_ended;",
        fails: "goes_in_turn",
        cycle: None,
    },
    Mistake {
        proof: "rendezvous_3",
        what: "rendezvous: a turn runs out before it begins",
        module: "prove_rendezvous",
        was: "wire turn_ends_0 = waits_on && has_gone && last_cycle_0;",
        becomes: "wire turn_ends_0 = waits_on && last_cycle_0;",
        fails: "goes_in_turn",
        cycle: None,
    },
];
