//! Colors that make trouble, for the tests of all units that hash colors.

use config::{Color, Config};
use golden::{Bits, ColorHashes, ColorId};
use proptest::prelude::*;
use units::color_hash::ColorHash;

/// Sizes of signatures that are tested: rows of a bank, banks, bits of a color.
pub const SIZES: [(u32, u32, u32); 9] = [
    (2, 1, 1),
    (2, 8, 3),
    (4, 3, 2),
    (16, 1, 16),
    (16, 2, 12),
    (64, 3, 9),
    (64, 8, 16),
    (256, 2, 12),
    (1024, 2, 16),
];

/// Colors of one kind that are taken at most, so that they meet again.
const MANY: usize = 4;

/// The sizes of a signature, its hash functions, and colors that collide under them.
#[derive(Clone, Debug)]
pub struct Palette {
    /// For the hardware.
    pub hash: ColorHash,
    /// For the model.
    pub hashes: ColorHashes,
    color_bits: u32,
    colliding: Vec<u32>,
}

impl Palette {
    /// For signatures of `banks` banks of `rows` bits, and colors of `color_bits` bits.
    pub fn new(rows: u32, banks: u32, color_bits: u32) -> Self {
        let base = Config::default().color;
        let color =
            Color { bits: color_bits, signature_bits: rows, signature_banks: banks, ..base };
        let hashes = ColorHashes::new(&color);
        let last = (1 << color_bits) - 1;
        let mut colliding = vec![0, 1, last];
        for color in [1, last / 2 + 1, last] {
            let same = |bank: usize, other: u32| {
                hashes.index(bank, ColorId(color)) == hashes.index(bank, ColorId(other))
            };
            for bank in 0..hashes.banks() {
                colliding.extend((1..=last).filter(|other| same(bank, *other)).take(MANY));
            }
            let everywhere = |other: &u32| (0..hashes.banks()).all(|bank| same(bank, *other));
            colliding.extend((1..=last).filter(everywhere).take(MANY));
        }
        colliding.sort_unstable();
        colliding.dedup();
        Self { hash: ColorHash::of(&color), hashes, color_bits, colliding }
    }

    /// Mostly colors that share rows with others, color 0 among them.
    pub fn color(&self) -> impl Strategy<Value = ColorId> + Clone + use<> {
        let any_color = 0..1u32 << self.color_bits;
        prop_oneof![4 => prop::sample::select(self.colliding.clone()), 1 => any_color]
            .prop_map(ColorId)
    }
}

/// The lowest `width` bits of the words of a port.
pub fn bits_of(words: &[u64], width: usize) -> Bits {
    let mut bits = Bits::from_slice(words);
    bits.truncate(width);
    bits
}
