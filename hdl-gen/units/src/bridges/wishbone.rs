//! The signals of a Wishbone bus: classic cycles of revision B4, with the tags of registered feedback.

use hdl::{Bundle, Sig, input, output};

use crate::geometry::ADDRESS_BITS;

/// `cti` of an access that promises nothing about the next one.
pub const CLASSIC: u64 = 0;
/// `cti` of an access whose next one is to the next word.
pub const INCREMENTING: u64 = 2;
/// `cti` of the last access of a burst.
pub const END_OF_BURST: u64 = 7;
/// Bits of a `cti`.
pub(super) const CTI_BITS: usize = 3;
/// Bits of a `bte`.
const BTE_BITS: usize = 2;

/// A Wishbone port. Signals that end in `_i` and `_o` elsewhere are called by their meaning: `dat_w` goes to the
/// slave, `dat_r` comes from it.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Wishbone {
    /// A bus cycle is under way.
    pub cyc: Sig,
    /// An access is requested; the other signals of the master are valid.
    pub stb: Sig,
    /// 1 for a write, 0 for a read.
    pub we: Sig,
    /// Byte address; a multiple of the bytes of a word.
    pub adr: Sig,
    /// Data to write.
    pub dat_w: Sig,
    /// The bytes of the word that the access selects, a bit each.
    pub sel: Sig,
    /// Cycle type: classic (0), incrementing burst (2), end of burst (7).
    pub cti: Sig,
    /// Burst type: linear (0).
    pub bte: Sig,
    /// Data that was read; valid with `ack`.
    pub dat_r: Sig,
    /// The access is complete in this cycle.
    pub ack: Sig,
    /// The access fails in this cycle; instead of `ack`.
    pub err: Sig,
}

impl Wishbone {
    /// The port as a master has it; a slave has it flipped.
    #[track_caller]
    pub fn of_master(data_bits: usize) -> Wishbone {
        Wishbone {
            cyc: output(1),
            stb: output(1),
            we: output(1),
            adr: output(ADDRESS_BITS),
            dat_w: output(data_bits),
            sel: output(data_bits / 8),
            cti: output(CTI_BITS),
            bte: output(BTE_BITS),
            dat_r: input(data_bits),
            ack: input(1),
            err: input(1),
        }
    }

    /// The access ends in this cycle, one way or the other.
    #[track_caller]
    pub(super) fn ends(&self) -> Sig {
        self.ack | self.err
    }
}
