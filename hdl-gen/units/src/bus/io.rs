//! The ports of the bus.

use hdl::{Bundle, Sig, Stream, input, output};

use super::{
    Bus, BusExport, DeviceRequest, Disturbance, FetchPort, HostRequest, MemoryRequest, PASSES_BITS,
};
use crate::geometry::WORD_BITS;
use crate::l1_data::CacheBus;
use crate::observer::{Each, Lane, ObserverPort};

/// Ports of [`Bus`].
#[derive(Clone, Debug, Bundle)]
pub struct BusIo {
    /// Every data cache has finished its initialization after reset. While this is 0 no request is taken.
    pub ready: Sig,
    /// The port of each data cache.
    pub cache: Vec<CacheBus>,
    /// The port of each instruction cache.
    pub fetch: Vec<FetchPort>,
    /// The port through which each hart walks through its tables of colors, if it does.
    pub walk: Vec<FetchPort>,
    /// A request of the host. Once valid it stays valid and unchanged until it is taken, at the grant.
    pub host_request: Stream<HostRequest>,
    /// The response to the host: the line or word that it read, or zeros for a write. One for each request, in order.
    pub host_response: Stream<Sig>,
    /// A request to memory. At most one read is outstanding; a write has no response.
    pub memory_request: Stream<MemoryRequest>,
    /// The line that the outstanding read returns.
    pub memory_response: Stream<Sig>,
    /// The device access of this cycle, sent to all devices.
    pub device: DeviceRequest,
    /// The word that the device returns: valid in the cycle after `device_valid`; 0 after a write.
    pub device_data: Sig,
    /// The port of each observer of transactions.
    #[bundle(flat)]
    pub observers: Each<ObserverPort>,
    /// Perturbation: requesters to pass over.
    pub disturbance: Option<Disturbance>,
    /// The transaction counter wraps to 0 at the end of this cycle.
    pub time_wraps: Option<Sig>,
    /// The transactions of the bus, each in the cycle of its grant; all fields are 0 in other
    /// cycles.
    pub export: BusExport,
}

impl Bus {
    pub(super) fn ports(&self) -> BusIo {
        let Bus { harts, geometry, ref observers, .. } = *self;
        let line_bits = geometry.line_bits();
        hdl::ports(BusIo {
            ready: input(1),
            cache: (0..harts).map(|_| CacheBus::of_cache(geometry, observers).flip()).collect(),
            fetch: (0..harts).map(|_| FetchPort::of_bus(line_bits)).collect(),
            walk: (0..self.walkers()).map(|_| FetchPort::of_bus(line_bits)).collect(),
            host_request: Stream::input(HostRequest::shape(geometry)),
            host_response: Stream::output(line_bits),
            memory_request: Stream::output(MemoryRequest::shape(geometry)),
            memory_response: Stream::input(line_bits),
            device: output(DeviceRequest::shape()),
            device_data: input(WORD_BITS),
            observers: observers
                .on_bus()
                .map(|observer| Lane {
                    name: observer.name().into(),
                    doc: "",
                    of: ObserverPort::of_bus(harts, observer),
                })
                .collect(),
            disturbance: self.perturbed.then(|| Disturbance {
                pass_over: input(self.requesters()),
                max_passes: input(PASSES_BITS),
            }),
            time_wraps: (observers.time_bits() > 0).then(|| output(1)),
            export: output(BusExport::shape(harts, observers)),
        })
    }
}
