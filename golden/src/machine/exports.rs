//! What the hardware shows in one cycle (docs/machine.md §5).

use crate::isa::Retired;
use crate::memory::{BusGrant, Hit, Tap, Watched};

/// The exports of one cycle.
#[derive(Clone, Copy, Debug)]
pub struct CycleExports<'a> {
    /// Which cycle, counted from the first after reset.
    pub cycle: u64,
    /// The grant, if there was one.
    pub bus: Option<BusGrant>,
    /// The edge of the grant.
    pub tap: Option<Tap>,
    /// For each hart an access ordered without a transaction.
    pub hits: &'a [Option<Hit>],
    /// For each hart the instruction that ended.
    pub retired: &'a [Option<Retired>],
    /// A write to the watched word.
    pub watched: Option<Watched>,
}

/// What the test bench, as the host, asks of the machine; in the order in which it asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostRequest {
    /// To read the line of an address in RAM, or the word of a device.
    Read {
        /// Where.
        address: u32,
    },
    /// To write: a whole line of which `mask` says which bytes count, or the word of a device in the
    /// first four bytes.
    Write {
        /// Where.
        address: u32,
        /// The bytes.
        data: Vec<u8>,
        /// For each byte whether it is written.
        mask: Vec<bool>,
    },
}

impl HostRequest {
    /// Where it goes.
    pub fn address(&self) -> u32 {
        match self {
            Self::Read { address } | Self::Write { address, .. } => *address,
        }
    }
}
