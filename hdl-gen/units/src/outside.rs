//! The ports of a machine to its surroundings: memory, the host, the serial line, models that follow it.
//! The memory system has them, and the machine passes them on.

use hdl::{Bundle, HwEnum, Sig, Stream, array, input, output};

use crate::bus::{BusExport, EXPORTED_HART_BITS, HostRequest, MemoryRequest};
use crate::geometry::{ADDRESS_BITS, WORD_BITS};
use crate::l1_data::HitKind;
use crate::memory_system::{EXPORTED_WAY_BITS, HitExport, MemorySystem, WatchExport};
use crate::observer::{Each, Opaque};
use crate::perturbation::PerturbationSettings;

/// Ports to what surrounds the machine.
#[derive(Clone, Debug, Bundle)]
pub struct Outside {
    /// A request of the host; held until it is taken.
    pub host_request: Stream<HostRequest>,
    /// The response to the host: the line or word that it read; 0 for a write.
    pub host_response: Stream<Sig>,
    /// A request to memory; at most one read is outstanding. A write has no response.
    pub memory_request: Stream<MemoryRequest>,
    /// The line read from memory.
    pub memory_response: Stream<Sig>,
    /// Seed and bounds of the perturbation; constant from reset on.
    pub perturbation: Option<PerturbationSettings>,
    /// A byte that the UART transmits.
    pub uart_tx: Stream<Sig>,
    /// A byte that the UART receives.
    pub uart_rx: Stream<Sig>,
    /// The transactions of the bus, each in the cycle of its grant; all fields are 0 in other
    /// cycles.
    pub bus: BusExport,
    /// What each observer of coherence exports.
    #[bundle(flat)]
    pub observed: Each<Opaque>,
    /// The data accesses that need no transaction.
    pub hit: HitExport,
    /// Stores to the watched word.
    pub watch: WatchExport,
}

impl Outside {
    /// The ports of a memory system, or of a machine around it.
    #[track_caller]
    pub(crate) fn of(system: &MemorySystem) -> Outside {
        let MemorySystem { harts, geometry, perturbed, ref observers, .. } = *system;
        let line_bits = geometry.line_bits();
        Outside {
            host_request: Stream::input(HostRequest::shape(geometry)),
            host_response: Stream::output(line_bits),
            memory_request: Stream::output(MemoryRequest::shape(geometry)),
            memory_response: Stream::input(line_bits),
            perturbation: perturbed.then(|| input(PerturbationSettings::shape())),
            uart_tx: Stream::output(8),
            uart_rx: Stream::input(8),
            bus: output(BusExport::shape(harts, observers)),
            observed: output(observers.export()),
            hit: HitExport {
                valid: array(harts, |_| output(1)),
                kind: array(harts, |_| output(HitKind::shape())),
                address: array(harts, |_| output(ADDRESS_BITS)),
                way: array(harts, |_| output(EXPORTED_WAY_BITS)),
            },
            watch: WatchExport {
                address: input(ADDRESS_BITS),
                valid: output(1),
                data: output(WORD_BITS),
                hart: output(EXPORTED_HART_BITS),
            },
        }
    }

    /// Joins these ports with those of an instance inside.
    #[track_caller]
    pub(crate) fn hand_on(&self, inner: &Outside) {
        inner.host_request.connect(&self.host_request);
        self.host_response.connect(&inner.host_response);
        self.memory_request.connect(&inner.memory_request);
        inner.memory_response.connect(&self.memory_response);
        if let (Some(to), Some(from)) = (inner.perturbation, self.perturbation) {
            to.drive(&from);
        }
        self.uart_tx.connect(&inner.uart_tx);
        inner.uart_rx.connect(&self.uart_rx);
        self.bus.drive(&inner.bus);
        self.observed.drive(&inner.observed);
        self.hit.drive(&inner.hit);
        inner.watch.address.set(self.watch.address);
        self.watch.valid.set(inner.watch.valid);
        self.watch.data.set(inner.watch.data);
        self.watch.hart.set(inner.watch.hart);
    }
}
