//! One-hot signals: priority, index and selection with one bit for each choice.
//!
//! Tag comparison and snooping answer with a bit a way or a bit a hart. These turn such bits into
//! the first of them, an index, or what they choose, without deciding in between.

use hdl::{Bundle, Path, Sig, cat, lit};

/// The bits as one signal, the first lowest.
#[track_caller]
pub(crate) fn together(bits: &[Sig]) -> Sig {
    cat(bits.iter().rev().copied())
}

/// Each bit of a signal, the lowest first.
#[track_caller]
pub(crate) fn apart(bits: Sig) -> Vec<Sig> {
    (0..bits.width()).map(|place| bits.bit(place)).collect()
}

/// 1 where any bit is.
#[track_caller]
pub(crate) fn any(bits: &[Sig]) -> Sig {
    bits.iter().copied().reduce(|left, right| left | right).unwrap_or_else(|| lit(1, 0))
}

/// 1 where at most one bit is.
#[track_caller]
pub(crate) fn at_most_one(bits: &[Sig]) -> Sig {
    let repeated: Vec<Sig> = bits
        .iter()
        .zip(before(bits))
        .filter_map(|(&bit, before)| before.map(|before| bit & before))
        .collect();
    !any(&repeated)
}

/// Only the first bit that is 1.
#[track_caller]
pub(crate) fn first(bits: &[Sig]) -> Vec<Sig> {
    let pairs = bits.iter().zip(before(bits));
    pairs.map(|(&bit, before)| before.map_or(bit, |before| bit & !before)).collect()
}

/// The bits after the first that is 1.
#[track_caller]
pub(crate) fn after_first(bits: &[Sig]) -> Vec<Sig> {
    before(bits).into_iter().map(|before| before.unwrap_or_else(|| lit(1, 0))).collect()
}

/// For each bit whether one before it is 1; nothing is before the first.
#[track_caller]
fn before(bits: &[Sig]) -> Vec<Option<Sig>> {
    let mut any = None;
    bits.iter()
        .map(|&bit| {
            let before = any;
            any = Some(before.map_or(bit, |before: Sig| before | bit));
            before
        })
        .collect()
}

/// The place of the bit that is 1, in `width` bits; 0 if there is none.
#[track_caller]
pub(crate) fn index(bits: &[Sig], width: usize) -> Sig {
    let places = bits.iter().enumerate().skip(1);
    let marked = places.map(|(place, bit)| lit(width, place) & bit.repeat(width));
    marked.reduce(|left, right| left | right).unwrap_or_else(|| lit(width, 0))
}

/// The item whose bit is 1; zeros if there is none.
#[track_caller]
pub(crate) fn choose<B: Bundle>(bits: &[Sig], items: &[B]) -> B {
    let columns: Vec<Vec<Sig>> =
        items.iter().map(|item| item.leaves().into_iter().map(|leaf| leaf.sig).collect()).collect();
    let mut place = 0;
    items[0].map(&mut Path::default(), &mut |_, leaf| {
        let width = leaf.sig.width();
        let gated =
            bits.iter().zip(&columns).map(|(bit, leaves)| leaves[place] & bit.repeat(width));
        let chosen = gated.reduce(|left, right| left | right);
        place += 1;
        chosen.unwrap_or_else(|| lit(width, 0))
    })
}
