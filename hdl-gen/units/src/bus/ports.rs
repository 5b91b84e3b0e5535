//! The bundles between the bus and its neighbors, except the data caches.

use hdl::{Bundle, HwEnum, Sig, Stream, bits, output};

use crate::geometry::{ADDRESS_BITS, Geometry, WORD_BITS};
use crate::observer::{Each, Observers, Opaque};

/// Bits of a hart's number in what the machine exports.
pub const EXPORTED_HART_BITS: usize = 8;
/// Stands in place of a hart's number for the host, for memory, and for no hart at all.
pub const NO_HART: u64 = 255;
/// Bits of a transaction's number in what the machine exports.
const EXPORTED_TIME_BITS: usize = 32;

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

/// The port through which an instruction cache reads lines. One request is outstanding at a time: the next one may
/// be valid only after the response.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct FetchPort {
    /// The address of a line. Once valid it stays valid and unchanged until it is taken, at the
    /// grant.
    pub request: Stream<Sig>,
    /// The requested line arrives in this cycle. There is no back-pressure: the cache always takes
    /// it.
    pub response_valid: Sig,
    /// The bytes of the line; valid with `response_valid`.
    pub response_line: Sig,
}

impl FetchPort {
    /// The port as the bus has it, or a module around the bus; an instruction cache has it flipped.
    #[track_caller]
    pub(crate) fn of_bus(line_bits: usize) -> FetchPort {
        FetchPort {
            request: Stream::input(ADDRESS_BITS),
            response_valid: output(1),
            response_line: output(line_bits),
        }
    }
}

/// A request to memory.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct MemoryRequest {
    /// 1 for a write, 0 for a read.
    pub write: Sig,
    /// The address of the line, aligned to its size.
    pub address: Sig,
    /// The line to write; valid with `write`.
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

/// A request of the host.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct HostRequest {
    /// 1 for a write, 0 for a read.
    pub write: Sig,
    /// The address of the line, aligned to its size, or of a word of a device.
    pub address: Sig,
    /// The line to write, or in the low bits the word for a device; valid with `write`.
    pub data: Sig,
    /// The bytes of the line that are written, a bit each; valid with `write`, not used for devices.
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

/// An access to a device, broadcast to all of them. The device whose window has the address answers in the next
/// cycle; the others drive 0 then.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct DeviceRequest {
    /// A device is accessed in this cycle; `write`, `address` and `word` are valid.
    pub valid: Sig,
    /// 1 for a write, 0 for a read.
    pub write: Sig,
    /// The byte address; it selects the device and the register.
    pub address: Sig,
    /// The data to write, each byte in its lane of the aligned word; valid with `write`.
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

/// One grant, as the machine exports it. All fields are valid in the cycle of the grant; a field that
/// the kind does not have is 0.
#[derive(Clone, Debug, Bundle)]
pub struct BusExport {
    /// A transaction is granted in this cycle.
    pub valid: Sig,
    /// The kind of the transaction: Read (0), ReadX (1), Upgrade (2), Fetch (3), Device (4),
    /// HostRead (5), HostWrite (6).
    pub kind: Sig,
    /// The hart that made the request; 255: the host.
    pub requester: Sig,
    /// The byte address of the access; for Fetch and the host: the address of the line.
    pub address: Sig,
    /// The other data caches that hold the line before the grant, one bit per hart.
    pub holders: Sig,
    /// The hart whose data cache supplies the line; 255: memory, or no line moves.
    pub supplier: Sig,
    /// The way of the requester's cache that is filled or upgraded.
    pub way: Sig,
    /// A valid line is evicted from `way`.
    pub victim: Sig,
    /// The evicted line is written to memory.
    pub victim_dirty: Sig,
    /// The address of the evicted line.
    pub victim_address: Sig,
    /// The number of the transaction; 0 for kinds that are not numbered.
    pub time: Option<Sig>,
    /// What observers add.
    #[bundle(flat)]
    pub observed: Each<Opaque>,
}

impl BusExport {
    /// Its shape.
    pub(crate) fn shape(harts: usize, observers: &Observers) -> BusExport {
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
            time: (observers.time_bits() > 0).then(|| bits(EXPORTED_TIME_BITS)),
            observed: observers.grant_export(),
        }
    }
}
