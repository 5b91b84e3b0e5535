//! The ports of the data cache.

use hdl::{Bundle, Enum, HwEnum, Sig, input, output};

use super::{CacheBus, L1Data, SpeculationPort};
use crate::data_port::DataPort;
use crate::geometry::{ADDRESS_BITS, WORD_BITS};
use crate::observer::{Each, Opaque};

/// What kind of access was ordered without a transaction. The codes are part of the export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum HitKind {
    /// A load.
    Load,
    /// A store.
    Store,
    /// An SC that wrote nothing.
    FailedStoreConditional,
    /// An LR.
    LoadReserved,
    /// An SC that wrote.
    StoreConditional,
    /// An atomic operation.
    Amo,
}

/// An access that is ordered without a transaction.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Hit {
    /// An access is ordered without a transaction in this cycle.
    pub valid: Sig,
    /// The kind of the access: load (0), store (1), SC that fails (2), LR (3), SC that succeeds
    /// (4), AMO (5). 0 without `valid`.
    pub kind: Enum<HitKind>,
    /// The byte address of the access; 0 without `valid`.
    pub address: Sig,
    /// The way that holds the line; 0 for an SC that fails, and without `valid`.
    pub way: Sig,
}

/// Writes to the watched word.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Watch {
    /// The address of the watched word; held constant.
    pub address: Sig,
    /// The watched word is written in this cycle.
    pub valid: Sig,
    /// The new value of the whole word; 0 without `valid`.
    pub data: Sig,
}

/// Ports of [`L1Data`].
#[derive(Clone, Debug, Bundle)]
pub struct L1DataIo {
    /// The port to the hart.
    pub data: DataPort,
    /// The port to the bus.
    pub bus: CacheBus,
    /// The cache takes accesses and looks; 0 after reset until every set is empty.
    pub ready: Sig,
    /// Holds back the access under way: in this cycle it neither completes in the cache nor
    /// requests the bus.
    pub hold: Option<Sig>,
    /// The metadata that the access under way stores with the line if it is a store that hits.
    pub store: Each<Opaque>,
    /// The pc of the instruction whose access is under way.
    pub pc: Option<Sig>,
    /// The access under way is made in M mode (1) or U mode (0).
    pub machine_mode: Option<Sig>,
    /// The access that needs no transaction.
    pub hit: Hit,
    /// Writes of this hart to the watched word.
    pub watch: Watch,
    /// The hart's ephemeral transactions, if it has any.
    pub speculation: Option<SpeculationPort>,
}

impl L1Data {
    pub(super) fn ports(&self) -> L1DataIo {
        let geometry = self.geometry;
        let origin = self.observers.need_origin();
        hdl::ports(L1DataIo {
            data: DataPort::answering(origin),
            bus: CacheBus::of_cache(geometry, &self.observers),
            ready: output(1),
            hold: self.perturbed.then(|| input(1)),
            store: input(self.observers.store()),
            pc: origin.then(|| output(WORD_BITS)),
            machine_mode: origin.then(|| output(1)),
            hit: Hit {
                valid: output(1),
                kind: output(HitKind::shape()),
                address: output(ADDRESS_BITS),
                way: output(geometry.way_width()),
            },
            watch: Watch {
                address: input(ADDRESS_BITS),
                valid: output(1),
                data: output(WORD_BITS),
            },
            speculation: self.colored.then(SpeculationPort::of_cache),
        })
    }
}
