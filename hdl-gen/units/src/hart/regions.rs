//! The address map as a hart sees it (docs/machine.md §1): which accesses exist at all.

use border::map;
use hdl::{Sig, hardware};

/// The address is in RAM: from its first address, of which only the top bit is set, to `ram_last`.
#[hardware]
pub fn in_ram(address: Sig, ram_last: Sig) -> Sig {
    address.bit(31) & address.le(ram_last)
}

/// A data access that is possible: to RAM, or by M mode to a device of a size that it has.
#[hardware]
pub fn data_access(access: DataAccess) -> Sig {
    let DataAccess { address, ram_last, machine_mode, byte, word, atomic } = access;
    let in_uart = in_region(address, map::UART);
    let in_clint = in_region(address, map::CLINT);
    let in_monitor = in_region(address, map::MONITORS);
    let word_device = word & (in_clint | in_monitor | in_uart);
    let byte_device = byte & in_uart;
    in_ram(address, ram_last) | (machine_mode & !atomic & (word_device | byte_device))
}

/// The address is in a device's region, whose size is a power of two.
#[track_caller]
fn in_region(address: Sig, region: map::Region) -> Sig {
    let offset_bits = region.offset_bits();
    address.bits(offset_bits as usize..).eq(region.base >> offset_bits)
}

const _: () = assert!(map::RAM.base == 1 << 31);

/// What [`data_access`] judges.
pub struct DataAccess {
    /// The address.
    pub address: Sig,
    /// The last address of RAM.
    pub ram_last: Sig,
    /// It is made with the rights of M mode.
    pub machine_mode: Sig,
    /// It is of one byte.
    pub byte: Sig,
    /// It is of four bytes.
    pub word: Sig,
    /// It is an LR, SC or AMO.
    pub atomic: Sig,
}
