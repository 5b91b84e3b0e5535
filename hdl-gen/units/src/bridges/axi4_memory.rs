//! The machine's memory port on an AXI4 bus.
//!
//! A line is one burst of words of the full width, lowest word first. One burst is under way at a time: AXI4 keeps no
//! order between a write and a read until the write has been answered, and the machine's port wants them in order.

use config::Config;
use hdl::{
    Bundle, HwEnum, Module, Sig, Stream, assume, cover, hardware, index_width, output, ports, reg,
    set_when, switch, when,
};

use super::axi4::{Axi4, Response};
use super::{MemoryError, Words, axi4_bits};
use crate::bus::MemoryRequest;
use crate::geometry::{ADDRESS_BITS, Geometry};

/// A bridge from the memory port to an AXI4 bus.
#[derive(Clone, Debug, PartialEq)]
pub struct Axi4Memory {
    /// Cache geometry: the memory port is one line wide.
    pub geometry: Geometry,
    /// Bits of a word of the bus: 32 to 1024, at most a line.
    pub data_bits: usize,
}

impl Axi4Memory {
    /// The bridge of a configuration. `Err` names the key that switches it off.
    pub fn from_config(config: &Config) -> Result<Self, &'static str> {
        let data_bits = axi4_bits(config)?;
        Ok(Axi4Memory { geometry: Geometry::of_data(config), data_bits })
    }
}

/// Ports of [`Axi4Memory`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Axi4MemoryIo {
    /// A line to read or write.
    pub request: Stream<MemoryRequest>,
    /// The line that was read. A write has no response.
    pub response: Stream<Sig>,
    /// The AXI4 bus; the bridge is its master.
    pub m_axi: Axi4,
    /// Errors that memory reported.
    pub error: MemoryError,
}

/// What the bridge does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
enum Phase {
    /// Takes a request.
    Idle,
    /// A write: address and data go out, the response comes.
    Write,
    /// A read: the address goes out, data comes.
    Read,
    /// Gives the line that was read.
    Answer,
}

/// Moves lines over an AXI4 bus, a burst each. A word that is read with an error reads as zero.
#[hardware]
impl Module for Axi4Memory {
    type Io = Axi4MemoryIo;

    fn name(&self) -> String {
        format!("axi4_memory_l{}_{}", self.geometry.line, self.data_bits)
    }

    fn build(&self) -> Axi4MemoryIo {
        let Axi4Memory { geometry, data_bits } = *self;
        let words = Words::new(geometry, data_bits);
        let line_bits = geometry.line_bits();
        let io = ports(Axi4MemoryIo {
            request: Stream::input(MemoryRequest::shape(geometry)),
            response: Stream::output(line_bits),
            m_axi: Axi4::of_master(data_bits),
            error: output(MemoryError::shape()),
        });
        let bus = io.m_axi;

        let phase = reg(Phase::shape()).reset(Phase::Idle);
        /// The address of a write is offered.
        let offers_write = reg(1).reset(0);
        /// Data of a write is offered.
        let offers_data = reg(1).reset(0);
        /// The address of a read is offered.
        let offers_read = reg(1).reset(0);
        /// The number of the line: its address divided by its size.
        let line_number = reg(ADDRESS_BITS - geometry.offset_bits()).reset(0);
        /// The words still to be written, or read so far: the next one leaves at the low end, and a
        /// word read enters at the high end.
        let line = reg(line_bits).reset(0);
        /// The number of the word that is transferred.
        let word = reg(index_width(words.count())).reset(0);
        let is_last = word.eq(words.count() - 1);

        let line_address = hdl::cat([line_number, hdl::lit(geometry.offset_bits(), 0)]);
        bus.set_line_bursts(words.count(), words.bytes(), line_address);
        bus.awvalid.set(offers_write);
        bus.wvalid.set(offers_data);
        bus.wdata.set(line.trunc(data_bits));
        bus.wlast.set(is_last);
        bus.arvalid.set(offers_read);
        bus.bready.set(phase.is(Phase::Write) & !offers_write & !offers_data);
        bus.rready.set(phase.is(Phase::Read) & !offers_read);
        let sends = bus.wvalid & bus.wready;
        let receives = bus.rvalid & bus.rready;
        let written = bus.bvalid & bus.bready;
        let read_fails = Response::is_error(bus.rresp);
        let word_read = bus.rdata & (!read_fails).repeat(data_bits);
        let fails = receives & read_fails | written & Response::is_error(bus.bresp);
        io.error.remember(fails, words.address(line_number, word));

        io.request.ready.set(phase.is(Phase::Idle));
        io.response.valid.set(phase.is(Phase::Answer));
        io.response.payload.set(line);
        set_when(bus.awready, offers_write, 0);
        set_when(bus.arready, offers_read, 0);
        when(sends | receives, || {
            line.set(words.moved(line, word_read));
            word.set(word.next_in(words.count()));
        });
        switch(phase, |phase_is| {
            phase_is.case(Phase::Idle, || {
                let request = io.request.payload;
                when(io.request.valid, || {
                    line_number.set(request.address.bits(geometry.offset_bits()..));
                    line.set(request.data);
                    word.set(0);
                    offers_write.set(request.write);
                    offers_data.set(request.write);
                    offers_read.set(!request.write);
                    when(request.write, || phase.set(Phase::Write))
                        .otherwise(|| phase.set(Phase::Read));
                });
            });
            phase_is.case(Phase::Write, || {
                set_when(sends & is_last, offers_data, 0);
                when(written, || phase.set(Phase::Idle));
            });
            phase_is.case(Phase::Read, || {
                when(receives & is_last, || phase.set(Phase::Answer));
            });
            phase_is.case(Phase::Answer, || {
                when(io.response.ready, || phase.set(Phase::Idle));
            });
        });

        when(receives, || {
            assume("last_is_marked", bus.rlast.eq(is_last), "the last word of a burst is marked");
        });
        when(bus.rvalid, || assume("one_reader", bus.rid.eq(0), "there is one identifier"));
        when(bus.bvalid, || assume("one_writer", bus.bid.eq(0), "there is one identifier"));
        cover("reads_a_line", phase.is(Phase::Answer), "a whole line was read");
        cover("writes_a_line", written, "a whole line was written");
        cover("data_before_address", offers_write & sends, "data may be taken before the address");
        io
    }
}
