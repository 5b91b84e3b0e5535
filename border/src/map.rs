//! The address map: what is where.

/// A range of addresses with one meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The name in snake case.
    pub name: &'static str,
    /// The first address.
    pub base: u32,
    /// How many bytes; 0 if the size depends on the configuration.
    pub bytes: u32,
    /// What is there, as one line of Markdown.
    pub doc: &'static str,
    /// Which modes may access it, as one line of Markdown.
    pub modes: &'static str,
}

impl Region {
    /// The last address of a region of fixed size.
    pub const fn last(&self) -> u32 {
        self.base + (self.bytes - 1)
    }

    /// The first address after a region of fixed size.
    pub const fn end(&self) -> u32 {
        self.base + self.bytes
    }

    /// Whether an address lies in a region of fixed size.
    #[inline]
    pub const fn contains(&self, address: u32) -> bool {
        self.base <= address && address <= self.last()
    }

    /// Bits of an offset into a region whose size is a power of two.
    pub const fn offset_bits(&self) -> u32 {
        self.bytes.trailing_zeros()
    }
}

/// Core-local interrupts: [`crate::clint`].
pub const CLINT: Region = Region {
    name: "clint",
    base: 0x0200_0000,
    bytes: 0x1_0000,
    doc: "CLINT: core-local interrupts, §7",
    modes: "M",
};

/// The serial port: [`crate::uart`].
pub const UART: Region = Region {
    name: "uart",
    base: 0x1000_0000,
    bytes: 0x100,
    doc: "UART: serial port, §7",
    modes: "M",
};

/// The windows of all harts' monitors: [`crate::monitor`].
pub const MONITORS: Region = Region {
    name: "monitors",
    base: 0x1100_0000,
    bytes: 0x1_0000,
    doc: "monitor windows, one for each hart: units.md",
    modes: "M",
};

/// Cached memory, from here to `ram_last`.
pub const RAM: Region = Region {
    name: "ram",
    base: 0x8000_0000,
    bytes: 0,
    doc: "RAM, cached",
    modes: "M, and U where PMP allows",
};

/// All regions, by address.
pub const REGIONS: [Region; 4] = [CLINT, UART, MONITORS, RAM];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_ascend_and_do_not_overlap() {
        for pair in REGIONS.windows(2) {
            assert!(pair[0].last() < pair[1].base, "{} and {}", pair[0].name, pair[1].name);
        }
    }

    #[test]
    fn a_device_region_is_aligned_to_its_size() {
        for region in [CLINT, UART, MONITORS] {
            assert!(region.bytes.is_power_of_two() && region.base % region.bytes == 0);
            assert_eq!(1 << region.offset_bits(), region.bytes);
            assert!(region.contains(region.last()) && !region.contains(region.end()));
            assert!(region.contains(region.base) && !region.contains(region.base - 1));
        }
    }
}
