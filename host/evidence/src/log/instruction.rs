//! Instructions, by what the log does with them.

/// Instructions by what the log does with them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Load,
    Store,
    Amo,
    Branch,
    Call,
    Return,
    Jump,
    Immediate,
    Register,
    Other,
}

impl Kind {
    pub fn of(insn: u32) -> Self {
        let (rd, rs1) = (insn >> 7 & 31, insn >> 15 & 31);
        match (insn & 0x7f, rd) {
            (0x03, _) => Self::Load,
            (0x23, _) => Self::Store,
            (0x2f, _) => Self::Amo,
            (0x63, _) => Self::Branch,
            (0x67, 0) if rs1 == 1 => Self::Return,
            (0x67 | 0x6f, 0) => Self::Jump,
            (0x67 | 0x6f, _) => Self::Call,
            (0x13, _) => Self::Immediate,
            (0x33, _) => Self::Register,
            _ => Self::Other,
        }
    }

    /// Whether it loads or stores.
    pub fn accesses_memory(self) -> bool {
        matches!(self, Self::Load | Self::Store | Self::Amo)
    }

    /// Whether it jumps to what a register says.
    pub fn is_indirect_jump(insn: u32) -> bool {
        insn & 0x7f == 0x67
    }
}
