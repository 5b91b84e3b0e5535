//! Instructions for tests, encoded by hand from the manual's formats.
#![allow(dead_code)]

pub const ECALL: u32 = 0x0000_0073;
pub const EBREAK: u32 = 0x0010_0073;
pub const MRET: u32 = 0x3020_0073;
pub const WFI: u32 = 0x1050_0073;
pub const FENCE: u32 = 0x0ff0_000f;
pub const FENCE_I: u32 = 0x0000_100f;
pub const NOP: u32 = 0x0000_0013;

pub fn r(funct7: u32, funct3: u32, opcode: u32, rd: u32, rs1: u32, rs2: u32) -> u32 {
    funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode
}

pub fn i(funct3: u32, opcode: u32, rd: u32, rs1: u32, imm: i32) -> u32 {
    (imm as u32) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode
}

pub fn s(funct3: u32, rs1: u32, rs2: u32, imm: i32) -> u32 {
    let imm = imm as u32;
    (imm >> 5) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (imm & 31) << 7 | 0x23
}

pub fn b(funct3: u32, rs1: u32, rs2: u32, imm: i32) -> u32 {
    let imm = imm as u32;
    (imm >> 12 & 1) << 31
        | (imm >> 5 & 0x3f) << 25
        | rs2 << 20
        | rs1 << 15
        | funct3 << 12
        | (imm >> 1 & 15) << 8
        | (imm >> 11 & 1) << 7
        | 0x63
}

pub fn jal(rd: u32, imm: i32) -> u32 {
    let imm = imm as u32;
    (imm >> 20 & 1) << 31
        | (imm >> 1 & 0x3ff) << 21
        | (imm >> 11 & 1) << 20
        | (imm >> 12 & 0xff) << 12
        | rd << 7
        | 0x6f
}

pub fn lui(rd: u32, imm: u32) -> u32 {
    imm & 0xffff_f000 | rd << 7 | 0x37
}

pub fn auipc(rd: u32, imm: u32) -> u32 {
    imm & 0xffff_f000 | rd << 7 | 0x17
}

pub fn jalr(rd: u32, rs1: u32, imm: i32) -> u32 {
    i(0, 0x67, rd, rs1, imm)
}

pub fn addi(rd: u32, rs1: u32, imm: i32) -> u32 {
    i(0, 0x13, rd, rs1, imm)
}

pub fn add(rd: u32, rs1: u32, rs2: u32) -> u32 {
    r(0, 0, 0x33, rd, rs1, rs2)
}

pub fn beq(rs1: u32, rs2: u32, imm: i32) -> u32 {
    b(0, rs1, rs2, imm)
}

pub fn bne(rs1: u32, rs2: u32, imm: i32) -> u32 {
    b(1, rs1, rs2, imm)
}

pub fn lb(rd: u32, rs1: u32, imm: i32) -> u32 {
    i(0, 0x03, rd, rs1, imm)
}

pub fn lh(rd: u32, rs1: u32, imm: i32) -> u32 {
    i(1, 0x03, rd, rs1, imm)
}

pub fn lw(rd: u32, rs1: u32, imm: i32) -> u32 {
    i(2, 0x03, rd, rs1, imm)
}

pub fn lbu(rd: u32, rs1: u32, imm: i32) -> u32 {
    i(4, 0x03, rd, rs1, imm)
}

pub fn lhu(rd: u32, rs1: u32, imm: i32) -> u32 {
    i(5, 0x03, rd, rs1, imm)
}

pub fn sb(rs2: u32, rs1: u32, imm: i32) -> u32 {
    s(0, rs1, rs2, imm)
}

pub fn sh(rs2: u32, rs1: u32, imm: i32) -> u32 {
    s(1, rs1, rs2, imm)
}

pub fn sw(rs2: u32, rs1: u32, imm: i32) -> u32 {
    s(2, rs1, rs2, imm)
}

pub fn amo(funct5: u32, rd: u32, rs1: u32, rs2: u32) -> u32 {
    r(funct5 << 2, 2, 0x2f, rd, rs1, rs2)
}

pub fn lr(rd: u32, rs1: u32) -> u32 {
    amo(2, rd, rs1, 0)
}

pub fn sc(rd: u32, rs1: u32, rs2: u32) -> u32 {
    amo(3, rd, rs1, rs2)
}

pub fn amoadd(rd: u32, rs1: u32, rs2: u32) -> u32 {
    amo(0, rd, rs1, rs2)
}

pub fn csrrw(rd: u32, csr: u32, rs1: u32) -> u32 {
    i(1, 0x73, rd, rs1, csr as i32)
}

pub fn csrrs(rd: u32, csr: u32, rs1: u32) -> u32 {
    i(2, 0x73, rd, rs1, csr as i32)
}

pub fn csrrc(rd: u32, csr: u32, rs1: u32) -> u32 {
    i(3, 0x73, rd, rs1, csr as i32)
}

pub fn csrrwi(rd: u32, csr: u32, imm: u32) -> u32 {
    i(5, 0x73, rd, imm, csr as i32)
}

pub fn csrrsi(rd: u32, csr: u32, imm: u32) -> u32 {
    i(6, 0x73, rd, imm, csr as i32)
}

pub fn csrrci(rd: u32, csr: u32, imm: u32) -> u32 {
    i(7, 0x73, rd, imm, csr as i32)
}

/// The two instructions that load a constant.
pub fn li(rd: u32, value: u32) -> [u32; 2] {
    let high = value.wrapping_add(0x800) & 0xffff_f000;
    [lui(rd, high), addi(rd, rd, value.wrapping_sub(high) as i32)]
}

/// The bytes of a program.
pub fn bytes(program: &[u32]) -> Vec<u8> {
    program.iter().flat_map(|insn| insn.to_le_bytes()).collect()
}
