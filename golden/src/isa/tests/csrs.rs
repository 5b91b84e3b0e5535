//! The implemented CSRs, their writable bits and access privileges.

use super::*;

/// (number, value after reset, value after all ones were written)
#[rustfmt::skip]
const WRITABLE: &[(u32, u32, u32)] = &[
    (0x300, 0, 0x0002_1888),
    (0x301, 0x4010_1101, 0x4010_1101),
    (0x304, 0, 0x0001_0088),
    (0x305, 0, 0xffff_fffd),
    (0x306, 0, 7),
    (0x30a, 0, 0),
    (0x310, 0, 0),
    (0x31a, 0, 0),
    (0x320, 0, 5),
    (0x323, 0, 0),
    (0x33f, 0, 0),
    (0x340, 0, 0xffff_ffff),
    (0x341, 0, 0xffff_fffc),
    (0x342, 0, 0x8000_003f),
    (0x343, 0, 0xffff_ffff),
    (0x344, 0, 0),
    (0x3a1, 0, 0),
    (0x3a3, 0, 0),
    (0x3b4, 0, 0),
    (0x3bf, 0, 0),
    (0x7a0, 0, 0),
    (0x7a1, 0, 0),
    (0x7a2, 0, 0),
    (0x7a3, 0, 0),
    (0xb03, 0, 0),
    (0xb1f, 0, 0),
    (0xb83, 0, 0),
    (0xb9f, 0, 0),
    (0xb80, 0, 0xffff_ffff),
    (0xb82, 0, 0xffff_ffff),
];

#[test]
fn csrs_keep_the_bits_that_exist() {
    for &(number, reset, ones) in WRITABLE {
        let program = [csrrw(5, number, 1), csrrs(6, number, 0)];
        let (mut hart, mut env) = start(&program, &[(1, u32::MAX)]);
        steps(&mut hart, &mut env, 2);
        assert_eq!((hart.register(5), hart.register(6)), (reset, ones), "{number:#x}");
    }
}

#[test]
fn read_only_csrs_are_read_and_not_written() {
    for number in [0xf11, 0xf12, 0xf13, 0xf14, 0xf15, 0xc00, 0xc01, 0xc02, 0xc80, 0xc81, 0xc82] {
        assert!(!one(csrrs(5, number, 0), &[]).1.trap, "{number:#x}");
        assert!(!one(csrrci(5, number, 0), &[]).1.trap, "{number:#x}");
        for insn in [csrrw(5, number, 0), csrrs(5, number, 1), csrrwi(5, number, 0)] {
            let (_, retired) = one(insn, &[]);
            assert_eq!((retired.trap, mcause(&retired)), (true, Some(2)), "{insn:#x}");
        }
    }
    let (mut hart, mut env) =
        (Hart::new(3, START, INTERRUPTS_WITH_TABLE), Flat::new(&[csrrs(5, 0xf14, 0)]));
    assert_eq!(hart.step(&mut env).unwrap().rd_wdata, 3);
}

#[test]
fn counters_of_events_are_read_from_outside_and_writes_to_them_are_ignored() {
    let (counter, upper, selector) = (0xb05, 0xb85, 0x325);
    let program = [
        csrrw(0, counter, 1),
        csrrs(5, counter, 0),
        csrrs(6, upper, 0),
        csrrs(7, selector, 0),
        csrrw(0, selector, 1),
        csrrs(7, selector, 0),
        csrrs(8, 0xb0e, 0),
    ];
    let read = |counting: bool| {
        let hart = Hart::new(0, START, INTERRUPTS_WITH_TABLE);
        let mut hart = if counting { hart.counting_events() } else { hart };
        let mut env = Flat::new(&program);
        env.now = (7 << 32) + 9;
        hart.set_register(1, 1234);
        program.map(|_| hart.step(&mut env).unwrap().rd_wdata)
    };
    // The environment of these tests has as many events as there can be.
    assert_eq!(read(true), [0, 9, 7, 5, 0, 5, 0]);
    assert_eq!(read(false), [0; 7]);
}

#[test]
fn mie_has_the_bits_of_the_interrupts_that_exist() {
    for interrupts in [INTERRUPTS, INTERRUPTS_WITH_TABLE] {
        let program = [csrrw(0, 0x304, 1), csrrs(5, 0x304, 0)];
        let (mut hart, mut env) = (Hart::new(0, START, interrupts), Flat::new(&program));
        hart.set_register(1, u32::MAX);
        hart.step(&mut env).unwrap();
        assert_eq!(hart.step(&mut env).unwrap().rd_wdata, interrupts);
    }
    assert_eq!((INTERRUPTS, INTERRUPTS_WITH_TABLE), (0x88, 0x1_0088));
}

#[test]
fn all_other_csrs_are_illegal() {
    let listed = |number: u32| {
        WRITABLE.iter().any(|row| row.0 == number)
            || matches!(number,
                0xf11..=0xf15 | 0x323..=0x33f | 0xb00 | 0xb02..=0xb1f | 0xb80 | 0xb82..=0xb9f
                | 0x3a0..=0x3a3 | 0x3b0..=0x3bf | 0xc00..=0xc02 | 0xc80..=0xc82)
    };
    for number in 0..0x1000 {
        assert_eq!(one(csrrs(5, number, 0), &[]).1.trap, !listed(number), "{number:#x}");
    }
}

#[test]
fn set_and_clear_change_single_bits() {
    let program = [
        csrrwi(5, 0x340, 0b1100),
        csrrsi(6, 0x340, 0b0110),
        csrrci(7, 0x340, 0b0100),
        csrrs(8, 0x340, 1),
        csrrc(9, 0x340, 2),
        csrrs(10, 0x340, 0),
    ];
    let (mut hart, mut env) = start(&program, &[(1, 0x100), (2, 0x108)]);
    steps(&mut hart, &mut env, 6);
    let seen: Vec<_> = (5..=10).map(|number| hart.register(number)).collect();
    assert_eq!(seen, [0, 0b1100, 0b1110, 0b1010, 0x10a, 0b0010]);
}

#[test]
fn previous_mode_is_u_or_m() {
    let write = |first: u32, second: u32| {
        let program = [csrrw(0, 0x300, 1), csrrw(0, 0x300, 2)];
        let (mut hart, mut env) = start(&program, &[(1, first << 11), (2, second << 11)]);
        steps(&mut hart, &mut env, 2);
        csr(&hart, 0x300) >> 11
    };
    assert_eq!((write(3, 0), write(0, 3)), (0, 3));
    assert_eq!((write(3, 1), write(3, 2), write(0, 1), write(0, 2)), (3, 3, 0, 0));
}

/// Executes `insn` in U mode after `mcounteren` was set.
fn in_user_mode(insn: u32, counteren: u32) -> Retired {
    let program = [csrrw(0, 0x306, 1), csrrw(0, 0x341, 2), MRET, insn];
    let (mut hart, mut env) = start_open(&program, &[(1, counteren), (2, START + 12)]);
    steps(&mut hart, &mut env, 3);
    hart.step(&mut env).unwrap()
}

#[test]
fn user_mode_reads_the_counters_it_is_given() {
    for (counter, csrs) in [(0, [0xc00, 0xc80]), (1, [0xc01, 0xc81]), (2, [0xc02, 0xc82])] {
        for csr in csrs {
            assert!(!in_user_mode(csrrs(5, csr, 0), 1 << counter).trap, "{csr:#x}");
            let refused = in_user_mode(csrrs(5, csr, 0), 7 & !(1 << counter));
            assert_eq!((refused.trap, mcause(&refused)), (true, Some(2)), "{csr:#x}");
        }
    }
    for csr in [0x300, 0x340, 0xb00, 0xf14, 0x7a0] {
        assert!(in_user_mode(csrrs(5, csr, 0), 7).trap, "{csr:#x}");
    }
}

#[test]
fn instret_counts_what_retires() {
    let program = [NOP, csrrs(5, 0xb02, 0), csrrw(0, 0xb02, 1), csrrs(6, 0xb02, 0), ECALL];
    let (mut hart, mut env) = start(&program, &[(1, 100)]);
    steps(&mut hart, &mut env, 4);
    assert_eq!(hart.register(5), 1, "without the reading instruction");
    assert_eq!(hart.register(6), 100, "the write took the place of its own count");
    assert_eq!(hart.csrs().instret, 101);
    hart.step(&mut env).unwrap();
    assert_eq!(hart.csrs().instret, 101, "a trap does not count");
}

#[test]
fn instret_carries_and_can_be_stopped() {
    let program =
        [csrrw(0, 0xb02, 1), NOP, csrrwi(0, 0x320, 4), NOP, NOP, csrrwi(0, 0x320, 0), NOP];
    let (mut hart, mut env) = start(&program, &[(1, u32::MAX)]);
    steps(&mut hart, &mut env, 2);
    assert_eq!(hart.csrs().instret, 1 << 32);
    steps(&mut hart, &mut env, 3);
    assert_eq!(hart.csrs().instret, (1 << 32) + 1, "stopped after the stopping instruction");
    steps(&mut hart, &mut env, 2);
    assert_eq!(hart.csrs().instret, (1 << 32) + 2, "and counting after the starting one");
}

#[test]
fn cycle_counts_on_from_what_was_written_unless_stopped() {
    let program = [csrrs(5, 0xc00, 0), csrrw(0, 0xb00, 1), csrrs(6, 0xb00, 0), csrrwi(0, 0x320, 1)];
    let (mut hart, mut env) = start(&program, &[(1, 1000)]);
    env.now = 10;
    steps(&mut hart, &mut env, 1);
    env.now = 20;
    steps(&mut hart, &mut env, 1);
    env.now = 25;
    steps(&mut hart, &mut env, 1);
    assert_eq!((hart.register(5), hart.register(6)), (10, 1005));
    env.now = 30;
    steps(&mut hart, &mut env, 1);
    assert_eq!(hart.csrs().cycles(99), 1010);
}

/// Runs a program on a hart whose hardware shows 7 wherever `mcycle` is uncertain; returns the last read.
fn last_read(program: &[u32], written: u32) -> u32 {
    let (mut hart, mut env) = start(program, &[(1, written)]);
    env.seen_cycle = Some(7);
    for (step, _) in program.iter().enumerate() {
        env.now = 10 * step as u64;
        steps(&mut hart, &mut env, 1);
    }
    hart.register(5)
}

#[test]
fn a_carry_near_a_write_to_either_half_is_left_to_the_hardware() {
    let (low, high) = (0xb00, 0xb80);
    let near = u32::MAX - 3;
    // A carry happens when the other half is written; then both are far from it.
    let both =
        |last: u32| [csrrw(0, low, 1), csrrwi(0, high, 3), csrrwi(0, low, 0), csrrs(5, last, 0)];
    assert_eq!(last_read(&both(high), near), 7);
    assert_eq!(last_read(&both(low), near), 10, "the lower half was written as a whole");
    assert_eq!(last_read(&both(high), near / 2), 3, "no carry is near");
    let known = [csrrw(0, low, 1), csrrwi(0, low, 1), csrrwi(0, 0x7a0, 0), csrrs(5, high, 0)];
    assert_eq!(last_read(&known, near / 2), 0);
}

#[test]
fn what_is_made_of_a_count_that_nobody_saw_is_left_to_the_hardware() {
    let (low, high) = (0xb00, 0xb80);
    // Whether bits are cleared before or after they were counted up makes a difference of thousands.
    let unseen = |last: u32| [csrrw(0, low, 1), csrrc(0, low, 1), csrrs(5, last, 0)];
    assert_eq!([last_read(&unseen(low), 1 << 20), last_read(&unseen(high), 1 << 20)], [7, 7]);
    let seen = [csrrw(0, low, 1), csrrc(6, low, 1), csrrs(5, low, 0)];
    assert_eq!(last_read(&seen, 1 << 20), 20);
    let again = [csrrw(0, low, 1), csrrc(0, low, 1), csrrs(6, low, 0), csrrs(5, low, 0)];
    assert_eq!(last_read(&again, 1 << 20), 17, "what was seen is known from then on");
}

#[test]
fn time_and_pending_come_from_outside() {
    let program = [csrrs(5, 0xc01, 0), csrrs(6, 0xc81, 0), csrrw(7, 0x344, 1), csrrs(8, 0x344, 0)];
    let (mut hart, mut env) = start(&program, &[(1, u32::MAX)]);
    env.time = 0x1234_5678_9abc_def0;
    env.pending = 1 << 7 | 1 << 16;
    steps(&mut hart, &mut env, 4);
    assert_eq!((hart.register(5), hart.register(6)), (0x9abc_def0, 0x1234_5678));
    assert_eq!((hart.register(7), hart.register(8)), (0x0001_0080, 0x0001_0080));
}
