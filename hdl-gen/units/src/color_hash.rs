//! The hash of a color: its row in each bank of a signature.
//!
//! ColorSafe §4.2 keeps colors in Bloom filters. Each bank has one H3 function: a bit of the row is
//! the parity of some bits of the color. Which bits is data of the configuration; here it becomes
//! XOR gates.

use config::{Color, Config};
use hdl::{Sig, cat};

/// The keys of ColorSafe. `Err` names the one that switches it off.
pub(crate) fn color_keys(config: &Config) -> Result<&Color, &'static str> {
    match config.color.items {
        0 => Err("color.items is 0"),
        _ => Ok(&config.color),
    }
}

/// The hash functions of a signature, one a bank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColorHash {
    color_bits: usize,
    masks: Vec<Vec<u32>>,
}

impl ColorHash {
    /// The functions that `masks` describe: one list a bank, in it one mask for each bit of the row,
    /// the lowest first. Bit j of the row of a color is the parity of `color & masks[bank][j]`.
    ///
    /// # Panics
    /// If there is no bank, if banks differ in size or have a single row, or if a mask is zero or
    /// wider than a color: such a bit of a row would be the same for all colors.
    pub fn new(color_bits: usize, masks: Vec<Vec<u32>>) -> ColorHash {
        assert!((1..=32).contains(&color_bits), "colors of {color_bits} bits; allowed: 1 to 32");
        let row_bits = masks.first().map_or(0, Vec::len);
        assert!(row_bits >= 1, "a signature has at least one bank, of at least two rows");
        assert!(masks.iter().all(|bank| bank.len() == row_bits), "all banks have the same size");
        let colors = u32::MAX >> (32 - color_bits);
        for &mask in masks.iter().flatten() {
            let fits = mask != 0 && mask & !colors == 0;
            assert!(
                fits,
                "the mask {mask:#x} for colors of {color_bits} bits; allowed: 1 to {colors:#x}"
            );
        }
        ColorHash { color_bits, masks }
    }

    /// The functions of a configuration.
    pub fn of(color: &Color) -> ColorHash {
        let banks = 0..color.signature_banks;
        ColorHash::new(color.bits as usize, banks.map(|bank| color.h3_masks(bank)).collect())
    }

    /// Bits of a color.
    pub fn color_bits(&self) -> usize {
        self.color_bits
    }

    /// Banks of a signature.
    pub fn banks(&self) -> usize {
        self.masks.len()
    }

    /// Bits of a row's number.
    pub fn row_bits(&self) -> usize {
        self.masks[0].len()
    }

    /// Rows of a bank: the bits that one bank of a signature has.
    pub fn rows(&self) -> usize {
        1 << self.row_bits()
    }

    /// Bits of a signature, all banks together.
    pub fn signature_bits(&self) -> usize {
        self.banks() * self.rows()
    }

    /// The row of `color` in each bank.
    #[track_caller]
    pub fn row_of(&self, color: Sig) -> Vec<Sig> {
        let bank_row =
            |bank: &Vec<u32>| cat(bank.iter().rev().map(|&mask| (color & mask).parity()));
        self.masks.iter().map(bank_row).collect()
    }

    /// The sizes as part of a module's name: `256x2_c12` is 256 rows × 2 banks, colors of 12 bits.
    /// Functions other than those that configurations give to signatures of this size are told apart
    /// by a fingerprint.
    pub fn label(&self) -> String {
        let sizes = format!("{}x{}_c{}", self.rows(), self.banks(), self.color_bits);
        let configured = Color {
            bits: self.color_bits as u32,
            signature_bits: self.rows() as u32,
            signature_banks: self.banks() as u32,
            ..Config::default().color
        };
        match *self == ColorHash::of(&configured) {
            true => sizes,
            false => format!("{sizes}_h{:016x}", self.fingerprint()),
        }
    }

    /// FNV-1a over all masks, 64 bits.
    fn fingerprint(&self) -> u64 {
        let bytes = self.masks.iter().flatten().flat_map(|mask| mask.to_le_bytes());
        bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the masks say, in software.
    fn row(masks: &[u32], color: u32) -> u64 {
        masks
            .iter()
            .enumerate()
            .map(|(bit, mask)| u64::from((color & mask).count_ones() & 1) << bit)
            .sum()
    }

    #[test]
    fn a_row_is_the_parity_of_the_masked_color() {
        use hdl::{Bundle, Module, Simulator, hardware, input, output, ports};

        #[derive(Debug, PartialEq)]
        struct Rows(ColorHash);
        #[derive(Clone, Bundle)]
        struct Io {
            color: Sig,
            row: Vec<Sig>,
        }
        #[hardware]
        impl Module for Rows {
            type Io = Io;
            fn name(&self) -> String {
                "rows".into()
            }
            fn build(&self) -> Io {
                let row = vec![(); self.0.banks()];
                let row = row.iter().map(|()| output(self.0.row_bits())).collect();
                let io = ports(Io { color: input(self.0.color_bits()), row });
                io.row.drive(&self.0.row_of(io.color));
                io
            }
        }

        let masks = vec![vec![1, 2, 0b1001], vec![0b1111, 0b0110, 0b1000]];
        let (mut sim, io) = Simulator::of(Rows(ColorHash::new(4, masks.clone()))).unwrap();
        for color in 0..16 {
            sim.set(io.color, color.into());
            for (port, bank) in io.row.iter().zip(&masks) {
                assert_eq!(sim.get(*port), row(bank, color), "color {color}");
            }
        }
    }

    #[test]
    fn only_functions_that_no_configuration_has_need_a_fingerprint() {
        let configured = ColorHash::of(&Config::default().color);
        assert_eq!(configured.label(), "256x2_c12");
        let mut masks = configured.masks.clone();
        masks.swap(0, 1);
        let swapped = ColorHash::new(12, masks.clone()).label();
        masks[1][7] ^= 1;
        let changed = ColorHash::new(12, masks).label();
        assert!(swapped.starts_with("256x2_c12_h") && changed.starts_with("256x2_c12_h"));
        assert_ne!(swapped, changed);
    }

    #[test]
    #[should_panic(expected = "the mask 0x10 for colors of 4 bits; allowed: 1 to 0xf")]
    fn a_mask_wider_than_a_color_is_refused() {
        ColorHash::new(4, vec![vec![1, 16]]);
    }
}
