//! The grant: what the transaction is, whether it is granted, and what becomes of the line. All of it follows from
//! registers: those of the bus, and the answers of the caches.

use hdl::{Bundle, Enum, HwEnum, Sig, hardware, reg, select, set_when, switch, when, wire};

use super::clean::{with, without};
use super::judge::{Judgement, Transaction};
use super::look::Asks;
use super::phases::{Phase, Registers, Requester};
use super::snoop::{Snooped, snooped, state_after_read};
use super::{Bus, BusArbiterIo, BusIo, BusKind};
use crate::geometry::WORD_BITS;
use crate::l1_data::{Answer, CacheRequest, Mesi};
use crate::one_hot;

/// The transaction in the cycle of the verdict.
pub(super) struct Grant {
    /// This is the cycle of the verdict.
    pub granting: Sig,
    /// The answer of the data cache of the hart that has the bus.
    pub asker_answer: Answer,
    pub kind: Enum<BusKind>,
    /// A data cache asks for a line, or to write it.
    pub is_coherent: Sig,
    /// A data cache has a line of its own written to memory, if there is such a thing.
    pub is_clean: Option<Sig>,
    /// A data cache asks for a line to read.
    pub is_read: Sig,
    /// A data cache has the line and asks to write it.
    pub is_upgrade: Sig,
    /// A data cache gets the line.
    pub moves_line: Sig,
    /// The host writes memory.
    pub is_host_write: Sig,
    /// The answers of all data caches together.
    pub found: Snooped,
    /// For each data cache but the requester's, whether it holds the line.
    pub holders: Vec<Sig>,
    /// Some data cache but the requester's holds the line.
    pub communicating: Sig,
    /// A data cache supplies the line.
    pub supplied: Sig,
    /// Another data cache holds the line in M.
    pub dirty: Sig,
    /// The request is still there.
    pub stands_until_grant: Sig,
}

/// What the bus decides on the transaction, in the cycle of the verdict.
pub(super) struct Decision {
    pub judgement: Judgement,
    /// The transaction is granted.
    pub granted: Sig,
    /// Its number, where transactions are numbered.
    pub number: Option<Sig>,
}

/// The line that leaves the requester's cache to make room.
#[derive(Clone, Copy)]
pub(super) struct Victim {
    /// There is one.
    pub victim_valid: Sig,
    /// It is Modified, so it goes to memory.
    pub victim_dirty: Sig,
}

#[hardware]
impl Bus {
    /// What the transaction is, from the request and the answers.
    pub(super) fn classify(&self, io: &BusIo, registers: &Registers, asks: &Asks) -> Grant {
        let host = io.host_request.payload;
        let Registers { phase, requester, hart, for_device, .. } = *registers;
        let Asks { is_data, is_host, request: cache_request, still_stands, .. } = *asks;
        let granting = phase.is(Phase::Grant);
        let answers: Vec<Answer> = io.cache.iter().map(|cache| cache.answer.clone()).collect();
        let asker_answer = select(hart, &answers);
        let request_kind =
            self.request_kind(requester, cache_request, &asker_answer, host.write, for_device);
        // Not taken from the kind, which depends on what the arrays show and is known late.
        let is_device = for_device;
        let is_clean = self
            .is_clean(cache_request, &asker_answer)
            .map(|is_clean| is_clean & is_data & !is_device);
        let is_coherent = without(is_data & !is_device, is_clean);
        let is_read = is_coherent & !cache_request.write;
        let is_upgrade = without(request_kind.is(BusKind::Upgrade), is_clean);
        let moves_line = is_coherent & !is_upgrade;
        let is_host_write = is_host & host.write & !is_device;
        let found = snooped(&answers, &asks.asker, !is_coherent, granting & !is_device);
        let holders: Vec<Sig> = found.holders.iter().map(|&holds| holds & !is_device).collect();
        let communicating = found.communicating & !is_device;
        let supplied = one_hot::any(&found.supplier) & !is_device & !is_upgrade;
        let dirty = found.dirty & !is_device;
        let stands_until_grant = granting & still_stands;
        Grant {
            granting,
            asker_answer,
            kind: request_kind,
            is_coherent,
            is_clean,
            is_read,
            is_upgrade,
            moves_line,
            is_host_write,
            found,
            holders,
            communicating,
            supplied,
            dirty,
            stands_until_grant,
        }
    }

    /// Asks the observers, grants the transaction unless one refuses, and numbers it.
    pub(super) fn decide(
        &self,
        io: &BusIo,
        hart: Sig,
        asks: &Asks,
        grant: &Grant,
        bus_arbiter: &BusArbiterIo,
    ) -> Decision {
        let Grant { is_coherent, communicating, stands_until_grant, .. } = *grant;
        let time_bits = self.observers.time_bits();
        let time = (time_bits > 0).then(|| reg(time_bits).reset(0).named("last_number"));
        let number = time.map(|time| (time + 1).named("number"));
        let judgement = self.judge(
            io,
            &Transaction {
                asker: &asks.asker,
                hart,
                asks: is_coherent & stands_until_grant,
                kind: grant.kind,
                communicating,
                meta: &grant.found.meta,
                number,
                time,
            },
        );
        let granted = stands_until_grant & !judgement.stall;
        bus_arbiter.granted.set(granted);
        let numbered = granted & is_coherent;
        if let (Some(time), Some(number), Some(wraps)) = (time, number, io.time_wraps) {
            set_when(numbered, time, number);
            wraps.set(numbered & time.all());
        }
        Decision { judgement, granted, number }
    }

    /// Tells every data cache what becomes of the line.
    pub(super) fn give_verdicts(
        &self,
        io: &BusIo,
        registers: &Registers,
        asks: &Asks,
        grant: &Grant,
        decision: &Decision,
    ) -> Victim {
        let Registers { phase, for_device, .. } = *registers;
        let Grant { granting, is_coherent, is_read, moves_line, stands_until_grant, .. } = *grant;
        let (granted, stall) = (decision.granted, decision.judgement.stall);
        let victim_state = grant.asker_answer.victim_state;
        let victim_valid = moves_line & !victim_state.is(Mesi::Invalid);
        let victim_dirty = moves_line & victim_state.is(Mesi::Modified);
        let invalidates = granted & (is_coherent & !is_read | grant.is_host_write);
        let shares = granted & is_read;
        for (place, cache) in io.cache.iter().enumerate() {
            let mine = asks.asker[place];
            cache.verdict.mine.set(mine & !phase.is(Phase::Idle));
            cache.verdict.answering.set(phase.is(Phase::Answer));
            cache.verdict.deciding.set(granting & (!for_device | mine));
            cache.verdict.granted.set(granted & mine);
            cache.verdict.stalled.set(stands_until_grant & stall & mine);
            cache.verdict.share.set(shares & !mine);
            cache.verdict.invalidate.set(invalidates & !mine);
        }
        Victim { victim_valid, victim_dirty }
    }

    /// Stores what the transfer needs, and starts it with its first step.
    pub(super) fn start_transfer(
        &self,
        io: &BusIo,
        registers: &Registers,
        asks: &Asks,
        grant: &Grant,
        decision: &Decision,
        victim: Victim,
    ) {
        let host = io.host_request.payload;
        let Registers { phase, for_device: is_device, kind, fill_state, .. } = *registers;
        let Registers { supplier, fill_way, after_collect, victim_address, .. } = *registers;
        let Registers { writes_line, reads_line, device_word, .. } = *registers;
        let Grant { granting, is_read, is_upgrade, moves_line, .. } = *grant;
        let Grant { is_host_write, communicating, supplied, dirty, .. } = *grant;
        let first_step = wire(Phase::shape());
        first_step.set(Phase::Deliver);
        when(is_device, || first_step.set(Phase::AskDevice))
            .elsewhen(victim.victim_dirty, || first_step.set(Phase::WriteVictim))
            .elsewhen(is_host_write & dirty, || first_step.set(Phase::Merge))
            .elsewhen(moves_line & dirty, || first_step.set(Phase::WriteLine))
            .elsewhen(!is_upgrade & !supplied, || first_step.set(Phase::ReadLine));
        if let Some(is_clean) = grant.is_clean {
            when(is_clean, || first_step.set(Phase::WriteLine));
        }
        let collects = with(supplied | victim.victim_dirty, grant.is_clean);
        when(granting, || {
            phase.set(Phase::Rest);
            kind.set_from(grant.kind);
            supplier.set(grant.giver(asks));
            fill_way.set(grant.asker_answer.way);
            after_collect.set_from(first_step);
            victim_address.set(grant.asker_answer.victim_address);
            writes_line.set(moves_line & dirty);
            reads_line.set(!supplied);
            device_word.set(asks.is_data.mux(asks.request.data, host.data.trunc(WORD_BITS)));
            fill_state.set(Mesi::Modified);
            when(is_read, || fill_state.set_from(state_after_read(communicating)));
        });
        when(decision.granted, || {
            phase.set_from(first_step);
            when(collects, || phase.set(Phase::Collect));
        });
        set_when(phase.is(Phase::Rest), phase.sig(), Phase::Idle.code());
        when(granting, || registers.meta.drive(&decision.judgement.fill));
    }

    /// The kind of the transaction. What the requester's cache holds tells a ReadX from an Upgrade.
    fn request_kind(
        &self,
        requester: Enum<Requester>,
        request: CacheRequest,
        answer: &Answer,
        host_writes: Sig,
        to_device: Sig,
    ) -> Enum<BusKind> {
        let request_kind = wire(BusKind::shape());
        switch(requester, |s| {
            s.case(Requester::Data, || {
                when(!request.write, || request_kind.set(BusKind::Read))
                    .elsewhen(answer.state.is(Mesi::Invalid), || request_kind.set(BusKind::ReadX))
                    .otherwise(|| request_kind.set(BusKind::Upgrade));
            });
            s.case(Requester::Fetch, || request_kind.set(BusKind::Fetch));
            s.case(Requester::Host, || {
                when(host_writes, || request_kind.set(BusKind::HostWrite))
                    .otherwise(|| request_kind.set(BusKind::HostRead));
            });
        });
        when(to_device, || request_kind.set(BusKind::Device));
        request_kind
    }
}
