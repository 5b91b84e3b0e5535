//! What surrounds a machine: memory, the host, the serial line, whoever looks on. The memory system has
//! these ports, and the machine hands them on.

use hdl::{Bundle, HwEnum, Leaf, Path, Sig, Stream, array, input, output};

use crate::bus::{BusExport, EXPORTED_HART_BITS, HostRequest, MemoryRequest};
use crate::geometry::{ADDRESS_BITS, WORD_BITS};
use crate::l1_data::HitKind;
use crate::memory_system::{EXPORTED_WAY_BITS, HitExport, MemorySystem, WatchExport};
use crate::monitors::Tap;
use crate::perturbation::PerturbationSettings;

/// Ports to what surrounds the machine.
#[derive(Clone, Debug, Bundle)]
pub struct Outside {
    /// What the host asks.
    pub host_request: Stream<HostRequest>,
    /// What it is answered, also to writes.
    pub host_response: Stream<Sig>,
    /// What is asked of memory, one at a time. Writes are not answered.
    pub memory_request: Stream<MemoryRequest>,
    /// What memory answers.
    pub memory_response: Stream<Sig>,
    /// How much is perturbed.
    pub perturbation: Option<PerturbationSettings>,
    /// Bytes to transmit.
    pub uart_tx: Stream<Sig>,
    /// Bytes received.
    pub uart_rx: Stream<Sig>,
    /// One grant.
    pub bus: BusExport,
    /// An edge that is recorded.
    pub tap: Option<Tap>,
    /// Accesses that need no grant.
    pub hit: HitExport,
    /// Stores to one word.
    pub watch: WatchExport,
}

impl Outside {
    /// The ports of a memory system, or of a machine around it.
    #[track_caller]
    pub(crate) fn of(system: &MemorySystem) -> Outside {
        let MemorySystem { harts, geometry, perturbed, .. } = *system;
        let line_bits = geometry.line_bits();
        let fields = system.monitor.as_ref().map(|(monitor, _)| monitor.fields);
        Outside {
            host_request: Stream::input(HostRequest::shape(geometry)),
            host_response: Stream::output(line_bits),
            memory_request: Stream::output(MemoryRequest::shape(geometry)),
            memory_response: Stream::input(line_bits),
            perturbation: perturbed.then(PerturbationSettings::inputs),
            uart_tx: Stream::output(8),
            uart_rx: Stream::input(8),
            bus: output(BusExport::shape(harts, fields)),
            tap: fields.map(|fields| Tap {
                valid: output(1),
                edge: output(fields.edge()),
                lost: output(1),
            }),
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
        if let (Some(to), Some(from)) = (&self.tap, &inner.tap) {
            to.drive(from);
        }
        self.hit.drive(&inner.hit);
        inner.watch.address.set(self.watch.address);
        self.watch.valid.set(inner.watch.valid);
        self.watch.data.set(inner.watch.data);
        self.watch.hart.set(inner.watch.hart);
    }
}

/// A part of a module's ports that stands under no name of its own: its ports are named as if they stood
/// beside it.
#[derive(Clone, Debug)]
pub struct Flat<B>(pub B);

impl<B: Bundle> Bundle for Flat<B> {
    fn map(&self, _: &mut Path, f: &mut dyn FnMut(&Path, Leaf) -> Sig) -> Self {
        Flat(self.0.map(&mut Path::default(), f))
    }
}

impl<B> std::ops::Deref for Flat<B> {
    type Target = B;

    fn deref(&self) -> &B {
        &self.0
    }
}
