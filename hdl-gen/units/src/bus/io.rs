//! The ports of the bus.

use hdl::{Bundle, Sig, Stream, input, output};

use super::{
    Bus, BusExport, DeviceRequest, Disturbance, FetchPort, HostRequest, MemoryRequest, PASSES_BITS,
};
use crate::geometry::{ADDRESS_BITS, WORD_BITS};
use crate::l1_data::CacheBus;
use crate::observer::{Each, Lane, ObserverPort};

/// Ports of [`Bus`].
#[derive(Clone, Debug, Bundle)]
pub struct BusIo {
    /// Every data cache is ready for use. While it is 0 no request is taken.
    pub ready: Sig,
    /// The port of each data cache.
    pub cache: Vec<CacheBus>,
    /// The port of each instruction cache.
    pub fetch: Vec<FetchPort>,
    /// A request of the host; held until it is taken.
    pub host_request: Stream<HostRequest>,
    /// The line or word that the host read; of a write, zeros.
    pub host_response: Stream<Sig>,
    /// A request to memory. A write has no response.
    pub memory_request: Stream<MemoryRequest>,
    /// The line read from memory; responses come in the order of the reads.
    pub memory_response: Stream<Sig>,
    /// An access to some device; the address says which.
    pub device: DeviceRequest,
    /// The word that the device read gives, one cycle after `device`.
    pub device_data: Sig,
    /// The port of each observer of transactions.
    #[bundle(flat)]
    pub observers: Each<ObserverPort>,
    /// Requesters that the perturbation passes over in this cycle.
    pub disturbance: Option<Disturbance>,
    /// The transaction numbers start again from 0 after this cycle.
    pub time_wraps: Option<Sig>,
    /// The transaction granted in this cycle.
    pub export: BusExport,
}

impl Bus {
    pub(super) fn ports(&self) -> BusIo {
        let Bus { harts, geometry, ref observers, .. } = *self;
        let line_bits = geometry.line_bits();
        hdl::ports(BusIo {
            ready: input(1),
            cache: (0..harts).map(|_| CacheBus::of_bus(geometry, observers)).collect(),
            fetch: (0..harts)
                .map(|_| FetchPort {
                    request: Stream::input(ADDRESS_BITS),
                    response_valid: output(1),
                    response_line: output(line_bits),
                })
                .collect(),
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
