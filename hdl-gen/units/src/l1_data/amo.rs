//! The arithmetic of atomic operations: the word to write, from the word in memory and the operand.

use hdl::{Enum, Sig, hardware, switch, wire};

use crate::data_port::AmoOp;
use crate::geometry::WORD_BITS;

/// The word to write.
#[hardware]
pub(crate) fn amo_result(op: Enum<AmoOp>, word: Sig, operand: Sig) -> Sig {
    let less = word.lt_signed(operand);
    let less_unsigned = word.lt(operand);
    let amo_result = wire(WORD_BITS);
    switch(op, |s| {
        s.case(AmoOp::Swap, || amo_result.set(operand));
        s.case(AmoOp::Add, || amo_result.set(word + operand));
        s.case(AmoOp::Xor, || amo_result.set(word ^ operand));
        s.case(AmoOp::And, || amo_result.set(word & operand));
        s.case(AmoOp::Or, || amo_result.set(word | operand));
        s.case(AmoOp::Min, || amo_result.set(less.mux(word, operand)));
        s.case(AmoOp::Max, || amo_result.set(less.mux(operand, word)));
        s.case(AmoOp::MinUnsigned, || amo_result.set(less_unsigned.mux(word, operand)));
        s.case(AmoOp::MaxUnsigned, || amo_result.set(less_unsigned.mux(operand, word)));
    });
    amo_result
}
