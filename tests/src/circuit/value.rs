//! Values as 64-bit words, the form in which simulators exchange them.

use num_bigint::BigUint;

/// How many words hold `width` bits.
pub fn words_of(width: u32) -> usize {
    width.div_ceil(64) as usize
}

/// All ones in `width` bits.
pub fn mask(width: u32) -> BigUint {
    (BigUint::from(1u8) << width) - 1u8
}

/// The value, little-endian, in exactly as many words as `width` needs.
pub fn to_words(value: &BigUint, width: u32) -> Vec<u64> {
    let mut words = value.to_u64_digits();
    words.resize(words_of(width), 0);
    words
}

/// The value of little-endian words.
pub fn from_words(words: &[u64]) -> BigUint {
    let halves = words.iter().flat_map(|word| [*word as u32, (*word >> 32) as u32]).collect();
    BigUint::new(halves)
}
