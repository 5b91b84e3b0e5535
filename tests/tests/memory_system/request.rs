//! An access as a hart makes it at its data port, and its answer.

use golden::Mode;
use golden::isa::{self, DataAccess, DataKind, Size};
use units::data_port::{AccessOp, AmoOp};

/// One access of a hart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Request {
    pub address: u32,
    pub op: AccessOp,
    pub amo: AmoOp,
    pub mask: u32,
    pub data: u32,
    pub pc: u32,
    pub machine_mode: bool,
}

/// What the hart is answered.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Response {
    pub data: u32,
    pub written: u32,
    pub failed: bool,
}

impl Request {
    pub fn reads(&self) -> bool {
        matches!(self.op, AccessOp::Load | AccessOp::LoadReserved)
    }

    /// `funct3` of the instruction. Of the narrow loads, those that store an odd word would have no sign.
    pub fn funct3(&self) -> u64 {
        let size = self.mask.count_ones();
        u64::from(size.ilog2()) | u64::from(size < 4 && self.data & 1 == 1) << 2
    }

    /// What a load makes of an aligned word.
    pub fn loaded(&self, word: u32) -> u32 {
        let shifted = word >> (8 * (self.address & 3));
        match self.funct3() {
            0 => i32::from(shifted as i8) as u32,
            1 => i32::from(shifted as i16) as u32,
            4 => u32::from(shifted as u8),
            5 => u32::from(shifted as u16),
            _ => word,
        }
    }

    /// The same in the words of the software model, which has data in the low bits, not in lanes.
    pub fn access(&self) -> DataAccess {
        let size = match self.mask.count_ones() {
            1 => Size::Byte,
            2 => Size::Half,
            _ => Size::Word,
        };
        let lane = if size == Size::Word { 0 } else { self.address & 3 };
        let mode = if self.machine_mode { Mode::Machine } else { Mode::User };
        DataAccess {
            kind: self.kind(),
            size,
            address: self.address,
            data: self.data >> (8 * lane),
            pc: self.pc,
            mode,
            rights: mode,
        }
    }

    fn kind(&self) -> DataKind {
        match self.op {
            AccessOp::Load => DataKind::Load,
            AccessOp::Store => DataKind::Store,
            AccessOp::LoadReserved => DataKind::LoadReserved,
            AccessOp::StoreConditional => DataKind::StoreConditional,
            AccessOp::Amo => DataKind::Amo(match self.amo {
                AmoOp::Swap => isa::AmoOp::Swap,
                AmoOp::Add => isa::AmoOp::Add,
                AmoOp::Xor => isa::AmoOp::Xor,
                AmoOp::And => isa::AmoOp::And,
                AmoOp::Or => isa::AmoOp::Or,
                AmoOp::Min => isa::AmoOp::Min,
                AmoOp::Max => isa::AmoOp::Max,
                AmoOp::MinUnsigned => isa::AmoOp::Minu,
                AmoOp::MaxUnsigned => isa::AmoOp::Maxu,
            }),
        }
    }
}
