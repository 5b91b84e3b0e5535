//! What passes between the bus and those around it, except the data caches.

use hdl::{Bundle, Enum, HwEnum, Sig, Stream, bits};

use crate::comm_monitor::AccessKind;
use crate::geometry::{ADDRESS_BITS, Geometry, WORD_BITS};
use crate::l1_data::WriterMemory;
use crate::metadata::{Fields, Metadata};

/// Bits of a hart's number in what the machine exports.
pub const EXPORTED_HART_BITS: usize = 8;
/// The number that stands for the host, for memory, and for nobody.
pub const NO_HART: u64 = 255;

/// What a transaction is. The codes are part of the export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum BusKind {
    /// A load misses.
    Read,
    /// A store misses.
    ReadX,
    /// A store to a line that others may hold.
    Upgrade,
    /// An instruction cache takes a line.
    Fetch,
    /// An access to a device.
    Device,
    /// The host reads a line.
    HostRead,
    /// The host writes bytes of a line.
    HostWrite,
}

/// Where an instruction cache gets its lines.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct FetchPort {
    /// The address of a line; taken at its grant. Held until it is taken.
    pub request: Stream<Sig>,
    /// The line arrives; valid for one cycle.
    pub response_valid: Sig,
    /// Its bytes.
    pub response_line: Sig,
}

/// What is asked of memory.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct MemoryRequest {
    /// It writes; else it reads.
    pub write: Sig,
    /// The address of the line.
    pub address: Sig,
    /// The line to write.
    pub data: Sig,
}

impl MemoryRequest {
    /// Its shape.
    pub fn shape(geometry: Geometry) -> MemoryRequest {
        MemoryRequest {
            write: bits(1),
            address: bits(ADDRESS_BITS),
            data: bits(geometry.line_bits()),
        }
    }
}

/// What the host asks.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct HostRequest {
    /// It writes; else it reads.
    pub write: Sig,
    /// The address of the line, or of a device's word.
    pub address: Sig,
    /// The line to write; a device's word in the low bits.
    pub data: Sig,
    /// Which bytes of the line are written.
    pub mask: Sig,
}

impl HostRequest {
    /// Its shape.
    pub fn shape(geometry: Geometry) -> HostRequest {
        HostRequest {
            write: bits(1),
            address: bits(ADDRESS_BITS),
            data: bits(geometry.line_bits()),
            mask: bits(geometry.line),
        }
    }
}

/// An access to a device. Every device answers one cycle later.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct DeviceRequest {
    /// In this cycle.
    pub valid: Sig,
    /// It writes; else it reads.
    pub write: Sig,
    /// The byte address.
    pub address: Sig,
    /// What is written, in the lanes of the aligned word.
    pub word: Sig,
}

impl DeviceRequest {
    /// Its shape.
    pub fn shape() -> DeviceRequest {
        DeviceRequest {
            valid: bits(1),
            write: bits(1),
            address: bits(ADDRESS_BITS),
            word: bits(WORD_BITS),
        }
    }
}

/// What the monitors are told of the transaction that is about to be granted.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Granting {
    /// Read, ReadX or Upgrade.
    pub kind: Enum<AccessKind>,
    /// Some other cache holds the line.
    pub communicating: Sig,
    /// A Read that no holder serves.
    pub from_memory: Sig,
    /// The metadata of the line as supplied.
    pub meta: Metadata,
    /// The number it gets.
    pub number: Option<Sig>,
    /// The number of the one before, where a hit can mark a line.
    pub time: Option<Sig>,
}

/// What one hart's monitor is told, and what it says.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct MonitorPort {
    /// The transaction is this hart's.
    pub access: Sig,
    /// This hart's cache holds the line of another's monitored transaction.
    pub snoop: Sig,
    /// The access is monitored.
    pub monitored: Sig,
    /// What to store with the line if the access writes.
    pub store_meta: Metadata,
    /// The access has to wait for room in the table.
    pub stall: Option<Sig>,
}

/// What the bus and the monitors tell each other.
#[derive(Clone, Debug, Bundle)]
pub struct MonitorsPort {
    /// About the transaction.
    pub granting: Granting,
    /// Each hart's.
    pub hart: Vec<MonitorPort>,
}

impl Granting {
    /// Its shape.
    pub(crate) fn shape(writers: WriterMemory) -> Granting {
        let meta = writers.fields.metadata();
        Granting {
            kind: AccessKind::shape(),
            communicating: bits(1),
            from_memory: bits(1),
            meta,
            number: meta.time,
            time: meta.time.filter(|_| writers.hits_mark()),
        }
    }
}

/// One grant, as the machine exports it. Fields without meaning for the kind are 0.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct BusExport {
    /// There is one in this cycle.
    pub valid: Sig,
    /// Read (0), ReadX (1), Upgrade (2), Fetch (3), Device (4), HostRead (5), HostWrite (6).
    pub kind: Sig,
    /// The hart; 255: the host.
    pub requester: Sig,
    /// The byte address; for Fetch and host: of the line.
    pub address: Sig,
    /// Other data caches that hold the line, a bit a hart.
    pub holders: Sig,
    /// Whose bytes; 255: memory's or none.
    pub supplier: Sig,
    /// The way that is filled or upgraded.
    pub way: Sig,
    /// A valid line leaves.
    pub victim: Sig,
    /// It goes to memory.
    pub victim_dirty: Sig,
    /// Its address.
    pub victim_address: Sig,
    /// The number of the transaction.
    pub time: Sig,
    /// It is monitored.
    pub monitored: Sig,
    /// The metadata supplied.
    pub meta: Option<Metadata>,
}

impl BusExport {
    /// Its shape.
    pub(crate) fn shape(harts: usize, fields: Option<Fields>) -> BusExport {
        BusExport {
            valid: bits(1),
            kind: bits(4),
            requester: bits(EXPORTED_HART_BITS),
            address: bits(ADDRESS_BITS),
            holders: bits(harts),
            supplier: bits(EXPORTED_HART_BITS),
            way: bits(8),
            victim: bits(1),
            victim_dirty: bits(1),
            victim_address: bits(ADDRESS_BITS),
            time: bits(32),
            monitored: bits(1),
            meta: fields.map(Fields::metadata),
        }
    }
}
