//! Reading and writing the arrays. They have one read port and one write port, and are written for one
//! reason at a time: emptying after reset, a line that arrives, another cache's transaction, or a store.

use hdl::{Bundle, HwEnum, Sig, bits, cat, hardware, lit, reg, set_when, when, wire};

use super::access::Current;
use super::lookup::Lookup;
use super::order::Cycle;
use super::{Entry, L1Data, L1DataIo, Mesi, word_number};
use crate::observer::{LineUpdate, UpdateCause};

/// The emptying of the arrays after reset.
#[derive(Clone, Copy)]
pub(super) struct Sweep {
    /// It is going on.
    pub sweeping: Sig,
    /// The set that is emptied in this cycle; valid with `sweeping`.
    pub sweep_set: Sig,
}

/// The read in this cycle.
#[derive(Clone, Copy)]
pub(super) struct Read {
    /// The address whose set is read.
    pub read_address: Sig,
    /// The read is for the access, not for a look.
    pub reads_own: Sig,
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
    /// The way that the transaction fills or upgrades; valid with a fill.
    pub fill_way: Sig,
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
    /// they show is not used if there was none.
    pub(super) fn read_arrays(&self, cycle: &Cycle<'_>, takes: Sig) -> Read {
        let Cycle { io, current, lookup, outcome } = *cycle;
        let (request, look) = (io.data.request, io.bus.look);
        let stays = current.busy & !outcome.done;
        let own_address = stays.mux(current.access.address, request.payload.address);
        let read_address = look.valid.mux(look.address, own_address);
        let reads_own = !look.valid & (takes | stays);
        current.shown_address.set(read_address);
        for way in &lookup.ways {
            way.read_set.set(self.geometry.set(read_address));
        }
        Read { read_address, reads_own }
    }

    /// The tag and state to write, and where.
    pub(super) fn next_entry(&self, cycle: &Cycle<'_>, sweep: Sweep) -> Writes {
        let geometry = self.geometry;
        let Cycle { io, current, lookup, outcome } = *cycle;
        let (fill, verdict) = (&io.bus.fill, io.bus.verdict);
        let Lookup { asking, held, exclusive, chosen_way, .. } = *lookup;
        let Sweep { sweeping, sweep_set } = sweep;
        /// The way that the transaction fills or upgrades.
        let fill_way = reg(geometry.way_width());
        set_when(asking & verdict.granted, fill_way, chosen_way);
        let snooped = verdict.answering & !verdict.mine & held;
        let downgrades = snooped & (verdict.share | verdict.invalidate);
        let write_address = fill.valid.mux(current.access.address, current.shown_address);
        let write_set = sweeping.mux(sweep_set, geometry.set(write_address));
        let writes_entry = sweeping | fill.valid | downgrades | outcome.write_done & exclusive;
        let new_entry = wire(Entry { state: Mesi::shape(), tag: bits(geometry.tag_bits()) });
        new_entry.tag.set(geometry.tag(write_address));
        new_entry.state.set(Mesi::Modified);
        when(fill.valid, || new_entry.state.set_from(fill.state));
        when(downgrades, || new_entry.state.set(Mesi::Shared));
        when(sweeping | downgrades & verdict.invalidate, || new_entry.state.set(Mesi::Invalid));
        Writes { snooped, downgrades, write_set, writes_entry, new_entry, fill_way }
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
        let Current { access, is_amo, .. } = *current;
        let store_word = is_amo.mux(amo_written, access.data);
        let word_mask = is_amo.mux(lit(4, 15), access.mask);
        let store_mask = self.in_line(word_mask, geometry.word(access.address));
        let write_data = fill.valid.mux(fill.line, store_word.repeat(geometry.words()));
        let write_mask = fill.valid.mux(fill.with_line.repeat(geometry.line), store_mask);
        let writes_line = fill.valid | outcome.write_done;
        let updates_meta = writes_line & (fill.valid | !current.granted);
        for (place, way) in lookup.ways.iter().enumerate() {
            let here = fill.valid.mux(writes.fill_way.eq(place), lookup.matches[place]);
            way.write_set.set(writes.write_set);
            way.write_entry.set(writes.writes_entry & (sweeping | here));
            way.new_entry.drive(&writes.new_entry);
            way.write_bytes.set(write_mask & (writes_line & here).repeat(geometry.line));
            way.new_line.set(write_data);
            if let Some(update) = &way.update {
                update.valid.set(updates_meta & here);
                self.drive_update(io, update, lookup.exclusive);
            }
        }
        Stored { store_word, word_mask, writes_line }
    }

    /// Notes whether the arrays will show the access what they hold: they were read for it, and what was
    /// read is not written in the same cycle.
    pub(super) fn note_fresh(&self, cycle: &Cycle<'_>, read: Read, writes: &Writes) {
        let geometry = self.geometry;
        let Cycle { current, outcome, .. } = *cycle;
        let Read { read_address, reads_own } = read;
        let entry_collides = writes.writes_entry & writes.write_set.eq(geometry.set(read_address));
        let word_collides =
            outcome.write_done & word_number(current.access.address).eq(word_number(read_address));
        current.fresh.set(reads_own & !entry_collides & !word_collides);
    }

    /// Keeps the order in which the ways of a set were used.
    pub(super) fn keep_use(&self, cycle: &Cycle<'_>, read: Read, writes: &Writes, sweeping: Sig) {
        if let Some(plru) = &cycle.lookup.plru {
            plru.read_valid.set(1);
            plru.read_set.set(self.geometry.set(read.read_address));
            plru.touch.set(cycle.outcome.array_done);
            plru.clear.set(sweeping);
            plru.set.set(writes.write_set);
            plru.way.set(cycle.lookup.match_way);
        }
    }

    /// A mask of a word's bytes as one of the line's.
    fn in_line(&self, mask: Sig, word: Sig) -> Sig {
        let places = (0..self.geometry.words()).rev();
        cat(places.map(|place| mask & word.eq(place).repeat(mask.width())))
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
