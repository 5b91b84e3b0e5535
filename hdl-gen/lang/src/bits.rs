//! `Bits`: a constant of exact width.
//!
//! Literals, reset values, memory contents and case labels are all `Bits`: a width and that many
//! bits, whatever the width. Values of up to 64 bits need no allocation.

use std::fmt;

/// The widest signal the language accepts.
pub const MAX_WIDTH: u32 = 1 << 16;

/// How many 64-bit words hold `width` bits.
pub const fn words_for(width: u32) -> usize {
    width.div_ceil(64) as usize
}

/// The mask of the bits in use in the topmost word of a `width`-bit value.
pub const fn top_mask(width: u32) -> u64 {
    match width % 64 {
        0 => u64::MAX,
        n => (1 << n) - 1,
    }
}

/// The number of bits needed to tell `count` things apart; at least 1.
pub const fn index_width(count: usize) -> usize {
    if count <= 2 { 1 } else { (usize::BITS - (count - 1).leading_zeros()) as usize }
}

/// A constant of exact width, little-endian in 64-bit words, unused top bits zero.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bits {
    width: u32,
    words: Words,
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Words {
    One([u64; 1]),
    Many(Box<[u64]>),
}

impl Bits {
    /// All zeros.
    pub fn zero(width: u32) -> Bits {
        let words = match words_for(width) {
            0 | 1 => Words::One([0]),
            n => Words::Many(vec![0; n].into()),
        };
        Bits { width, words }
    }

    /// All ones.
    pub fn ones(width: u32) -> Bits {
        let mut bits = Bits::zero(width);
        bits.words_mut().fill(u64::MAX);
        bits.mask_top();
        bits
    }

    /// The low `width` bits of `value`; higher bits of `value` are dropped.
    pub fn truncated(width: u32, value: u128) -> Bits {
        Bits::from_words(width, &[value as u64, (value >> 64) as u64])
    }

    /// `value` in `width` bits, or `None` if it does not fit.
    pub fn new(width: u32, value: u128) -> Option<Bits> {
        let fits = width >= 128 || value >> width == 0;
        fits.then(|| Bits::truncated(width, value))
    }

    /// `value` in two's complement in `width` bits, or `None` if it does not fit. Non-negative
    /// values may use all bits, so both 255 and -1 are eight ones.
    pub fn new_signed(width: u32, value: i128) -> Option<Bits> {
        if value >= 0 {
            return Bits::new(width, value as u128);
        }
        let fits = width >= 128 || value >= -(1i128 << (width - 1));
        fits.then(|| {
            let mut bits = Bits::ones(width);
            for (word, part) in
                bits.words_mut().iter_mut().zip([value as u64, (value >> 64) as u64])
            {
                *word = part;
            }
            bits.mask_top();
            bits
        })
    }

    /// From little-endian words; missing words are zero, bits past `width` are dropped.
    pub fn from_words(width: u32, words: &[u64]) -> Bits {
        let mut bits = Bits::zero(width);
        for (to, from) in bits.words_mut().iter_mut().zip(words) {
            *to = *from;
        }
        bits.mask_top();
        bits
    }

    /// The width in bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The value, little-endian.
    pub fn words(&self) -> &[u64] {
        match &self.words {
            Words::One(word) => word,
            Words::Many(words) => words,
        }
    }

    /// The value, little-endian. The caller keeps the bits past the width zero.
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        match &mut self.words {
            Words::One(word) => word,
            Words::Many(words) => words,
        }
    }

    fn mask_top(&mut self) {
        let mask = top_mask(self.width);
        if let Some(top) = self.words_mut().last_mut() {
            *top &= mask;
        }
    }

    /// Bit `index`; bits past the width are zero.
    pub fn bit(&self, index: u32) -> bool {
        self.words().get(index as usize / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    /// Whether every bit is zero.
    pub fn is_zero(&self) -> bool {
        self.words().iter().all(|&word| word == 0)
    }

    /// Whether every bit is one.
    pub fn is_ones(&self) -> bool {
        *self == Bits::ones(self.width)
    }

    /// The value if it fits 64 bits.
    pub fn to_u64(&self) -> Option<u64> {
        let (first, rest) = self.words().split_first()?;
        rest.iter().all(|&word| word == 0).then_some(*first)
    }

    /// Hexadecimal digits without leading zeros (at least one digit).
    pub fn hex(&self) -> String {
        let mut text = String::new();
        for &word in self.words().iter().rev() {
            if text.is_empty() {
                if word != 0 {
                    text = format!("{word:x}");
                }
            } else {
                text += &format!("{word:016x}");
            }
        }
        if text.is_empty() { "0".into() } else { text }
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}'h{}", self.width, self.hex())
    }
}

impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_values_fill_the_whole_width() {
        assert_eq!(Bits::new_signed(8, -1), Bits::new(8, 255));
        assert_eq!(Bits::new_signed(8, -128), Bits::new(8, 128));
        assert_eq!(Bits::new_signed(8, -129), None);
        assert!(Bits::new_signed(300, -1).unwrap().is_ones());
    }

    #[test]
    fn values_that_do_not_fit_are_refused() {
        assert_eq!(Bits::new(4, 16), None);
        assert_eq!(Bits::new(4, 15).unwrap().to_u64(), Some(15));
        assert!(Bits::new(128, u128::MAX).is_some());
    }

    #[test]
    fn hex_has_no_leading_zeros_and_all_words() {
        assert_eq!(Bits::zero(200).hex(), "0");
        assert_eq!(Bits::from_words(130, &[5, 0, 3]).hex(), "300000000000000000000000000000005");
    }

    #[test]
    fn an_index_has_at_least_one_bit() {
        assert_eq!([0, 1, 2, 3, 4, 5, 8, 9].map(index_width), [1, 1, 1, 2, 2, 3, 3, 4]);
    }
}
