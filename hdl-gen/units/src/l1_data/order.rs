//! Where an access is ordered without a transaction, and when it completes.

use hdl::{Inst, Module, Sig, hardware, reg};

use super::access::Current;
use super::answers::Victim;
use super::arrays::Writes;
use super::lookup::Lookup;
use super::{L1Data, L1DataIo, Reservation, ReservationIo};
use crate::data_port::AccessOp;
use crate::geometry::WORD_BITS;

/// What becomes of the access in this cycle.
pub(super) struct Outcome {
    /// A load or an LR reads the line.
    pub read_done: Sig,
    /// The word that an atomic operation read in the cycle before its write.
    pub amo_word: Sig,
    /// `amo_word` is valid: the atomic operation may write.
    pub amo_ready: Sig,
    /// An atomic operation writes the line.
    pub amo_done: Sig,
    /// A store or an SC writes the line.
    pub store_done: Sig,
    /// An SC fails.
    pub fail_done: Sig,
    /// `store_done` or `amo_done`.
    pub write_done: Sig,
    /// `read_done` or `write_done`.
    pub array_done: Sig,
    /// A device answers.
    pub device_done: Sig,
    /// The access completes.
    pub done: Sig,
    /// The access is ordered, and no transaction has ordered it.
    pub ordered_here: Sig,
    /// The arrays show that the access needs a transaction.
    pub misses: Sig,
}

/// All that is known of the access in this cycle.
#[derive(Clone, Copy)]
pub(super) struct Cycle<'a> {
    pub io: &'a L1DataIo,
    pub current: &'a Current,
    pub lookup: &'a Lookup,
    pub outcome: &'a Outcome,
}

#[hardware]
impl L1Data {
    /// The reservation, asked for the line of the access; and whether the access is an SC that fails.
    pub(super) fn reservation(&self, current: &Current) -> (Inst<ReservationIo>, Sig) {
        let geometry = self.geometry;
        let access = current.access;
        let reservation =
            Reservation { line_number_bits: geometry.line_number(access.address).width() }
                .instance();
        reservation.line.set(geometry.line_number(access.address));
        let conditional_fails = current.is_conditional & !reservation.holds & !current.granted;
        (reservation, conditional_fails)
    }

    /// What becomes of the access in this cycle.
    pub(super) fn order(
        &self,
        io: &L1DataIo,
        current: &Current,
        lookup: &Lookup,
        conditional_fails: Sig,
    ) -> Outcome {
        let Current { busy, granted, fresh, held_back, is_device, .. } = *current;
        let Current { is_read, is_amo, is_conditional, .. } = *current;
        let Lookup { held, writable, word, .. } = *lookup;
        let waits = busy & !is_device & !held_back;
        let enough = is_read.mux(held, writable);
        let read_done = waits & is_read & fresh & held;
        /// A write may be done: never in the cycle of a look, which would miss it.
        let may_write = waits & fresh & writable & !io.bus.look.valid;
        /// The word that an atomic operation read in the cycle before its write.
        let amo_word = reg(WORD_BITS);
        let amo_ready = reg(1).reset(0);
        let amo_done = may_write & is_amo & amo_ready;
        amo_ready.set(may_write & is_amo & !amo_ready);
        amo_word.set(word);
        let is_store = current.access.op.is(AccessOp::Store) | is_conditional;
        let store_done = may_write & is_store & !conditional_fails;
        let fail_done = waits & conditional_fails;
        let write_done = store_done | amo_done;
        let array_done = read_done | write_done;
        let device_done = io.bus.device_valid;
        let done = array_done | fail_done | device_done;
        let ordered_here = (array_done | fail_done) & !granted;
        let misses = fresh & !enough;
        Outcome {
            read_done,
            amo_word,
            amo_ready,
            amo_done,
            store_done,
            fail_done,
            write_done,
            array_done,
            device_done,
            done,
            ordered_here,
            misses,
        }
    }

    /// Makes the reservation at an LR, and ends it at an SC or when its line leaves the cache.
    pub(super) fn keep_reservation(
        &self,
        cycle: &Cycle<'_>,
        writes: &Writes,
        victim: Victim,
        reservation: &ReservationIo,
    ) {
        let geometry = self.geometry;
        let Cycle { io, current, lookup, outcome } = *cycle;
        let verdict = io.bus.verdict;
        let Lookup { asking, held, .. } = *lookup;
        let evicts = asking & verdict.granted & !held & !victim.state.eq(0) & !current.is_device;
        reservation.make.set(outcome.read_done & current.access.op.is(AccessOp::LoadReserved));
        reservation.finish.set((outcome.store_done & current.is_conditional) | outcome.fail_done);
        reservation.lose.set(evicts | writes.downgrades & verdict.invalidate);
        reservation
            .lost_line
            .set(geometry.line_number(evicts.mux(victim.address, current.shown_address)));
    }
}
