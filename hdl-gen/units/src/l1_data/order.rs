//! Where an access is ordered without a transaction, and when it completes.
//!
//! A load or a store that hits is ordered in the cycle in which it is looked up, and the hart does not
//! wait for it. Everything else waits: it is complete when the bus has brought what it lacks, or, if it
//! lacks nothing, in the cycle after the lookup (a load whose way was guessed wrong); an atomic operation or an SC a
//! cycle later.

use hdl::{Inst, Module, Sig, hardware, reg, select};

use super::access::Current;
use super::lookup::Lookup;
use super::speculation::{Demands, adjusted};
use super::{L1Data, L1DataIo, Reservation, ReservationIo};
use crate::data_port::AccessOp;
use crate::one_hot;

/// What becomes of the accesses in this cycle.
pub(super) struct Outcome {
    /// The newest access is a load that hits in the way that was guessed, and is complete.
    pub read_hits: Sig,
    /// The newest access is a store that hits, and is complete; it is written in the next cycle.
    pub store_hits: Sig,
    /// `read_hits` or `store_hits`.
    pub fast_done: Sig,
    /// The newest access needs a transaction.
    pub misses: Sig,
    /// If the newest access writes, it is the first to do so since the line arrived.
    pub first_write: Sig,
    /// The access that waits is an SC that fails.
    pub fail_done: Sig,
    /// The access that waits reads or writes the arrays, and is complete.
    pub array_done: Sig,
    /// The access that waits is complete with the line that arrives.
    pub fill_done: Sig,
    /// A device answers.
    pub device_done: Sig,
    /// The access that waits is complete.
    pub late_done: Sig,
    /// The word of the line that arrives that the access is to.
    pub fill_word: Sig,
    /// The older access writes its word: a store that hit, or `array_done` of one that writes.
    pub writes_word: Sig,
    /// An access is ordered, and no transaction has ordered it.
    pub ordered_here: Sig,
}

/// What the reservation means for the older access.
#[derive(Clone, Copy)]
pub(super) struct Conditional {
    /// It is an SC, not granted, and there is no reservation.
    pub fails: Sig,
    /// This was so in the cycle before, and it waits. From the lookup of an SC that hits to its end no line leaves
    /// this cache, and none between look and verdict: so this is as good as now, and it is a register.
    pub lapsed: Sig,
}

/// All that is known of the accesses in this cycle.
#[derive(Clone, Copy)]
pub(super) struct Cycle<'a> {
    pub io: &'a L1DataIo,
    pub current: &'a Current,
    pub lookup: &'a Lookup,
    pub outcome: &'a Outcome,
}

#[hardware]
impl L1Data {
    /// The reservation, asked for the line of the older access, and what it means for that.
    pub(super) fn reservation(&self, current: &Current) -> (Inst<ReservationIo>, Conditional) {
        let geometry = self.geometry;
        let older = &current.older;
        let reservation =
            Reservation { line_number_bits: geometry.line_number(older.access.address).width() }
                .instance();
        reservation.line.set(geometry.line_number(older.access.address));
        let fails = older.kind.is_conditional & !reservation.holds & !older.granted;
        /// In the cycle before, the waiting access was an SC without a reservation.
        let lapsed = reg(1).reset(0);
        lapsed.set(older.waits & fails);
        (reservation, Conditional { fails, lapsed })
    }

    /// What becomes of the accesses in this cycle.
    pub(super) fn order(
        &self,
        io: &L1DataIo,
        current: &Current,
        lookup: &Lookup,
        lapsed: Sig,
        demands: Option<Demands>,
    ) -> Outcome {
        let geometry = self.geometry;
        let Current { newest, older, held_back, .. } = *current;
        let fill = &io.bus.fill;

        // The newest access.
        let may_hit = newest.live & !newest.again & !newest.kind.is_device & !held_back;
        let is_load = newest.access.op.is(AccessOp::Load);
        let read_hits = may_hit & is_load & lookup.as_guessed;
        let store_hits =
            adjusted(may_hit & newest.kind.is_store & lookup.writable, demands, |hits, demands| {
                hits & !demands.slow_store
            });
        let fast_done = read_hits | store_hits;
        let misses = !newest.kind.is_read.mux(lookup.held, lookup.writable);
        // The store before it may be about to make the line Modified.
        let same_set = geometry.set(newest.access.address).eq(geometry.set(older.access.address));
        let same_way: Vec<Sig> =
            (0..geometry.ways).map(|place| lookup.matches[place] & older.way.bit(place)).collect();
        let written_before = older.stores & older.exclusive & same_set & one_hot::any(&same_way);
        let first_write = lookup.exclusive & !written_before;

        // The one that waits.
        let way = one_hot::index(&one_hot::apart(older.way), geometry.way_width());
        let place = geometry.place_in_turned(geometry.word(older.access.address), way);
        let fill_word = select(place, &geometry.words_of(fill.line));
        let fail_done = adjusted(older.waits & lapsed & !older.unseen, demands, |done, demands| {
            done & !demands.forbids
        });
        // An atomic operation computes in one cycle and writes in the next; an SC finds out in one cycle whether it
        // fails.
        let computed = !older.kind.takes_two() | older.computed;
        let array_done =
            adjusted(older.waits & older.enough & computed & !lapsed, demands, |done, demands| {
                done & !demands.delays
            });
        let fill_done = fill.valid & !older.kind.is_amo;
        let device_done = io.bus.device_valid;
        let late_done = fail_done | array_done | fill_done | device_done;
        let writes_word = older.stores | array_done & !older.kind.is_read;
        let ordered_here = fast_done | (array_done | fail_done) & !older.granted;
        Outcome {
            read_hits,
            store_hits,
            fast_done,
            misses,
            first_write,
            fail_done,
            array_done,
            fill_done,
            device_done,
            late_done,
            fill_word,
            writes_word,
            ordered_here,
        }
    }

    /// Makes the reservation at an LR, and ends it at an SC or when its line leaves the cache.
    pub(super) fn keep_reservation(
        &self,
        cycle: &Cycle<'_>,
        downgrades: Sig,
        victim_address: Sig,
        reservation: &ReservationIo,
    ) {
        let geometry = self.geometry;
        let Cycle { io, current, lookup, outcome } = *cycle;
        let verdict = io.bus.verdict;
        let (older, answered) = (&current.older, &lookup.answered);
        let evicts = verdict.deciding
            & verdict.mine
            & verdict.granted
            & !answered.held
            & answered.victim_state.any()
            & !older.kind.is_device;
        let complete = outcome.array_done | outcome.fill_done;
        reservation.make.set(complete & older.access.op.is(AccessOp::LoadReserved));
        reservation.finish.set(adjusted(
            complete & older.kind.is_conditional | outcome.fail_done,
            io.speculation,
            |finishes, port| finishes | port.aborted,
        ));
        reservation.lose.set(evicts | downgrades & verdict.invalidate);
        reservation
            .lost_line
            .set(geometry.line_number(evicts.mux(victim_address, current.shown_address)));
    }
}
