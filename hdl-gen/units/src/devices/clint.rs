//! The CLINT: time, timer interrupts and software interrupts, in SiFive's layout.

use border::clint::{WINDOW, Word};
use border::map;
use hdl::window::{Bus, Row, Window};
use hdl::{Bundle, Module, Sig, array, hardware, input, lit, output, ports, reg, reg_next, wire};

use crate::bus::DeviceRequest;
use crate::geometry::WORD_BITS;
use crate::windows;

/// Its first address.
pub const BASE: u64 = map::CLINT.base as u64;
/// Bits of an offset in the window.
const OFFSET_BITS: usize = map::CLINT.offset_bits() as usize;

/// The CLINT.
#[derive(Clone, Debug, PartialEq)]
pub struct Clint {
    /// How many harts there are.
    pub harts: usize,
}

/// Ports of [`Clint`].
#[derive(Clone, Debug, Bundle)]
pub struct ClintIo {
    /// The device access of this cycle, to any device.
    pub device: DeviceRequest,
    /// The word read in the cycle before; 0 if that cycle had no read of this device. Devices are joined by OR.
    pub device_data: Sig,
    /// The time: counts cycles from 0 after reset; software may write it.
    pub mtime: Sig,
    /// The timer interrupt of each hart, a level: `mtime` has reached its `mtimecmp`.
    pub timer: Vec<Sig>,
    /// The software interrupt of each hart, a level: its `msip`.
    pub software: Vec<Sig>,
}

/// Registers of 32-bit words: `msip` of hart h at 4h, `mtimecmp` at 0x4000 + 8h, `mtime` at 0xbff8.
#[hardware]
impl Module for Clint {
    type Io = ClintIo;

    fn name(&self) -> String {
        format!("clint_{}", self.harts)
    }

    fn build(&self) -> ClintIo {
        let io = ports(ClintIo {
            device: input(DeviceRequest::shape()),
            device_data: output(WORD_BITS),
            mtime: output(64),
            timer: array(self.harts, |_| output(1)),
            software: array(self.harts, |_| output(1)),
        });
        let device = io.device;
        let here = device.valid & device.address.bits(OFFSET_BITS..).eq(BASE >> OFFSET_BITS);
        let writes = here & device.write;
        let offset = cat_word(device.address);
        let found = wire(WORD_BITS);
        found.set(0);
        let bus = Bus {
            read_valid: here & !device.write,
            write_valid: writes,
            address: offset,
            write_data: device.word,
        };
        let mut registers = Window::new(self.rows(), offset_of, bus);
        let mut word_at = |word: Word, hart: usize, low: Sig| {
            let at = registers.keep((word, hart), low);
        };

        let mtime = reg(64).reset(0).named("time_now");
        mtime.set(mtime + 1);
        word_at(Word::Mtime, 0, mtime.trunc(WORD_BITS));
        word_at(Word::MtimeHigh, 0, mtime.bits(WORD_BITS..));
        io.mtime.set(mtime);
        for hart in 0..self.harts {
            let msip = reg(1).reset(0).named(&format!("msip_{hart}"));
            word_at(Word::Msip, hart, msip);
            io.software[hart].set(msip);
            let mtimecmp = reg(64).reset(u64::MAX).named(&format!("mtimecmp_{hart}"));
            word_at(Word::Mtimecmp, hart, mtimecmp.trunc(WORD_BITS));
            word_at(Word::MtimecmpHigh, hart, mtimecmp.bits(WORD_BITS..));
            io.timer[hart].set(mtime.ge(mtimecmp));
        }
        registers.show_now(found);
        let reads = here & !device.write;
        let answer = reg_next(&(found & reads.repeat(WORD_BITS)));
        io.device_data.set(answer);
        io
    }
}

impl Clint {
    /// A row for each register of each hart, at its offset in bytes.
    fn rows(&self) -> Vec<Row> {
        let harts = |word: Word| if word.stride() == 0 { 1 } else { self.harts };
        let words = Word::ALL.iter().zip(WINDOW.registers);
        let of_harts = words.flat_map(|(&word, register)| {
            (0..harts(word)).map(move |hart| windows::row(register, offset_of((word, hart)), 0))
        });
        of_harts.collect()
    }
}

/// The offset in bytes of a hart's register from the start of the CLINT.
fn offset_of((word, hart): (Word, usize)) -> u32 {
    word.offset() + word.stride() * hart as u32
}

/// The offset of the aligned word in the window.
#[track_caller]
fn cat_word(address: Sig) -> Sig {
    hdl::cat([address.bits(2..OFFSET_BITS), lit(2, 0)])
}
