//! The exports of the cache: the accesses that it orders, and stores to the watched word.

use hdl::{Sig, cat, hardware, reg, switch, when};

use super::arrays::Stored;
use super::order::Cycle;
use super::{HitKind, L1Data, word_number};
use crate::data_port::AccessOp;
use crate::geometry::{ADDRESS_BITS, WORD_BITS};
use crate::one_hot;

#[hardware]
impl L1Data {
    /// Exports the access that is ordered without a transaction; zeros if there is none.
    pub(super) fn export_hit(&self, cycle: &Cycle<'_>) {
        let Cycle { io, current, lookup, outcome } = *cycle;
        let (ordered, fails) = (outcome.ordered_here, outcome.fail_done);
        let (newest, older) = (current.newest, current.older);
        let access = hdl::mux(older.waits, &older.access, &newest.access);
        let matches = one_hot::together(&lookup.matches);
        let ways = one_hot::apart(older.waits.mux(older.way, matches));
        let way = one_hot::index(&ways, self.geometry.way_width());
        let hit = io.hit;
        hit.valid.set(ordered);
        hit.address.set(access.address & ordered.repeat(ADDRESS_BITS));
        hit.way.set(way & (ordered & !fails).repeat(way.width()));
        hit.kind.set(HitKind::Load);
        when(ordered, || {
            switch(access.op, |s| {
                s.case(AccessOp::Load, || {});
                s.case(AccessOp::Store, || hit.kind.set(HitKind::Store));
                s.case(AccessOp::LoadReserved, || hit.kind.set(HitKind::LoadReserved));
                s.case(AccessOp::StoreConditional, || {
                    hit.kind.set(HitKind::StoreConditional);
                    when(fails, || hit.kind.set(HitKind::FailedStoreConditional));
                });
                s.case(AccessOp::Amo, || hit.kind.set(HitKind::Amo));
            });
        });
    }

    /// Shows a write to the watched word: in the cycle in which it is ordered, or, if it missed, in which it is
    /// written.
    pub(super) fn watch(&self, cycle: &Cycle<'_>, stored: Stored) {
        let Cycle { io, current, lookup, outcome } = *cycle;
        let (newest, older) = (current.newest, current.older);
        let watched = |address: Sig| word_number(address).eq(word_number(io.watch.address));
        /// A store to the watched word hit in the cycle before; the arrays do not show it yet.
        let watched_last = reg(1).reset(0);
        /// A store to the watched word hit two cycles before.
        let watched_before = reg(1).reset(0);
        /// The watched word after the last store to it that hit.
        let last_word = reg(WORD_BITS);

        let hits = outcome.store_hits & watched(newest.access.address);
        let shown = (watched_last | watched_before).mux(last_word, lookup.word);
        let hit_word = merged(newest.access.data, newest.access.mask, shown);
        watched_last.set(hits);
        watched_before.set(watched_last);
        when(hits, || last_word.set(hit_word));

        let fill = &io.bus.fill;
        let is_amo = older.kind.is_amo;
        let with_line = fill.valid & (older.kind.is_store | older.kind.is_conditional);
        let late =
            (outcome.array_done & !older.kind.is_read | with_line) & watched(older.access.address);
        let old_word = (fill.valid & fill.with_line).mux(outcome.fill_word, older.word);
        let late_word = merged(stored.store_word, stored.word_mask, old_word);
        let written = is_amo.mux(stored.store_word, late_word);
        io.watch.valid.set(hits | late);
        io.watch.data.set(hit_word & hits.repeat(WORD_BITS) | written & late.repeat(WORD_BITS));
    }
}

/// A word with some of its bytes replaced.
#[hardware]
fn merged(new: Sig, mask: Sig, old: Sig) -> Sig {
    let byte_mask = cat((0..4).rev().map(|byte| mask.bit(byte).repeat(8)));
    new & byte_mask | old & !byte_mask
}
