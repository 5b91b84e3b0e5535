//! What the machine shows of its accesses (docs/machine.md §5), predicted or observed.

use crate::{Edge, LineMeta};

/// No hart: the host as a requester, memory as a supplier.
pub const NOBODY: u8 = 255;

/// What a transaction is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BusKind {
    /// A load that missed.
    #[default]
    Read,
    /// A store that missed.
    ReadX,
    /// A store to a shared line.
    Upgrade,
    /// An instruction cache takes a line.
    Fetch,
    /// An access to a device.
    Device,
    /// The host reads a line.
    HostRead,
    /// The host writes into a line.
    HostWrite,
}

impl BusKind {
    /// All kinds, in the order of their codes.
    pub const ALL: [Self; 7] = [
        Self::Read,
        Self::ReadX,
        Self::Upgrade,
        Self::Fetch,
        Self::Device,
        Self::HostRead,
        Self::HostWrite,
    ];

    /// The code.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The kind of a code.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// Whether a data cache takes a line or a right to it.
    pub fn is_coherent(self) -> bool {
        matches!(self, Self::Read | Self::ReadX | Self::Upgrade)
    }
}

/// One grant. Fields that mean nothing for the kind are 0; `supplier` is then [`NOBODY`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BusGrant {
    /// What it is.
    pub kind: BusKind,
    /// The hart, or [`NOBODY`]: the host.
    pub requester: u8,
    /// The address as the access has it; of Fetch and host accesses: of the line.
    pub address: u32,
    /// A bit for each other data cache with a valid copy.
    pub holders: u32,
    /// The hart whose cache gives the line, or [`NOBODY`]: memory, or none is given (Upgrade).
    pub supplier: u8,
    /// The way filled or upgraded.
    pub way: u8,
    /// A valid line leaves.
    pub victim: bool,
    /// It is newer than memory.
    pub victim_dirty: bool,
    /// Its address.
    pub victim_address: u32,
    /// The number of the transaction.
    pub time: u32,
    /// It passes the requester's filter.
    pub monitored: bool,
    /// The metadata supplied.
    pub meta: LineMeta,
}

impl BusGrant {
    /// A grant of which only the first three fields mean anything.
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

/// What an access without a transaction is.
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

    /// The code.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The kind of a code.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }
}

/// A data access ordered without a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// What it is.
    pub kind: HitKind,
    /// Where, as the access has it.
    pub address: u32,
    /// The way that holds it; 0 for a failing SC.
    pub way: u8,
}
