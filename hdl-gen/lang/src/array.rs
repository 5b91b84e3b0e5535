//! Arrays: many signals or bundles of one shape, chosen by an index at run time.
//!
//! An array is a `Vec` of bundles, made with ordinary Rust. These functions read and write the
//! element that a signal names.

use crate::builder::with_builder;
use crate::bundle::{Bundle, mux_at};
use crate::control::when;
use crate::diag::{Code, Diagnostic, Loc};
use crate::sig::Sig;

/// `count` elements, each made by `element` from its place.
pub fn array<B>(count: usize, element: impl FnMut(usize) -> B) -> Vec<B> {
    (0..count).map(element).collect()
}

/// The item that `index` names; the last one where `index` is past the end.
#[track_caller]
pub fn select<B: Bundle>(index: Sig, items: &[B]) -> B {
    fn pick<B: Bundle>(index: Sig, bit: usize, items: &[B], loc: Loc) -> B {
        if let [only] = items {
            return only.clone();
        }
        let half = 1 << bit;
        if items.len() <= half {
            // Upper half past the end: it is the last item throughout.
            let low = pick_below(index, bit, items, loc);
            return mux_at(index.cut(bit, bit + 1, loc), &items[items.len() - 1], &low, loc);
        }
        let low = pick_below(index, bit, &items[..half], loc);
        let high = pick_below(index, bit, &items[half..], loc);
        mux_at(index.cut(bit, bit + 1, loc), &high, &low, loc)
    }
    fn pick_below<B: Bundle>(index: Sig, bit: usize, items: &[B], loc: Loc) -> B {
        if bit == 0 { items[0].clone() } else { pick(index, bit - 1, items, loc) }
    }
    let loc = Loc::caller();
    let reach = 1usize.checked_shl(index.width).unwrap_or(usize::MAX);
    let poisoned = with_builder(|b| b.is_poison(index));
    if items.is_empty() || items.len() > reach && !poisoned {
        with_builder(|b| {
            let diagnostic = Diagnostic::new(
                Code::ValueOutOfRange,
                format!("an index of {} bits into {} items", index.width(), items.len()),
                "give at least one item, and an index wide enough to reach all of them",
            );
            b.diagnostics.push(diagnostic.at(loc, "selected here"));
        });
        return items
            .first()
            .cloned()
            .unwrap_or_else(|| panic!("hdl: select from no items at {loc}"));
    }
    pick(index, index.width().max(1) - 1, items, loc)
}

/// Drives the item that `index` names, and no other; nothing where `index` is past the end.
#[track_caller]
pub fn set_at<B: Bundle>(index: Sig, items: &[B], value: &B) {
    for (place, item) in items.iter().enumerate() {
        when(index.eq(place), || item.drive(value));
    }
}
