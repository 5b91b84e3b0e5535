//! From a request to the look: who gets the bus, and what it asks for.

use hdl::{Bundle, Enum, Inst, Module, Sig, hardware, lit, select, switch, when, wire};

use super::phases::{Phase, Registers, Requester};
use super::{Bus, BusArbiter, BusArbiterIo, BusIo};
use crate::geometry::ADDRESS_BITS;
use crate::l1_data::CacheRequest;
use crate::one_hot;

/// The requester that has the bus, and its request as it is in this cycle.
pub(super) struct Asks {
    pub is_data: Sig,
    pub is_fetch: Sig,
    pub is_host: Sig,
    /// For each hart, whether its data cache is the requester.
    pub asker: Vec<Sig>,
    /// The request of the data cache of the hart that has the bus; valid with `is_data`.
    pub request: CacheRequest,
    /// In the cycle of the answer: the request is still there.
    pub still_stands: Sig,
    /// In the cycle of the look: the address to look for.
    pub live_address: Sig,
    /// The data caches look for the line in this cycle.
    pub looks: Sig,
}

#[hardware]
impl Bus {
    /// Idle: the arbiter chooses a requester.
    pub(super) fn arbitrate(&self, io: &BusIo, registers: &Registers) -> Inst<BusArbiterIo> {
        let Registers { phase, requester, hart, .. } = *registers;
        let requests = self.requests(io);
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
        bus_arbiter
    }

    /// Look: the address goes to all data caches.
    pub(super) fn look(&self, io: &BusIo, registers: &Registers) -> Asks {
        let geometry = self.geometry;
        let host = io.host_request.payload;
        let Registers { phase, requester, hart, stood, for_device, address, .. } = *registers;
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
        /// In the cycle of the look: the request is still there.
        let stands = wire(1);
        /// In the cycle of the answer: the request is still there.
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
        Asks {
            is_data,
            is_fetch,
            is_host,
            asker,
            request: cache_request,
            still_stands,
            live_address,
            looks,
        }
    }

    /// The requests, a bit each: the data caches, the instruction caches, the host.
    fn requests(&self, io: &BusIo) -> Sig {
        let caches = io.cache.iter().map(|cache| cache.request.valid);
        let fetches = io.fetch.iter().map(|fetch| fetch.request.valid);
        let all: Vec<Sig> = caches.chain(fetches).chain([io.host_request.valid]).collect();
        one_hot::together(&all)
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
