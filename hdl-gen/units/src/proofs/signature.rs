//! The signature: never a false negative, and intersections are sound.
//!
//! The proof follows one color, whichever the solver likes, through a set that it must be in.

use hdl::{
    Bundle, HwEnum, Module, Sig, assert, assume, cover, hardware, input, ports, reg, set_when, when,
};

use super::any::chosen_once;
use crate::color_hash::ColorHash;
use crate::signature::{Signature, SignatureIo, SignatureOp, banks_of, in_every_bank};

#[derive(Clone, Debug, PartialEq)]
pub(super) struct SignatureProof {
    pub hash: ColorHash,
}

/// What the solver chooses besides the unit's inputs.
#[derive(Clone, Copy, Debug, Bundle)]
pub(super) struct Choice {
    any_color: Sig,
}

/// Follows any one color.
#[hardware]
impl Module for SignatureProof {
    type Io = (SignatureIo, Choice);

    fn name(&self) -> String {
        format!("prove_signature_{}", self.hash.label())
    }

    fn build(&self) -> (SignatureIo, Choice) {
        let hash = &self.hash;
        let io = Signature { hash: hash.clone() }.build();
        let choice = ports(Choice { any_color: input(hash.color_bits()) });
        let followed = chosen_once(choice.any_color);
        assume("is_a_color", followed.any(), "0 is uncolored");

        let place = hash.row_of(followed);
        let has = |set: Sig| in_every_bank(&banks_of(set, hash.banks()), &place);
        let operand_has = has(io.operand);
        let op = io.op;

        /// The followed color was inserted and has not left the set.
        let inside = reg(1).reset(0);
        set_when(op.is(SignatureOp::Insert) & io.color.eq(followed), inside, 1);
        set_when(op.is(SignatureOp::Union) & operand_has, inside, 1);
        set_when(op.is(SignatureOp::Intersect) & !operand_has, inside, 0);
        set_when(op.is(SignatureOp::Clear), inside, 0);
        /// `member` was 1 for the followed color in the cycle before.
        let was_member = reg(1).reset(0);
        was_member.set(has(io.value));
        /// The operation of the cycle before.
        let last_op = reg(SignatureOp::shape()).reset(SignatureOp::Nop);
        last_op.set_from(op);
        let operand_had = reg(1).reset(0);
        operand_had.set(operand_has);

        assert("keeps_its_bits", !inside | has(io.value), "every bank has the color's bit");
        when(io.color.eq(followed), || {
            assert("no_false_negative", !inside | io.member, "what was put in is a member");
        });
        assert("uncolored", io.color.any() | !io.member, "color 0 is never a member");
        assert("not_empty", !(inside & io.empty), "a set with a color is not empty");
        assert(
            "not_disjoint",
            !(inside & operand_has & io.disjoint),
            "sets that share a color are not disjoint",
        );
        when(last_op.is(SignatureOp::Intersect), || {
            assert(
                "intersection_is_sound",
                has(io.value).eq(was_member & operand_had),
                "an intersection has what both have, and nothing else",
            );
        });
        when(last_op.is(SignatureOp::Clear), || {
            assert("clear_empties", io.value.none(), "nothing stays");
        });
        cover(
            "survives_an_intersection",
            last_op.is(SignatureOp::Intersect) & inside & io.value.any(),
            "a color is in both sets",
        );
        cover(
            "leaves_by_intersection",
            last_op.is(SignatureOp::Intersect) & was_member & !inside,
            "a color is in one of them only",
        );
        cover("comes_by_union", last_op.is(SignatureOp::Union) & inside & !was_member, "a union");
        cover("is_disjoint", io.disjoint & !io.empty & io.operand.any(), "sets share no color");
        (io, choice)
    }
}
