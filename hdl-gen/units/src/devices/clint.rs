//! The CLINT: time, timer interrupts and software interrupts, in SiFive's layout.

use border::clint::Word;
use border::map;
use hdl::{
    Bundle, Module, Sig, array, hardware, input, lit, output, ports, reg, reg_next, set_when, wire,
};

use crate::bus::DeviceRequest;
use crate::geometry::WORD_BITS;

/// Its first address.
pub const BASE: u64 = map::CLINT.base as u64;
/// `mtimecmp` of hart 0, from the base; 8 bytes a hart. `msip` of hart h is at 4h.
const MTIMECMP: u64 = Word::Mtimecmp.offset() as u64;
/// `mtime`, from the base.
const MTIME: u64 = Word::Mtime.offset() as u64;
/// Bits of an offset in the window.
const OFFSET_BITS: usize = map::CLINT.offset_bits() as usize;

/// The CLINT.
#[derive(Clone, Debug, PartialEq)]
pub struct Clint {
    /// How many harts.
    pub harts: usize,
}

/// Ports of [`Clint`].
#[derive(Clone, Debug, Bundle)]
pub struct ClintIo {
    /// An access to a device, not necessarily to this one.
    pub device: DeviceRequest,
    /// What it answers to the cycle before; 0 if that was not for it.
    pub device_data: Sig,
    /// Cycles since reset, unless software wrote it.
    pub mtime: Sig,
    /// Each hart's timer interrupt.
    pub timer: Vec<Sig>,
    /// Each hart's software interrupt.
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
        let word_at = |place: u64, low: Sig| {
            let at = offset.eq(place);
            set_when(writes & at, low, device.word.trunc(low.width()));
            set_when(at, found, low.zext(WORD_BITS));
        };

        let mtime = reg(64).reset(0);
        mtime.set(mtime + 1);
        word_at(MTIME, mtime.trunc(WORD_BITS));
        word_at(MTIME + 4, mtime.bits(WORD_BITS..));
        io.mtime.set(mtime);
        for hart in 0..self.harts {
            let place = hart as u64;
            let msip = reg(1).reset(0);
            word_at(4 * place, msip);
            io.software[hart].set(msip);
            let mtimecmp = reg(64).reset(u64::MAX);
            word_at(MTIMECMP + 8 * place, mtimecmp.trunc(WORD_BITS));
            word_at(MTIMECMP + 8 * place + 4, mtimecmp.bits(WORD_BITS..));
            io.timer[hart].set(mtime.ge(mtimecmp));
        }
        let reads = here & !device.write;
        let answer = reg_next(&(found & reads.repeat(WORD_BITS)));
        io.device_data.set(answer);
        io
    }
}

/// The offset of the aligned word in the window.
#[track_caller]
fn cat_word(address: Sig) -> Sig {
    hdl::cat([address.bits(2..OFFSET_BITS), lit(2, 0)])
}
