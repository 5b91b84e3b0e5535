//! How a cache divides an address: tag, set, place in the line.
//!
//! A cache of one set has no bits of a set in its addresses; its set is the constant 0, because a
//! signal has at least one bit.

use config::{Cache, Config};
use hdl::{Sig, cat, index_width, lit};

/// Bits of an address.
pub const ADDRESS_BITS: usize = 32;
/// Bits of a word.
pub const WORD_BITS: usize = 32;
/// Bytes of a word.
const WORD_BYTES: usize = WORD_BITS / 8;

/// The shape of a cache. All numbers are powers of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// Lines at one index.
    pub ways: usize,
    /// Indices.
    pub sets: usize,
    /// Bytes of a line, at least 8.
    pub line: usize,
}

impl Geometry {
    /// The data cache of a configuration.
    pub fn of_data(config: &Config) -> Geometry {
        Geometry::of(config.l1.data, config.l1.line)
    }

    fn of(cache: Cache, line: u32) -> Geometry {
        let (ways, sets) = (cache.ways as usize, cache.sets(line) as usize);
        Geometry { ways, sets, line: line as usize }
    }

    /// Bits of a line.
    pub fn line_bits(self) -> usize {
        8 * self.line
    }

    /// Words of a line.
    pub fn words(self) -> usize {
        self.line / WORD_BYTES
    }

    /// Bits of a place in a line.
    pub fn offset_bits(self) -> usize {
        self.line.ilog2() as usize
    }

    /// Bits of a signal that holds a set.
    pub fn set_width(self) -> usize {
        index_width(self.sets)
    }

    /// Bits of a signal that holds a way.
    pub fn way_width(self) -> usize {
        index_width(self.ways)
    }

    /// Bits of a tag.
    pub fn tag_bits(self) -> usize {
        ADDRESS_BITS - self.tag_start()
    }

    fn tag_start(self) -> usize {
        self.offset_bits() + self.sets.ilog2() as usize
    }

    /// The tag of an address.
    #[track_caller]
    pub fn tag(self, address: Sig) -> Sig {
        address.bits(self.tag_start()..)
    }

    /// The set of an address.
    #[track_caller]
    pub fn set(self, address: Sig) -> Sig {
        match self.sets {
            1 => lit(1, 0),
            _ => address.bits(self.offset_bits()..self.tag_start()),
        }
    }

    /// Which line an address is in.
    #[track_caller]
    pub fn line_number(self, address: Sig) -> Sig {
        address.bits(self.offset_bits()..)
    }

    /// Which word of its line an address is in.
    #[track_caller]
    pub fn word(self, address: Sig) -> Sig {
        address.bits(WORD_BYTES.ilog2() as usize..self.offset_bits())
    }

    /// How many low bits of ways and words tell banks of words apart: word k of way w is in bank w ^ k.
    pub fn turn_bits(self) -> usize {
        self.words().min(self.ways).ilog2() as usize
    }

    /// A line with its words in the order of the banks of its way, or back: each word is where its number and the way's
    /// differ.
    #[track_caller]
    pub fn turned(self, line: Sig, way: Sig) -> Sig {
        let mut words: Vec<Sig> = self.words_of(line);
        for bit in 0..self.turn_bits() {
            let swaps = way.bit(bit);
            let neighbor = |word: usize| words[word ^ (1 << bit)];
            words = (0..words.len()).map(|word| swaps.mux(neighbor(word), words[word])).collect();
        }
        cat(words.into_iter().rev())
    }

    /// Where a turned line has a word.
    #[track_caller]
    pub fn place_in_turned(self, word: Sig, way: Sig) -> Sig {
        match self.turn_bits() {
            0 => word,
            bits => word ^ way.trunc(bits).zext(word.width()),
        }
    }

    /// The words of a line, the first first.
    #[track_caller]
    pub fn words_of(self, line: Sig) -> Vec<Sig> {
        (0..self.words()).map(|word| line.bits(word * WORD_BITS..(word + 1) * WORD_BITS)).collect()
    }

    /// The address of the line that an address is in.
    #[track_caller]
    pub fn line_address(self, address: Sig) -> Sig {
        cat([self.line_number(address), lit(self.offset_bits(), 0)])
    }

    /// The address of a line, from its tag and its set.
    #[track_caller]
    pub fn address_of(self, tag: Sig, set: Sig) -> Sig {
        let offset = lit(self.offset_bits(), 0);
        match self.sets {
            1 => cat([tag, offset]),
            _ => cat([tag, set, offset]),
        }
    }

    /// The part of a module's name that says the shape: `64x2x32`, sets, ways, bytes.
    pub fn tag_text(self) -> String {
        format!("{}x{}x{}", self.sets, self.ways, self.line)
    }
}
