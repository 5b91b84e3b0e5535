//! The signature: a set of colors as a banked Bloom filter.
//!
//! ColorSafe §4.2 keeps the colors accessed in an epoch as signatures: a member is always found, and
//! now and then something else is too. A color has one bit in each bank; sets unite and intersect bit
//! by bit.

use config::Config;
use hdl::{
    Bundle, Enum, HwEnum, Module, Sig, assert, cat, cover, hardware, input, lit, output, ports,
    reg, switch, when,
};

use crate::color_hash::{ColorHash, color_keys};

/// What happens to a signature in a cycle. Codes that are none of these do nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum SignatureOp {
    /// Nothing.
    Nop,
    /// Every color leaves.
    Clear,
    /// `color` enters.
    Insert,
    /// The colors of `operand` enter.
    Union,
    /// All colors but those of `operand` leave.
    Intersect,
}

/// One signature.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// How many banks of how many bits, and where in them a color is.
    pub hash: ColorHash,
}

impl Signature {
    /// The signatures of a configuration. `Err` names the key that switches it off.
    pub fn from_config(config: &Config) -> Result<Self, &'static str> {
        Ok(Signature { hash: ColorHash::of(color_keys(config)?) })
    }
}

/// Ports of [`Signature`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct SignatureIo {
    /// The operation of this cycle: none (0), clear (1), insert `color` (2), union with `operand`
    /// (3), intersection with `operand` (4). Other codes do nothing.
    pub op: Enum<SignatureOp>,
    /// The color to insert, and to test; 0 is uncolored: never inserted and never a member.
    pub color: Sig,
    /// The signature to unite or intersect with, bank 0 in the low bits.
    pub operand: Sig,
    /// This signature before the operation of this cycle, bank 0 in the low bits.
    pub value: Sig,
    /// `color` may be in the set: every bank has its bit.
    pub member: Sig,
    /// The set is empty: some bank has no bit set.
    pub empty: Sig,
    /// This signature and `operand` have no color in common: in some bank no bit is set in both.
    pub disjoint: Sig,
}

/// A set of colors as a banked Bloom filter. All outputs refer to the value before the operation of
/// the same cycle.
#[hardware]
impl Module for Signature {
    type Io = SignatureIo;

    fn name(&self) -> String {
        format!("signature_{}", self.hash.label())
    }

    fn build(&self) -> SignatureIo {
        let width = self.hash.signature_bits();
        let io = ports(SignatureIo {
            op: input(SignatureOp::shape()),
            color: input(self.hash.color_bits()),
            operand: input(width),
            value: output(width),
            member: output(1),
            empty: output(1),
            disjoint: output(1),
        });

        /// The bits of all banks, bank 0 lowest.
        let filter = reg(width).reset(0);
        /// The bit of `color` in each bank.
        let row = self.hash.row_of(io.color);
        let colored = io.color.any();

        let bank = banks_of(filter, self.hash.banks());
        let common = filter & io.operand;
        io.value.set(filter);
        io.member.set(colored & in_every_bank(&bank, &row));
        io.empty.set(some_empty(&bank));
        io.disjoint.set(some_empty(&banks_of(common, self.hash.banks())));

        switch(io.op, |op| {
            op.case(SignatureOp::Clear, || filter.set(0));
            op.case(SignatureOp::Insert, || {
                when(colored, || filter.set(filter | one_bit_a_bank(&row)));
            });
            op.case(SignatureOp::Union, || filter.set(filter | io.operand));
            op.case(SignatureOp::Intersect, || filter.set(filter & io.operand));
        });

        assert("empty_has_no_member", !(io.empty & io.member), "an empty set has no members");
        assert("empty_is_disjoint", !io.empty | io.disjoint, "an empty set meets no other");
        cover(
            "inserts_a_member",
            io.op.is(SignatureOp::Insert) & io.member,
            "a color is inserted again",
        );
        io
    }
}

/// The banks of a signature, bank 0 first.
#[track_caller]
pub(crate) fn banks_of(value: Sig, banks: usize) -> Vec<Sig> {
    let rows = value.width() / banks;
    (0..banks).map(|bank| value.bits(bank * rows..(bank + 1) * rows)).collect()
}

/// Whether every bank has the bit in its row.
#[track_caller]
pub(crate) fn in_every_bank(banks: &[Sig], row: &[Sig]) -> Sig {
    cat(banks.iter().zip(row).rev().map(|(bank, &row)| bank.at(row))).all()
}

/// Whether a bank has no bit at all.
#[track_caller]
pub(crate) fn some_empty(banks: &[Sig]) -> Sig {
    !cat(banks.iter().rev().map(|bank| bank.any())).all()
}

/// A signature with one bit in each bank.
#[track_caller]
pub(crate) fn one_bit_a_bank(row: &[Sig]) -> Sig {
    cat(row.iter().rev().map(|&row| lit(1 << row.width(), 1) << row))
}
