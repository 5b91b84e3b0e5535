//! A Wishbone slave in front of the machine's host port: memory, coherent with the caches, and the devices.

use config::Config;
use hdl::{Bundle, HwEnum, Module, Sig, Stream, cover, hardware, input, ports, reg, switch, when};

use super::host_access::{Access, Translator};
use super::wishbone::Wishbone;
use super::wishbone_bits;
use crate::bus::HostRequest;
use crate::geometry::{ADDRESS_BITS, Geometry};

/// A bridge from a Wishbone bus to the host port.
#[derive(Clone, Debug, PartialEq)]
pub struct WishboneHost {
    /// Cache geometry: the host port is one line wide.
    pub geometry: Geometry,
    /// Bits of a word of the bus: 32 or 64, at most a line.
    pub data_bits: usize,
}

impl WishboneHost {
    /// The bridge of a configuration. `Err` names the key that switches it off.
    pub fn from_config(config: &Config) -> Result<Self, &'static str> {
        let data_bits = wishbone_bits(config)?;
        Ok(WishboneHost { geometry: Geometry::of_data(config), data_bits })
    }
}

/// Ports of [`WishboneHost`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct WishboneHostIo {
    /// The Wishbone bus; the bridge is its slave. The master holds an access until it has ended.
    pub s_wb: Wishbone,
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
    /// Takes an access, and asks the machine.
    Idle,
    /// Waits for the machine's response.
    Wait,
    /// The access is done.
    Done,
    /// The access has failed.
    Failed,
}

/// One access at a time becomes one request to the machine. Burst tags are ignored: every access is
/// answered separately.
#[hardware]
impl Module for WishboneHost {
    type Io = WishboneHostIo;

    fn name(&self) -> String {
        format!("wishbone_host_l{}_{}", self.geometry.line, self.data_bits)
    }

    fn build(&self) -> WishboneHostIo {
        let WishboneHost { geometry, data_bits } = *self;
        let io = ports(WishboneHostIo {
            s_wb: Wishbone::of_master(data_bits).flip(),
            ram_last: input(ADDRESS_BITS),
            host_request: Stream::output(HostRequest::shape(geometry)),
            host_response: Stream::input(geometry.line_bits()),
        });
        let bus = io.s_wb;
        let translator = Translator::new(geometry, data_bits);
        let access = translator.translated(
            Access { write: bus.we, address: bus.adr, data: bus.dat_w, bytes: bus.sel },
            io.ram_last,
        );

        let phase = reg(Phase::shape()).reset(Phase::Idle);
        /// The word that was read.
        let word_read = reg(data_bits).reset(0);
        let selected = bus.cyc & bus.stb;
        io.host_request.valid.set(phase.is(Phase::Idle) & selected & access.asks());
        io.host_request.payload.drive(&access.request);
        io.host_response.ready.set(phase.is(Phase::Wait));
        bus.dat_r.set(word_read);
        bus.ack.set(phase.is(Phase::Done) & selected);
        bus.err.set(phase.is(Phase::Failed) & selected);

        switch(phase, |phase_is| {
            phase_is.case(Phase::Idle, || {
                when(selected & (access.vacant | access.refused), || phase.set(Phase::Failed))
                    .elsewhen(selected & access.idle, || phase.set(Phase::Done))
                    .elsewhen(io.host_request.fires(), || phase.set(Phase::Wait));
            });
            phase_is.case(Phase::Wait, || {
                when(io.host_response.valid, || {
                    let answer = io.host_response.payload;
                    word_read.set(translator.word(bus.adr, access.to_device, answer));
                    phase.set(Phase::Done);
                });
            });
            phase_is.case([Phase::Done, Phase::Failed], || phase.set(Phase::Idle));
        });

        cover("writes", bus.ack & bus.we, "a write is done");
        cover("reads", bus.ack & !bus.we, "a read is done");
        cover("refuses", bus.err & access.refused, "a device does not have such an access");
        cover("finds_nothing", bus.err & access.vacant, "there is nothing at the address");
        io
    }
}
