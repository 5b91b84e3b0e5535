//! The first-level data cache of one hart: write-back, MESI, one access at a time.
//!
//! An access is taken in one cycle, in which all ways of its set are read, and a hit is complete in
//! the next. The arrays have one port for reading, and looks of the bus come first: an access that
//! loses its place is read again. Whatever the arrays show counts for an access only while they are
//! `fresh`: read for it, and not written since.
//!
//! What cannot be a hit asks the bus. When the line has arrived the access completes as a hit does;
//! no other transaction comes between. `ports` says what passes to and from the bus.

mod amo;
mod check;
mod io;
mod plru;
mod ports;
mod reservation;
mod way;

use config::Config;
use hdl::{
    Bundle, Enum, HwEnum, Module, Sig, array, bits, cat, hardware, lit, reg, select, set_when,
    switch, when, wire,
};

pub use io::{Hit, HitKind, L1DataIo, Watch};
pub use plru::{Plru, PlruIo};
pub use ports::{Answer, CacheBus, CacheRequest, Fill, Look, Verdict};
pub use reservation::{Reservation, ReservationIo};
pub use way::{Entry, Mesi, Way, WayIo};

use crate::data_port::{AccessOp, DataRequest};
use crate::features;
use crate::geometry::{ADDRESS_BITS, Geometry, WORD_BITS};
use crate::observer::{LineUpdate, Observers, Opaque, UpdateCause};
use crate::one_hot;
use amo::amo_result;
use check::Facts;

/// The data cache of one hart.
#[derive(Clone, Debug, PartialEq)]
pub struct L1Data {
    /// Its shape.
    pub geometry: Geometry,
    /// The features that add to requests or keep something with every line.
    pub observers: Observers,
    /// Accesses can be held back from outside.
    pub perturbed: bool,
}

/// One access at a time; hits complete in the cycle after they were taken. After reset every set is
/// made invalid, one in a cycle.
#[hardware]
impl Module for L1Data {
    type Io = L1DataIo;

    fn name(&self) -> String {
        let (geometry, tag) = (self.geometry.tag_text(), self.observers.tag());
        let perturbed = if self.perturbed { "_perturbed" } else { "" };
        format!("l1_data_{geometry}{tag}{perturbed}")
    }

    fn build(&self) -> L1DataIo {
        let geometry = self.geometry;
        let io = self.ports();
        let (request, verdict, look) = (io.data.request, io.bus.verdict, io.bus.look);

        // Emptying after reset.
        let sweeping = reg(1).reset(1);
        /// The set that is emptied next.
        let sweep_set = reg(geometry.set_width()).reset(0);
        set_when(sweeping, sweep_set, sweep_set + 1);
        set_when(sweep_set.eq(geometry.sets - 1), sweeping, 0);
        io.ready.set(!sweeping);

        // The access.
        /// There is an access.
        let busy = reg(1).reset(0);
        /// What it is.
        let access = reg(DataRequest::shape(self.observers.need_origin()));
        /// It is ordered by its transaction.
        let granted = reg(1).reset(0);
        /// The arrays were found to be not enough for it; only a transaction can change that.
        let missed = reg(1).reset(0);
        /// An observer refused its last attempt.
        let table_full = reg(1).reset(0);
        /// The arrays show what there is for the access.
        let fresh = reg(1).reset(0);
        /// The address that the arrays were read with.
        let shown_address = reg(ADDRESS_BITS);

        let held_back = io.hold.unwrap_or_else(|| lit(1, 0));
        let op = access.op;
        let is_device = !access.address.bit(ADDRESS_BITS - 1);
        let is_read = op.is(AccessOp::Load) | op.is(AccessOp::LoadReserved);
        let is_amo = op.is(AccessOp::Amo);
        let is_conditional = op.is(AccessOp::StoreConditional);

        // What the arrays show.
        let ways = array(geometry.ways, |_| {
            let way = Way { geometry, observers: self.observers.clone() }.instance();
            way
        });
        let shown_tag = geometry.tag(shown_address);
        let matches: Vec<Sig> = ways
            .iter()
            .map(|way| !way.entry.state.is(Mesi::Invalid) & way.entry.tag.eq(shown_tag))
            .collect();
        let states: Vec<Sig> = ways.iter().map(|way| way.entry.state.sig()).collect();
        let state = Enum::<Mesi>::from_sig(one_hot::choose(&matches, &states));
        let held = one_hot::any(&matches);
        let exclusive = state.is(Mesi::Exclusive);
        let writable = exclusive | state.is(Mesi::Modified);

        // The line that makes room: the lowest invalid way, else the one used least.
        let invalid: Vec<Sig> = ways.iter().map(|way| way.entry.state.is(Mesi::Invalid)).collect();
        let plru = (geometry.ways > 1)
            .then(|| Plru { ways: geometry.ways, sets: geometry.sets }.instance().named("u_plru"));
        let victim_way = wire(geometry.way_width());
        match &plru {
            Some(plru) => {
                victim_way.set(one_hot::any(&invalid).mux(
                    one_hot::index(&one_hot::first(&invalid), geometry.way_width()),
                    plru.victim,
                ))
            }
            None => victim_way.set(0),
        }
        let match_way = one_hot::index(&matches, geometry.way_width());
        let asking = verdict.answering & verdict.mine;
        // In the answer to its own look the cache offers what leaves, all else wants what matches.
        let chosen_way = (asking & !held).mux(victim_way, match_way);
        let chosen: Vec<Sig> = (0..geometry.ways)
            .map(|place| (asking & !held).mux(victim_way.eq(place), matches[place]))
            .collect();
        let lines: Vec<Sig> = ways.iter().map(|way| way.line).collect();
        let line = one_hot::choose(&chosen, &lines);
        let words: Vec<Sig> = (0..geometry.words())
            .map(|word| line.bits(word * WORD_BITS..(word + 1) * WORD_BITS))
            .collect();
        let word = select(geometry.word(access.address), &words);

        // The reservation.
        let reservation =
            Reservation { line_number_bits: geometry.line_number(access.address).width() }
                .instance();
        reservation.line.set(geometry.line_number(access.address));
        let conditional_fails = is_conditional & !reservation.holds & !granted;

        // What happens to the access in this cycle.
        let waits = busy & !is_device & !held_back;
        let enough = is_read.mux(held, writable);
        let read_done = waits & is_read & fresh & held;
        /// The arrays are not looked at, so that a store cannot slip past a look.
        let may_write = waits & fresh & writable & !look.valid;
        /// The word that an atomic operation reads, from the cycle before its write.
        let amo_word = reg(WORD_BITS);
        let amo_ready = reg(1).reset(0);
        let amo_done = may_write & is_amo & amo_ready;
        amo_ready.set(may_write & is_amo & !amo_ready);
        amo_word.set(word);
        let is_store = op.is(AccessOp::Store) | is_conditional;
        let store_done = may_write & is_store & !conditional_fails;
        let fail_done = waits & conditional_fails;
        let write_done = store_done | amo_done;
        let array_done = read_done | write_done;
        let device_done = io.bus.device_valid;
        let done = array_done | fail_done | device_done;
        let ordered_here = (array_done | fail_done) & !granted;
        let misses = fresh & !enough;

        // The bus.
        let may_ask = busy & !granted & !held_back;
        let wants_line = (missed | misses) & !conditional_fails;
        io.bus.request.valid.set(may_ask & (is_device | wants_line));
        io.bus.request.stands.set(may_ask & (is_device | missed & !conditional_fails));
        io.bus.request.device.set(is_device);
        io.bus.request.write.set(!is_read);
        io.bus.request.address.set(access.address);
        io.bus.request.data.set(access.data);
        io.bus.done.set(done);
        io.bus.answer.state.set_from(state);
        io.bus.answer.line.set(line);
        io.bus.answer.way.set(chosen_way);
        let victim_state = select(victim_way, &states);
        let tags: Vec<Sig> = ways.iter().map(|way| way.entry.tag).collect();
        let victim_tag = select(victim_way, &tags);
        let victim_address = geometry.address_of(victim_tag, geometry.set(shown_address));
        io.bus.answer.victim_state.set_from(Enum::from_sig(victim_state));
        io.bus.answer.victim_address.set(victim_address);
        for (place, meta) in io.bus.answer.meta.iter().enumerate() {
            let metas: Vec<Opaque> = ways.iter().map(|way| way.meta.0[place].of.clone()).collect();
            meta.drive(&one_hot::choose(&matches, &metas));
        }
        io.pc.drive(&access.pc);
        io.machine_mode.drive(&access.machine_mode);

        // The hart.
        request.ready.set(!sweeping & (!busy | done));
        let withdrawable = io.data.withdrawable;
        withdrawable.set(busy & !granted & !asking & !ordered_here);
        let withdrawn = io.data.withdraw & withdrawable;
        let gives_word = is_read | is_amo;
        io.data.response_valid.set(done);
        let array_word = is_amo.mux(amo_word, word);
        io.data.response_data.set(
            device_done.mux(io.bus.device_data & is_read.repeat(WORD_BITS), array_word)
                & (done & gives_word).repeat(WORD_BITS),
        );
        let amo_written = amo_result(access.amo, amo_word, access.data);
        io.data.response_written.set(amo_written & amo_done.repeat(WORD_BITS));
        io.data.response_failed.set(fail_done);
        io.data.waiting.set(0);
        when(busy & !done & !held_back, || {
            when(is_device, || io.data.waiting.set(2))
                .elsewhen(table_full, || io.data.waiting.set(3))
                .elsewhen(missed | granted, || io.data.waiting.set(1));
        });

        // The next state of the access.
        set_when(done | withdrawn, busy, 0);
        when(asking & verdict.granted, || {
            granted.set(1);
            table_full.set(0);
        });
        set_when(asking & verdict.stalled, table_full, 1);
        set_when(busy & misses & !is_device, missed, 1);
        let takes = request.fires();
        when(takes, || {
            busy.set(1);
            access.drive(&request.payload);
        });
        when(takes | done | withdrawn, || {
            granted.set(0);
            missed.set(0);
            table_full.set(0);
            amo_ready.set(0);
        });

        // Reading the arrays: in every cycle, because whether an access is offered is known late. Where
        // none is, nobody uses what they show.
        let stays = busy & !done;
        let own_address = stays.mux(access.address, request.payload.address);
        let read_address = look.valid.mux(look.address, own_address);
        let reads_own = !look.valid & (takes | stays);
        shown_address.set(read_address);
        for way in &ways {
            way.read_set.set(geometry.set(read_address));
        }

        // Writing the arrays.
        let fill = &io.bus.fill;
        /// The way that the transaction fills or upgrades.
        let fill_way = reg(geometry.way_width());
        set_when(asking & verdict.granted, fill_way, chosen_way);
        let snooped = verdict.answering & !verdict.mine & held;
        let downgrades = snooped & (verdict.share | verdict.invalidate);
        let write_address = fill.valid.mux(access.address, shown_address);
        let write_set = sweeping.mux(sweep_set, geometry.set(write_address));
        let writes_entry = sweeping | fill.valid | downgrades | write_done & exclusive;
        let new_entry = wire(Entry { state: Mesi::shape(), tag: bits(geometry.tag_bits()) });
        new_entry.tag.set(geometry.tag(write_address));
        new_entry.state.set(Mesi::Modified);
        when(fill.valid, || new_entry.state.set_from(fill.state));
        when(downgrades, || new_entry.state.set(Mesi::Shared));
        when(sweeping | downgrades & verdict.invalidate, || new_entry.state.set(Mesi::Invalid));

        let store_word = is_amo.mux(amo_written, access.data);
        let word_mask = is_amo.mux(lit(4, 15), access.mask);
        let store_mask = self.in_line(word_mask, geometry.word(access.address));
        let write_data = fill.valid.mux(fill.line, store_word.repeat(geometry.words()));
        let write_mask = fill.valid.mux(fill.with_line.repeat(geometry.line), store_mask);
        let writes_line = fill.valid | write_done;
        let updates_meta = writes_line & (fill.valid | !granted);
        for (place, way) in ways.iter().enumerate() {
            let here = fill.valid.mux(fill_way.eq(place), matches[place]);
            way.write_set.set(write_set);
            way.write_entry.set(writes_entry & (sweeping | here));
            way.new_entry.drive(&new_entry);
            way.write_bytes.set(write_mask & (writes_line & here).repeat(geometry.line));
            way.new_line.set(write_data);
            if let Some(update) = &way.update {
                update.valid.set(updates_meta & here);
                self.drive_update(&io, update, exclusive);
            }
        }
        let entry_collides = writes_entry & write_set.eq(geometry.set(read_address));
        let word_collides = write_done & word_number(access.address).eq(word_number(read_address));
        fresh.set(reads_own & !entry_collides & !word_collides);

        if let Some(plru) = &plru {
            plru.read_valid.set(1);
            plru.read_set.set(geometry.set(read_address));
            plru.touch.set(array_done);
            plru.clear.set(sweeping);
            plru.set.set(write_set);
            plru.way.set(match_way);
        }

        // What ends the reservation, and what makes one.
        let evicts = asking & verdict.granted & !held & !victim_state.eq(0) & !is_device;
        reservation.make.set(read_done & op.is(AccessOp::LoadReserved));
        reservation.finish.set((store_done & is_conditional) | fail_done);
        reservation.lose.set(evicts | downgrades & verdict.invalidate);
        reservation.lost_line.set(geometry.line_number(evicts.mux(victim_address, shown_address)));

        self.export(&io, ordered_here, fail_done, access, match_way);
        let old_word = is_amo.mux(amo_word, word);
        let byte_mask = cat((0..4).rev().map(|byte| word_mask.bit(byte).repeat(8)));
        let becomes = store_word & byte_mask | old_word & !byte_mask;
        let watched = write_done & word_number(access.address).eq(word_number(io.watch.address));
        io.watch.valid.set(watched);
        io.watch.data.set(becomes & watched.repeat(WORD_BITS));

        self.check(
            &io,
            &Facts {
                busy,
                fresh,
                granted,
                matches,
                state,
                is_read,
                is_device,
                asking,
                downgrades,
                write_done,
                writes_line,
                sweeping,
                takes,
                shown_address,
                access,
                done,
                amo_ready,
                snooped,
            },
        );
        io
    }
}

/// The number of the word that an address is in.
#[track_caller]
fn word_number(address: Sig) -> Sig {
    address.bits(2..)
}

#[hardware]
impl L1Data {
    /// The data cache of a configuration, perturbed as in simulation.
    pub fn from_config(config: &Config) -> L1Data {
        L1Data {
            geometry: Geometry::of_data(config),
            observers: features::observers(config),
            perturbed: true,
        }
    }

    /// A mask of a word's bytes as one of the line's.
    fn in_line(&self, mask: Sig, word: Sig) -> Sig {
        let places = (0..self.geometry.words()).rev();
        cat(places.map(|place| mask & word.eq(place).repeat(mask.width())))
    }

    /// What happens to a line, for the observers' arrays: it arrives with what the bus says, or this
    /// hart's store hits it.
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

    /// What is ordered without a transaction; zeros where nothing is.
    fn export(&self, io: &L1DataIo, ordered: Sig, fails: Sig, access: DataRequest, way: Sig) {
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
}
