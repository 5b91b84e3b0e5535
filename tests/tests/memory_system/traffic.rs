//! Random accesses to few lines, so that caches fight over them.

use border::{clint, map, monitor};
use units::data_port::{AccessOp, AmoOp};

use kit::Dice;
use kit::random::mixed;

use crate::request::Request;

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
    /// How many accesses a hart cancels.
    pub cancels: u64,
    /// How often an instruction cache wants a line.
    pub fetches: u64,
    /// How often the host wants something.
    pub host: u64,
    /// How often a hart wants a line of its tables of colors.
    pub walks: u64,
    /// How often a hart that could begin a transaction does.
    pub begins: u64,
    /// How often a hart commits its transaction.
    pub commits: u64,
    /// How often a hart whose transaction aborted goes on with the access that began it.
    pub resumes: u64,
    /// How many harts there are, for their registers.
    pub harts: u32,
}

pub const UART: u32 = map::UART.base;
const RAM: u32 = map::RAM.base;

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
    /// The line; a device's word in the first bytes.
    pub data: Vec<u8>,
    pub mask: u64,
}

impl Traffic {
    /// Everything, on `count` lines that share few sets; the first few are hot. They are all over RAM, so that
    /// every bit of an address is some line's.
    pub fn everything(harts: usize, line: usize, count: u32) -> Traffic {
        let line = line as u32;
        let low = (3 * line * count).next_power_of_two() - 1;
        let place = |number: u32| {
            let far = mixed(u64::from(number)) as u32;
            RAM | (far & !low) | (line * number * 3)
        };
        Traffic {
            lines: (0..count).map(place).collect(),
            line,
            busy: 80,
            devices: 3,
            withdraws: 5,
            cancels: 2,
            fetches: 3,
            host: 10,
            walks: 0,
            begins: 0,
            commits: 0,
            resumes: 80,
            harts: harts as u32,
        }
    }

    /// The data accesses alone.
    pub fn data_only(harts: usize, line: usize, count: u32) -> Traffic {
        let all = Traffic::everything(harts, line, count);
        Traffic { devices: 0, withdraws: 0, cancels: 0, fetches: 0, host: 0, busy: 100, ..all }
    }

    /// A line: every other time one of the first three.
    pub fn any_line(&self, dice: &mut Dice) -> u32 {
        match dice.chance(50) {
            true => dice.one_of(&self.lines[..3.min(self.lines.len())]),
            false => dice.one_of(&self.lines),
        }
    }

    /// The next access of a hart, which has reserved a line: mostly the SC that belongs to it comes soon,
    /// and sometimes late.
    pub fn request(&self, dice: &mut Dice, reserved: Option<Request>) -> Request {
        if let Some(reserved) = reserved.filter(|_| dice.chance(35)) {
            return Request { op: AccessOp::StoreConditional, ..reserved };
        }
        let machine_mode = dice.chance(50);
        let pc = if dice.chance(50) { RAM + 4 * dice.below(64) } else { dice.word() & !1 };
        let data = if dice.chance(50) { dice.below(4) } else { dice.word() };
        if dice.chance(self.devices) {
            let (address, mask) = self.device_register(dice);
            let op = dice.one_of(&OPS[..2]);
            return Request { address, op, amo: AmoOp::Swap, mask, data, pc, machine_mode };
        }
        // Loads and stores are what most accesses are.
        let op = if dice.chance(60) { dice.one_of(&OPS[..2]) } else { dice.one_of(&OPS) };
        let size = match op {
            AccessOp::Load | AccessOp::Store => dice.one_of(&[1, 2, 4]),
            _ => 4,
        };
        let place = dice.below(self.line / size) * size;
        let address = self.any_line(dice) + place;
        let mask = ((1 << size) - 1) << (address & 3);
        Request { address, op, amo: dice.one_of(&AMOS), mask, data, pc, machine_mode }
    }

    /// A device's register, and the bytes of its word that are used.
    fn device_register(&self, dice: &mut Dice) -> (u32, u32) {
        if dice.one_in(3) {
            let register = dice.one_of(&[1, 2, 3, 6, 7]);
            return (UART + register, 1 << (register & 3));
        }
        (self.device_word(dice), 15)
    }

    /// A word of a device, of a hart that is there or of one that is not.
    fn device_word(&self, dice: &mut Dice) -> u32 {
        let hart = dice.below(self.harts + 1);
        match dice.below(4) {
            0 => clint::Word::Msip.address(hart),
            1 => clint::Word::Mtimecmp.address(hart) + 4 * dice.below(2),
            2 => clint::Word::Mtime.address(hart) + 4 * dice.below(2),
            _ => monitor::window(hart) + 4 * dice.below(48),
        }
    }

    pub fn host_request(&self, dice: &mut Dice) -> HostRequest {
        let write = dice.chance(50);
        let data = (0..self.line).map(|_| dice.roll() as u8).collect();
        let mask = dice.roll() & (u64::MAX >> (64 - self.line.min(64)));
        let address = match dice.chance(self.devices) {
            true => self.device_word(dice),
            false => self.any_line(dice) + 4 * dice.below(2),
        };
        HostRequest { write, address, data, mask }
    }
}
