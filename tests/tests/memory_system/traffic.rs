//! Random accesses to few lines, so that caches fight over them.

use units::data_port::{AccessOp, AmoOp};

use crate::dice::Dice;
use crate::reference::Request;

/// How much of what, in percent.
#[derive(Clone, Debug)]
pub struct Traffic {
    /// The lines that are used, by address.
    pub lines: Vec<u32>,
    /// Bytes of a line.
    pub line: u32,
    /// How often a hart has an access to offer.
    pub busy: u64,
    /// How many accesses are to devices.
    pub devices: u64,
    /// How often a hart wants to give its access up.
    pub withdraws: u64,
    /// How often an instruction cache wants a line.
    pub fetches: u64,
    /// How often the host wants something.
    pub host: u64,
    /// How many harts there are, for their registers.
    pub harts: u64,
}

pub const CLINT: u32 = 0x0200_0000;
pub const UART: u32 = 0x1000_0000;
pub const WINDOWS: u32 = 0x1100_0000;

const OPS: [AccessOp; 5] = [
    AccessOp::Load,
    AccessOp::Store,
    AccessOp::LoadReserved,
    AccessOp::StoreConditional,
    AccessOp::Amo,
];

const AMOS: [AmoOp; 9] = [
    AmoOp::Swap,
    AmoOp::Add,
    AmoOp::Xor,
    AmoOp::And,
    AmoOp::Or,
    AmoOp::Min,
    AmoOp::Max,
    AmoOp::MinUnsigned,
    AmoOp::MaxUnsigned,
];

/// What the host asks.
#[derive(Clone, Debug, PartialEq)]
pub struct HostRequest {
    pub write: bool,
    pub address: u32,
    pub words: Vec<u32>,
    pub mask: u64,
}

impl Traffic {
    /// Everything, on `count` lines that share few sets; the first few are hot.
    pub fn everything(harts: usize, line: usize, count: u32) -> Traffic {
        let line = line as u32;
        Traffic {
            lines: (0..count).map(|number| 0x8000_0000 + line * number * 3).collect(),
            line,
            busy: 80,
            devices: 3,
            withdraws: 5,
            fetches: 3,
            host: 2,
            harts: harts as u64,
        }
    }

    /// The data accesses alone.
    pub fn data_only(harts: usize, line: usize, count: u32) -> Traffic {
        let all = Traffic::everything(harts, line, count);
        Traffic { devices: 0, withdraws: 0, fetches: 0, host: 0, busy: 100, ..all }
    }

    /// A line: every other time one of the first three.
    pub fn any_line(&self, dice: &mut Dice) -> u32 {
        match dice.chance(50) {
            true => dice.one_of(&self.lines[..3.min(self.lines.len())]),
            false => dice.one_of(&self.lines),
        }
    }

    /// The next access of a hart: after an LR mostly the SC that belongs to it.
    pub fn request(&self, dice: &mut Dice, last: Option<Request>) -> Request {
        if let Some(last) = last.filter(|last| last.op == AccessOp::LoadReserved)
            && dice.chance(70)
        {
            return Request { op: AccessOp::StoreConditional, ..last };
        }
        let machine_mode = dice.chance(50);
        let pc = 0x8000_0000 + 4 * dice.below(64) as u32;
        let data = if dice.chance(50) { dice.below(4) as u32 } else { dice.roll() as u32 };
        if dice.chance(self.devices) {
            let (address, mask) = self.device_word(dice);
            let op = dice.one_of(&OPS[..2]);
            return Request { address, op, amo: AmoOp::Swap, mask, data, pc, machine_mode };
        }
        // Loads and stores are what most accesses are.
        let op = if dice.chance(60) { dice.one_of(&OPS[..2]) } else { dice.one_of(&OPS) };
        let size = match op {
            AccessOp::Load | AccessOp::Store => dice.one_of(&[1, 2, 4]),
            _ => 4,
        };
        let place = dice.below(u64::from(self.line / size)) as u32 * size;
        let address = self.any_line(dice) + place;
        let mask = ((1 << size) - 1) << (address & 3);
        Request { address, op, amo: dice.one_of(&AMOS), mask, data, pc, machine_mode }
    }

    /// A register that is there, or one that is not, and the bytes of it that are used.
    fn device_word(&self, dice: &mut Dice) -> (u32, u32) {
        let hart = dice.below(self.harts + 1) as u32;
        match dice.below(6) {
            0 => (CLINT + 4 * hart, 15),
            1 => (CLINT + 0x4000 + 8 * hart + 4 * dice.below(2) as u32, 15),
            2 => (CLINT + 0xbff8 + 4 * dice.below(2) as u32, 15),
            3 => (UART + 7, 8),
            4 => (UART + dice.one_of(&[1, 2, 3, 6]), 15),
            _ => (WINDOWS + 0x1000 * hart + 4 * dice.below(48) as u32, 15),
        }
    }

    pub fn host_request(&self, dice: &mut Dice) -> HostRequest {
        let write = dice.chance(50);
        let words: Vec<u32> = (0..self.line / 4).map(|_| dice.roll() as u32).collect();
        let mask = dice.roll() & (u64::MAX >> (64 - self.line.min(64)));
        let address = match dice.chance(self.devices) {
            true => UART + 7,
            false => self.any_line(dice) + dice.below(2) as u32 * 4,
        };
        HostRequest { write, address, words, mask }
    }
}
