//! The snooping bus: one transaction at a time, from the look to the end.
//!
//! | cycle | what happens |
//! |---|---|
//! | `Idle` | the arbiter takes one of those that ask |
//! | `Look` | the line's address goes to all data caches |
//! | `Grant` | they answer, and the transaction is granted: the ordering point. States of the others change, observers hear of it. A request that is gone, or that an observer stalls, is not granted |
//! | then | the line that leaves, then what an owner supplied, go to memory; memory is read if nobody supplied; the line arrives, the access completes |
//!
//! Nothing else happens on the bus until then, so a transaction is atomic.

mod arbiter;
mod io;
mod judge;
mod phases;
mod ports;
mod snoop;
mod transfer;

use config::Config;
use hdl::{
    Bundle, Enum, HwEnum, Module, Sig, assert, assume, cover, hardware, lit, reg, select, set_when,
    switch, when, wire,
};

pub use arbiter::{BusArbiter, BusArbiterIo, Disturbance, PASSES_BITS};
pub use io::BusIo;
pub use ports::{
    BusExport, BusKind, DeviceRequest, EXPORTED_HART_BITS, FetchPort, HostRequest, MemoryRequest,
    NO_HART,
};

use crate::features;
use crate::geometry::{ADDRESS_BITS, Geometry, WORD_BITS};
use crate::l1_data::{Answer, CacheRequest, Mesi};
use crate::observer::Observers;
use crate::one_hot;
use judge::Transaction;
use phases::{Phase, Registers, Requester};
use snoop::{snooped, state_after_read};
use transfer::Asks;

/// The bus of a machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Bus {
    /// How many harts there are.
    pub harts: usize,
    /// The shape of every data cache.
    pub geometry: Geometry,
    /// The features that hear of transactions.
    pub observers: Observers,
    /// Grants can be out of turn.
    pub perturbed: bool,
}

/// Carries one transaction at a time between the caches, the host, memory and the devices.
#[hardware]
impl Module for Bus {
    type Io = BusIo;

    fn name(&self) -> String {
        let (geometry, tag, time) =
            (self.geometry.tag_text(), self.observers.tag(), self.observers.time_tag());
        let stalls = if self.observers.stall() { "_stall" } else { "" };
        let perturbed = if self.perturbed { "_perturbed" } else { "" };
        format!("bus_{}_{geometry}{tag}{time}{stalls}{perturbed}", self.harts)
    }

    fn build(&self) -> BusIo {
        let geometry = self.geometry;
        let io = self.ports();
        let host = io.host_request.payload;

        let registers = Registers::of(self);
        let Registers { phase, requester, hart, stood, for_device, kind, address, .. } = registers;
        let Registers { line, fill_state, victim_line, victim_address, .. } = registers;
        let Registers { writes_line, reads_line, device_word, .. } = registers;

        // Idle: who is next.
        let requests = self.requests(&io);
        let bus_arbiter =
            BusArbiter { requesters: requests.width(), perturbed: self.perturbed }.instance();
        bus_arbiter.requests.set(requests);
        let idle = phase.is(Phase::Idle) & io.ready;
        bus_arbiter.take.set(idle);
        if let (Some(to), Some(from)) = (bus_arbiter.disturbance, io.disturbance) {
            to.drive(&from);
        }
        when(idle & requests.any(), || {
            phase.set(Phase::Look);
            self.set_requester(bus_arbiter.winner, requester, hart);
        });

        // Look: the address, to all data caches.
        let is_data = requester.is(Requester::Data);
        let is_fetch = requester.is(Requester::Fetch);
        let is_host = requester.is(Requester::Host);
        let asker: Vec<Sig> = (0..self.harts).map(|place| is_data & hart.eq(place)).collect();
        let cache_requests: Vec<CacheRequest> =
            io.cache.iter().map(|cache| cache.request).collect();
        let cache_request = select(hart, &cache_requests);
        let fetches: Vec<(Sig, Sig)> =
            io.fetch.iter().map(|fetch| (fetch.request.valid, fetch.request.payload)).collect();
        let (fetch_valid, fetch_address) = select(hart, &fetches);
        /// The request stands, in the cycle of the look.
        let stands = wire(1);
        /// It still does, in the cycle of the answer.
        let still_stands = wire(1);
        let live_address = wire(ADDRESS_BITS);
        let to_device = wire(1);
        switch(requester, |s| {
            s.case(Requester::Data, || {
                stands.set(cache_request.valid);
                still_stands.set(cache_request.stands);
                live_address.set(cache_request.address);
                to_device.set(cache_request.device);
            });
            s.case(Requester::Fetch, || {
                stands.set(fetch_valid);
                still_stands.set(fetch_valid);
                live_address.set(geometry.line_address(fetch_address));
                to_device.set(0);
            });
            s.case(Requester::Host, || {
                let device = !host.address.bit(ADDRESS_BITS - 1);
                stands.set(io.host_request.valid);
                still_stands.set(io.host_request.valid);
                live_address.set(device.mux(host.address, geometry.line_address(host.address)));
                to_device.set(device);
            });
        });
        let looking = phase.is(Phase::Look);
        let looks = looking & !to_device;
        when(looking, || {
            phase.set(Phase::Grant);
            stood.set(stands);
            for_device.set(to_device);
            address.set(live_address);
        });

        // Grant: what it is, and what becomes of everything.
        let granting = phase.is(Phase::Grant);
        let answers: Vec<Answer> = io.cache.iter().map(|cache| cache.answer.clone()).collect();
        let asker_answer = select(hart, &answers);
        let request_kind =
            self.request_kind(requester, cache_request, &asker_answer, host.write, for_device);
        // Not taken from the kind, which is known late: what the arrays show decides on it.
        let is_device = for_device;
        let is_coherent = is_data & !is_device;
        let is_read = is_coherent & !cache_request.write;
        let is_upgrade = request_kind.is(BusKind::Upgrade);
        let moves_line = is_coherent & !is_upgrade;
        let is_host_write = is_host & host.write & !is_device;
        let found = snooped(&answers, &asker, !is_coherent, granting & stood & !is_device);
        let holders: Vec<Sig> = found.holders.iter().map(|&holds| holds & !is_device).collect();
        let communicating = found.communicating & !is_device;
        let supplied = one_hot::any(&found.supplier) & !is_device & !is_upgrade;
        let dirty = found.dirty & !is_device;
        let stands_until_grant = granting & stood & still_stands;

        let time_bits = self.observers.time_bits();
        let time = (time_bits > 0).then(|| reg(time_bits).reset(0).named("last_number"));
        let number = time.map(|time| (time + 1).named("number"));
        let judgement = self.judge(
            &io,
            &Transaction {
                asker: &asker,
                hart,
                asks: is_coherent & stands_until_grant,
                kind: request_kind,
                communicating,
                meta: &found.meta,
                number,
                time,
            },
        );
        let stall = judgement.stall;
        let granted = stands_until_grant & !stall;
        bus_arbiter.granted.set(granted);
        let numbered = granted & is_coherent;
        if let (Some(time), Some(number), Some(wraps)) = (time, number, io.time_wraps) {
            set_when(numbered, time, number);
            wraps.set(numbered & time.all());
        }

        let victim_valid = moves_line & !asker_answer.victim_state.is(Mesi::Invalid);
        let victim_dirty = moves_line & asker_answer.victim_state.is(Mesi::Modified);
        let invalidates = granted & (is_coherent & !is_read | is_host_write);
        let shares = granted & is_read;
        for (place, cache) in io.cache.iter().enumerate() {
            let mine = asker[place];
            cache.look.valid.set(looks);
            cache.look.address.set(live_address);
            cache.verdict.mine.set(mine & !phase.is(Phase::Idle));
            cache.verdict.answering.set(granting & stood & (!for_device | mine));
            cache.verdict.granted.set(granted & mine);
            cache.verdict.stalled.set(stands_until_grant & stall & mine);
            cache.verdict.share.set(shares & !mine);
            cache.verdict.invalidate.set(invalidates & !mine);
        }
        let first_step = wire(Phase::shape());
        first_step.set(Phase::Deliver);
        when(is_device, || first_step.set(Phase::AskDevice))
            .elsewhen(victim_dirty, || first_step.set(Phase::WriteVictim))
            .elsewhen(is_host_write & dirty, || first_step.set(Phase::Merge))
            .elsewhen(moves_line & dirty, || first_step.set(Phase::WriteLine))
            .elsewhen(!is_upgrade & !supplied, || first_step.set(Phase::ReadLine));
        when(granting, || {
            phase.set(Phase::Rest);
            kind.set_from(request_kind);
            line.set(found.line);
            victim_line.set(asker_answer.line);
            victim_address.set(asker_answer.victim_address);
            writes_line.set(moves_line & dirty);
            reads_line.set(!supplied);
            device_word.set(is_data.mux(cache_request.data, host.data.trunc(WORD_BITS)));
            fill_state.set(Mesi::Modified);
            when(is_read, || fill_state.set_from(state_after_read(communicating)));
        });
        when(granted, || phase.set_from(first_step));
        set_when(phase.is(Phase::Rest), phase.sig(), Phase::Idle.code());
        when(granting, || registers.meta.drive(&judgement.fill));

        let asks =
            Asks { is_data, is_fetch, is_host, asker: &asker, request: cache_request, granted };
        self.transfer(&io, &registers, &asks);

        // What is exported.
        let export = &io.export;
        let shown = |value: Sig, when: Sig| value & (granted & when).repeat(value.width());
        let hart_number = hart.zext(EXPORTED_HART_BITS);
        let no_hart = lit(EXPORTED_HART_BITS, NO_HART);
        let supplier = one_hot::index(&found.supplier, EXPORTED_HART_BITS);
        export.valid.set(granted);
        export.kind.set(shown(request_kind.sig().zext(export.kind.width()), lit(1, 1)));
        export.requester.set(shown(is_host.mux(no_hart, hart_number), lit(1, 1)));
        export.address.set(shown(address, lit(1, 1)));
        export.holders.set(shown(one_hot::together(&holders), is_coherent));
        export.supplier.set(shown((supplied & is_coherent).mux(supplier, no_hart), lit(1, 1)));
        export.way.set(shown(asker_answer.way.zext(export.way.width()), is_coherent));
        export.victim.set(shown(victim_valid, lit(1, 1)));
        export.victim_dirty.set(shown(victim_dirty, lit(1, 1)));
        export.victim_address.set(shown(asker_answer.victim_address, victim_valid));
        if let (Some(time), Some(number)) = (export.time, number) {
            time.set(shown(number.zext(time.width()), is_coherent));
        }
        self.export_observed(
            &io,
            &judgement,
            &found.meta,
            granted & is_coherent,
            granted & is_coherent & (supplied | is_upgrade),
        );

        when(phase.is(Phase::AwaitLine).none() & io.memory_response.valid, || {
            assume("memory_answers_reads", lit(1, 0), "memory answers what it was asked");
        });
        when(granting & is_fetch & stood, || {
            assume("fetch_holds", still_stands, "a fetch waits until it is taken");
        });
        when(granting & is_host & stood, || {
            assume("host_holds", still_stands, "the host waits until it is answered");
        });
        assert("number_of_grant", !granted | stood, "only what stands is granted");
        for kind in [
            BusKind::Read,
            BusKind::ReadX,
            BusKind::Upgrade,
            BusKind::Fetch,
            BusKind::Device,
            BusKind::HostRead,
            BusKind::HostWrite,
        ] {
            cover(
                &format!("grant_{}", BusKind::DEF.variants[kind.code() as usize]),
                granted & request_kind.is(kind),
                "a transaction of every kind",
            );
        }
        cover("request_is_gone", granting & !stands_until_grant, "a request was given up");
        cover("stalled", stands_until_grant & stall, "an observer refuses a grant");
        cover(
            "owner_and_victim",
            granted & moves_line & dirty & victim_dirty,
            "two lines go to memory",
        );
        io
    }
}

#[hardware]
impl Bus {
    /// The bus of a configuration, perturbed as in simulation.
    pub fn from_config(config: &Config) -> Bus {
        Bus {
            harts: config.harts as usize,
            geometry: Geometry::of_data(config),
            observers: features::observers(config),
            perturbed: true,
        }
    }

    /// How many may ask.
    pub fn requesters(&self) -> usize {
        2 * self.harts + 1
    }

    /// Who asks: the data caches, the instruction caches, the host.
    fn requests(&self, io: &BusIo) -> Sig {
        let caches = io.cache.iter().map(|cache| cache.request.valid);
        let fetches = io.fetch.iter().map(|fetch| fetch.request.valid);
        let all: Vec<Sig> = caches.chain(fetches).chain([io.host_request.valid]).collect();
        one_hot::together(&all)
    }

    /// Notes who has the bus.
    fn set_requester(&self, winner: Sig, requester: Enum<Requester>, hart: Sig) {
        let harts = self.harts;
        when(winner.lt(harts), || {
            requester.set(Requester::Data);
            hart.set(winner.trunc(hart.width()));
        })
        .elsewhen(winner.lt(2 * harts), || {
            requester.set(Requester::Fetch);
            hart.set((winner - lit(winner.width(), harts)).trunc(hart.width()));
        })
        .otherwise(|| requester.set(Requester::Host));
    }

    /// What the request is, decided by what the requester's cache holds now.
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
