//! What became of an access, with what the machine must show of it.

use super::device::DeviceRead;
use super::export::{BusGrant, Hit, Tap};
use crate::isa::Done;

/// Result of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ordered {
    /// It needed no transaction.
    Hit {
        /// The hit as exported.
        hit: Hit,
        /// Effect on the word.
        done: Done,
    },
    /// It made a transaction in RAM.
    Granted {
        /// The grant as exported.
        grant: BusGrant,
        /// The edge, if any.
        tap: Option<Tap>,
        /// Effect on the word.
        done: Done,
    },
    /// It went to a device.
    Device {
        /// The grant as exported.
        grant: BusGrant,
        /// The device's answer to a read.
        read: Option<DeviceRead>,
        /// Effect on the word.
        done: Done,
    },
    /// The table is full: the access had no effect.
    Stalled,
}
