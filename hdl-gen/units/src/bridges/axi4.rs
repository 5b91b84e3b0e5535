//! The signals of an AXI4 bus, by the names that everybody gives them.

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
    /// Identifier of a write.
    pub awid: Sig,
    /// Address of its first byte.
    pub awaddr: Sig,
    /// Words of the burst, less one.
    pub awlen: Sig,
    /// Bytes of a word, as a power of two.
    pub awsize: Sig,
    /// How addresses follow one another.
    pub awburst: Enum<Burst>,
    /// Exclusive access: not supported, 0.
    pub awlock: Sig,
    /// Kind of memory.
    pub awcache: Sig,
    /// Protection.
    pub awprot: Sig,
    /// Quality of service.
    pub awqos: Sig,
    /// The write's address is meant.
    pub awvalid: Sig,
    /// It is taken.
    pub awready: Sig,
    /// Data to write.
    pub wdata: Sig,
    /// Bytes that are written, a bit each.
    pub wstrb: Sig,
    /// The last word of the burst.
    pub wlast: Sig,
    /// The data is meant.
    pub wvalid: Sig,
    /// It is taken.
    pub wready: Sig,
    /// Identifier of the write that ended.
    pub bid: Sig,
    /// How it ended.
    pub bresp: Enum<Response>,
    /// The response is meant.
    pub bvalid: Sig,
    /// It is taken.
    pub bready: Sig,
    /// Identifier of a read.
    pub arid: Sig,
    /// Address of its first byte.
    pub araddr: Sig,
    /// Words of the burst, less one.
    pub arlen: Sig,
    /// Bytes of a word, as a power of two.
    pub arsize: Sig,
    /// How addresses follow one another.
    pub arburst: Enum<Burst>,
    /// Exclusive access: not supported, 0.
    pub arlock: Sig,
    /// Kind of memory.
    pub arcache: Sig,
    /// Protection.
    pub arprot: Sig,
    /// Quality of service.
    pub arqos: Sig,
    /// The read's address is meant.
    pub arvalid: Sig,
    /// It is taken.
    pub arready: Sig,
    /// Identifier of the read that this word belongs to.
    pub rid: Sig,
    /// Data that was read.
    pub rdata: Sig,
    /// How the read of this word ended.
    pub rresp: Enum<Response>,
    /// The last word of the burst.
    pub rlast: Sig,
    /// The data is meant.
    pub rvalid: Sig,
    /// It is taken.
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
