//! Exports of the memory system (docs/machine.md §5), predicted or observed.

use crate::{Edge, LineMeta};

/// No hart: the host as requester, or memory as supplier.
pub const NOBODY: u8 = 255;

/// Kind of a bus transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BusKind {
    /// A load miss.
    #[default]
    Read,
    /// A store miss.
    ReadX,
    /// A store to a shared line.
    Upgrade,
    /// An instruction line fetch.
    Fetch,
    /// An access to a device.
    Device,
    /// The host reads a line.
    HostRead,
    /// The host writes into a line.
    HostWrite,
    /// A hart looks a color up in its tables.
    Walk,
    /// A line is written to memory, and stays in M.
    Clean,
}

impl BusKind {
    /// All kinds, in the order of their codes.
    pub const ALL: [Self; 9] = [
        Self::Read,
        Self::ReadX,
        Self::Upgrade,
        Self::Fetch,
        Self::Device,
        Self::HostRead,
        Self::HostWrite,
        Self::Walk,
        Self::Clean,
    ];

    /// The kind's code in the exports.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The kind with a code.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// Whether a data cache gets a line, or ownership of it.
    pub fn is_coherent(self) -> bool {
        matches!(self, Self::Read | Self::ReadX | Self::Upgrade)
    }
}

/// One grant. Fields without meaning for the kind are 0, except `supplier`, which is [`NOBODY`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BusGrant {
    /// Kind of the transaction.
    pub kind: BusKind,
    /// The hart, or [`NOBODY`] for the host.
    pub requester: u8,
    /// Address of the access; of the line for Fetch and host accesses.
    pub address: u32,
    /// One bit per other data cache with a valid copy.
    pub holders: u32,
    /// The hart whose cache supplies the line, or [`NOBODY`]: memory, or no transfer (Upgrade).
    pub supplier: u8,
    /// The way filled or upgraded.
    pub way: u8,
    /// A valid line is evicted.
    pub victim: bool,
    /// The evicted line is newer than memory.
    pub victim_dirty: bool,
    /// Address of the evicted line.
    pub victim_address: u32,
    /// Transaction number.
    pub time: u32,
    /// The access passes the requester's filter.
    pub monitored: bool,
    /// The metadata supplied.
    pub meta: LineMeta,
}

impl BusGrant {
    /// A grant of which only the first three fields have a meaning.
    pub fn plain(kind: BusKind, requester: u8, address: u32) -> Self {
        Self {
            kind,
            requester,
            address,
            holders: 0,
            supplier: NOBODY,
            way: 0,
            victim: false,
            victim_dirty: false,
            victim_address: 0,
            time: 0,
            monitored: false,
            meta: LineMeta::NULL,
        }
    }
}

/// An edge as offered to the table of its sink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tap {
    /// The edge.
    pub edge: Edge,
    /// The table was full and dropped it.
    pub lost: bool,
}

/// Kind of an access without a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HitKind {
    /// A load.
    Load,
    /// A store.
    Store,
    /// An SC without a reservation.
    FailingSc,
    /// An LR.
    LoadReserved,
    /// An SC that succeeds.
    Sc,
    /// An AMO.
    Amo,
}

impl HitKind {
    /// All kinds, in the order of their codes.
    pub const ALL: [Self; 6] =
        [Self::Load, Self::Store, Self::FailingSc, Self::LoadReserved, Self::Sc, Self::Amo];

    /// The kind's code in the exports.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The kind with a code.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }
}

/// A data access ordered without a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Kind of the access.
    pub kind: HitKind,
    /// Address of the access.
    pub address: u32,
    /// The way that holds the line; 0 for a failing SC.
    pub way: u8,
}
