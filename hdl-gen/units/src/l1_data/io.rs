//! The ports of the data cache.

use hdl::{Bundle, Enum, HwEnum, Sig, input, output};

use super::{CacheBus, L1Data, WriterMemory};
use crate::data_port::DataPort;
use crate::geometry::{ADDRESS_BITS, WORD_BITS};
use crate::metadata::Metadata;

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
    /// In this cycle.
    pub valid: Sig,
    /// Its kind.
    pub kind: Enum<HitKind>,
    /// Its byte address.
    pub address: Sig,
    /// Where it hit; 0 for an SC that fails.
    pub way: Sig,
}

/// A store to the word that somebody watches.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Watch {
    /// The word's address.
    pub address: Sig,
    /// It is written in this cycle.
    pub valid: Sig,
    /// The word as it becomes; 0 if it is not written.
    pub data: Sig,
}

/// Ports of [`L1Data`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct L1DataIo {
    /// The hart.
    pub data: DataPort,
    /// The bus.
    pub bus: CacheBus,
    /// The array is empty and ready for use; 0 for some cycles after reset.
    pub ready: Sig,
    /// The access that waits is not to be ordered in this cycle.
    pub hold: Option<Sig>,
    /// The writer of this cycle's access, if it writes.
    pub store_meta: Option<Metadata>,
    /// The pc of the access that waits.
    pub pc: Sig,
    /// Its mode.
    pub machine_mode: Sig,
    /// What is ordered without a transaction.
    pub hit: Hit,
    /// Stores to one word.
    pub watch: Watch,
}

impl L1Data {
    pub(super) fn ports(&self) -> L1DataIo {
        let geometry = self.geometry;
        let meta = self.writers.map(|writers| writers.fields.metadata());
        hdl::ports(L1DataIo {
            data: DataPort::answering(),
            bus: CacheBus::of_cache(geometry, self.writers),
            ready: output(1),
            hold: self.perturbed.then(|| input(1)),
            store_meta: meta
                .filter(|_| self.writers.is_some_and(WriterMemory::hits_mark))
                .map(input),
            pc: output(WORD_BITS),
            machine_mode: output(1),
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
        })
    }
}
