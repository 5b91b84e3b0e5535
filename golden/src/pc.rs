//! Program counters and code points.
//!
//! Bugaboo §4.2.2 stores whole instruction addresses and allows a hash to save space. The two must not
//! be confused: a range of text is compared with the pc, an edge holds its code point.

/// The address of an instruction in the core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pc(pub u64);

/// An instruction in the monitor: its address, or a hash of it. Zero is no instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CodePoint(pub u64);

/// Maps pcs to code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PcHash {
    core_pc_bits: u32,
    pc_bits: u32,
}

impl PcHash {
    /// Keeps `pc_bits` of the `core_pc_bits` that a pc has; both are 1 to 64.
    pub fn new(core_pc_bits: u32, pc_bits: u32) -> Self {
        for bits in [core_pc_bits, pc_bits] {
            assert!((1..=64).contains(&bits), "a pc of {bits} bits; allowed: 1 to 64");
        }
        Self { core_pc_bits, pc_bits }
    }

    /// The code point of a pc. If the whole pc fits, it is the pc itself; else the pc without
    /// its lowest bit is folded, and is never zero, which would read as NULL.
    pub fn of(self, pc: Pc) -> CodePoint {
        let pc = low_bits(pc.0, self.core_pc_bits);
        if self.pc_bits >= self.core_pc_bits {
            return CodePoint(pc);
        }
        let mut rest = pc >> 1;
        let mut folded = 0;
        while rest != 0 {
            folded ^= low_bits(rest, self.pc_bits);
            // Fewer bits than the core's, so fewer than 64.
            rest >>= self.pc_bits;
        }
        CodePoint(folded.max(1))
    }
}

/// The lowest `bits` bits of a value.
pub(crate) fn low_bits(value: u64, bits: u32) -> u64 {
    match bits {
        0 => 0,
        1..64 => value & ((1 << bits) - 1),
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_pc_that_fits_is_kept() {
        assert_eq!(PcHash::new(32, 32).of(Pc(0x8000_0001)), CodePoint(0x8000_0001));
        assert_eq!(PcHash::new(32, 64).of(Pc(0x8000_0001)), CodePoint(0x8000_0001));
        assert_eq!(PcHash::new(64, 64).of(Pc(u64::MAX)), CodePoint(u64::MAX));
        assert_eq!(PcHash::new(32, 32).of(Pc(0)), CodePoint(0));
    }

    #[test]
    fn a_longer_pc_is_folded_without_its_lowest_bit() {
        // 0x1_2345_678a >> 1 = 0x91a2_b3c5.
        let expected = 0x91 ^ 0xa2 ^ 0xb3 ^ 0xc5;
        assert_eq!(PcHash::new(40, 8).of(Pc(0x1_2345_678a)), CodePoint(expected));
        assert_eq!(PcHash::new(40, 8).of(Pc(0x1_2345_678b)), CodePoint(expected));
    }

    #[test]
    fn the_last_group_may_be_short() {
        // 0b111_11011 has 8 - 1 bits without the lowest: 1111101 in groups of 3 is 101, 111, 1.
        assert_eq!(PcHash::new(8, 3).of(Pc(0b1111_1011)), CodePoint(0b101 ^ 0b111 ^ 0b1));
    }

    #[test]
    fn a_pc_one_bit_too_long_only_loses_its_lowest_bit() {
        assert_eq!(PcHash::new(33, 32).of(Pc(0x1_0000_0004)), CodePoint(0x8000_0002));
    }

    proptest! {
        #[test]
        fn a_hash_fits_and_is_never_null(pc: u64, core in 2u32..=64, bits in 1u32..=63) {
            prop_assume!(bits < core);
            let CodePoint(hash) = PcHash::new(core, bits).of(Pc(pc));
            prop_assert!(hash != 0 && low_bits(hash, bits) == hash);
        }
    }
}
