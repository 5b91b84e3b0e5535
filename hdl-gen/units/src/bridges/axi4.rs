//! The signals of an AXI4 bus, by their usual names.

use hdl::{Bundle, Enum, HwEnum, Sig, hardware, input, lit, output};

use crate::geometry::ADDRESS_BITS;

/// Bits of an identifier.
pub const ID_BITS: usize = 4;
/// Normal memory that is not cached on the way and may be buffered.
const BUFFERABLE: u64 = 0b0011;

/// How addresses of a burst follow one another. The codes are those of the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum Burst {
    /// All the same.
    Fixed,
    /// Upwards.
    Incrementing,
    /// Upwards, and from the end of an aligned block to its beginning.
    Wrapping,
    /// Not used.
    Reserved,
}

/// How an access ended. The codes are those of the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum Response {
    /// It is done.
    Okay,
    /// It is done, and was exclusive.
    ExclusiveOkay,
    /// The slave refuses it.
    SlaveError,
    /// There is nothing at the address.
    DecodeError,
}

impl Response {
    /// Whether a response is an error.
    #[track_caller]
    pub(super) fn is_error(response: Enum<Response>) -> Sig {
        response.sig().bit(1)
    }
}

/// An AXI4 port: five channels, each with its own `valid` and `ready`.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Axi4 {
    /// Identifier of the write burst.
    pub awid: Sig,
    /// Address of the first byte of the write burst.
    pub awaddr: Sig,
    /// Number of words of the write burst, less one.
    pub awlen: Sig,
    /// Bytes of each word of the write burst, as a power of two: 2 for 4 bytes.
    pub awsize: Sig,
    /// Addresses of the write burst: fixed (0), incrementing (1), wrapping (2).
    pub awburst: Enum<Burst>,
    /// Exclusive write: not supported. A master drives 0, a slave ignores it.
    pub awlock: Sig,
    /// Memory type of the write burst, as in the AXI4 specification. A slave ignores it.
    pub awcache: Sig,
    /// Protection attributes of the write burst. A master drives 0, a slave ignores them.
    pub awprot: Sig,
    /// Quality of service of the write burst. A master drives 0, a slave ignores it.
    pub awqos: Sig,
    /// The address of a write burst is offered; the other `aw` signals are valid.
    pub awvalid: Sig,
    /// The address of the write burst is taken in this cycle if `awvalid` is 1.
    pub awready: Sig,
    /// The word to write; valid with `wvalid`.
    pub wdata: Sig,
    /// The bytes of `wdata` that are written, a bit each; valid with `wvalid`.
    pub wstrb: Sig,
    /// `wdata` is the last word of the write burst; valid with `wvalid`.
    pub wlast: Sig,
    /// A word to write is offered.
    pub wvalid: Sig,
    /// The word to write is taken in this cycle if `wvalid` is 1.
    pub wready: Sig,
    /// Identifier of the write burst that has ended; valid with `bvalid`.
    pub bid: Sig,
    /// Result of the write burst: OKAY (0), EXOKAY (1), SLVERR (2), DECERR (3). Valid with
    /// `bvalid`.
    pub bresp: Enum<Response>,
    /// The response to a write burst is offered.
    pub bvalid: Sig,
    /// The response is taken in this cycle if `bvalid` is 1.
    pub bready: Sig,
    /// Identifier of the read burst.
    pub arid: Sig,
    /// Address of the first byte of the read burst.
    pub araddr: Sig,
    /// Number of words of the read burst, less one.
    pub arlen: Sig,
    /// Bytes of each word of the read burst, as a power of two: 2 for 4 bytes.
    pub arsize: Sig,
    /// Addresses of the read burst: fixed (0), incrementing (1), wrapping (2).
    pub arburst: Enum<Burst>,
    /// Exclusive read: not supported. A master drives 0, a slave ignores it.
    pub arlock: Sig,
    /// Memory type of the read burst, as in the AXI4 specification. A slave ignores it.
    pub arcache: Sig,
    /// Protection attributes of the read burst. A master drives 0, a slave ignores them.
    pub arprot: Sig,
    /// Quality of service of the read burst. A master drives 0, a slave ignores it.
    pub arqos: Sig,
    /// The address of a read burst is offered; the other `ar` signals are valid.
    pub arvalid: Sig,
    /// The address of the read burst is taken in this cycle if `arvalid` is 1.
    pub arready: Sig,
    /// Identifier of the read burst that the word belongs to; valid with `rvalid`.
    pub rid: Sig,
    /// The word that was read; valid with `rvalid`.
    pub rdata: Sig,
    /// Result of the read of this word: OKAY (0), EXOKAY (1), SLVERR (2), DECERR (3). Valid with
    /// `rvalid`.
    pub rresp: Enum<Response>,
    /// `rdata` is the last word of the read burst; valid with `rvalid`.
    pub rlast: Sig,
    /// A word that was read is offered.
    pub rvalid: Sig,
    /// The word is taken in this cycle if `rvalid` is 1.
    pub rready: Sig,
}

impl Axi4 {
    /// The port as a master has it; a slave has it flipped.
    #[track_caller]
    pub fn of_master(data_bits: usize) -> Axi4 {
        Axi4 {
            awid: output(ID_BITS),
            awaddr: output(ADDRESS_BITS),
            awlen: output(8),
            awsize: output(3),
            awburst: output(Burst::shape()),
            awlock: output(1),
            awcache: output(4),
            awprot: output(3),
            awqos: output(4),
            awvalid: output(1),
            awready: input(1),
            wdata: output(data_bits),
            wstrb: output(data_bits / 8),
            wlast: output(1),
            wvalid: output(1),
            wready: input(1),
            bid: input(ID_BITS),
            bresp: input(Response::shape()),
            bvalid: input(1),
            bready: output(1),
            arid: output(ID_BITS),
            araddr: output(ADDRESS_BITS),
            arlen: output(8),
            arsize: output(3),
            arburst: output(Burst::shape()),
            arlock: output(1),
            arcache: output(4),
            arprot: output(3),
            arqos: output(4),
            arvalid: output(1),
            arready: input(1),
            rid: input(ID_BITS),
            rdata: input(data_bits),
            rresp: input(Response::shape()),
            rlast: input(1),
            rvalid: input(1),
            rready: output(1),
        }
    }

    /// Drives what a master says of every burst, reads and writes alike: one identifier, so that nothing is
    /// reordered; this many words of the full width, upwards.
    #[track_caller]
    #[hardware]
    pub(super) fn set_line_bursts(&self, words: usize, word_bytes: usize, address: Sig) {
        for id in [self.awid, self.arid] {
            id.set(0);
        }
        for at in [self.awaddr, self.araddr] {
            at.set(address);
        }
        for len in [self.awlen, self.arlen] {
            len.set(words - 1);
        }
        for size in [self.awsize, self.arsize] {
            size.set(word_bytes.ilog2());
        }
        for burst in [self.awburst, self.arburst] {
            burst.set(Burst::Incrementing);
        }
        for cache in [self.awcache, self.arcache] {
            cache.set(BUFFERABLE);
        }
        for zero in [self.awlock, self.arlock, self.awprot, self.arprot, self.awqos, self.arqos] {
            zero.set(0);
        }
        self.wstrb.set(lit(1, 1).repeat(word_bytes));
    }
}
