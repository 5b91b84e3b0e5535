//! The HazardColorSet: it only grows, until it is cleared, and by what searches found.
//!
//! The proof follows one bit of the signature, whichever the solver likes.

use hdl::{
    Bundle, Module, Sig, assert, cover, hardware, index_width, input, ports, reg, select, when,
};

use super::any::{chosen_once, signal};
use crate::color_hash::ColorHash;
use crate::hazard_color_set::{HazardColorSet, HazardColorSetIo};
use crate::one_hot;
use crate::signature::banks_of;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct HazardProof {
    pub hash: ColorHash,
}

/// What the solver chooses besides the unit's inputs.
#[derive(Clone, Copy, Debug, Bundle)]
pub(super) struct Choice {
    any_bank: Sig,
    any_row: Sig,
}

/// Follows any one bit.
#[hardware]
impl Module for HazardProof {
    type Io = (HazardColorSetIo, Choice);

    fn name(&self) -> String {
        format!("prove_hazard_color_set_{}", self.hash.label())
    }

    fn build(&self) -> (HazardColorSetIo, Choice) {
        let hash = &self.hash;
        let banks = hash.banks();
        let io = HazardColorSet { hash: hash.clone() }.build();
        let choice =
            ports(Choice { any_bank: input(index_width(banks)), any_row: input(hash.row_bits()) });
        let bank = chosen_once(choice.any_bank);
        let row = chosen_once(choice.any_row);
        let bit_of = |set: Sig| select(bank, &banks_of(set, banks)).at(row);
        let hazards: Vec<Sig> = one_hot::apart(io.row_hazard);

        // What the search under way has found, and what was committed.
        let hazard_here = io.row_valid & io.row.eq(row) & select(bank, &hazards);
        /// The search has found the followed bit.
        let pending = reg(1).reset(0);
        let is_found = pending | hazard_here;
        /// The banks in which the search has found any bit.
        let bank_pending = reg(banks).reset(0);
        let bank_found = bank_pending | io.row_hazard & io.row_valid.repeat(banks);
        /// The followed bit is in the set.
        let committed = reg(1).reset(0);
        pending.set(is_found);
        bank_pending.set(bank_found);
        when(io.commit, || {
            when(is_found & bank_found.all(), || committed.set(1));
            pending.set(0);
            bank_pending.set(0);
        });
        /// The bit is one of the color that is inserted.
        let inserted = io.insert_valid
            & io.insert_color.any()
            & select(bank, &hash.row_of(io.insert_color)).eq(row);
        when(inserted, || committed.set(1));
        when(io.clear, || {
            committed.set(0);
            pending.set(0);
            bank_pending.set(0);
        });
        /// The set before the cycle before.
        let earlier = reg(hash.signature_bits()).reset(0);
        earlier.set(io.value);
        /// The set was cleared in the cycle before.
        let cleared = reg(1).reset(0);
        cleared.set(io.clear);
        /// `changed` was 1 in the cycle before.
        let changed = reg(1).reset(0);
        changed.set(io.changed);
        /// The color tested in the cycle before was in the set.
        let did_hit = reg(1).reset(0);
        did_hit.set(io.hit);
        let tested = reg(hash.color_bits()).reset(0);
        tested.set(io.color);

        let candidate = signal("candidate");
        let found_in: Vec<Sig> = banks_of(candidate, banks).iter().map(|bank| bank.any()).collect();
        assert("search_is_exact", bit_of(candidate).eq(pending), "a search finds what it is told");
        assert("banks_are_exact", one_hot::together(&found_in).eq(bank_pending), "in every bank");
        assert("set_is_exact", bit_of(io.value).eq(committed), "what was committed, and no more");
        assert("grows_only", cleared | (earlier & !io.value).none(), "nothing leaves the set");
        assert(
            "tells_changes",
            changed.eq(earlier.ne(io.value)),
            "every change is told, and no other",
        );
        assert("clears", !cleared | io.value.none(), "a clear leaves nothing");
        assert(
            "hits_stay",
            cleared | !did_hit | tested.ne(io.color) | io.hit,
            "a color that is in the set stays in it",
        );
        cover("grows_again", committed & (io.value & !earlier).any() & earlier.any(), "it grows");
        cover("loses_all", cleared & earlier.any(), "it is cleared when there is something in it");
        cover(
            "drops_a_search",
            io.commit & is_found & !bank_found.all(),
            "a search finds no color",
        );
        cover("hits", io.hit, "a color is in it");
        cover("inserts", inserted & !committed & earlier.any(), "a color enters by itself");
        (io, choice)
    }
}
