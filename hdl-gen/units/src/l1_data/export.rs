//! What the cache shows of the accesses it orders, and of stores to the watched word.

use hdl::{cat, hardware, switch, when};

use super::arrays::Stored;
use super::order::Cycle;
use super::{HitKind, L1Data, word_number};
use crate::data_port::AccessOp;
use crate::geometry::{ADDRESS_BITS, WORD_BITS};

#[hardware]
impl L1Data {
    /// Exports the access that is ordered without a transaction; zeros if there is none.
    pub(super) fn export_hit(&self, cycle: &Cycle<'_>) {
        let Cycle { io, current, lookup, outcome } = *cycle;
        let (ordered, fails) = (outcome.ordered_here, outcome.fail_done);
        let (access, way) = (current.access, lookup.match_way);
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

    /// Shows a write to the watched word.
    pub(super) fn watch(&self, cycle: &Cycle<'_>, stored: Stored) {
        let Cycle { io, current, lookup, outcome } = *cycle;
        let Stored { store_word, word_mask, .. } = stored;
        let access = current.access;
        let old_word = current.is_amo.mux(outcome.amo_word, lookup.word);
        let byte_mask = cat((0..4).rev().map(|byte| word_mask.bit(byte).repeat(8)));
        let becomes = store_word & byte_mask | old_word & !byte_mask;
        let watched =
            outcome.write_done & word_number(access.address).eq(word_number(io.watch.address));
        io.watch.valid.set(watched);
        io.watch.data.set(becomes & watched.repeat(WORD_BITS));
    }
}
