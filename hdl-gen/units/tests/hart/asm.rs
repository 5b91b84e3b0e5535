//! Instruction words, by mnemonic.

#![allow(dead_code)]

pub type Reg = u32;

fn r(funct7: u32, rs2: Reg, rs1: Reg, funct3: u32, rd: Reg, opcode: u32) -> u32 {
    funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode
}

fn i(immediate: i32, rs1: Reg, funct3: u32, rd: Reg, opcode: u32) -> u32 {
    assert!((-2048..2048).contains(&immediate), "{immediate}");
    (immediate as u32) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode
}

macro_rules! register_ops {
    ($($name:ident $funct7:literal $funct3:literal;)*) => {$(
        pub fn $name(rd: Reg, rs1: Reg, rs2: Reg) -> u32 { r($funct7, rs2, rs1, $funct3, rd, 0x33) }
    )*};
}
register_ops! {
    add 0 0; sub 0x20 0; sll 0 1; slt 0 2; sltu 0 3; xor 0 4; srl 0 5; sra 0x20 5; or 0 6; and 0 7;
    mul 1 0; mulh 1 1; mulhsu 1 2; mulhu 1 3; div 1 4; divu 1 5; rem 1 6; remu 1 7;
}

macro_rules! immediate_ops {
    ($($name:ident $opcode:literal $funct3:literal;)*) => {$(
        pub fn $name(rd: Reg, rs1: Reg, immediate: i32) -> u32 { i(immediate, rs1, $funct3, rd, $opcode) }
    )*};
}
immediate_ops! {
    addi 0x13 0; slti 0x13 2; sltiu 0x13 3; xori 0x13 4; ori 0x13 6; andi 0x13 7;
    jalr 0x67 0; lb 0x03 0; lh 0x03 1; lw 0x03 2; lbu 0x03 4; lhu 0x03 5;
}

pub fn slli(rd: Reg, rs1: Reg, by: u32) -> u32 {
    r(0, by, rs1, 1, rd, 0x13)
}
pub fn srli(rd: Reg, rs1: Reg, by: u32) -> u32 {
    r(0, by, rs1, 5, rd, 0x13)
}
pub fn srai(rd: Reg, rs1: Reg, by: u32) -> u32 {
    r(0x20, by, rs1, 5, rd, 0x13)
}

fn store(rs2: Reg, rs1: Reg, immediate: i32, funct3: u32) -> u32 {
    let immediate = immediate as u32;
    r(immediate >> 5 & 0x7f, rs2, rs1, funct3, immediate & 0x1f, 0x23)
}
pub fn sb(rs2: Reg, rs1: Reg, immediate: i32) -> u32 {
    store(rs2, rs1, immediate, 0)
}
pub fn sh(rs2: Reg, rs1: Reg, immediate: i32) -> u32 {
    store(rs2, rs1, immediate, 1)
}
pub fn sw(rs2: Reg, rs1: Reg, immediate: i32) -> u32 {
    store(rs2, rs1, immediate, 2)
}

/// A branch by `funct3`.
pub fn branch(funct3: u32, rs1: Reg, rs2: Reg, offset: i32) -> u32 {
    let offset = offset as u32;
    let upper = (offset >> 12 & 1) << 6 | (offset >> 5 & 0x3f);
    let lower = (offset >> 1 & 0xf) << 1 | (offset >> 11 & 1);
    r(upper, rs2, rs1, funct3, lower, 0x63)
}
pub fn beq(rs1: Reg, rs2: Reg, offset: i32) -> u32 {
    branch(0, rs1, rs2, offset)
}
pub fn bne(rs1: Reg, rs2: Reg, offset: i32) -> u32 {
    branch(1, rs1, rs2, offset)
}
pub fn blt(rs1: Reg, rs2: Reg, offset: i32) -> u32 {
    branch(4, rs1, rs2, offset)
}

pub fn lui(rd: Reg, upper: u32) -> u32 {
    (upper & 0xffff_f000) | rd << 7 | 0x37
}
pub fn auipc(rd: Reg, upper: u32) -> u32 {
    (upper & 0xffff_f000) | rd << 7 | 0x17
}
pub fn jal(rd: Reg, offset: i32) -> u32 {
    let offset = offset as u32;
    (offset >> 20 & 1) << 31
        | (offset >> 1 & 0x3ff) << 21
        | (offset >> 11 & 1) << 20
        | (offset >> 12 & 0xff) << 12
        | rd << 7
        | 0x6f
}

/// `rd = value`, in two instructions.
pub fn li(rd: Reg, value: u32) -> [u32; 2] {
    let low = ((value << 20) as i32) >> 20;
    [lui(rd, value.wrapping_sub(low as u32)), addi(rd, rd, low)]
}

pub fn lr(rd: Reg, rs1: Reg) -> u32 {
    r(0x08, 0, rs1, 2, rd, 0x2f)
}
pub fn sc(rd: Reg, rs2: Reg, rs1: Reg) -> u32 {
    r(0x0c, rs2, rs1, 2, rd, 0x2f)
}
/// An atomic operation by `funct5`: add 0, swap 1, xor 4, or 8, and 12, min 16, max 20, minu 24, maxu 28.
pub fn amo(funct5: u32, rd: Reg, rs2: Reg, rs1: Reg) -> u32 {
    r(funct5 << 2, rs2, rs1, 2, rd, 0x2f)
}

pub fn csrrw(rd: Reg, csr: u32, rs1: Reg) -> u32 {
    csr << 20 | rs1 << 15 | 1 << 12 | rd << 7 | 0x73
}
pub fn csrrs(rd: Reg, csr: u32, rs1: Reg) -> u32 {
    csr << 20 | rs1 << 15 | 2 << 12 | rd << 7 | 0x73
}
pub fn csrrc(rd: Reg, csr: u32, rs1: Reg) -> u32 {
    csr << 20 | rs1 << 15 | 3 << 12 | rd << 7 | 0x73
}
pub fn csrrwi(rd: Reg, csr: u32, value: u32) -> u32 {
    csr << 20 | value << 15 | 5 << 12 | rd << 7 | 0x73
}
pub fn csrrsi(rd: Reg, csr: u32, value: u32) -> u32 {
    csr << 20 | value << 15 | 6 << 12 | rd << 7 | 0x73
}
pub fn csrrci(rd: Reg, csr: u32, value: u32) -> u32 {
    csr << 20 | value << 15 | 7 << 12 | rd << 7 | 0x73
}

pub const NOP: u32 = 0x13;
pub const ECALL: u32 = 0x73;
pub const EBREAK: u32 = 0x0010_0073;
pub const MRET: u32 = 0x3020_0073;
pub const WFI: u32 = 0x1050_0073;
pub const FENCE: u32 = 0x0ff0_000f;
pub const FENCE_I: u32 = 0x100f;
