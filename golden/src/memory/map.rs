//! The address map: regions, and the accesses they allow.

use crate::Mode;
use crate::isa::{DataAccess, DataKind, Size};
use border::map;

/// The first address of RAM.
pub const RAM: u32 = map::RAM.base;

/// The region of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// Cached memory.
    Ram,
    /// The core-local interrupts.
    Clint,
    /// The serial port.
    Uart,
    /// The monitors' registers.
    Monitors,
    /// Nothing.
    Vacant,
}

/// The map of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Map {
    /// The address of RAM's last byte.
    pub ram_last: u32,
}

impl Map {
    /// The region of an address.
    #[inline]
    pub fn region(&self, address: u32) -> Region {
        match address {
            RAM.. if address <= self.ram_last => Region::Ram,
            _ if map::CLINT.contains(address) => Region::Clint,
            _ if map::UART.contains(address) => Region::Uart,
            _ if map::MONITORS.contains(address) => Region::Monitors,
            _ => Region::Vacant,
        }
    }

    /// The region that answers a data access; `None` for an access fault. Alignment and PMP were
    /// checked before.
    #[inline]
    pub fn answering(&self, access: &DataAccess) -> Option<Region> {
        let region = self.region(access.address);
        let plain = matches!(access.kind, DataKind::Load | DataKind::Store);
        let allowed = match region {
            Region::Ram => true,
            Region::Vacant => false,
            _ if access.rights == Mode::User || !plain => false,
            Region::Uart => access.size != Size::Half,
            Region::Clint | Region::Monitors => access.size == Size::Word,
        };
        allowed.then_some(region)
    }
}
