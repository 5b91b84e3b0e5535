//! Arithmetic: pure functions of two words.

/// Size of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// One byte.
    Byte,
    /// Two bytes.
    Half,
    /// Four bytes.
    Word,
}

impl Size {
    /// The number of bytes.
    pub fn bytes(self) -> u32 {
        match self {
            Self::Byte => 1,
            Self::Half => 2,
            Self::Word => 4,
        }
    }

    /// Byte enables, in the aligned word, of an access to `address`.
    pub fn lanes(self, address: u32) -> u8 {
        let lanes = match self {
            Self::Byte => 0b1,
            Self::Half => 0b11,
            Self::Word => 0b1111,
        };
        lanes << (address & 3)
    }

    /// Whether an access to `address` is naturally aligned.
    pub fn is_aligned(self, address: u32) -> bool {
        address & (self.bytes() - 1) == 0
    }

    /// The accessed part of an aligned word, in the low bits.
    pub fn extract(self, word: u32, address: u32, signed: bool) -> u32 {
        let part = word >> (8 * (address & 3));
        match (self, signed) {
            (Self::Byte, false) => part & 0xff,
            (Self::Byte, true) => part as u8 as i8 as u32,
            (Self::Half, false) => part & 0xffff,
            (Self::Half, true) => part as u16 as i16 as u32,
            (Self::Word, _) => part,
        }
    }

    /// An aligned word with the accessed part replaced.
    pub fn insert(self, word: u32, address: u32, data: u32) -> u32 {
        let mask = spread(self.lanes(address));
        word & !mask | data << (8 * (address & 3)) & mask
    }
}

/// The bits of the bytes whose lane is set.
pub fn spread(lanes: u8) -> u32 {
    (0..4).filter(|lane| lanes >> lane & 1 != 0).map(|lane| 0xff << (8 * lane)).sum()
}

/// An operation on two registers, or a register and an immediate.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AluOp {
    Add,
    Sub,
    Sll,
    Slt,
    Sltu,
    Xor,
    Srl,
    Sra,
    Or,
    And,
    Mul,
    Mulh,
    Mulhsu,
    Mulhu,
    Div,
    Divu,
    Rem,
    Remu,
}

impl AluOp {
    /// The result.
    pub fn apply(self, a: u32, b: u32) -> u32 {
        let (signed_a, signed_b) = (a as i32, b as i32);
        match self {
            Self::Add => a.wrapping_add(b),
            Self::Sub => a.wrapping_sub(b),
            Self::Sll => a << (b & 31),
            Self::Slt => (signed_a < signed_b).into(),
            Self::Sltu => (a < b).into(),
            Self::Xor => a ^ b,
            Self::Srl => a >> (b & 31),
            Self::Sra => (signed_a >> (b & 31)) as u32,
            Self::Or => a | b,
            Self::And => a & b,
            Self::Mul => a.wrapping_mul(b),
            Self::Mulh => ((i64::from(signed_a) * i64::from(signed_b)) >> 32) as u32,
            Self::Mulhsu => ((i64::from(signed_a) * i64::from(b)) >> 32) as u32,
            Self::Mulhu => ((u64::from(a) * u64::from(b)) >> 32) as u32,
            // Unprivileged manual, table 7.1: no division traps.
            Self::Div if b == 0 => u32::MAX,
            Self::Div => signed_a.wrapping_div(signed_b) as u32,
            Self::Divu => a.checked_div(b).unwrap_or(u32::MAX),
            Self::Rem if b == 0 => a,
            Self::Rem => signed_a.wrapping_rem(signed_b) as u32,
            Self::Remu => a.checked_rem(b).unwrap_or(a),
        }
    }
}

/// Condition of a branch.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    Eq,
    Ne,
    Lt,
    Ge,
    Ltu,
    Geu,
}

impl Condition {
    /// Whether the branch is taken.
    pub fn holds(self, a: u32, b: u32) -> bool {
        match self {
            Self::Eq => a == b,
            Self::Ne => a != b,
            Self::Lt => (a as i32) < b as i32,
            Self::Ge => a as i32 >= b as i32,
            Self::Ltu => a < b,
            Self::Geu => a >= b,
        }
    }
}

/// Operation of an atomic memory access.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmoOp {
    Swap,
    Add,
    Xor,
    And,
    Or,
    Min,
    Max,
    Minu,
    Maxu,
}

impl AmoOp {
    /// The new value of the word.
    pub fn apply(self, old: u32, operand: u32) -> u32 {
        match self {
            Self::Swap => operand,
            Self::Add => old.wrapping_add(operand),
            Self::Xor => old ^ operand,
            Self::And => old & operand,
            Self::Or => old | operand,
            Self::Min => (old as i32).min(operand as i32) as u32,
            Self::Max => (old as i32).max(operand as i32) as u32,
            Self::Minu => old.min(operand),
            Self::Maxu => old.max(operand),
        }
    }
}
