//! Reading and writing the arrays. They have one read port and one write port, and are written for one
//! reason at a time: emptying after reset, a line that arrives, another cache's transaction, or a store.

use hdl::{Bundle, HwEnum, Sig, bits, hardware, lit, reg, set_when, when, wire};

use super::access::Current;
use super::order::Cycle;
use super::{Entry, L1Data, L1DataIo, Mesi};
use crate::observer::{LineUpdate, UpdateCause};
use crate::one_hot;

/// The emptying of the arrays after reset.
#[derive(Clone, Copy)]
pub(super) struct Sweep {
    /// It is going on.
    pub sweeping: Sig,
    /// The set that is emptied in this cycle; valid with `sweeping`.
    pub sweep_set: Sig,
}

/// The write in this cycle.
#[derive(Clone, Copy)]
pub(super) struct Writes {
    /// Another cache's transaction finds the line here.
    pub snooped: Sig,
    /// Another cache's transaction changes the state of the line.
    pub downgrades: Sig,
    /// The set that is written.
    pub write_set: Sig,
    /// A tag and state are written.
    pub writes_entry: Sig,
    /// The tag and state; valid with `writes_entry`.
    pub new_entry: Entry,
}

/// The word that a store or an atomic operation writes.
#[derive(Clone, Copy)]
pub(super) struct Stored {
    /// The word.
    pub store_word: Sig,
    /// The bytes of it that are written.
    pub word_mask: Sig,
    /// Bytes of a line are written: by the access, or by a line that arrives.
    pub writes_line: Sig,
}

#[hardware]
impl L1Data {
    /// Makes every set invalid after reset, one in a cycle.
    pub(super) fn sweep(&self, io: &L1DataIo) -> Sweep {
        let geometry = self.geometry;
        /// The arrays are being emptied after reset.
        let sweeping = reg(1).reset(1);
        /// The set that is emptied in this cycle.
        let sweep_set = reg(geometry.set_width()).reset(0);
        set_when(sweeping, sweep_set, sweep_set + 1);
        set_when(sweep_set.eq(geometry.sets - 1), sweeping, 0);
        io.ready.set(!sweeping);
        Sweep { sweeping, sweep_set }
    }

    /// Reads the arrays, in every cycle, because whether the hart offers an access is known late. What
    /// they show is not used if there was none. In the cycle of an answer they are read once more, for the metadata, and
    /// in that of the verdict again: then the way is known, and the line goes out in the cycle after. Returns whether
    /// a line is read.
    pub(super) fn read_arrays(&self, cycle: &Cycle<'_>) -> Sig {
        let Cycle { io, current, lookup, .. } = *cycle;
        let (request, look, verdict) = (io.data.request, io.bus.look, io.bus.verdict);
        let own_address = if self.perturbed {
            current.older.waits.mux(current.older.access.address, request.payload.address)
        } else {
            request.payload.address
        };
        let answered = &lookup.answered;
        // An access that was given up reads nothing; the next one may be taken already.
        let mine = verdict.mine & current.older.waits;
        let reads_line = verdict.deciding & (mine | answered.held);
        let looked_at = look.valid.mux(look.address, current.shown_address);
        let read_address =
            (look.valid | verdict.answering | reads_line).mux(looked_at, own_address);
        current.shown_address.set(read_address);
        for way in &lookup.ways {
            way.read_set.set(self.geometry.set(read_address));
        }
        let lines = &lookup.lines;
        lines.read_set.set(self.geometry.set(read_address));
        lines.read_word.set(self.geometry.word(read_address));
        if let (Some(whole), Some(way)) = (lines.read_whole, lines.read_way) {
            whole.set(reads_line);
            let chosen = one_hot::apart(answered.chosen);
            way.set(one_hot::index(&chosen, self.geometry.way_width()));
        }
        if let Some(plru) = &lookup.plru {
            plru.read_valid.set(1);
            plru.read_set.set(self.geometry.set(read_address));
        }
        if let Some(table) = &lookup.way_predictor {
            // Looks need no guess, so that nothing is chosen behind the address of an access.
            let line = self.geometry.line_number(request.payload.address);
            table.line.set(line.trunc(table.line.width()));
        }
        reads_line
    }

    /// The tag and state to write, and where.
    pub(super) fn next_entry(&self, cycle: &Cycle<'_>, sweep: Sweep) -> Writes {
        let geometry = self.geometry;
        let Cycle { io, current, lookup, outcome } = *cycle;
        let (fill, verdict) = (&io.bus.fill, io.bus.verdict);
        let older = &current.older;
        let Sweep { sweeping, sweep_set } = sweep;
        let snooped = verdict.deciding & !verdict.mine & lookup.answered.held;
        let downgrades = snooped & (verdict.share | verdict.invalidate);
        let write_address = verdict.deciding.mux(current.shown_address, older.access.address);
        let write_set = sweeping.mux(sweep_set, geometry.set(write_address));
        let first_write = outcome.writes_word & older.exclusive;
        let writes_entry = sweeping | fill.valid | downgrades | first_write;
        let new_entry = wire(Entry { state: Mesi::shape(), tag: bits(geometry.tag_bits()) });
        new_entry.tag.set(geometry.tag(write_address));
        new_entry.state.set(Mesi::Modified);
        when(fill.valid, || new_entry.state.set_from(fill.state));
        when(downgrades, || new_entry.state.set(Mesi::Shared));
        when(sweeping | downgrades & verdict.invalidate, || new_entry.state.set(Mesi::Invalid));
        Writes { snooped, downgrades, write_set, writes_entry, new_entry }
    }

    /// Writes the arrays. `amo_written` is the word that an atomic operation writes.
    pub(super) fn write_arrays(
        &self,
        cycle: &Cycle<'_>,
        writes: &Writes,
        sweeping: Sig,
        amo_written: Sig,
    ) -> Stored {
        let geometry = self.geometry;
        let Cycle { io, current, lookup, outcome } = *cycle;
        let fill = &io.bus.fill;
        let Current { ref older, .. } = *current;
        let is_amo = older.kind.is_amo;
        let store_word = is_amo.mux(amo_written, older.access.data);
        let word_mask = is_amo.mux(lit(4, 15), older.access.mask);
        // A store that missed is written with the line that arrives.
        let joins_line = fill.valid & (older.kind.is_store | older.kind.is_conditional);
        let stores = outcome.writes_word | joins_line;
        let lines = &lookup.lines;
        lines.write_set.set(geometry.set(older.access.address));
        if let Some(way) = lines.write_way {
            way.set(one_hot::index(&one_hot::apart(older.way), geometry.way_width()));
        }
        lines.store_mask.set(word_mask & stores.repeat(word_mask.width()));
        lines.store_word.set(geometry.word(older.access.address));
        lines.store_data.set(store_word);
        lines.fill.set(fill.valid & fill.with_line);
        lines.fill_line.set(fill.line);
        let writes_line = fill.valid | outcome.writes_word;
        let updates_meta = fill.valid | outcome.writes_word & !older.granted;
        let downgrades = writes.downgrades;
        for (place, way) in lookup.ways.iter().enumerate() {
            let older_here = older.way.bit(place);
            let here = downgrades.mux(lookup.answered.matches.bit(place), older_here);
            way.write_set.set(writes.write_set);
            way.write_entry.set(writes.writes_entry & (sweeping | here));
            way.new_entry.drive(&writes.new_entry);
            if let Some(update) = &way.update {
                update.valid.set(updates_meta & older_here);
                self.drive_update(io, update, older.exclusive);
            }
        }
        Stored { store_word, word_mask, writes_line }
    }

    /// Keeps the order in which the ways of a set were used, and in which way the line of an access was that waited.
    pub(super) fn keep_use(&self, cycle: &Cycle<'_>, writes: &Writes, sweeping: Sig) {
        let Cycle { current, lookup, outcome, .. } = *cycle;
        let older = &current.older;
        if let Some(plru) = &lookup.plru {
            plru.touch.set(older.used | outcome.array_done | outcome.fill_done);
            plru.clear.set(sweeping);
            plru.set.set(writes.write_set);
            let way = one_hot::apart(older.way);
            plru.way.set(one_hot::index(&way, self.geometry.way_width()));
        }
        if let Some(table) = &lookup.way_predictor {
            let line = self.geometry.line_number(older.access.address);
            table.learn.set(outcome.array_done | outcome.fill_done);
            table.learn_line.set(line.trunc(table.learn_line.width()));
            table
                .learn_way
                .set(one_hot::index(&one_hot::apart(older.way), self.geometry.way_width()));
        }
    }

    /// Tells the observers' arrays what happens to the line: it arrives with the metadata that the bus
    /// gives, or a store of this hart hits it.
    fn drive_update(&self, io: &L1DataIo, update: &LineUpdate, exclusive: Sig) {
        let fill = &io.bus.fill;
        for (to, arrives) in update.meta.0.iter().zip(fill.meta.iter()) {
            match io.store.get(&to.name) {
                Some(store) => to.of.drive(&hdl::mux(fill.valid, arrives, store)),
                None => to.of.drive(arrives),
            }
        }
        update.cause.set(UpdateCause::WriteHit);
        when(exclusive, || update.cause.set(UpdateCause::FirstWrite));
        when(fill.valid, || {
            update.cause.set(UpdateCause::Fill);
            when(fill.state.is(Mesi::Modified), || update.cause.set(UpdateCause::Miss));
        });
    }
}
