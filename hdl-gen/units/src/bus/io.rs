//! The ports of the bus.

use hdl::{Bundle, Sig, Stream, input, output};

use super::{
    Bus, BusExport, DeviceRequest, Disturbance, FetchPort, Granting, HostRequest, MemoryRequest,
    MonitorPort, MonitorsPort, PASSES_BITS,
};
use crate::geometry::{ADDRESS_BITS, WORD_BITS};
use crate::l1_data::CacheBus;

/// Ports of [`Bus`].
#[derive(Clone, Debug, Bundle)]
pub struct BusIo {
    /// The caches are ready; before, nothing is granted.
    pub ready: Sig,
    /// The data caches.
    pub cache: Vec<CacheBus>,
    /// The instruction caches.
    pub fetch: Vec<FetchPort>,
    /// What the host asks.
    pub host_request: Stream<HostRequest>,
    /// What it is answered.
    pub host_response: Stream<Sig>,
    /// What is asked of memory. Writes are not answered.
    pub memory_request: Stream<MemoryRequest>,
    /// What memory answers.
    pub memory_response: Stream<Sig>,
    /// What is asked of the devices.
    pub device: DeviceRequest,
    /// What they answered to the cycle before.
    pub device_data: Sig,
    /// The monitors.
    pub monitors: Option<MonitorsPort>,
    /// What disturbs the turn.
    pub disturbance: Option<Disturbance>,
    /// The numbers of transactions start again from 0 after this cycle.
    pub time_wraps: Option<Sig>,
    /// One grant.
    pub export: BusExport,
}

impl Bus {
    pub(super) fn ports(&self) -> BusIo {
        let Bus { harts, geometry, writers, .. } = *self;
        let line_bits = geometry.line_bits();
        let fields = writers.map(|writers| writers.fields);
        hdl::ports(BusIo {
            ready: input(1),
            cache: (0..harts).map(|_| CacheBus::of_bus(geometry, writers)).collect(),
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
            monitors: writers.map(|writers| MonitorsPort {
                granting: output(Granting::shape(writers)),
                hart: (0..harts)
                    .map(|_| MonitorPort {
                        access: output(1),
                        snoop: output(1),
                        monitored: input(1),
                        store_meta: input(writers.fields.metadata()),
                        stall: self.stalls.then(|| input(1)),
                    })
                    .collect(),
            }),
            disturbance: self.perturbed.then(|| Disturbance {
                pass_over: input(self.requesters()),
                max_passes: input(PASSES_BITS),
            }),
            time_wraps: (self.time_bits > 0).then(|| output(1)),
            export: output(BusExport::shape(harts, fields)),
        })
    }
}
