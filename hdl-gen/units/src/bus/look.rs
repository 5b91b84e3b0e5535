//! From a request to the look: which requester gets the bus, and which line is looked up.

use hdl::{Bundle, Enum, Inst, Module, Sig, hardware, lit, select, switch, when, wire};

use super::clean::without;
use super::phases::{Phase, Registers, Requester};
use super::{Bus, BusArbiter, BusArbiterIo, BusIo, FetchPort};
use crate::geometry::ADDRESS_BITS;
use crate::l1_data::CacheRequest;
use crate::one_hot;

/// The requester that has the bus, and its request as it is in this cycle.
pub(super) struct Asks {
    pub is_data: Sig,
    pub is_fetch: Sig,
    /// A hart walks, where harts do.
    pub is_walk: Option<Sig>,
    pub is_host: Sig,
    /// For each hart, whether its data cache is the requester.
    pub asker: Vec<Sig>,
    /// The request of the data cache of the hart that has the bus; valid with `is_data`.
    pub request: CacheRequest,
    /// In the cycle of the verdict: the request is still there.
    pub still_stands: Sig,
}

#[hardware]
impl Bus {
    /// Idle: the arbiter chooses a requester, and its address is kept for the look. A store that is being looked up is
    /// written in the next cycle, which then cannot be that of a look; none is taken while somebody asks.
    pub(super) fn arbitrate(&self, io: &BusIo, registers: &Registers) -> Inst<BusArbiterIo> {
        let Registers { phase, requester, hart, for_device, address, .. } = *registers;
        let requests = self.requests(io);
        let bus_arbiter =
            BusArbiter { requesters: requests.width(), perturbed: self.perturbed }.instance();
        bus_arbiter.requests.set(requests);
        let idle = phase.is(Phase::Idle) & io.ready;
        let storing: Vec<Sig> = io.cache.iter().map(|cache| cache.storing).collect();
        let takes = idle & !one_hot::any(&storing);
        bus_arbiter.take.set(takes);
        if let (Some(to), Some(from)) = (bus_arbiter.disturbance, io.disturbance) {
            to.drive(&from);
        }
        let (winner_address, winner_device) = select(bus_arbiter.winner, &self.addresses(io));
        when(idle, || {
            address.set(winner_address);
            for_device.set(winner_device);
            self.set_requester(bus_arbiter.winner, requester, hart);
            self.set_walker(bus_arbiter.winner, registers);
        });
        when(takes & requests.any(), || phase.set(Phase::Look));
        let changes_devices = phase.is(Phase::Grant) | phase.is(Phase::AskDevice);
        let look_soon = idle & requests.any()
            | phase.is(Phase::Look)
            | phase.is(Phase::Answer)
            | for_device & changes_devices;
        for cache in &io.cache {
            cache.look.soon.set(look_soon);
        }
        bus_arbiter
    }

    /// Look: the address goes to all data caches. Answer: they find out what they have.
    pub(super) fn look(&self, io: &BusIo, registers: &Registers) -> Asks {
        let Registers { phase, requester, hart, for_device, address, .. } = *registers;
        let is_data = requester.is(Requester::Data);
        let is_walk = registers.walking.map(|walking| requester.is(Requester::Fetch) & walking);
        let is_fetch = without(requester.is(Requester::Fetch), is_walk);
        let is_host = requester.is(Requester::Host);
        let asker: Vec<Sig> = (0..self.harts).map(|place| is_data & hart.eq(place)).collect();
        let cache_requests: Vec<CacheRequest> =
            io.cache.iter().map(|cache| cache.request).collect();
        let cache_request = select(hart, &cache_requests);
        let fetches: Vec<Sig> = io.fetch.iter().map(|fetch| fetch.request.valid).collect();
        /// In the cycle of the verdict: the request still stands.
        let still_stands = wire(1);
        switch(requester, |s| {
            s.case(Requester::Data, || still_stands.set(cache_request.stands));
            s.case(Requester::Fetch, || {
                still_stands.set(self.line_wanted(io, registers, &fetches))
            });
            s.case(Requester::Host, || still_stands.set(io.host_request.valid));
        });
        let (looking, answering) = (phase.is(Phase::Look), phase.is(Phase::Answer));
        for cache in &io.cache {
            cache.look.valid.set(looking & !for_device);
            cache.look.address.set(address);
        }
        when(looking, || {
            phase.set(Phase::Answer);
            when(for_device, || phase.set(Phase::Grant));
        });
        when(answering, || phase.set(Phase::Grant));
        Asks { is_data, is_fetch, is_walk, is_host, asker, request: cache_request, still_stands }
    }

    /// The requests, a bit each: the data caches, the instruction caches, the host, those that walk.
    fn requests(&self, io: &BusIo) -> Sig {
        let caches = io.cache.iter().map(|cache| cache.request.valid);
        let fetches = io.fetch.iter().map(|fetch| fetch.request.valid);
        let walks = io.walk.iter().map(|walk| walk.request.valid);
        let before = caches.chain(fetches).chain([io.host_request.valid]);
        let all: Vec<Sig> = before.chain(walks).collect();
        one_hot::together(&all)
    }

    /// The address of each request, and whether it is a device's.
    fn addresses(&self, io: &BusIo) -> Vec<(Sig, Sig)> {
        let geometry = self.geometry;
        let caches = io.cache.iter().map(|cache| (cache.request.address, cache.request.device));
        let asked = |port: &FetchPort| (geometry.line_address(port.request.payload), lit(1, 0));
        let fetches = io.fetch.iter().map(asked);
        let host = io.host_request.payload.address;
        let host_device = !host.bit(ADDRESS_BITS - 1);
        let host_address = host_device.mux(host, geometry.line_address(host));
        let walks = io.walk.iter().map(asked);
        caches.chain(fetches).chain([(host_address, host_device)]).chain(walks).collect()
    }

    /// Stores the requester that won the bus.
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
}
