//! Numbers derived from a seed: the inside of blocks, constants, stimulus.

use num_bigint::BigUint;

use crate::circuit::{from_words, mask, words_of};

/// A small deterministic generator (SplitMix64), so that a seed means the same circuit for ever.
pub(crate) struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    /// True one time out of `times`.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// A selector as a gene has it.
    pub fn selector(&mut self) -> u16 {
        self.next() as u16
    }

    /// Any value of this width; often one at an edge of the range.
    pub fn bits(&mut self, width: u32) -> BigUint {
        match self.below(8) {
            0 => BigUint::ZERO,
            1 => mask(width),
            2 => BigUint::from(1u8) << (width - 1),
            3 => BigUint::from(self.below(8)) & mask(width),
            4 => mask(width) ^ (BigUint::from(1u8) << self.below(width as usize)),
            _ => {
                let words: Vec<u64> = (0..words_of(width)).map(|_| self.next()).collect();
                from_words(&words) & mask(width)
            }
        }
    }

    /// The value that a seed stands for; small seeds stand for simple values.
    pub fn value(seed: u16, width: u32) -> BigUint {
        match seed {
            0 => BigUint::ZERO,
            1 => BigUint::from(1u8),
            2 => mask(width),
            _ => Dice::new(seed.into()).bits(width),
        }
    }
}
