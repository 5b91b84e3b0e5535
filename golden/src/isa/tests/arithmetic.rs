//! Results worked out by hand.

use super::*;

/// The most negative number, as a pattern of bits.
const MIN: u32 = i32::MIN as u32;

/// (funct7, funct3, rs1, rs2, result) of register operations.
#[rustfmt::skip]
const REGISTER: &[(u32, u32, u32, u32, u32)] = &[
    // add, sub
    (0x00, 0, 1, 2, 3),
    (0x00, 0, 0xffff_ffff, 1, 0),
    (0x20, 0, 1, 2, 0xffff_ffff),
    (0x20, 0, MIN, 1, 0x7fff_ffff),
    // sll: only five bits count
    (0x00, 1, 1, 31, MIN),
    (0x00, 1, 1, 32, 1),
    (0x00, 1, 0x8000_0001, 33, 2),
    // slt, sltu
    (0x00, 2, 0xffff_ffff, 0, 1),
    (0x00, 2, 0x7fff_ffff, MIN, 0),
    (0x00, 2, 5, 5, 0),
    (0x00, 3, 0xffff_ffff, 0, 0),
    (0x00, 3, 0x7fff_ffff, MIN, 1),
    // xor, srl, sra, or, and
    (0x00, 4, 0xff00_ff00, 0x0ff0_0ff0, 0xf0f0_f0f0),
    (0x00, 5, MIN, 31, 1),
    (0x00, 5, MIN, 0xffff_ffe4, 0x0800_0000),
    (0x20, 5, MIN, 31, 0xffff_ffff),
    (0x20, 5, 0x4000_0000, 30, 1),
    (0x20, 5, 0x8765_4321, 32, 0x8765_4321),
    (0x00, 6, 0xff00_ff00, 0x0ff0_0ff0, 0xfff0_fff0),
    (0x00, 7, 0xff00_ff00, 0x0ff0_0ff0, 0x0f00_0f00),
    // mul, mulh, mulhsu, mulhu
    (0x01, 0, 0xffff_ffff, 0xffff_ffff, 1),
    (0x01, 0, 0x0001_0000, 0x0001_0000, 0),
    (0x01, 1, 0xffff_ffff, 0xffff_ffff, 0),
    (0x01, 1, MIN, MIN, 0x4000_0000),
    (0x01, 1, MIN, 1, 0xffff_ffff),
    (0x01, 2, 0xffff_ffff, 0xffff_ffff, 0xffff_ffff),
    (0x01, 2, MIN, 0xffff_ffff, MIN),
    (0x01, 2, 1, 0xffff_ffff, 0),
    (0x01, 3, 0xffff_ffff, 0xffff_ffff, 0xffff_fffe),
    (0x01, 3, MIN, 2, 1),
    // div: toward zero; by zero; overflow
    (0x01, 4, 20, 6, 3),
    (0x01, 4, 0xffff_ffec, 6, 0xffff_fffd),
    (0x01, 4, 20, 0xffff_fffa, 0xffff_fffd),
    (0x01, 4, 0xffff_ffec, 0xffff_fffa, 3),
    (0x01, 4, 7, 0, 0xffff_ffff),
    (0x01, 4, MIN, 0, 0xffff_ffff),
    (0x01, 4, MIN, 0xffff_ffff, MIN),
    // divu
    (0x01, 5, 0xffff_ffec, 6, 0x2aaa_aaa7),
    (0x01, 5, 7, 0, 0xffff_ffff),
    (0x01, 5, MIN, 0xffff_ffff, 0),
    // rem: the sign of the dividend
    (0x01, 6, 20, 6, 2),
    (0x01, 6, 0xffff_ffec, 6, 0xffff_fffe),
    (0x01, 6, 20, 0xffff_fffa, 2),
    (0x01, 6, 7, 0, 7),
    (0x01, 6, MIN, 0, MIN),
    (0x01, 6, MIN, 0xffff_ffff, 0),
    // remu
    (0x01, 7, 0xffff_ffec, 6, 2),
    (0x01, 7, 7, 0, 7),
    (0x01, 7, MIN, 0xffff_ffff, MIN),
];

#[test]
fn register_operations_give_the_results_of_the_manual() {
    for &(funct7, funct3, a, b, result) in REGISTER {
        let insn = r(funct7, funct3, 0x33, 3, 1, 2);
        let (hart, retired) = one(insn, &[(1, a), (2, b)]);
        assert_eq!(hart.register(3), result, "{insn:#x} of {a:#x} and {b:#x}");
        let expected = Retired {
            insn,
            mode: M,
            rs1_addr: 1,
            rs2_addr: 2,
            rs1_rdata: a,
            rs2_rdata: b,
            rd_addr: 3,
            rd_wdata: result,
            pc_rdata: START,
            pc_wdata: START + 4,
            ..Retired::default()
        };
        assert_eq!(retired, expected);
    }
}

/// (funct3, rs1, immediate, result)
#[rustfmt::skip]
const IMMEDIATE: &[(u32, u32, i32, u32)] = &[
    (0, 5, -6, 0xffff_ffff),
    (0, 0xffff_f800, 2047, 0xffff_ffff),
    (2, 0xffff_ffff, 0, 1),
    (2, 0, -1, 0),
    (3, 0, -1, 1),
    (3, 5, 5, 0),
    (4, 0x0f0f_0f0f, -1, 0xf0f0_f0f0),
    (6, 0x0f0f_0f0f, -256, 0xffff_ff0f),
    (7, 0x0f0f_0f0f, -16, 0x0f0f_0f00),
    (1, 3, 31, MIN),
    (5, MIN, 4, 0x0800_0000),
    (5, MIN, 0x400 | 4, 0xf800_0000),
];

#[test]
fn immediate_operations_give_the_results_of_the_manual() {
    for &(funct3, a, imm, result) in IMMEDIATE {
        let (hart, _) = one(i(funct3, 0x13, 3, 1, imm), &[(1, a)]);
        assert_eq!(hart.register(3), result, "funct3 {funct3} of {a:#x} and {imm}");
    }
    assert_eq!(one(lui(4, 0xdead_b000), &[]).0.register(4), 0xdead_b000);
    assert_eq!(one(auipc(4, 0xffff_f000), &[]).0.register(4), 0x7fff_f000);
}

#[test]
fn x0_stays_zero() {
    let (hart, retired) = one(addi(0, 1, 7), &[(1, 5)]);
    assert_eq!((hart.register(0), retired.rd_addr, retired.rd_wdata), (0, 0, 0));
}

/// (funct5, old, operand, new)
#[rustfmt::skip]
const AMOS: &[(u32, u32, u32, u32)] = &[
    (0x01, 7, 9, 9),
    (0x00, 0xffff_ffff, 2, 1),
    (0x04, 0b1100, 0b1010, 0b0110),
    (0x0c, 0b1100, 0b1010, 0b1000),
    (0x08, 0b1100, 0b1010, 0b1110),
    (0x10, 0xffff_ffff, 1, 0xffff_ffff),
    (0x10, 0x7fff_ffff, MIN, MIN),
    (0x14, 0xffff_ffff, 1, 1),
    (0x14, 0x7fff_ffff, MIN, 0x7fff_ffff),
    (0x18, 0xffff_ffff, 1, 1),
    (0x18, 0x7fff_ffff, MIN, 0x7fff_ffff),
    (0x1c, 0xffff_ffff, 1, 0xffff_ffff),
    (0x1c, 0x7fff_ffff, MIN, MIN),
];

#[test]
fn atomics_return_the_old_word_and_leave_the_new() {
    for &(funct5, old, operand, new) in AMOS {
        for aqrl in 0..4 {
            let insn = amo(funct5, 3, 1, 2) | aqrl << 25;
            let (mut hart, mut env) = start(&[insn], &[(1, START + 0x100), (2, operand)]);
            env.bytes[0x100..0x104].copy_from_slice(&old.to_le_bytes());
            let retired = hart.step(&mut env).unwrap();
            assert_eq!(env.word(START + 0x100), Some(new), "{insn:#x}");
            assert_eq!(hart.register(3), old);
            let memory = (retired.mem_addr, retired.mem_rmask, retired.mem_wmask);
            assert_eq!(memory, (START + 0x100, 0xf, 0xf));
            assert_eq!((retired.mem_rdata, retired.mem_wdata), (old, new));
        }
    }
}

#[test]
fn loads_extend_and_stores_keep_the_other_bytes() {
    let base = [(1, START + 0x100), (2, 0xaabb_ccdd)];
    let load = |insn| {
        let (mut hart, mut env) = start(&[insn], &base);
        env.bytes[0x100..0x104].copy_from_slice(&0x80ff_7f01u32.to_le_bytes());
        let retired = hart.step(&mut env).unwrap();
        (retired.rd_wdata, retired.mem_rmask, retired.mem_wmask, retired.mem_addr - START)
    };
    assert_eq!(load(lw(3, 1, 0)), (0x80ff_7f01, 0xf, 0, 0x100));
    assert_eq!(load(lh(3, 1, 0)), (0x7f01, 0x3, 0, 0x100));
    assert_eq!(load(lh(3, 1, 2)), (0xffff_80ff, 0xc, 0, 0x100));
    assert_eq!(load(lhu(3, 1, 2)), (0x80ff, 0xc, 0, 0x100));
    assert_eq!(load(lb(3, 1, 1)), (0x7f, 0x2, 0, 0x100));
    assert_eq!(load(lb(3, 1, 2)), (0xffff_ffff, 0x4, 0, 0x100));
    assert_eq!(load(lbu(3, 1, 3)), (0x80, 0x8, 0, 0x100));

    let store = |insn| {
        let (mut hart, mut env) = start(&[insn], &base);
        env.bytes[0x100..0x104].copy_from_slice(&0x1122_3344u32.to_le_bytes());
        let retired = hart.step(&mut env).unwrap();
        assert_eq!((retired.rd_addr, retired.mem_rmask), (0, 0));
        assert_eq!(Some(retired.mem_wdata), env.word(START + 0x100));
        (retired.mem_wdata, retired.mem_wmask)
    };
    assert_eq!(store(sw(2, 1, 0)), (0xaabb_ccdd, 0xf));
    assert_eq!(store(sh(2, 1, 0)), (0x1122_ccdd, 0x3));
    assert_eq!(store(sh(2, 1, 2)), (0xccdd_3344, 0xc));
    assert_eq!(store(sb(2, 1, 0)), (0x1122_33dd, 0x1));
    assert_eq!(store(sb(2, 1, 3)), (0xdd22_3344, 0x8));
}

#[test]
fn branches_compare_as_they_say() {
    let pairs = [(1, 1), (1, 2), (0xffff_ffff, 1), (1, 0xffff_ffff)];
    #[rustfmt::skip]
    let taken = [
        (0, [true, false, false, false]),
        (1, [false, true, true, true]),
        (4, [false, true, true, false]),
        (5, [true, false, false, true]),
        (6, [false, true, false, true]),
        (7, [true, false, true, false]),
    ];
    for (funct3, results) in taken {
        for ((a, b_), taken) in pairs.into_iter().zip(results) {
            let (hart, retired) = one(b(funct3, 1, 2, -8), &[(1, a), (2, b_)]);
            let target = if taken { START - 8 } else { START + 4 };
            assert_eq!(hart.pc(), target, "funct3 {funct3} of {a:#x} and {b_:#x}");
            assert_eq!((retired.pc_wdata, retired.rd_addr), (target, 0));
        }
    }
}

#[test]
fn jumps_link_and_drop_the_lowest_bit() {
    let (hart, retired) = one(jal(1, 0x10), &[]);
    assert_eq!((hart.pc(), hart.register(1)), (START + 0x10, START + 4));
    assert_eq!(retired.pc_wdata, START + 0x10);
    let (hart, _) = one(jalr(1, 1, 5), &[(1, START + 0x100)]);
    assert_eq!((hart.pc(), hart.register(1)), (START + 0x104, START + 4), "rs1 is read first");
}

#[test]
fn a_conditional_store_tells_whether_it_stored() {
    let program = [sc(3, 1, 2), lr(4, 1), sc(3, 1, 2)];
    let (mut hart, mut env) = start(&program, &[(1, START + 0x100), (2, 77)]);
    let failing = hart.step(&mut env).unwrap();
    assert_eq!((failing.rd_wdata, failing.mem_rmask, failing.mem_wmask), (1, 0, 0));
    let reserving = hart.step(&mut env).unwrap();
    assert_eq!((reserving.rd_wdata, reserving.mem_rmask, reserving.mem_wmask), (0, 0xf, 0));
    let succeeding = hart.step(&mut env).unwrap();
    assert_eq!((succeeding.rd_wdata, succeeding.mem_rmask, succeeding.mem_wmask), (0, 0, 0xf));
    assert_eq!((succeeding.mem_wdata, env.word(START + 0x100)), (77, Some(77)));
}
