//! The answers of the cache to the bus and to the hart.

use hdl::{Bundle, Enum, Sig, hardware, reg, when};

use super::access::Current;
use super::amo::amo_result;
use super::arrays::Sweep;
use super::lookup::Lookup;
use super::order::{Cycle, Outcome};
use super::speculation::{Speculation, adjusted};
use super::{L1Data, L1DataIo, low_word_number};
use crate::data_port::AccessOp;
use crate::geometry::WORD_BITS;
use crate::observer::Opaque;
use crate::one_hot;

#[hardware]
impl L1Data {
    /// Asks the bus for what the arrays cannot serve.
    pub(super) fn ask_bus(
        &self,
        io: &L1DataIo,
        current: &Current,
        outcome: &Outcome,
        lapsed: Sig,
        speculation: Option<&Speculation>,
    ) {
        let Current { ref newest, ref older, .. } = *current;
        io.bus.request.valid.set(adjusted(older.asks, speculation, |asks, speculation| {
            asks & !speculation.undoing
        }));
        io.bus.request.stands.set(adjusted(
            older.asks & !lapsed,
            speculation,
            |asks, speculation| asks & speculation.lets_stand(),
        ));
        io.bus.request.device.set(older.kind.is_device);
        io.bus.request.write.set(!older.kind.is_read);
        io.bus.request.address.set(older.access.address);
        io.bus.request.data.set(older.access.data);
        io.bus.done.set(outcome.late_done);
        let computes = older.waits & older.enough & older.kind.takes_two() & !older.computed;
        io.bus.storing.set(newest.valid & !newest.kind.is_read | computes);
    }

    /// Answers a look, with what the cache has of the line and what would leave for it. Returns the
    /// address of the line that would leave.
    pub(super) fn answer_look(&self, io: &L1DataIo, current: &Current, lookup: &Lookup) -> Sig {
        let geometry = self.geometry;
        let (ways, answered) = (&lookup.ways, lookup.answered);
        let chosen = one_hot::apart(answered.chosen);
        let matches = one_hot::apart(answered.matches);
        let victim_address =
            geometry.address_of(answered.victim_tag, geometry.set(current.shown_address));
        let answer = &io.bus.answer;
        answer.state.set_from(answered.state);
        answer.line.set(lookup.lines.line);
        answer.way.set(one_hot::index(&chosen, geometry.way_width()));
        answer.victim_state.set_from(Enum::from_sig(answered.victim_state));
        answer.victim_address.set(victim_address);
        for (place, meta) in answer.meta.iter().enumerate() {
            let metas: Vec<Opaque> = ways.iter().map(|way| way.meta.0[place].of.clone()).collect();
            meta.drive(&one_hot::choose(&matches, &metas));
        }
        io.pc.drive(&current.older.access.pc);
        io.machine_mode.drive(&current.older.access.machine_mode);
        victim_address
    }

    /// Whether an access can be taken, or looked up again, in this cycle. Everything here comes from
    /// registers but the low bits of the address. Returns whether the one that waits is looked up again.
    pub(super) fn offer_port(
        &self,
        cycle: &Cycle<'_>,
        sweep: Sweep,
        speculation: Option<&Speculation>,
    ) -> Sig {
        let Cycle { io, current, lookup, .. } = *cycle;
        let Current { newest, older, held_back, .. } = *current;
        let (look, verdict, request) = (io.bus.look, io.bus.verdict, io.data.request.payload);
        // A look and its answer take the port; the verdict may write what would be read.
        let downgrade_possible = verdict.deciding & lookup.answered.held;
        // So may the first store to a line, and stores on their way the word itself.
        let writes_entry = older.stores & older.exclusive;
        let low = low_word_number(request.address);
        let unwritten =
            newest.valid & newest.kind.is_store & low_word_number(newest.access.address).eq(low)
                | older.stores & low_word_number(older.access.address).eq(low);
        let is_store = request.op.is(AccessOp::Store);
        let is_read = request.op.is(AccessOp::Load) | request.op.is(AccessOp::LoadReserved);
        let port_free = !sweep.sweeping & !look.valid & !verdict.answering & !downgrade_possible;
        let collides = writes_entry | unwritten & !is_store | look.soon & !is_read;
        io.data.request.ready.set(adjusted(
            port_free & !older.waits & !collides,
            speculation,
            |ready, speculation| ready & !speculation.undoing,
        ));
        let reads_again = older.unseen & older.waits & !held_back & port_free & !look.soon;
        reads_again
    }

    /// Whether the hart withdraws the access in this cycle, which it may until the access is ordered.
    pub(super) fn withdraw(&self, cycle: &Cycle<'_>) -> Sig {
        let Cycle { io, current, outcome, .. } = *cycle;
        let older = &current.older;
        let verdict = io.bus.verdict;
        let decided = verdict.deciding & verdict.mine;
        let withdrawable = io.data.withdrawable;
        withdrawable.set(
            older.waits & !older.granted & !decided & !outcome.array_done & !outcome.fail_done,
        );
        let withdrawn = io.data.withdraw & withdrawable;
        withdrawn
    }

    /// Answers the hart. Returns the word that an atomic operation writes.
    pub(super) fn respond(&self, cycle: &Cycle<'_>) -> Sig {
        let Cycle { io, current, lookup, outcome } = *cycle;
        let Current { newest, older, .. } = *current;
        let data = &io.data;
        data.taken.set(data.request.fires() & !(newest.live & !outcome.fast_done));
        data.response_valid.set(outcome.fast_done | outcome.late_done);
        data.response_data.set(lookup.word);
        data.response_value.set(lookup.value);
        data.late.set(older.waits);
        data.late_valid.set(outcome.late_done);
        let arrived = io.bus.fill.valid.mux(outcome.fill_word, older.word);
        data.late_data.set(outcome.device_done.mux(io.bus.device_data, arrived));
        /// The word that an atomic operation writes, in the cycle after it was computed.
        let amo_written = reg(WORD_BITS);
        amo_written.set(amo_result(older.access.amo, older.word, older.access.data));
        data.late_written.set(amo_written);
        data.late_failed.set(outcome.fail_done);
        data.waiting.set(0);
        when(older.waits, || {
            when(older.kind.is_device, || data.waiting.set(2))
                .elsewhen(older.table_full, || data.waiting.set(3))
                .elsewhen(older.asks | older.granted, || data.waiting.set(1));
            if self.looks_again() {
                when(older.unseen | newest.again, || data.waiting.set(4));
            }
        });
        amo_written
    }
}
