//! Word arithmetic: the operators of the language on little-endian 64-bit words.
//!
//! The one definition of what each operator computes, shared by constant folding and the simulator.
//! A value of `width` bits takes `words_for(width)` words and its unused top bits are zero; every
//! function expects that of its operands and leaves it so in `to`. Nothing here allocates.

use crate::bits::{top_mask, words_for};

/// Clears the bits past `width`.
fn mask(to: &mut [u64], width: u32) {
    if let Some(top) = to.last_mut() {
        *top &= top_mask(width);
    }
}

/// Bitwise not.
pub(crate) fn not(to: &mut [u64], a: &[u64], width: u32) {
    for (to, a) in to.iter_mut().zip(a) {
        *to = !a;
    }
    mask(to, width);
}

/// Bitwise and.
pub(crate) fn and(to: &mut [u64], a: &[u64], b: &[u64]) {
    for ((to, a), b) in to.iter_mut().zip(a).zip(b) {
        *to = a & b;
    }
}

/// Bitwise or.
pub(crate) fn or(to: &mut [u64], a: &[u64], b: &[u64]) {
    for ((to, a), b) in to.iter_mut().zip(a).zip(b) {
        *to = a | b;
    }
}

/// Bitwise exclusive or.
pub(crate) fn xor(to: &mut [u64], a: &[u64], b: &[u64]) {
    for ((to, a), b) in to.iter_mut().zip(a).zip(b) {
        *to = a ^ b;
    }
}

/// The sum modulo 2^width.
pub(crate) fn add(to: &mut [u64], a: &[u64], b: &[u64], width: u32) {
    let mut carry = false;
    for ((to, &a), &b) in to.iter_mut().zip(a).zip(b) {
        let (sum, over) = a.overflowing_add(b);
        let (sum, again) = sum.overflowing_add(u64::from(carry));
        *to = sum;
        carry = over | again;
    }
    mask(to, width);
}

/// The difference modulo 2^width.
pub(crate) fn sub(to: &mut [u64], a: &[u64], b: &[u64], width: u32) {
    let mut borrow = false;
    for ((to, &a), &b) in to.iter_mut().zip(a).zip(b) {
        let (rest, under) = a.overflowing_sub(b);
        let (rest, again) = rest.overflowing_sub(u64::from(borrow));
        *to = rest;
        borrow = under | again;
    }
    mask(to, width);
}

/// Two's complement negation modulo 2^width.
pub(crate) fn neg(to: &mut [u64], a: &[u64], width: u32) {
    let mut carry = true;
    for (to, &a) in to.iter_mut().zip(a) {
        (*to, carry) = (!a).overflowing_add(u64::from(carry));
    }
    mask(to, width);
}

/// The full unsigned product; `to` has room for the sum of the operand widths.
pub(crate) fn mul(to: &mut [u64], a: &[u64], b: &[u64]) {
    to.fill(0);
    for (i, &x) in a.iter().enumerate() {
        let mut carry = 0u128;
        for (to, &y) in to[i..].iter_mut().zip(b) {
            carry += u128::from(x) * u128::from(y) + u128::from(*to);
            *to = carry as u64;
            carry >>= 64;
        }
        // Where the last word of the product does not exist the carry into it is zero.
        if let Some(to) = to.get_mut(i + b.len()) {
            *to = carry as u64;
        }
    }
}

/// The value of a shift amount or index, or `u64::MAX` where it is larger than any width.
pub(crate) fn amount(a: &[u64]) -> u64 {
    match a.split_first() {
        Some((&low, rest)) if rest.iter().all(|&word| word == 0) => low,
        _ => u64::MAX,
    }
}

/// Left shift, zeros in; `by` may exceed the width.
pub(crate) fn shl(to: &mut [u64], a: &[u64], by: u64, width: u32) {
    if by >= u64::from(width) {
        to.fill(0);
        return;
    }
    let (words, bits) = (by as usize / 64, by as u32 % 64);
    for i in (0..to.len()).rev() {
        let word = |at: Option<usize>| at.map_or(0, |at| a[at]);
        let high = word(i.checked_sub(words));
        let low = word(i.checked_sub(words + 1));
        to[i] = if bits == 0 { high } else { high << bits | low >> (64 - bits) };
    }
    mask(to, width);
}

/// Logical right shift, zeros in; `by` may exceed the width.
pub(crate) fn shr(to: &mut [u64], a: &[u64], by: u64, width: u32) {
    if by >= u64::from(width) {
        to.fill(0);
    } else {
        slice(to, a, by as u32, width);
    }
}

/// Arithmetic right shift, sign bits in; `by` may exceed the width.
pub(crate) fn sra(to: &mut [u64], a: &[u64], by: u64, width: u32) {
    shr(to, a, by, width);
    if bit(a, u64::from(width) - 1) {
        let kept = u64::from(width).saturating_sub(by) as u32;
        fill_ones(to, kept, width);
    }
}

/// Sets bits `from .. width`.
fn fill_ones(to: &mut [u64], from: u32, width: u32) {
    let first = from as usize / 64;
    for (i, word) in to.iter_mut().enumerate().skip(first) {
        *word |= if i == first { u64::MAX << (from % 64) } else { u64::MAX };
    }
    mask(to, width);
}

/// Unsigned `a < b`.
pub(crate) fn ult(a: &[u64], b: &[u64]) -> bool {
    a.iter().rev().lt(b.iter().rev())
}

/// Unsigned `a <= b`.
pub(crate) fn ule(a: &[u64], b: &[u64]) -> bool {
    !ult(b, a)
}

/// Two's complement `a < b`.
pub(crate) fn slt(a: &[u64], b: &[u64], width: u32) -> bool {
    let sign = u64::from(width) - 1;
    match (bit(a, sign), bit(b, sign)) {
        (true, false) => true,
        (false, true) => false,
        _ => ult(a, b),
    }
}

/// Two's complement `a <= b`.
pub(crate) fn sle(a: &[u64], b: &[u64], width: u32) -> bool {
    !slt(b, a, width)
}

/// Whether all `width` bits are one.
pub(crate) fn red_and(a: &[u64], width: u32) -> bool {
    match a.split_last() {
        Some((&top, rest)) => top == top_mask(width) && rest.iter().all(|&word| word == u64::MAX),
        None => true,
    }
}

/// Whether any bit is one.
pub(crate) fn red_or(a: &[u64]) -> bool {
    a.iter().any(|&word| word != 0)
}

/// Whether the number of ones is odd.
pub(crate) fn red_xor(a: &[u64]) -> bool {
    a.iter().fold(0, |all, word| all ^ word).count_ones() % 2 == 1
}

/// Bit `index`, or zero where there is none.
pub(crate) fn bit(a: &[u64], index: u64) -> bool {
    a.get((index / 64) as usize).is_some_and(|word| word >> (index % 64) & 1 == 1)
}

/// `width` bits from bit `lo` up; bits past the end of `a` are zero.
pub(crate) fn slice(to: &mut [u64], a: &[u64], lo: u32, width: u32) {
    let (words, bits) = (lo as usize / 64, lo % 64);
    let word = |at: usize| a.get(at).copied().unwrap_or(0);
    for (i, to) in to.iter_mut().enumerate() {
        let low = word(i + words);
        *to = if bits == 0 { low } else { low >> bits | word(i + words + 1) << (64 - bits) };
    }
    mask(to, width);
}

/// Replaces the `width` bits of `to` from bit `lo` up by `part`.
pub(crate) fn insert(to: &mut [u64], lo: u32, part: &[u64], width: u32) {
    let (first, bits) = (lo as usize / 64, lo % 64);
    for (i, &word) in part[..words_for(width)].iter().enumerate() {
        let used = if i + 1 == words_for(width) { top_mask(width) } else { u64::MAX };
        let at = first + i;
        to[at] = to[at] & !(used << bits) | word << bits;
        if bits != 0 && used >> (64 - bits) != 0 {
            let spill = 64 - bits;
            to[at + 1] = to[at + 1] & !(used >> spill) | word >> spill;
        }
    }
}

/// Replaces the `width` bits of `to` from bit `lo` up by the same bits of `from`.
pub(crate) fn copy_bits(to: &mut [u64], from: &[u64], lo: u32, width: u32) {
    let (first, last) = (lo as usize / 64, (lo + width - 1) as usize / 64);
    for at in first..=last {
        let mut used = u64::MAX;
        if at == first {
            used &= u64::MAX << (lo % 64);
        }
        if at == last {
            used &= top_mask(lo % 64 + width);
        }
        to[at] = to[at] & !used | from[at] & used;
    }
}

/// Zeros on top.
pub(crate) fn zext(to: &mut [u64], a: &[u64]) {
    let (low, high) = to.split_at_mut(a.len());
    low.copy_from_slice(a);
    high.fill(0);
}

/// Copies of the sign bit of the `from`-bit `a` on top.
pub(crate) fn sext(to: &mut [u64], a: &[u64], from: u32, width: u32) {
    zext(to, a);
    if bit(a, u64::from(from) - 1) {
        fill_ones(to, from, width);
    }
}

/// The `from`-bit `a` over and over, up to `width` bits.
pub(crate) fn repeat(to: &mut [u64], a: &[u64], from: u32, width: u32) {
    if from == 1 {
        to.fill(a[0].wrapping_neg());
        mask(to, width);
        return;
    }
    to.fill(0);
    for lo in (0..width).step_by(from as usize) {
        insert(to, lo, a, from);
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;
    use proptest::prelude::*;

    use super::*;
    use crate::bits::Bits;

    /// Widths around the word boundaries, and any other.
    fn width() -> impl Strategy<Value = u32> {
        prop_oneof![
            prop::sample::select(vec![1, 2, 63, 64, 65, 127, 128, 129, 192, 300, 4096]),
            1u32..400
        ]
    }

    /// A value of the given width: random, or near an end of the range.
    fn value(width: u32) -> impl Strategy<Value = Bits> {
        let random = prop::collection::vec(any::<u64>(), words_for(width))
            .prop_map(move |words| Bits::from_words(width, &words));
        let near_top = (0u64..3).prop_map(move |less| {
            let mut bits = Bits::ones(width);
            bits.words_mut()[0] ^= less & top_mask(width.min(64));
            bits
        });
        let near_zero = (0u128..3).prop_map(move |low| Bits::truncated(width, low));
        prop_oneof![4 => random, 1 => near_top, 1 => near_zero]
    }

    fn one() -> impl Strategy<Value = Bits> {
        width().prop_flat_map(value)
    }

    fn two() -> impl Strategy<Value = (Bits, Bits)> {
        width().prop_flat_map(|width| (value(width), value(width)))
    }

    fn big(words: &[u64]) -> BigUint {
        let digits: Vec<u32> =
            words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect();
        BigUint::new(digits)
    }

    fn modulus(width: u32) -> BigUint {
        BigUint::from(1u8) << width
    }

    /// What `f` writes into a result of `width` bits that held ones before.
    fn result(width: u32, f: impl FnOnce(&mut [u64])) -> BigUint {
        let mut to = vec![u64::MAX; words_for(width)];
        f(&mut to);
        assert!(*to.last().unwrap() <= top_mask(width), "bits past the width are set");
        big(&to)
    }

    /// The two's complement value shifted up so that unsigned order is signed order.
    fn signed_order(bits: &Bits) -> BigUint {
        (big(bits.words()) + (BigUint::from(1u8) << (bits.width() - 1))) % modulus(bits.width())
    }

    proptest! {
        #[test]
        fn sums_and_bitwise_operators_agree_with_big_integers((a, b) in two()) {
            let width = a.width();
            let (x, y) = (a.words(), b.words());
            let (p, q, m) = (big(x), big(y), modulus(width));
            prop_assert_eq!(result(width, |to| add(to, x, y, width)), (&p + &q) % &m);
            prop_assert_eq!(result(width, |to| sub(to, x, y, width)), (&p + &m - &q) % &m);
            prop_assert_eq!(result(width, |to| neg(to, x, width)), (&m - &p) % &m);
            prop_assert_eq!(result(width, |to| not(to, x, width)), &m - 1u8 - &p);
            prop_assert_eq!(result(width, |to| and(to, x, y)), &p & &q);
            prop_assert_eq!(result(width, |to| or(to, x, y)), &p | &q);
            prop_assert_eq!(result(width, |to| xor(to, x, y)), &p ^ &q);
        }

        #[test]
        fn products_are_full((a, b) in (one(), one())) {
            let product = result(a.width() + b.width(), |to| mul(to, a.words(), b.words()));
            prop_assert_eq!(product, big(a.words()) * big(b.words()));
        }

        #[test]
        fn comparisons_agree_with_big_integers((a, b) in two()) {
            let width = a.width();
            let (x, y) = (a.words(), b.words());
            prop_assert_eq!(ult(x, y), big(x) < big(y));
            prop_assert_eq!(ule(x, y), big(x) <= big(y));
            prop_assert_eq!(slt(x, y, width), signed_order(&a) < signed_order(&b));
            prop_assert_eq!(sle(x, y, width), signed_order(&a) <= signed_order(&b));
            prop_assert!(ule(x, x) && !ult(x, x) && sle(x, x, width) && !slt(x, x, width));
        }

        #[test]
        fn shifts_agree_with_big_integers_at_any_amount(
            (a, by) in one().prop_flat_map(|a| {
                let width = u64::from(a.width());
                (Just(a), prop_oneof![8 => 0..width + 70, 1 => Just(u64::MAX)])
            })
        ) {
            let width = a.width();
            let (p, m) = (big(a.words()), modulus(width));
            let few = by.min(u64::from(width)) as u32;
            prop_assert_eq!(result(width, |to| shl(to, a.words(), by, width)), (&p << few) % &m);
            prop_assert_eq!(result(width, |to| shr(to, a.words(), by, width)), &p >> few);
            let ones = if a.bit(width - 1) { &m - (&m >> few) } else { BigUint::ZERO };
            prop_assert_eq!(result(width, |to| sra(to, a.words(), by, width)), (&p >> few) | ones);
        }

        #[test]
        fn reductions_look_at_every_bit(a in one()) {
            prop_assert_eq!(red_and(a.words(), a.width()), a.is_ones());
            prop_assert_eq!(red_or(a.words()), !a.is_zero());
            prop_assert_eq!(red_xor(a.words()), big(a.words()).count_ones() % 2 == 1);
        }

        #[test]
        fn slices_and_inserts_move_exactly_their_bits(
            (a, lo, part) in one().prop_flat_map(|a| {
                let width = a.width();
                (Just(a), 0..width).prop_flat_map(move |(a, lo)| {
                    (Just(a), Just(lo), (1..=width - lo).prop_flat_map(value))
                })
            })
        ) {
            let (p, m) = (big(a.words()), modulus(part.width()));
            let cut = result(part.width(), |to| slice(to, a.words(), lo, part.width()));
            prop_assert_eq!(&cut, &((&p >> lo) % &m));
            let patched = result(a.width(), |to| {
                to.copy_from_slice(a.words());
                insert(to, lo, part.words(), part.width());
            });
            prop_assert_eq!(&patched, &(&p - (&cut << lo) + (big(part.words()) << lo)));
            let restored = result(a.width(), |to| {
                let width = part.width();
                to.copy_from_slice(a.words());
                insert(to, lo, part.words(), width);
                copy_bits(to, a.words(), lo, width);
            });
            prop_assert_eq!(restored, p);
        }

        #[test]
        fn extensions_keep_the_value((a, more) in (one(), 1u32..200)) {
            let (from, width) = (a.width(), a.width() + more);
            let p = big(a.words());
            prop_assert_eq!(result(width, |to| zext(to, a.words())), p.clone());
            let ones = if a.bit(from - 1) { modulus(width) - modulus(from) } else { BigUint::ZERO };
            prop_assert_eq!(result(width, |to| sext(to, a.words(), from, width)), p | ones);
        }

        #[test]
        fn repetition_is_a_sum_of_shifted_copies((a, count) in (one(), 1u32..9)) {
            let width = a.width() * count;
            let sum: BigUint = (0..count).map(|i| big(a.words()) << (i * a.width())).sum();
            prop_assert_eq!(result(width, |to| repeat(to, a.words(), a.width(), width)), sum);
        }

        #[test]
        fn a_bit_past_the_end_is_zero((a, index) in (one(), 0u64..500)) {
            prop_assert_eq!(bit(a.words(), index), big(a.words()).bit(index));
            prop_assert!(!bit(a.words(), u64::MAX));
        }
    }

    #[test]
    fn an_amount_of_many_words_saturates() {
        assert_eq!(amount(&[7]), 7);
        assert_eq!(amount(&[7, 0]), 7);
        assert_eq!(amount(&[7, 1]), u64::MAX);
    }
}
