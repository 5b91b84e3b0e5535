//! Decoding, as a table: an instruction is the first row whose fixed bits it has.

use super::alu::{AluOp, AmoOp, Condition, Size};

/// The operation of an instruction.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Lui,
    Auipc,
    Jal,
    Jalr,
    Branch(Condition),
    Load { size: Size, signed: bool },
    Store(Size),
    Immediate(AluOp),
    Register(AluOp),
    Fence,
    FenceI,
    Csr(CsrAction),
    Ecall,
    Ebreak,
    Mret,
    Wfi,
    LoadReserved,
    StoreConditional,
    Amo(AmoOp),
    Illegal,
}

/// How a CSR instruction changes its CSR.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CsrAction {
    Write { immediate: bool },
    Set { immediate: bool },
    Clear { immediate: bool },
}

/// The operand format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    R,
    I,
    /// A shift by an immediate: five bits.
    Shift,
    S,
    B,
    U,
    J,
    /// Register and CSR number; an immediate operand is in the bits of rs1.
    Csr,
    /// LR: no second operand.
    Reserve,
    /// No operands.
    Bare,
}

struct Row {
    mask: u32,
    value: u32,
    format: Format,
    op: Op,
}

const OPCODE: u32 = 0x7f;
const FUNCT3: u32 = 0x707f;
const FUNCT7: u32 = 0xfe00_707f;
/// Mask of an atomic's operation and width; aq and rl are ignored.
const ATOMIC: u32 = 0xf800_707f;
const LOAD_RESERVED: u32 = 0xf9f0_707f;
const ALL: u32 = u32::MAX;

const fn row(mask: u32, value: u32, format: Format, op: Op) -> Row {
    assert!(value & !mask == 0, "a row asks for bits outside its mask");
    Row { mask, value, format, op }
}

const fn load(size: Size, signed: bool) -> Op {
    Op::Load { size, signed }
}

#[rustfmt::skip]
static ROWS: &[Row] = &[
    row(OPCODE, 0x37, Format::U, Op::Lui),
    row(OPCODE, 0x17, Format::U, Op::Auipc),
    row(OPCODE, 0x6f, Format::J, Op::Jal),
    row(FUNCT3, 0x0067, Format::I, Op::Jalr),

    row(FUNCT3, 0x0063, Format::B, Op::Branch(Condition::Eq)),
    row(FUNCT3, 0x1063, Format::B, Op::Branch(Condition::Ne)),
    row(FUNCT3, 0x4063, Format::B, Op::Branch(Condition::Lt)),
    row(FUNCT3, 0x5063, Format::B, Op::Branch(Condition::Ge)),
    row(FUNCT3, 0x6063, Format::B, Op::Branch(Condition::Ltu)),
    row(FUNCT3, 0x7063, Format::B, Op::Branch(Condition::Geu)),

    row(FUNCT3, 0x0003, Format::I, load(Size::Byte, true)),
    row(FUNCT3, 0x1003, Format::I, load(Size::Half, true)),
    row(FUNCT3, 0x2003, Format::I, load(Size::Word, true)),
    row(FUNCT3, 0x4003, Format::I, load(Size::Byte, false)),
    row(FUNCT3, 0x5003, Format::I, load(Size::Half, false)),
    row(FUNCT3, 0x0023, Format::S, Op::Store(Size::Byte)),
    row(FUNCT3, 0x1023, Format::S, Op::Store(Size::Half)),
    row(FUNCT3, 0x2023, Format::S, Op::Store(Size::Word)),

    row(FUNCT3, 0x0013, Format::I, Op::Immediate(AluOp::Add)),
    row(FUNCT3, 0x2013, Format::I, Op::Immediate(AluOp::Slt)),
    row(FUNCT3, 0x3013, Format::I, Op::Immediate(AluOp::Sltu)),
    row(FUNCT3, 0x4013, Format::I, Op::Immediate(AluOp::Xor)),
    row(FUNCT3, 0x6013, Format::I, Op::Immediate(AluOp::Or)),
    row(FUNCT3, 0x7013, Format::I, Op::Immediate(AluOp::And)),
    row(FUNCT7, 0x0000_1013, Format::Shift, Op::Immediate(AluOp::Sll)),
    row(FUNCT7, 0x0000_5013, Format::Shift, Op::Immediate(AluOp::Srl)),
    row(FUNCT7, 0x4000_5013, Format::Shift, Op::Immediate(AluOp::Sra)),

    row(FUNCT7, 0x0000_0033, Format::R, Op::Register(AluOp::Add)),
    row(FUNCT7, 0x4000_0033, Format::R, Op::Register(AluOp::Sub)),
    row(FUNCT7, 0x0000_1033, Format::R, Op::Register(AluOp::Sll)),
    row(FUNCT7, 0x0000_2033, Format::R, Op::Register(AluOp::Slt)),
    row(FUNCT7, 0x0000_3033, Format::R, Op::Register(AluOp::Sltu)),
    row(FUNCT7, 0x0000_4033, Format::R, Op::Register(AluOp::Xor)),
    row(FUNCT7, 0x0000_5033, Format::R, Op::Register(AluOp::Srl)),
    row(FUNCT7, 0x4000_5033, Format::R, Op::Register(AluOp::Sra)),
    row(FUNCT7, 0x0000_6033, Format::R, Op::Register(AluOp::Or)),
    row(FUNCT7, 0x0000_7033, Format::R, Op::Register(AluOp::And)),
    row(FUNCT7, 0x0200_0033, Format::R, Op::Register(AluOp::Mul)),
    row(FUNCT7, 0x0200_1033, Format::R, Op::Register(AluOp::Mulh)),
    row(FUNCT7, 0x0200_2033, Format::R, Op::Register(AluOp::Mulhsu)),
    row(FUNCT7, 0x0200_3033, Format::R, Op::Register(AluOp::Mulhu)),
    row(FUNCT7, 0x0200_4033, Format::R, Op::Register(AluOp::Div)),
    row(FUNCT7, 0x0200_5033, Format::R, Op::Register(AluOp::Divu)),
    row(FUNCT7, 0x0200_6033, Format::R, Op::Register(AluOp::Rem)),
    row(FUNCT7, 0x0200_7033, Format::R, Op::Register(AluOp::Remu)),

    row(FUNCT3, 0x000f, Format::Bare, Op::Fence),
    row(FUNCT3, 0x100f, Format::Bare, Op::FenceI),

    row(FUNCT3, 0x1073, Format::Csr, Op::Csr(CsrAction::Write { immediate: false })),
    row(FUNCT3, 0x2073, Format::Csr, Op::Csr(CsrAction::Set { immediate: false })),
    row(FUNCT3, 0x3073, Format::Csr, Op::Csr(CsrAction::Clear { immediate: false })),
    row(FUNCT3, 0x5073, Format::Csr, Op::Csr(CsrAction::Write { immediate: true })),
    row(FUNCT3, 0x6073, Format::Csr, Op::Csr(CsrAction::Set { immediate: true })),
    row(FUNCT3, 0x7073, Format::Csr, Op::Csr(CsrAction::Clear { immediate: true })),
    row(ALL, 0x0000_0073, Format::Bare, Op::Ecall),
    row(ALL, 0x0010_0073, Format::Bare, Op::Ebreak),
    row(ALL, 0x3020_0073, Format::Bare, Op::Mret),
    row(ALL, 0x1050_0073, Format::Bare, Op::Wfi),

    row(LOAD_RESERVED, 0x1000_202f, Format::Reserve, Op::LoadReserved),
    row(ATOMIC, 0x1800_202f, Format::R, Op::StoreConditional),
    row(ATOMIC, 0x0800_202f, Format::R, Op::Amo(AmoOp::Swap)),
    row(ATOMIC, 0x0000_202f, Format::R, Op::Amo(AmoOp::Add)),
    row(ATOMIC, 0x2000_202f, Format::R, Op::Amo(AmoOp::Xor)),
    row(ATOMIC, 0x6000_202f, Format::R, Op::Amo(AmoOp::And)),
    row(ATOMIC, 0x4000_202f, Format::R, Op::Amo(AmoOp::Or)),
    row(ATOMIC, 0x8000_202f, Format::R, Op::Amo(AmoOp::Min)),
    row(ATOMIC, 0xa000_202f, Format::R, Op::Amo(AmoOp::Max)),
    row(ATOMIC, 0xc000_202f, Format::R, Op::Amo(AmoOp::Minu)),
    row(ATOMIC, 0xe000_202f, Format::R, Op::Amo(AmoOp::Maxu)),
];

/// A decoded instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The encoded instruction.
    pub insn: u32,
    /// The extended immediate; the CSR number for a CSR instruction.
    pub imm: u32,
    /// The operation.
    pub op: Op,
    /// The register written; 0 if none.
    pub rd: u8,
    /// The first register read; 0 if none.
    pub rs1: u8,
    /// The second register read; 0 if none.
    pub rs2: u8,
    /// Whether it has a first source register.
    pub reads_rs1: bool,
    /// Whether it has a second source register.
    pub reads_rs2: bool,
}

impl Decoded {
    /// The five bits where most instructions have rs1: the operand of CSR instructions with an
    /// immediate.
    pub fn rs1_bits(&self) -> u32 {
        self.insn >> 15 & 31
    }
}

/// Decodes an instruction.
pub fn decode(insn: u32) -> Decoded {
    let found = ROWS.iter().find(|row| insn & row.mask == row.value);
    let (format, op) = found.map_or((Format::Bare, Op::Illegal), |row| (row.format, row.op));
    let register_operand = match op {
        Op::Csr(
            CsrAction::Write { immediate }
            | CsrAction::Set { immediate }
            | CsrAction::Clear { immediate },
        ) => !immediate,
        _ => true,
    };
    let (writes, reads_rs1, reads_rs2) = match format {
        Format::R => (true, true, true),
        Format::I | Format::Shift | Format::Reserve => (true, true, false),
        Format::Csr => (true, register_operand, false),
        Format::S | Format::B => (false, true, true),
        Format::U | Format::J => (true, false, false),
        Format::Bare => (false, false, false),
    };
    let register = |used: bool, at: u32| if used { (insn >> at & 31) as u8 } else { 0 };
    Decoded {
        insn,
        imm: immediate(insn, format),
        op,
        rd: register(writes, 7),
        rs1: register(reads_rs1, 15),
        rs2: register(reads_rs2, 20),
        reads_rs1,
        reads_rs2,
    }
}

fn immediate(insn: u32, format: Format) -> u32 {
    let sign = (insn as i32 >> 31) as u32;
    let bits = |low: u32, count: u32| insn >> low & ((1 << count) - 1);
    match format {
        Format::R | Format::Reserve | Format::Bare => 0,
        Format::I => (insn as i32 >> 20) as u32,
        Format::Shift => bits(20, 5),
        Format::S => (insn as i32 >> 25 << 5) as u32 | bits(7, 5),
        Format::B => sign << 12 | bits(7, 1) << 11 | bits(25, 6) << 5 | bits(8, 4) << 1,
        Format::U => insn & 0xffff_f000,
        Format::J => sign << 20 | bits(12, 8) << 12 | bits(20, 1) << 11 | bits(21, 10) << 1,
        Format::Csr => bits(20, 12),
    }
}
