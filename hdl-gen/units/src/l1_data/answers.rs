//! What the cache says to the bus and to the hart.

use hdl::{Bundle, Enum, Sig, hardware, select, when};

use super::access::Current;
use super::amo::amo_result;
use super::lookup::Lookup;
use super::order::{Cycle, Outcome};
use super::{L1Data, L1DataIo};
use crate::geometry::WORD_BITS;
use crate::observer::Opaque;
use crate::one_hot;

/// The line that leaves if the line that was looked up is filled.
#[derive(Clone, Copy)]
pub(super) struct Victim {
    /// Its state; 0 is Invalid.
    pub state: Sig,
    /// Its address.
    pub address: Sig,
}

#[hardware]
impl L1Data {
    /// Asks the bus for what the arrays cannot serve.
    pub(super) fn ask_bus(
        &self,
        io: &L1DataIo,
        current: &Current,
        outcome: &Outcome,
        conditional_fails: Sig,
    ) {
        let Current { access, missed, is_device, .. } = *current;
        let may_ask = current.busy & !current.granted & !current.held_back;
        let wants_line = (missed | outcome.misses) & !conditional_fails;
        io.bus.request.valid.set(may_ask & (is_device | wants_line));
        io.bus.request.stands.set(may_ask & (is_device | missed & !conditional_fails));
        io.bus.request.device.set(is_device);
        io.bus.request.write.set(!current.is_read);
        io.bus.request.address.set(access.address);
        io.bus.request.data.set(access.data);
        io.bus.done.set(outcome.done);
    }

    /// Answers a look, with what the cache has of the line and what would leave for it.
    pub(super) fn answer_look(&self, io: &L1DataIo, current: &Current, lookup: &Lookup) -> Victim {
        let geometry = self.geometry;
        let (ways, victim_way) = (&lookup.ways, lookup.victim_way);
        io.bus.answer.state.set_from(lookup.state);
        io.bus.answer.line.set(lookup.line);
        io.bus.answer.way.set(lookup.chosen_way);
        let victim_state = select(victim_way, &lookup.states);
        let tags: Vec<Sig> = ways.iter().map(|way| way.entry.tag).collect();
        let victim_tag = select(victim_way, &tags);
        let victim_address = geometry.address_of(victim_tag, geometry.set(current.shown_address));
        io.bus.answer.victim_state.set_from(Enum::from_sig(victim_state));
        io.bus.answer.victim_address.set(victim_address);
        for (place, meta) in io.bus.answer.meta.iter().enumerate() {
            let metas: Vec<Opaque> = ways.iter().map(|way| way.meta.0[place].of.clone()).collect();
            meta.drive(&one_hot::choose(&lookup.matches, &metas));
        }
        io.pc.drive(&current.access.pc);
        io.machine_mode.drive(&current.access.machine_mode);
        Victim { state: victim_state, address: victim_address }
    }

    /// Whether the hart withdraws the access in this cycle, which it may until the access is ordered.
    pub(super) fn withdraw(&self, cycle: &Cycle<'_>) -> Sig {
        let Cycle { io, current, lookup, outcome } = *cycle;
        let withdrawable = io.data.withdrawable;
        withdrawable.set(current.busy & !current.granted & !lookup.asking & !outcome.ordered_here);
        let withdrawn = io.data.withdraw & withdrawable;
        withdrawn
    }

    /// Answers the hart. Returns the word that an atomic operation writes.
    pub(super) fn respond(&self, cycle: &Cycle<'_>) -> Sig {
        let Cycle { io, current, lookup, outcome } = *cycle;
        let Current { busy, access, is_read, is_amo, .. } = *current;
        let Outcome { done, amo_word, amo_done, .. } = *outcome;
        let gives_word = is_read | is_amo;
        io.data.response_valid.set(done);
        let array_word = is_amo.mux(amo_word, lookup.word);
        io.data.response_data.set(
            outcome.device_done.mux(io.bus.device_data & is_read.repeat(WORD_BITS), array_word)
                & (done & gives_word).repeat(WORD_BITS),
        );
        let amo_written = amo_result(access.amo, amo_word, access.data);
        io.data.response_written.set(amo_written & amo_done.repeat(WORD_BITS));
        io.data.response_failed.set(outcome.fail_done);
        io.data.waiting.set(0);
        when(busy & !done & !current.held_back, || {
            when(current.is_device, || io.data.waiting.set(2))
                .elsewhen(current.table_full, || io.data.waiting.set(3))
                .elsewhen(current.missed | current.granted, || io.data.waiting.set(1));
        });
        amo_written
    }
}
