//! The exports of the hardware in one cycle (docs/machine.md §5).

use crate::breakpoint::Events;
use crate::isa::Retired;
use crate::memory::{BusGrant, Hit, Tap, Watched};

/// The exports of one cycle.
#[derive(Clone, Copy, Debug)]
pub struct CycleExports<'a> {
    /// Cycle number, counted from the first after reset.
    pub cycle: u64,
    /// The grant, if there was one.
    pub bus: Option<BusGrant>,
    /// The edge of the grant.
    pub tap: Option<Tap>,
    /// For each hart, an access ordered without a transaction.
    pub hits: &'a [Option<Hit>],
    /// For each hart, the instruction that retired.
    pub retired: &'a [Option<Retired>],
    /// A write to the watched word.
    pub watched: Option<Watched>,
    /// What happened at breakpoints, if anything did.
    pub breakpoints: Option<BreakpointExports<'a>>,
}

/// What the breakpoint unit exports in one cycle (docs/machine.md §12).
#[derive(Clone, Copy, Debug)]
pub struct BreakpointExports<'a> {
    /// The events of each hart.
    pub events: &'a [Events],
    /// The harts whose visits end, a bit each.
    pub ended: u32,
    /// The entries whose `control` is written, a bit each.
    pub cleared: u32,
}

/// An access by the host (the test bench), in the order of the requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostRequest {
    /// Read the line of an address in RAM, or a device register.
    Read {
        /// Address of the line or register.
        address: u32,
    },
    /// Write the bytes of a line selected by `mask`, or a device register from the first four bytes.
    Write {
        /// Address of the line or register.
        address: u32,
        /// The bytes.
        data: Vec<u8>,
        /// For each byte, whether it is written.
        mask: Vec<bool>,
    },
}

impl HostRequest {
    /// Address of the request.
    pub fn address(&self) -> u32 {
        match self {
            Self::Read { address } | Self::Write { address, .. } => *address,
        }
    }
}
