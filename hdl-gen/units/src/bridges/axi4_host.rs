//! An AXI4 slave in front of the machine's host port: memory, coherent with the caches, and the devices.
//!
//! Bursts of every kind and words of every size are taken, one burst at a time, and become one request to the machine
//! for each word. So responses come in the order of the bursts, whatever their identifiers.

use config::Config;
use hdl::{
    Bundle, HwEnum, Module, Sig, Stream, assume, cover, hardware, input, mux, ports, reg, switch,
    when, wire,
};

use super::axi4::{Axi4, Burst, ID_BITS, Response};
use super::axi4_bits;
use super::axi4_burst::Place;
use super::host_access::{Access, Translator};
use crate::bus::HostRequest;
use crate::geometry::{ADDRESS_BITS, Geometry};

/// A bridge from an AXI4 bus to the host port.
#[derive(Clone, Debug, PartialEq)]
pub struct Axi4Host {
    /// Cache geometry: the host port is one line wide.
    pub geometry: Geometry,
    /// Bits of a word of the bus: 32 to 1024, at most a line.
    pub data_bits: usize,
}

impl Axi4Host {
    /// The bridge of a configuration. `Err` names the key that switches it off.
    pub fn from_config(config: &Config) -> Result<Self, &'static str> {
        let data_bits = axi4_bits(config)?;
        Ok(Axi4Host { geometry: Geometry::of_data(config), data_bits })
    }
}

/// Ports of [`Axi4Host`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Axi4HostIo {
    /// The AXI4 bus; the bridge is its slave.
    pub s_axi: Axi4,
    /// The address of the last byte of RAM; constant.
    pub ram_last: Sig,
    /// A request to the machine's host port.
    pub host_request: Stream<HostRequest>,
    /// The response of the machine's host port.
    pub host_response: Stream<Sig>,
}

/// What the bridge does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
enum Phase {
    /// Takes the address of a burst.
    Idle,
    /// Takes a word to write, and asks the machine.
    Write,
    /// Waits for the machine's response to a write.
    WaitWritten,
    /// Says how the writes ended.
    Written,
    /// Asks the machine for a word.
    Read,
    /// Waits for it.
    WaitRead,
    /// Gives it.
    Give,
}

/// Takes one burst at a time, and requests its words from the machine one by one. A write burst has
/// one response, which reports the first error.
#[hardware]
impl Module for Axi4Host {
    type Io = Axi4HostIo;

    fn name(&self) -> String {
        format!("axi4_host_l{}_{}", self.geometry.line, self.data_bits)
    }

    fn build(&self) -> Axi4HostIo {
        let Axi4Host { geometry, data_bits } = *self;
        let io = ports(Axi4HostIo {
            s_axi: Axi4::of_master(data_bits).flip(),
            ram_last: input(ADDRESS_BITS),
            host_request: Stream::output(HostRequest::shape(geometry)),
            host_response: Stream::input(geometry.line_bits()),
        });
        let bus = io.s_axi;
        let translator = Translator::new(geometry, data_bits);

        let phase = reg(Phase::shape()).reset(Phase::Idle);
        let id = reg(ID_BITS).reset(0);
        let address = reg(ADDRESS_BITS).reset(0);
        /// Words of the burst, less one.
        let len = reg(8).reset(0);
        let size = reg(3).reset(0);
        let burst = reg(Burst::shape()).reset(Burst::Fixed);
        /// Words of the burst that come after this one.
        let left = reg(8).reset(0);
        /// The first error of a write burst, or the result of this word of a read burst.
        let response = reg(Response::shape()).reset(Response::Okay);
        let word_read = reg(data_bits).reset(0);
        /// The last burst was a write: reads come first now.
        let wrote_last = reg(1).reset(0);

        // The word of the burst that is served.
        let writes = phase.is(Phase::Write);
        let reads = phase.is(Phase::Read);
        let place = Place { address, len, size, burst };
        let lanes = place.lanes(translator.words.place_bits());
        let bytes = writes.mux(bus.wstrb, lanes);
        let asked = Access { write: writes, address, data: bus.wdata, bytes };
        let access = translator.translated(asked, io.ram_last);
        let judged = wire(Response::shape());
        judged.set(Response::Okay);
        when(access.vacant, || judged.set(Response::DecodeError))
            .elsewhen(access.refused, || judged.set(Response::SlaveError));
        let is_last = left.eq(0);
        let served = writes & bus.wvalid | reads;
        io.host_request.valid.set(served & access.asks());
        io.host_request.payload.drive(&access.request);
        let waits = phase.is(Phase::WaitWritten) | phase.is(Phase::WaitRead);
        io.host_response.ready.set(waits);
        /// The word of the burst is requested from the machine in this cycle, or needs no request.
        let passes = served & (!access.asks() | io.host_request.ready);

        // The channels.
        let idle = phase.is(Phase::Idle);
        let takes_write = idle & bus.awvalid & !(bus.arvalid & wrote_last);
        let takes_read = idle & bus.arvalid & !takes_write;
        bus.awready.set(takes_write);
        bus.arready.set(takes_read);
        bus.wready.set(writes & passes);
        bus.bvalid.set(phase.is(Phase::Written));
        bus.bid.set(id);
        bus.bresp.set_from(response);
        bus.rvalid.set(phase.is(Phase::Give));
        bus.rid.set(id);
        bus.rdata.set(word_read);
        bus.rresp.set_from(response);
        bus.rlast.set(is_last);

        when(takes_write | takes_read, || {
            id.set(takes_write.mux(bus.awid, bus.arid));
            address.set(takes_write.mux(bus.awaddr, bus.araddr));
            len.set(takes_write.mux(bus.awlen, bus.arlen));
            left.set(takes_write.mux(bus.awlen, bus.arlen));
            size.set(takes_write.mux(bus.awsize, bus.arsize));
            burst.set_from(mux(takes_write, &bus.awburst, &bus.arburst));
            response.set(Response::Okay);
            wrote_last.set(takes_write);
        });
        /// The bridge goes on to the next word of the burst.
        let goes_on = wire(1);
        goes_on.set(0);
        let next_address = place.next();
        when(goes_on & !is_last, || {
            address.set(next_address);
            left.set(left - 1);
        });
        switch(phase, |phase_is| {
            phase_is.case(Phase::Idle, || {
                when(takes_write, || phase.set(Phase::Write))
                    .elsewhen(takes_read, || phase.set(Phase::Read));
            });
            phase_is.case(Phase::Write, || {
                let first_error = response.is(Response::Okay);
                when(passes & first_error, || response.set_from(judged));
                when(passes & access.asks(), || phase.set(Phase::WaitWritten)).elsewhen(
                    passes,
                    || {
                        goes_on.set(1);
                        when(is_last, || phase.set(Phase::Written));
                    },
                );
            });
            phase_is.case(Phase::WaitWritten, || {
                when(io.host_response.valid, || {
                    goes_on.set(1);
                    when(is_last, || phase.set(Phase::Written))
                        .otherwise(|| phase.set(Phase::Write));
                });
            });
            phase_is.case(Phase::Written, || {
                when(bus.bready, || phase.set(Phase::Idle));
            });
            phase_is.case(Phase::Read, || {
                response.set_from(judged);
                word_read.set(0);
                when(passes & access.asks(), || phase.set(Phase::WaitRead))
                    .elsewhen(passes, || phase.set(Phase::Give));
            });
            phase_is.case(Phase::WaitRead, || {
                when(io.host_response.valid, || {
                    let answer = io.host_response.payload;
                    word_read.set(translator.word(address, access.to_device, answer));
                    phase.set(Phase::Give);
                });
            });
            phase_is.case(Phase::Give, || {
                when(bus.rready, || {
                    goes_on.set(1);
                    when(is_last, || phase.set(Phase::Idle)).otherwise(|| phase.set(Phase::Read));
                });
            });
        });

        when(bus.wready, || {
            assume("last_is_marked", bus.wlast.eq(is_last), "the last word of a burst is marked");
        });
        cover("long_write", bus.bvalid & len.ne(0), "a burst of writes is done");
        cover("long_read", bus.rvalid & is_last & len.ne(0), "a burst of reads is done");
        cover("refuses", bus.rvalid & response.is(Response::SlaveError), "a read is refused");
        cover("wraps", goes_on & burst.is(Burst::Wrapping), "a burst that wraps goes on");
        io
    }
}
