//! Bridges from the machine's ports to buses that other people's hardware has.
//!
//! The memory port asks for whole lines: [`WishboneMemory`] and [`Axi4Memory`] make bursts of them. The host port
//! reads and writes memory coherently, and the devices: [`WishboneHost`] and [`Axi4Host`] let any master of a bus
//! do so. [`SocWishbone`] and [`SocAxi4`] are the machine with both in place.

mod axi4;
mod axi4_burst;
mod axi4_host;
mod axi4_memory;
mod host_access;
mod soc;
mod wishbone;
mod wishbone_host;
mod wishbone_memory;

pub use axi4::{Axi4, Burst, ID_BITS, Response};
pub use axi4_host::{Axi4Host, Axi4HostIo};
pub use axi4_memory::{Axi4Memory, Axi4MemoryIo};
pub use soc::{BoardSoc, SocAxi4, SocAxi4Io, SocWishbone, SocWishboneIo};
pub use wishbone::{CLASSIC, END_OF_BURST, INCREMENTING, Wishbone};
pub use wishbone_host::{WishboneHost, WishboneHostIo};
pub use wishbone_memory::{WishboneMemory, WishboneMemoryIo};

use config::Config;
use hdl::{Bundle, Sig, cat, hardware, lit, reg, set_when, when};

use crate::geometry::{ADDRESS_BITS, Geometry};

/// The bits of a Wishbone word. `Err` names the key that switches the bridges off.
pub(crate) fn wishbone_bits(config: &Config) -> Result<usize, &'static str> {
    match config.bridge.wishbone_bits {
        0 => Err("bridge.wishbone_bits is 0"),
        bits => of_machine(config, bits),
    }
}

/// The bits of an AXI4 word. `Err` names the key that switches the bridges off.
pub(crate) fn axi4_bits(config: &Config) -> Result<usize, &'static str> {
    match config.bridge.axi4_bits {
        0 => Err("bridge.axi4_bits is 0"),
        bits => of_machine(config, bits),
    }
}

fn of_machine(config: &Config, bits: u32) -> Result<usize, &'static str> {
    if config.standalone { Err("standalone is true") } else { Ok(bits as usize) }
}

/// How a line falls apart into words of a bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Words {
    line_bits: usize,
    bits: usize,
}

impl Words {
    fn new(geometry: Geometry, bits: usize) -> Words {
        Words { line_bits: geometry.line_bits(), bits }
    }

    /// Words of a line.
    fn count(self) -> usize {
        self.line_bits / self.bits
    }

    /// Bytes of a word.
    fn bytes(self) -> usize {
        self.bits / 8
    }

    /// Bits of a place in a word.
    fn place_bits(self) -> usize {
        self.bytes().ilog2() as usize
    }

    /// The address of a word of a line.
    #[track_caller]
    fn address(self, line_number: Sig, word: Sig) -> Sig {
        let place = lit(self.place_bits(), 0);
        match self.count() {
            1 => cat([line_number, place]),
            _ => cat([line_number, word, place]),
        }
    }

    /// The line after its lowest word has left at the bottom, with a new one at the top.
    #[track_caller]
    fn moved(self, line: Sig, word: Sig) -> Sig {
        match self.count() {
            1 => word,
            _ => cat([word, line.bits(self.bits..)]),
        }
    }
}

/// That memory reported an error: the machine's memory port has no word for it.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct MemoryError {
    /// The memory bus reported an error; stays 1 until reset.
    pub seen: Sig,
    /// Address of the first word with an error; valid with `seen`.
    pub address: Sig,
}

impl MemoryError {
    /// Its shape.
    pub fn shape() -> MemoryError {
        MemoryError { seen: hdl::bits(1), address: hdl::bits(ADDRESS_BITS) }
    }

    /// Remembers the first error.
    #[track_caller]
    #[hardware]
    fn remember(&self, happens: Sig, at: Sig) {
        /// An error was reported.
        let error_seen = reg(1).reset(0);
        /// The address of the first word with an error.
        let error_address = reg(ADDRESS_BITS).reset(0);
        set_when(happens, error_seen, 1);
        when(happens & !error_seen, || error_address.set(at));
        self.seen.set(error_seen);
        self.address.set(error_address);
    }
}
