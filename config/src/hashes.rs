//! The hash functions of the color signatures, as data.
//!
//! Hardware and model must use the same functions but not the same code: only the masks are here.

use crate::Color;
use kit::random;

/// The seed of the masks.
const SEED: u64 = 0x4372_6f73_7374_616c;

impl Color {
    /// The H3 masks of a bank, lowest index bit first: bit j of the index of a color is the parity of
    /// `color & masks[j]`. No mask is the XOR of others of its bank as long as colors have bits
    /// enough, so every row of the bank can be hit. Fixed for ever: recorded results depend on them.
    pub fn h3_masks(&self, bank: u32) -> Vec<u32> {
        let colors = u32::MAX >> (32 - self.bits.clamp(1, 32));
        let index_bits = self.signature_bits.max(2).trailing_zeros();
        let mut draws =
            (0..).map(|draw| random::nth(SEED, (u64::from(bank) << 32) | draw) as u32 & colors);
        let mut independent = Basis::default();
        (0..index_bits)
            .map(|bit| {
                let wanted =
                    |mask: &u32| *mask != 0 && (bit >= self.bits || independent.add(*mask));
                draws.find(wanted).expect("the draws never end")
            })
            .collect()
    }
}

/// A set of masks of which none is the XOR of others.
#[derive(Default)]
struct Basis {
    /// Each with a highest bit of its own, highest first.
    reduced: Vec<u32>,
}

impl Basis {
    /// Adds a mask unless it is the XOR of masks already in the basis.
    fn add(&mut self, mask: u32) -> bool {
        let rest = self.reduced.iter().fold(mask, |rest, &member| rest.min(rest ^ member));
        if rest == 0 {
            return false;
        }
        self.reduced.push(rest);
        self.reduced.sort_unstable_by(|a, b| b.cmp(a));
        true
    }
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
    fn every_row_of_a_bank_can_be_hit() {
        let mut color = Config::default().color;
        for (bits, rows) in [(12, 256), (12, 1024), (8, 256), (1, 2), (16, 4096)] {
            (color.bits, color.signature_bits) = (bits, rows);
            for bank in 0..8 {
                let masks = color.h3_masks(bank);
                let row = |color: u32| {
                    masks
                        .iter()
                        .rev()
                        .fold(0, |row, mask| (row << 1) | ((color & mask).count_ones() % 2))
                };
                let hit: std::collections::BTreeSet<u32> = (0..1 << bits).map(row).collect();
                assert_eq!(hit.len(), rows as usize, "{bits} bits, {rows} rows, bank {bank}");
            }
        }
    }

    #[test]
    fn fewer_color_bits_than_index_bits_still_give_every_mask() {
        let mut color = Config::default().color;
        (color.bits, color.signature_bits) = (3, 256);
        assert_eq!(color.h3_masks(0).len(), 8);
    }

    #[test]
    fn the_masks_are_fixed() {
        assert_eq!(Config::default().color.h3_masks(0)[..2], [0xa7d, 0xeca]);
    }
}
