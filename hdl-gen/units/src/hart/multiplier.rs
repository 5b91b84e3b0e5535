//! The signs of a multiplication.
//!
//! The multiplier itself is one unsigned product, `rs1 * rs2`, which synthesis makes of DSP blocks.
//! Read as signed, a word is its unsigned value less 2^32 where its sign bit is set; so the upper
//! half of a signed product is the upper half of the unsigned one less a *correction*: the other
//! operand, for each operand that is negative. The correction is computed beside the operands in the
//! third stage, the product in the fourth, and their difference, which is the result, in the fifth.

use hdl::{Sig, hardware};

/// What the upper half of the unsigned product exceeds the wanted one by. `funct3` tells which
/// multiplication it is: MUL 0, MULH 1, MULHSU 2, MULHU 3. MUL wants the lower half and no correction.
#[hardware]
pub fn correction(funct3: Sig, a: Sig, b: Sig) -> Sig {
    let a_negative = a.bit(31) & (funct3.bit(0) ^ funct3.bit(1));
    let b_negative = b.bit(31) & funct3.bit(0) & !funct3.bit(1);
    (b & a_negative.repeat(32)) + (a & b_negative.repeat(32))
}
