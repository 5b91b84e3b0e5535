//! The hash functions of the color signatures, as data.
//!
//! Hardware and model must use the same functions but not the same code: here are only the masks.

use crate::Color;

impl Color {
    /// The H3 masks of a bank, lowest index bit first: bit j of the index of a color is the parity of
    /// `color & masks[j]`. Fixed for ever: recorded results depend on them.
    pub fn h3_masks(&self, bank: u32) -> Vec<u32> {
        let colors = u32::MAX >> (32 - self.bits.clamp(1, 32));
        let index_bits = self.signature_bits.max(2).trailing_zeros();
        (0..index_bits)
            .map(|bit| {
                let noise = splitmix64(u64::from(bank) << 32 | u64::from(bit));
                // A mask of zero would make an index bit that is always zero.
                match noise as u32 & colors {
                    0 => 1,
                    mask => mask,
                }
            })
            .collect()
    }
}

/// One step of SplitMix64 from a place of its own.
fn splitmix64(place: u64) -> u64 {
    let mut z = place.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x4372_6f73_7374_616c);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use crate::Config;

    #[test]
    fn banks_differ_and_every_index_bit_depends_on_the_color() {
        let color = Config::default().color;
        let banks: Vec<_> = (0..8).map(|bank| color.h3_masks(bank)).collect();
        for (place, masks) in banks.iter().enumerate() {
            assert_eq!(masks.len(), color.signature_bits.trailing_zeros() as usize);
            assert!(masks.iter().all(|mask| (1..1 << color.bits).contains(mask)));
            assert!(!banks[..place].contains(masks));
        }
    }

    #[test]
    fn the_masks_are_fixed() {
        assert_eq!(Config::default().color.h3_masks(0)[..2], [0xa7d, 0xeca]);
    }
}
