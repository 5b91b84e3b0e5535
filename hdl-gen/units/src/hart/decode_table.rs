//! The table of instructions: for each, the bits that identify it and the control signals.

use super::alu::AluOp;
use super::control::{ImmediateKind, Jump, ResultFrom, SystemOp};
use crate::data_port::{AccessOp, AmoOp};

/// One instruction.
pub struct Row {
    /// Its name, as assemblers write it, with `_` for `.`.
    pub name: &'static str,
    /// The bits of the instruction word that tell it apart …
    pub mask: u32,
    /// … and their values.
    pub value: u32,
    /// What it does.
    pub does: Does,
}

/// What an instruction does: [`super::control::Control`] as plain Rust.
#[derive(Clone, Copy)]
pub struct Does {
    /// Reads rs1.
    pub rs1: bool,
    /// Reads rs2.
    pub rs2: bool,
    /// Writes rd.
    pub rd: bool,
    /// Its immediate.
    pub immediate: ImmediateKind,
    /// What the ALU computes.
    pub alu: AluOp,
    /// The ALU's second operand is the immediate.
    pub alu_immediate: bool,
    /// The address is relative to the pc, not to rs1.
    pub relative: bool,
    /// Where the result comes from.
    pub result: ResultFrom,
    /// How it branches.
    pub jump: Jump,
    /// Its data access.
    pub access: Option<AccessOp>,
    /// What an atomic operation computes.
    pub amo: AmoOp,
    /// What it does beyond registers and memory.
    pub system: SystemOp,
}

const NOTHING: Does = Does {
    rs1: false,
    rs2: false,
    rd: false,
    immediate: ImmediateKind::Zero,
    alu: AluOp::Add,
    alu_immediate: false,
    relative: false,
    result: ResultFrom::Alu,
    jump: Jump::Never,
    access: None,
    amo: AmoOp::Swap,
    system: SystemOp::Nothing,
};

const OPCODE: u32 = 0x0000_007f;
const FUNCT3: u32 = 0x0000_707f;
const FUNCT7: u32 = 0xfe00_707f;
const FUNCT5: u32 = 0xf800_707f;
const FUNCT5_RS2: u32 = 0xf9f0_707f;
const EXACT: u32 = 0xffff_ffff;

const fn row(name: &'static str, mask: u32, value: u32, does: Does) -> Row {
    Row { name, mask, value, does }
}

/// `rd = rs1 op rs2`.
const fn op(name: &'static str, value: u32, alu: AluOp) -> Row {
    row(name, FUNCT7, value, Does { rs1: true, rs2: true, rd: true, alu, ..NOTHING })
}

/// `rd = rs1 op immediate`.
const fn op_imm(name: &'static str, mask: u32, value: u32, alu: AluOp) -> Row {
    let immediate = ImmediateKind::I;
    row(
        name,
        mask,
        value,
        Does { rs1: true, rd: true, alu, alu_immediate: true, immediate, ..NOTHING },
    )
}

/// `rd = rs1 op rs2`, by the multiplier or the divider.
const fn muldiv(name: &'static str, value: u32, result: ResultFrom) -> Row {
    row(name, FUNCT7, value, Does { rs1: true, rs2: true, rd: true, result, ..NOTHING })
}

const fn branch(name: &'static str, value: u32, alu: AluOp) -> Row {
    let (immediate, jump) = (ImmediateKind::B, Jump::Branch);
    row(
        name,
        FUNCT3,
        value,
        Does { rs1: true, rs2: true, relative: true, alu, immediate, jump, ..NOTHING },
    )
}

const fn load(name: &'static str, value: u32) -> Row {
    let (immediate, access) = (ImmediateKind::I, Some(AccessOp::Load));
    let result = ResultFrom::Access;
    row(name, FUNCT3, value, Does { rs1: true, rd: true, immediate, access, result, ..NOTHING })
}

const fn store(name: &'static str, value: u32) -> Row {
    let (immediate, access) = (ImmediateKind::S, Some(AccessOp::Store));
    let result = ResultFrom::Access;
    row(name, FUNCT3, value, Does { rs1: true, rs2: true, immediate, access, result, ..NOTHING })
}

const ATOMIC: Does = Does { rs1: true, rs2: true, rd: true, result: ResultFrom::Access, ..NOTHING };

const fn amo(name: &'static str, value: u32, amo: AmoOp) -> Row {
    row(name, FUNCT5, value, Does { access: Some(AccessOp::Amo), amo, ..ATOMIC })
}

/// A CSR instruction: with rs1, or with five bits of the instruction in its place.
const fn csr(name: &'static str, value: u32, rs1: bool) -> Row {
    let (result, system) = (ResultFrom::Csr, SystemOp::Csr);
    row(name, FUNCT3, value, Does { rs1, rd: true, result, system, ..NOTHING })
}

const fn system(name: &'static str, mask: u32, value: u32, system: SystemOp) -> Row {
    row(name, mask, value, Does { system, ..NOTHING })
}

const UPPER: Does = Does { rd: true, immediate: ImmediateKind::U, ..NOTHING };

/// RV32IMA_Zicsr_Zifencei and the privileged instructions of M and U modes. No word matches two rows.
pub const ROWS: &[Row] = &[
    row("lui", OPCODE, 0x37, Does { alu: AluOp::Second, alu_immediate: true, ..UPPER }),
    row("auipc", OPCODE, 0x17, Does { relative: true, result: ResultFrom::Address, ..UPPER }),
    row(
        "jal",
        OPCODE,
        0x6f,
        Does {
            rd: true,
            relative: true,
            immediate: ImmediateKind::J,
            result: ResultFrom::Link,
            jump: Jump::Always,
            ..NOTHING
        },
    ),
    row(
        "jalr",
        FUNCT3,
        0x67,
        Does {
            rs1: true,
            rd: true,
            immediate: ImmediateKind::I,
            result: ResultFrom::Link,
            jump: Jump::Register,
            ..NOTHING
        },
    ),
    branch("beq", 0x0063, AluOp::Sub),
    branch("bne", 0x1063, AluOp::Sub),
    branch("blt", 0x4063, AluOp::Less),
    branch("bge", 0x5063, AluOp::Less),
    branch("bltu", 0x6063, AluOp::LessUnsigned),
    branch("bgeu", 0x7063, AluOp::LessUnsigned),
    load("lb", 0x0003),
    load("lh", 0x1003),
    load("lw", 0x2003),
    load("lbu", 0x4003),
    load("lhu", 0x5003),
    store("sb", 0x0023),
    store("sh", 0x1023),
    store("sw", 0x2023),
    op_imm("addi", FUNCT3, 0x0013, AluOp::Add),
    op_imm("slti", FUNCT3, 0x2013, AluOp::Less),
    op_imm("sltiu", FUNCT3, 0x3013, AluOp::LessUnsigned),
    op_imm("xori", FUNCT3, 0x4013, AluOp::Xor),
    op_imm("ori", FUNCT3, 0x6013, AluOp::Or),
    op_imm("andi", FUNCT3, 0x7013, AluOp::And),
    op_imm("slli", FUNCT7, 0x0000_1013, AluOp::ShiftLeft),
    op_imm("srli", FUNCT7, 0x0000_5013, AluOp::ShiftRight),
    op_imm("srai", FUNCT7, 0x4000_5013, AluOp::ShiftRightSigned),
    op("add", 0x0000_0033, AluOp::Add),
    op("sub", 0x4000_0033, AluOp::Sub),
    op("sll", 0x0000_1033, AluOp::ShiftLeft),
    op("slt", 0x0000_2033, AluOp::Less),
    op("sltu", 0x0000_3033, AluOp::LessUnsigned),
    op("xor", 0x0000_4033, AluOp::Xor),
    op("srl", 0x0000_5033, AluOp::ShiftRight),
    op("sra", 0x4000_5033, AluOp::ShiftRightSigned),
    op("or", 0x0000_6033, AluOp::Or),
    op("and", 0x0000_7033, AluOp::And),
    muldiv("mul", 0x0200_0033, ResultFrom::Product),
    muldiv("mulh", 0x0200_1033, ResultFrom::Product),
    muldiv("mulhsu", 0x0200_2033, ResultFrom::Product),
    muldiv("mulhu", 0x0200_3033, ResultFrom::Product),
    muldiv("div", 0x0200_4033, ResultFrom::Divider),
    muldiv("divu", 0x0200_5033, ResultFrom::Divider),
    muldiv("rem", 0x0200_6033, ResultFrom::Divider),
    muldiv("remu", 0x0200_7033, ResultFrom::Divider),
    row(
        "lr_w",
        FUNCT5_RS2,
        0x1000_202f,
        Does { rs2: false, access: Some(AccessOp::LoadReserved), ..ATOMIC },
    ),
    row("sc_w", FUNCT5, 0x1800_202f, Does { access: Some(AccessOp::StoreConditional), ..ATOMIC }),
    amo("amoswap_w", 0x0800_202f, AmoOp::Swap),
    amo("amoadd_w", 0x0000_202f, AmoOp::Add),
    amo("amoxor_w", 0x2000_202f, AmoOp::Xor),
    amo("amoand_w", 0x6000_202f, AmoOp::And),
    amo("amoor_w", 0x4000_202f, AmoOp::Or),
    amo("amomin_w", 0x8000_202f, AmoOp::Min),
    amo("amomax_w", 0xa000_202f, AmoOp::Max),
    amo("amominu_w", 0xc000_202f, AmoOp::MinUnsigned),
    amo("amomaxu_w", 0xe000_202f, AmoOp::MaxUnsigned),
    csr("csrrw", 0x1073, true),
    csr("csrrs", 0x2073, true),
    csr("csrrc", 0x3073, true),
    csr("csrrwi", 0x5073, false),
    csr("csrrsi", 0x6073, false),
    csr("csrrci", 0x7073, false),
    system("fence", FUNCT3, 0x000f, SystemOp::Nothing),
    system("fence_i", FUNCT3, 0x100f, SystemOp::FenceI),
    system("ecall", EXACT, 0x0000_0073, SystemOp::Ecall),
    system("ebreak", EXACT, 0x0010_0073, SystemOp::Ebreak),
    system("mret", EXACT, 0x3020_0073, SystemOp::Mret),
    system("wfi", EXACT, 0x1050_0073, SystemOp::Wfi),
];

#[cfg(test)]
mod tests {
    use super::ROWS;

    #[test]
    fn no_word_matches_two_rows() {
        for (place, row) in ROWS.iter().enumerate() {
            assert_eq!(row.value & !row.mask, 0, "{}", row.name);
            for other in &ROWS[place + 1..] {
                let both = row.mask & other.mask;
                assert_ne!(row.value & both, other.value & both, "{} {}", row.name, other.name);
            }
        }
    }
}
