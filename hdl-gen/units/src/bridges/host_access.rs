//! The translation of an access on a bus into a request to the machine's host port.
//!
//! In memory it is bytes of a line. In a device window it is one register of 32 bits: other sizes do not exist
//! there, so they are refused. Everywhere else there is nothing.

use border::map::{self, CLINT, MONITORS, UART};
use hdl::{Bundle, Sig, array, cat, hardware, lit, select};

use super::Words;
use crate::bus::HostRequest;
use crate::geometry::{ADDRESS_BITS, Geometry, WORD_BITS};

/// Bytes of a device's register.
const REGISTER_BYTES: usize = WORD_BITS / 8;

/// An access to a word of a bus.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    /// 1 for a write, 0 for a read.
    pub write: Sig,
    /// The address of a byte in the word.
    pub address: Sig,
    /// The word to write.
    pub data: Sig,
    /// Bytes that are meant, a bit each.
    pub bytes: Sig,
}

/// The same access for the host port.
#[derive(Clone, Copy, Debug, Bundle)]
pub(super) struct HostAccess {
    /// The request to the host port, if there is to be one.
    pub request: HostRequest,
    /// The access is to a device.
    pub to_device: Sig,
    /// There is nothing at the address of the access.
    pub vacant: Sig,
    /// The device does not support such an access.
    pub refused: Sig,
    /// The access selects no byte (all byte enables are 0), so nothing is done.
    pub idle: Sig,
}

impl HostAccess {
    /// The machine is asked.
    #[track_caller]
    pub fn asks(&self) -> Sig {
        !self.vacant & !self.refused & !self.idle
    }
}

/// Translates accesses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Translator {
    pub geometry: Geometry,
    pub words: Words,
}

impl Translator {
    /// For words of so many bits.
    pub fn new(geometry: Geometry, data_bits: usize) -> Translator {
        Translator { geometry, words: Words::new(geometry, data_bits) }
    }

    /// Registers side by side in a word.
    fn registers(self) -> usize {
        self.words.bits / WORD_BITS
    }

    /// Where a word is in its line.
    #[track_caller]
    fn word_in_line(self, address: Sig) -> Sig {
        address.bits(self.words.place_bits()..self.geometry.offset_bits())
    }

    /// What an access is for the host port of a machine whose memory ends at `ram_last`.
    #[track_caller]
    #[hardware]
    pub fn translated(self, access: Access, ram_last: Sig) -> HostAccess {
        let Access { write, address, data, bytes } = access;
        let (geometry, words) = (self.geometry, self.words);
        let in_ram = address.bit(ADDRESS_BITS - 1) & address.le(ram_last);
        let in_uart = in_region(address, UART);
        let to_device = in_region(address, CLINT) | in_uart | in_region(address, MONITORS);

        // Memory: the word's bytes in the line.
        let line_mask = match words.count() {
            1 => bytes,
            count => {
                let word = self.word_in_line(address);
                cat((0..count).rev().map(|place| bytes & word.eq(place).repeat(words.bytes())))
            }
        };
        let line_data = data.repeat(words.count());

        // Devices: the one register whose bytes are meant.
        let of_register = |place: usize| {
            let bytes = bytes.bits(place * REGISTER_BYTES..(place + 1) * REGISTER_BYTES);
            (bytes, data.bits(place * WORD_BITS..(place + 1) * WORD_BITS))
        };
        let meant = array(self.registers(), |place| of_register(place).0.any());
        let mut one_register = lit(1, 1);
        let mut register_bytes = of_register(0).0;
        let mut register_data = of_register(0).1;
        let mut register_place = lit(words.place_bits() - 2 + 1, 0);
        for place in 1..self.registers() {
            let here = meant[place];
            let others = (0..place).fold(lit(1, 0), |any, other| any | meant[other]);
            one_register = one_register & !(here & others);
            register_bytes = here.mux(of_register(place).0, register_bytes);
            register_data = here.mux(of_register(place).1, register_data);
            register_place = here.mux(lit(register_place.width(), place), register_place);
        }
        let whole = register_bytes.all();
        let first_byte = register_bytes.eq(1);
        let possible = one_register & (!write | whole | in_uart & first_byte);
        let word_number = address.bits(words.place_bits()..);
        let register_address = match self.registers() {
            1 => cat([word_number, lit(2, 0)]),
            _ => cat([word_number, register_place.trunc(words.place_bits() - 2), lit(2, 0)]),
        };

        let idle = bytes.none();
        HostAccess {
            request: HostRequest {
                write,
                address: to_device.mux(register_address, geometry.line_address(address)),
                data: to_device.mux(register_data.zext(geometry.line_bits()), line_data),
                mask: line_mask,
            },
            to_device,
            vacant: !in_ram & !to_device,
            refused: to_device & !possible & !idle,
            idle,
        }
    }

    /// The word of the bus in what the host port answers.
    #[track_caller]
    #[hardware]
    pub fn word(self, address: Sig, to_device: Sig, answer: Sig) -> Sig {
        let words = self.words;
        let in_line =
            array(words.count(), |place| answer.bits(place * words.bits..(place + 1) * words.bits));
        let of_memory = match words.count() {
            1 => in_line[0],
            _ => select(self.word_in_line(address), &in_line),
        };
        // A register is in every lane, and so in the one that is meant.
        to_device.mux(answer.trunc(WORD_BITS).repeat(self.registers()), of_memory)
    }
}

/// The address is in a device's region, whose size is a power of two.
#[track_caller]
fn in_region(address: Sig, region: map::Region) -> Sig {
    let offset_bits = region.offset_bits();
    address.bits(offset_bits as usize..).eq(region.base >> offset_bits)
}

const _: () = assert!(map::RAM.base == 1 << 31);
