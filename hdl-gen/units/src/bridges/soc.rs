//! The machine with bridges on its memory and host ports, as a board builder takes it.
//!
//! It is the machine that boards have: not perturbed, and the ports that only models watch are not there.

use config::Config;
use hdl::{Bundle, Module, Sig, Stream, connect, hardware, input, output, ports};

use super::axi4::Axi4;
use super::axi4_host::Axi4Host;
use super::axi4_memory::Axi4Memory;
use super::wishbone::Wishbone;
use super::wishbone_host::WishboneHost;
use super::wishbone_memory::WishboneMemory;
use super::{MemoryError, axi4_bits, wishbone_bits};
use crate::core::HartCore;
use crate::geometry::ADDRESS_BITS;
use crate::memory_system::MemorySystem;
use crate::outside::Outside;
use crate::soc::{Core, Soc, SocIo};

/// The machine of a configuration, as boards have it.
fn board_soc(config: &Config) -> Result<Soc<HartCore>, &'static str> {
    let memory_system = MemorySystem::from_config(config)?;
    let memory_system = MemorySystem { perturbed: false, ..memory_system };
    Ok(Soc { memory_system, core: HartCore::from_config(config) })
}

/// A machine under another name: beside the one for simulation, which is perturbed.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardSoc<C>(pub Soc<C>);

/// Cores on a coherent memory system, as boards have it.
#[hardware]
impl<C: Core> Module for BoardSoc<C> {
    type Io = SocIo<C::Rvfi>;

    fn name(&self) -> String {
        "soc_board".into()
    }

    fn build(&self) -> SocIo<C::Rvfi> {
        self.0.build()
    }
}

/// The ports of the machine that need no bridge.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Plain {
    /// While this is 0, no instruction enters the fourth stage of any hart, so none retires.
    pub run: Sig,
    /// The address of the last byte of RAM; constant.
    pub ram_last: Sig,
    /// A byte that the UART transmits.
    pub uart_tx: Stream<Sig>,
    /// A byte that the UART receives.
    pub uart_rx: Stream<Sig>,
}

impl Plain {
    #[track_caller]
    fn of_machine() -> Plain {
        Plain {
            run: input(1),
            ram_last: input(ADDRESS_BITS),
            uart_tx: Stream::output(8),
            uart_rx: Stream::input(8),
        }
    }

    /// Joins them with the machine's.
    #[track_caller]
    fn hand_on(&self, run: Sig, ram_last: Sig, outside: &Outside) {
        run.set(self.run);
        ram_last.set(self.ram_last);
        self.uart_tx.connect(&outside.uart_tx);
        outside.uart_rx.connect(&self.uart_rx);
        outside.watch.address.set(0);
    }
}

/// The machine on Wishbone buses.
#[derive(Clone, Debug, PartialEq)]
pub struct SocWishbone<C> {
    /// The machine.
    pub soc: Soc<C>,
    /// Bits of a word of the buses.
    pub data_bits: usize,
}

impl SocWishbone<HartCore> {
    /// The machine of a configuration. `Err` names the key that switches it off.
    pub fn from_config(config: &Config) -> Result<Self, &'static str> {
        let data_bits = wishbone_bits(config)?;
        Ok(SocWishbone { soc: board_soc(config)?, data_bits })
    }
}

/// Ports of [`SocWishbone`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct SocWishboneIo {
    /// What needs no bridge.
    #[bundle(flat)]
    pub plain: Plain,
    /// The bus to memory; the machine is its master.
    pub m_wb: Wishbone,
    /// Errors that memory reported.
    pub memory_error: MemoryError,
    /// Access to memory, as the harts see it, and to the devices; the machine is the slave.
    pub s_wb: Wishbone,
}

/// The machine with two Wishbone buses: it is the master of the one to memory, and the slave of the
/// other.
#[hardware]
impl<C: Core> Module for SocWishbone<C> {
    type Io = SocWishboneIo;

    fn name(&self) -> String {
        "soc_wishbone".into()
    }

    fn build(&self) -> SocWishboneIo {
        let data_bits = self.data_bits;
        let geometry = self.soc.memory_system.geometry;
        let io = ports(SocWishboneIo {
            plain: Plain::of_machine(),
            m_wb: Wishbone::of_master(data_bits),
            memory_error: output(MemoryError::shape()),
            s_wb: Wishbone::of_master(data_bits).flip(),
        });
        let soc = BoardSoc(self.soc.clone()).instance();
        let memory = WishboneMemory { geometry, data_bits }.instance();
        let host = WishboneHost { geometry, data_bits }.instance();
        io.plain.hand_on(soc.run, soc.ram_last, &soc.outside);

        memory.request.connect(&soc.outside.memory_request);
        soc.outside.memory_response.connect(&memory.response);
        connect(&io.m_wb, &memory.m_wb);
        io.memory_error.drive(&memory.error);

        connect(&io.s_wb, &host.s_wb);
        host.ram_last.set(io.plain.ram_last);
        soc.outside.host_request.connect(&host.host_request);
        host.host_response.connect(&soc.outside.host_response);
        io
    }
}

/// The machine on AXI4 buses.
#[derive(Clone, Debug, PartialEq)]
pub struct SocAxi4<C> {
    /// The machine.
    pub soc: Soc<C>,
    /// Bits of a word of the buses.
    pub data_bits: usize,
}

impl SocAxi4<HartCore> {
    /// The machine of a configuration. `Err` names the key that switches it off.
    pub fn from_config(config: &Config) -> Result<Self, &'static str> {
        let data_bits = axi4_bits(config)?;
        Ok(SocAxi4 { soc: board_soc(config)?, data_bits })
    }
}

/// Ports of [`SocAxi4`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct SocAxi4Io {
    /// What needs no bridge.
    #[bundle(flat)]
    pub plain: Plain,
    /// The bus to memory; the machine is its master.
    pub m_axi: Axi4,
    /// Errors that memory reported.
    pub memory_error: MemoryError,
    /// Access to memory, as the harts see it, and to the devices; the machine is the slave.
    pub s_axi: Axi4,
}

/// The machine with two AXI4 buses: it is the master of the one to memory, and the slave of the
/// other.
#[hardware]
impl<C: Core> Module for SocAxi4<C> {
    type Io = SocAxi4Io;

    fn name(&self) -> String {
        "soc_axi4".into()
    }

    fn build(&self) -> SocAxi4Io {
        let data_bits = self.data_bits;
        let geometry = self.soc.memory_system.geometry;
        let io = ports(SocAxi4Io {
            plain: Plain::of_machine(),
            m_axi: Axi4::of_master(data_bits),
            memory_error: output(MemoryError::shape()),
            s_axi: Axi4::of_master(data_bits).flip(),
        });
        let soc = BoardSoc(self.soc.clone()).instance();
        let memory = Axi4Memory { geometry, data_bits }.instance();
        let host = Axi4Host { geometry, data_bits }.instance();
        io.plain.hand_on(soc.run, soc.ram_last, &soc.outside);

        memory.request.connect(&soc.outside.memory_request);
        soc.outside.memory_response.connect(&memory.response);
        connect(&io.m_axi, &memory.m_axi);
        io.memory_error.drive(&memory.error);

        connect(&io.s_axi, &host.s_axi);
        host.ram_last.set(io.plain.ram_last);
        soc.outside.host_request.connect(&host.host_request);
        host.host_response.connect(&soc.outside.host_response);
        io
    }
}
