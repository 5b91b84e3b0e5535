//! What circuits want of chance: the inside of blocks, constants, stimulus.

use num_bigint::BigUint;

use crate::circuit::{from_words, mask, words_of};
use kit::Dice;

/// Values for circuits.
pub(crate) trait Values {
    /// A selector as a gene has it.
    fn selector(&mut self) -> u16;

    /// Any value of this width; often one at an edge of the range.
    fn bits(&mut self, width: u32) -> BigUint;

    /// The value that a seed stands for; small seeds stand for simple values.
    fn value(seed: u16, width: u32) -> BigUint;
}

impl Values for Dice {
    fn selector(&mut self) -> u16 {
        self.roll() as u16
    }

    fn bits(&mut self, width: u32) -> BigUint {
        match self.below(8) {
            0 => BigUint::ZERO,
            1 => mask(width),
            2 => BigUint::from(1u8) << (width - 1),
            3 => BigUint::from(self.below(8_u8)) & mask(width),
            4 => mask(width) ^ (BigUint::from(1u8) << self.below(width)),
            _ => {
                let words: Vec<u64> = (0..words_of(width)).map(|_| self.roll()).collect();
                from_words(&words) & mask(width)
            }
        }
    }

    fn value(seed: u16, width: u32) -> BigUint {
        match seed {
            0 => BigUint::ZERO,
            1 => BigUint::from(1u8),
            2 => mask(width),
            _ => Dice::new(seed.into()).bits(width),
        }
    }
}
