//! The machine's memory port on a Wishbone bus.
//!
//! A line is a burst of incrementing accesses, lowest word first. The tags say so, and a slave that does not look at
//! them sees classic cycles, one access after the other: that is why it is this kind of Wishbone.

use config::Config;
use hdl::{
    Bundle, HwEnum, Module, Sig, Stream, assume, cover, hardware, index_width, lit, output, ports,
    reg, switch, when,
};

use super::wishbone::{CLASSIC, CTI_BITS, END_OF_BURST, INCREMENTING, Wishbone};
use super::{MemoryError, Words, wishbone_bits};
use crate::bus::MemoryRequest;
use crate::geometry::{ADDRESS_BITS, Geometry};

/// A bridge from the memory port to a Wishbone bus.
#[derive(Clone, Debug, PartialEq)]
pub struct WishboneMemory {
    /// Cache geometry: the memory port is one line wide.
    pub geometry: Geometry,
    /// Bits of a word of the bus: 32 or 64, at most a line.
    pub data_bits: usize,
}

impl WishboneMemory {
    /// The bridge of a configuration. `Err` names the key that switches it off.
    pub fn from_config(config: &Config) -> Result<Self, &'static str> {
        let data_bits = wishbone_bits(config)?;
        Ok(WishboneMemory { geometry: Geometry::of_data(config), data_bits })
    }
}

/// Ports of [`WishboneMemory`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct WishboneMemoryIo {
    /// A line to read or write.
    pub request: Stream<MemoryRequest>,
    /// The line that was read. A write has no response.
    pub response: Stream<Sig>,
    /// The Wishbone bus; the bridge is its master.
    pub m_wb: Wishbone,
    /// Errors that memory reported.
    pub error: MemoryError,
}

/// What the bridge does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
enum Phase {
    /// Takes a request.
    Idle,
    /// Moves words.
    Transfer,
    /// Gives the line that was read.
    Answer,
}

/// Moves lines over a Wishbone bus, a word at a time. A word that ends with an error reads as zero.
#[hardware]
impl Module for WishboneMemory {
    type Io = WishboneMemoryIo;

    fn name(&self) -> String {
        format!("wishbone_memory_l{}_{}", self.geometry.line, self.data_bits)
    }

    fn build(&self) -> WishboneMemoryIo {
        let WishboneMemory { geometry, data_bits } = *self;
        let words = Words::new(geometry, data_bits);
        let line_bits = geometry.line_bits();
        let io = ports(WishboneMemoryIo {
            request: Stream::input(MemoryRequest::shape(geometry)),
            response: Stream::output(line_bits),
            m_wb: Wishbone::of_master(data_bits),
            error: output(MemoryError::shape()),
        });
        let bus = io.m_wb;

        let phase = reg(Phase::shape()).reset(Phase::Idle);
        /// The line is written (1) or read (0).
        let write = reg(1).reset(0);
        /// The number of the line: its address divided by its size.
        let line_number = reg(ADDRESS_BITS - geometry.offset_bits()).reset(0);
        /// The words still to be written, or read so far: the next one leaves at the low end, and a
        /// word read enters at the high end.
        let line = reg(line_bits).reset(0);
        /// The number of the word that is transferred.
        let word = reg(index_width(words.count())).reset(0);
        let is_last = word.eq(words.count() - 1);
        let transfers = phase.is(Phase::Transfer);
        let moves = transfers & bus.ends();

        bus.cyc.set(transfers);
        bus.stb.set(transfers);
        bus.we.set(write);
        bus.adr.set(words.address(line_number, word));
        bus.dat_w.set(line.trunc(data_bits));
        bus.sel.set(lit(1, 1).repeat(words.bytes()));
        bus.cti.set(match words.count() {
            1 => lit(CTI_BITS, CLASSIC),
            _ => is_last.mux(lit(CTI_BITS, END_OF_BURST), INCREMENTING),
        });
        bus.bte.set(0);
        let word_read = bus.dat_r & (!bus.err).repeat(data_bits);
        io.error.remember(transfers & bus.err, bus.adr);

        io.request.ready.set(phase.is(Phase::Idle));
        io.response.valid.set(phase.is(Phase::Answer));
        io.response.payload.set(line);
        switch(phase, |phase_is| {
            phase_is.case(Phase::Idle, || {
                let request = io.request.payload;
                when(io.request.valid, || {
                    write.set(request.write);
                    line_number.set(request.address.bits(geometry.offset_bits()..));
                    line.set(request.data);
                    word.set(0);
                    phase.set(Phase::Transfer);
                });
            });
            phase_is.case(Phase::Transfer, || {
                when(moves, || {
                    line.set(words.moved(line, word_read));
                    word.set(word.next_in(words.count()));
                    when(is_last & write, || phase.set(Phase::Idle))
                        .elsewhen(is_last, || phase.set(Phase::Answer));
                });
            });
            phase_is.case(Phase::Answer, || {
                when(io.response.ready, || phase.set(Phase::Idle));
            });
        });

        assume("one_end", !(bus.ack & bus.err), "an access is done or has failed, not both");
        cover("reads_a_line", phase.is(Phase::Answer), "a whole line was read");
        cover("writes_a_line", moves & is_last & write, "a whole line was written");
        io
    }
}
