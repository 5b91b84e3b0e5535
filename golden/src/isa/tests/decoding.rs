//! Encodings from the manual, and what is next to them.

use super::*;

#[test]
fn known_encodings_decode() {
    // As an assembler gives them.
    #[rustfmt::skip]
    let known = [
        (0x00c5_8533, Op::Register(AluOp::Add)),        // add a0, a1, a2
        (0x40c5_8533, Op::Register(AluOp::Sub)),        // sub a0, a1, a2
        (0x02c5_d533, Op::Register(AluOp::Divu)),       // divu a0, a1, a2
        (0xfff0_0093, Op::Immediate(AluOp::Add)),       // li ra, -1
        (0x01f0_d093, Op::Immediate(AluOp::Srl)),       // srli ra, ra, 31
        (0x41f0_d093, Op::Immediate(AluOp::Sra)),       // srai ra, ra, 31
        (0x0000_0517, Op::Auipc),                       // auipc a0, 0
        (0x8000_02b7, Op::Lui),                         // lui t0, 0x80000
        (0x0000_8067, Op::Jalr),                        // ret
        (0xff5f_f06f, Op::Jal),                         // j .-12
        (0xfe20_9ee3, Op::Branch(Condition::Ne)),       // bne ra, sp, .-4
        (0x0001_2083, load_op(Size::Word, true)),       // lw ra, 0(sp)
        (0xfff1_4083, load_op(Size::Byte, false)),      // lbu ra, -1(sp)
        (0x0011_2023, Op::Store(Size::Word)),           // sw ra, 0(sp)
        (0x1005_252f, Op::LoadReserved),                // lr.w a0, (a0)
        (0x18b5_252f, Op::StoreConditional),            // sc.w a0, a1, (a0)
        (0x00b5_252f, Op::Amo(AmoOp::Add)),             // amoadd.w a0, a1, (a0)
        (0xe0b5_252f, Op::Amo(AmoOp::Maxu)),            // amomaxu.w a0, a1, (a0)
        (0x0ff0_000f, Op::Fence),
        (0x8330_000f, Op::Fence),                       // fence.tso
        (0x0000_100f, Op::FenceI),
        (0xffff_9f8f, Op::FenceI),                      // other fields are ignored
        (0x3020_0073, Op::Mret),
        (0x1050_0073, Op::Wfi),
        (0x3052_9073, Op::Csr(CsrAction::Write { immediate: false })), // csrw mtvec, t0
        (0x3004_7073, Op::Csr(CsrAction::Clear { immediate: true })),  // csrci mstatus, 8
    ];
    for (insn, op) in known {
        assert_eq!(decode(insn).op, op, "{insn:#x}");
    }
}

fn load_op(size: Size, signed: bool) -> Op {
    Op::Load { size, signed }
}

#[test]
fn what_is_not_in_the_manual_is_illegal() {
    #[rustfmt::skip]
    let illegal = [
        0, u32::MAX,
        0x4000_1013 | 1 << 7,       // slli with srai's funct7
        0x0200_1013,                // slli by 32
        0x0000_2063, 0x0000_3063,   // branches that do not exist
        0x0000_3003, 0x0000_6003, 0x0000_7003,
        0x0000_3023,
        0x0000_1067,                // jalr with a funct3
        0x4000_1033, 0x0400_0033,
        0x0000_200f,
        0x1015_252f,                // lr with rs2
        0x0000_302f, 0x2800_202f,   // atomics of 64 bits, and unknown
        0x0000_4073,
        0x0020_0073,                // uret
        0x1020_0073,                // sret
        0x0000_00f3,                // ecall with rd
        0x3020_8073,                // mret with rs1
        0x1200_0073,                // sfence.vma
        0x0000_0001,                // compressed
    ];
    for insn in illegal {
        let (hart, retired) = one(insn, &[]);
        assert!(retired.trap && mcause(&retired) == Some(2), "{insn:#x} is {:?}", decode(insn).op);
        assert_eq!((hart.csrs().cause, hart.csrs().trap_value), (2, insn));
        assert_eq!((retired.insn, retired.rd_addr), (insn, 0));
    }
}

#[test]
fn immediates_reach_their_ends() {
    let immediate = |insn| decode(insn).imm as i32;
    for imm in [-2048, -1, 0, 1, 1365, 2047] {
        assert_eq!(immediate(addi(1, 2, imm)), imm);
        assert_eq!(immediate(sw(1, 2, imm)), imm);
    }
    for imm in [-4096, -2, 0, 2, 2048, 2730, 4094] {
        assert_eq!(immediate(beq(1, 2, imm)), imm);
    }
    for imm in [-1_048_576, -2, 0, 2, 2048, 4096, 699_050, 1_048_574] {
        assert_eq!(immediate(jal(1, imm)), imm);
    }
    assert_eq!(immediate(0x41f0_d093), 31, "only the amount of a shift");
    assert_eq!(decode(csrrs(1, 0xfff, 2)).imm, 0xfff, "a CSR's number has no sign");
}

#[test]
fn registers_are_named_only_where_they_are_used() {
    let named = |insn| {
        let decoded = decode(insn);
        (decoded.rd, decoded.rs1, decoded.rs2)
    };
    let all = u32::MAX;
    assert_eq!(named(all & !0x7f | 0x37), (31, 0, 0), "lui");
    assert_eq!(named(sw(31, 30, -1)), (0, 30, 31));
    assert_eq!(named(beq(31, 30, -2)), (0, 31, 30));
    assert_eq!(named(csrrwi(5, 0x340, 31)), (5, 0, 0));
    assert_eq!(named(csrrw(5, 0x340, 31)), (5, 31, 0));
    assert_eq!(named(FENCE | 31 << 7 | 31 << 15), (0, 0, 0));
}

/// Every word decodes to something, and fields that are out of range do not exist.
#[test]
fn no_word_makes_the_decoder_panic() {
    let mut word = 1u32;
    for _ in 0..200_000 {
        word = word.wrapping_mul(0x9e37_79b1).wrapping_add(0x7f4a_7c15);
        let decoded = decode(word);
        assert!(decoded.rd < 32 && decoded.rs1 < 32 && decoded.rs2 < 32);
    }
}
