//! Mistakes in who goes first: the arbiter of the bus, and priorities of harts.

use super::Mistake;

pub(super) const MISTAKES: &[Mistake] = &[
    Mistake {
        proof: "bus_arbiter",
        what: "arbiter: the turn does not move",
        module: "prove_bus_arbiter",
        was: "assign moves_turn = taken;",
        becomes: "assign moves_turn = taken && !upcoming[1];",
        fails: "turns_add_up",
        cycle: None,
    },
    Mistake {
        proof: "bus_arbiter",
        what: "arbiter: the lowest number always wins",
        module: "prove_bus_arbiter",
        was: "wire [4:0] in_turn = |requests_and_upcoming ?",
        becomes: "wire [4:0] in_turn = 1'd0 ?",
        fails: "turns_add_up",
        cycle: None,
    },
    Mistake {
        proof: "bus_arbiter_perturbed",
        what: "arbiter: a grant out of turn moves the turn",
        module: "prove_bus_arbiter",
        was: "assign moves_turn = taken && !disturbs;",
        becomes: "assign moves_turn = taken;",
        fails: "turns_add_up",
        cycle: None,
    },
    Mistake {
        proof: "priorities",
        what: "priorities: the leader never gives way for those that wait",
        module: "prove_priorities",
        was: "wire expires = |held && ((waited + 16'd1) == settings_max_hold);",
        becomes: "wire expires = 1'd0;",
        fails: "patience_within_bound",
        cycle: None,
    },
    Mistake {
        proof: "priorities",
        what: "priorities: a hart stays where it is when one above it gives way",
        module: "prove_priorities",
        was: "if (rank_0 < from) begin",
        becomes: "if (1'd0) begin",
        fails: "rank_of_its_own",
        cycle: None,
    },
];
