//! The address map as a hart sees it (docs/machine.md §1): which accesses exist at all.

use hdl::{Sig, hardware};

/// RAM has this address: from 0x8000_0000 to `ram_last`.
#[hardware]
pub fn in_ram(address: Sig, ram_last: Sig) -> Sig {
    address.bit(31) & address.le(ram_last)
}

/// A data access that is possible: to RAM, or by M mode to a device of a size that it has.
#[hardware]
pub fn data_access(access: DataAccess) -> Sig {
    let DataAccess { address, ram_last, machine_mode, byte, word, atomic } = access;
    let in_uart = address.bits(8..).eq(0x10_0000);
    let in_clint = address.bits(16..).eq(0x0200);
    let in_monitor = address.bits(16..).eq(0x1100);
    let word_device = word & (in_clint | in_monitor | in_uart);
    let byte_device = byte & in_uart;
    in_ram(address, ram_last) | (machine_mode & !atomic & (word_device | byte_device))
}

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
