//! Signatures: sets of colors as banked Bloom filters.
//!
//! ColorSafe §4.2 keeps tens of thousands of accesses as signatures. A signature may hold colors that
//! were never inserted, and always holds those that were.

use bitvec::prelude::{BitSlice, BitVec, Lsb0};
use std::fmt;

/// A row of bits, lowest first, in words as a test bench sees wide values.
pub type Bits = BitVec<u64, Lsb0>;

/// Formats a row as a number, the same in every run, for `Debug` of types that hold rows.
pub(crate) struct Shown<'a>(pub &'a Bits);

impl fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        let digit = |four: &BitSlice<u64, Lsb0>| four.iter_ones().fold(0, |d, bit| d | 1_u8 << bit);
        self.0.chunks(4).rev().try_for_each(|four| write!(f, "{:x}", digit(four)))
    }
}

/// The color of a variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColorId(pub u32);

impl ColorId {
    /// No color: never in any set.
    pub const UNCOLORED: Self = Self(0);

    /// Whether it is a color.
    pub fn is_colored(self) -> bool {
        self != Self::UNCOLORED
    }
}

/// The hash functions of all banks (H3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColorHashes {
    /// For each bank, the mask of each bit of the index, lowest first.
    masks: Vec<Vec<u32>>,
}

impl ColorHashes {
    /// The hash functions of a configuration.
    pub fn new(color: &config::Color) -> Self {
        Self { masks: (0..color.signature_banks).map(|bank| color.h3_masks(bank)).collect() }
    }

    /// Number of banks.
    pub fn banks(&self) -> usize {
        self.masks.len()
    }

    /// Bits per bank.
    pub fn bank_bits(&self) -> usize {
        1 << self.masks.first().map_or(0, Vec::len)
    }

    /// The bit index of a color in a bank.
    pub fn index(&self, bank: usize, color: ColorId) -> usize {
        let parities =
            self.masks[bank].iter().map(|mask| (color.0 & mask).count_ones() as usize & 1);
        parities.enumerate().map(|(place, parity)| parity << place).sum()
    }
}

/// A set of colors.
#[derive(Clone, PartialEq, Eq)]
pub struct Signature {
    banks: Vec<Bits>,
}

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.banks.iter().map(Shown)).finish()
    }
}

impl Signature {
    /// An empty set for these hash functions.
    pub fn new(hashes: &ColorHashes) -> Self {
        Self { banks: vec![Bits::repeat(false, hashes.bank_bits()); hashes.banks()] }
    }

    /// From all bits in a row, bank 0 in the lowest.
    pub fn from_bits(bank_bits: usize, bits: &BitSlice<u64, Lsb0>) -> Self {
        Self { banks: bits.chunks(bank_bits).map(BitSlice::to_bitvec).collect() }
    }

    /// All bits in a row, bank 0 in the lowest.
    pub fn to_bits(&self) -> Bits {
        let mut all = Bits::with_capacity(self.banks.iter().map(|bits| bits.len()).sum());
        self.banks.iter().for_each(|bits| all.extend_from_bitslice(bits));
        all
    }

    /// The bits of each bank.
    pub fn banks(&self) -> &[Bits] {
        &self.banks
    }

    /// Sets one bit of one bank.
    pub fn set(&mut self, bank: usize, index: usize) {
        self.banks[bank].set(index, true);
    }

    /// Adds a color; [`ColorId::UNCOLORED`] adds nothing.
    pub fn insert(&mut self, hashes: &ColorHashes, color: ColorId) {
        if color.is_colored() {
            for (bank, bits) in self.banks.iter_mut().enumerate() {
                bits.set(hashes.index(bank, color), true);
            }
        }
    }

    /// Whether a color may have been added: every bank has its bit.
    pub fn contains(&self, hashes: &ColorHashes, color: ColorId) -> bool {
        let mut banks = self.banks.iter().enumerate();
        color.is_colored() && banks.all(|(bank, bits)| bits[hashes.index(bank, color)])
    }

    /// Whether it holds no color: some bank is all zeros.
    pub fn is_empty(&self) -> bool {
        self.banks.iter().any(|bits| bits.not_any())
    }

    /// Removes all colors.
    pub fn clear(&mut self) {
        for bits in &mut self.banks {
            bits.fill(false);
        }
    }

    /// The colors in either.
    pub fn union(&self, other: &Self) -> Self {
        self.bitwise(other, |ours, theirs| ours | theirs)
    }

    /// The colors in both.
    pub fn intersection(&self, other: &Self) -> Self {
        self.bitwise(other, |ours, theirs| ours & theirs)
    }

    /// Whether every bit of this set is in the other.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.union(other) == *other
    }

    fn bitwise(&self, other: &Self, operation: fn(Bits, &Bits) -> Bits) -> Self {
        let pairs = self.banks.iter().zip(&other.banks);
        Self { banks: pairs.map(|(ours, theirs)| operation(ours.clone(), theirs)).collect() }
    }
}

/// Operation on a signature.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SignatureOp {
    /// No operation.
    #[default]
    Nop,
    /// Removes all colors.
    Clear,
    /// Adds the color.
    Insert,
    /// Adds the operand.
    Union,
    /// Removes everything that is not in the operand.
    Intersect,
}

impl SignatureOp {
    /// All operations, in the order of their codes.
    pub const ALL: [Self; 5] = [Self::Nop, Self::Clear, Self::Insert, Self::Union, Self::Intersect];
}

/// Inputs of one cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureInputs {
    /// The operation.
    pub op: SignatureOp,
    /// The color to insert and to look up.
    pub color: ColorId,
    /// The other signature.
    pub operand: Signature,
}

/// Outputs of one cycle, before the operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureOutputs {
    /// The signature.
    pub value: Signature,
    /// The signature may contain the color.
    pub member: bool,
    /// The signature is empty.
    pub empty: bool,
    /// The intersection with the operand is empty.
    pub disjoint: bool,
}

/// One signature with its operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureUnit {
    hashes: ColorHashes,
    value: Signature,
}

impl SignatureUnit {
    /// An empty signature.
    pub fn new(hashes: ColorHashes) -> Self {
        Self { value: Signature::new(&hashes), hashes }
    }

    /// Returns to the initial state.
    pub fn reset(&mut self) {
        self.value.clear();
    }

    /// One cycle.
    pub fn step(&mut self, inputs: &SignatureInputs) -> SignatureOutputs {
        let SignatureInputs { op, color, operand } = inputs;
        let outputs = SignatureOutputs {
            member: self.value.contains(&self.hashes, *color),
            empty: self.value.is_empty(),
            disjoint: self.value.intersection(operand).is_empty(),
            value: self.value.clone(),
        };
        match op {
            SignatureOp::Nop => {}
            SignatureOp::Clear => self.value.clear(),
            SignatureOp::Insert => self.value.insert(&self.hashes, *color),
            SignatureOp::Union => self.value = self.value.union(operand),
            SignatureOp::Intersect => self.value = self.value.intersection(operand),
        }
        outputs
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    pub(crate) fn hashes(bits: u32, signature_bits: u32, signature_banks: u32) -> ColorHashes {
        let base = config::Config::default().color;
        ColorHashes::new(&config::Color { bits, signature_bits, signature_banks, ..base })
    }

    pub(crate) fn any_hashes() -> impl Strategy<Value = ColorHashes> {
        (1u32..=7, 1u32..=4).prop_map(|(log, banks)| hashes(12, 1 << log, banks))
    }

    fn of(hashes: &ColorHashes, colors: impl IntoIterator<Item = u32>) -> Signature {
        let mut signature = Signature::new(hashes);
        for color in colors {
            signature.insert(hashes, ColorId(color));
        }
        signature
    }

    #[test]
    fn a_signature_is_shown_as_a_number_a_bank() {
        let mut signature =
            Signature { banks: vec![Bits::repeat(false, 16), Bits::repeat(false, 6)] };
        signature.set(0, 0);
        signature.set(0, 13);
        signature.set(1, 5);
        assert_eq!(format!("{signature:?}"), "[0x2001, 0x20]");
    }

    #[test]
    fn an_index_is_made_of_parities() {
        let hashes = ColorHashes { masks: vec![vec![0b011, 0b110]] };
        let index = |color| hashes.index(0, ColorId(color));
        assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(index), [0, 1, 3, 2, 2, 3, 1, 0]);
    }

    #[test]
    fn no_color_is_in_no_set() {
        let hashes = hashes(12, 16, 2);
        let full = Signature::from_bits(16, &Bits::repeat(true, 32));
        assert!(!full.contains(&hashes, ColorId::UNCOLORED));
        assert!(of(&hashes, [0]).to_bits().not_any());
    }

    #[test]
    fn one_bank_of_zeros_is_enough_for_emptiness() {
        let hashes = hashes(12, 16, 2);
        let mut signature = Signature::new(&hashes);
        signature.set(1, 3);
        assert!(signature.is_empty());
        signature.set(0, 5);
        assert!(!signature.is_empty());
        assert_eq!(signature.to_bits().iter_ones().collect::<Vec<_>>(), [5, 19]);
    }

    #[test]
    fn outputs_refer_to_the_value_before_the_operation() {
        let hashes = hashes(12, 64, 2);
        let mut unit = SignatureUnit::new(hashes.clone());
        let seven = of(&hashes, [7]);
        let mut run = |op, color| {
            let color = ColorId(color);
            unit.step(&SignatureInputs { op, color, operand: seven.clone() })
        };
        assert!(!run(SignatureOp::Insert, 7).member);
        let after = run(SignatureOp::Union, 7);
        assert!(after.member && !after.empty && !after.disjoint);
        assert!(run(SignatureOp::Intersect, 7).member);
        assert!(run(SignatureOp::Clear, 7).member);
        assert!(run(SignatureOp::Nop, 7).empty);
    }

    proptest! {
        #[test]
        fn no_inserted_color_is_missed(
            hashes in any_hashes(), colors in vec(1u32..4096, 0..40),
        ) {
            let signature = of(&hashes, colors.clone());
            for color in colors {
                prop_assert!(signature.contains(&hashes, ColorId(color)));
            }
        }

        #[test]
        fn set_operations_lose_no_color(
            hashes in any_hashes(),
            a in btree_set(1u32..64, 0..20),
            b in btree_set(1u32..64, 0..20),
        ) {
            let (in_a, in_b) = (of(&hashes, a.clone()), of(&hashes, b.clone()));
            let (union, both) = (in_a.union(&in_b), in_a.intersection(&in_b));
            prop_assert_eq!(&union, &of(&hashes, a.union(&b).copied()));
            prop_assert!(of(&hashes, a.intersection(&b).copied()).is_subset(&both));
            prop_assert!(both.is_subset(&in_a) && in_a.is_subset(&union));
            let back = Signature::from_bits(hashes.bank_bits(), &union.to_bits());
            prop_assert_eq!(back, union);
        }
    }
}
