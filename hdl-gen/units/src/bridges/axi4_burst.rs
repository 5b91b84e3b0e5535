//! The addresses and byte lanes of a burst on an AXI4 bus.

use hdl::{Enum, Sig, cat, hardware, lit};

use super::axi4::Burst;
use crate::geometry::ADDRESS_BITS;

/// A place in a burst.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The address of the first byte.
    pub address: Sig,
    /// Words of the burst, less one.
    pub len: Sig,
    /// Bytes of a word, as a power of two.
    pub size: Sig,
    /// How addresses follow one another.
    pub burst: Enum<Burst>,
}

impl Place {
    /// Bytes of a word.
    #[track_caller]
    fn bytes(&self) -> Sig {
        lit(ADDRESS_BITS, 1) << self.size
    }

    /// The address of the next word: aligned to its size, whatever this one is.
    #[track_caller]
    #[hardware]
    pub fn next(&self) -> Sig {
        let bytes = self.bytes();
        let in_word = bytes - 1;
        let upwards = (self.address & !in_word) + bytes;
        let in_block = (self.len.zext(ADDRESS_BITS) << self.size) | in_word;
        let around = (self.address & !in_block) | (upwards & in_block);
        let moving = self.burst.is(Burst::Wrapping).mux(around, upwards);
        self.burst.is(Burst::Fixed).mux(self.address, moving)
    }

    /// The bytes of a bus word that a read of this place is about: from its address to the end of its word.
    #[track_caller]
    #[hardware]
    pub fn lanes(&self, lane_bits: usize) -> Sig {
        let low = self.address.trunc(lane_bits);
        let above = !(self.bytes() - 1).trunc(lane_bits);
        let lanes = (0..1usize << lane_bits).rev().map(|lane| {
            let lane = lit(lane_bits, lane);
            low.le(lane) & (lane & above).eq(low & above)
        });
        cat(lanes)
    }
}
