//! Exceptions, interrupts, and returning from them.

use super::*;
use border::interrupt::Interrupt;

const MSTATUS: u32 = 0x300;
const MIE: u32 = 0x304;
const MTVEC: u32 = 0x305;
const MEPC: u32 = 0x341;
const MCAUSE: u32 = 0x342;
const MTVAL: u32 = 0x343;

/// (instruction, rs1, cause, mtval)
#[test]
fn exceptions_say_what_and_where() {
    let outside = 0x4000_0000;
    #[rustfmt::skip]
    let table = [
        (ECALL, 0, 11, 0),
        (EBREAK, 0, 3, START),
        (jal(1, 6), 0, 0, START + 6),
        (jalr(1, 1, 3), START, 0, START + 2),
        (beq(0, 0, 10), 0, 0, START + 10),
        (lw(3, 1, 2), START, 4, START + 2),
        (lh(3, 1, 1), START, 4, START + 1),
        (lr(3, 1), START + 2, 4, START + 2),
        (sw(3, 1, 1), START, 6, START + 1),
        (sh(3, 1, 3), START, 6, START + 3),
        (sc(3, 1, 2), START + 1, 6, START + 1),
        (amoadd(3, 1, 2), START + 2, 6, START + 2),
        (lb(3, 1, 0), outside, 5, outside),
        (lr(3, 1), outside, 5, outside),
        (sb(3, 1, 0), outside, 7, outside),
        (sc(3, 1, 2), outside, 7, outside),
        (amoadd(3, 1, 2), outside, 7, outside),
        // A misaligned access comes before the fault.
        (lw(3, 1, 1), outside, 4, outside + 1),
        (sw(3, 1, 1), outside, 6, outside + 1),
    ];
    for (insn, rs1, cause, value) in table {
        let (mut hart, mut env) = start(&[insn], &[(1, rs1), (3, 99)]);
        let retired = hart.step(&mut env).unwrap();
        assert!(retired.trap, "{insn:#x}");
        assert_eq!((mcause(&retired), retired.pc_wdata), (Some(cause), 0), "{insn:#x}");
        assert_eq!((retired.rd_addr, retired.mem_rmask, retired.mem_wmask), (0, 0, 0));
        assert_eq!((hart.csrs().cause, hart.csrs().trap_value), (cause, value), "{insn:#x}");
        assert_eq!((hart.csrs().exception_pc, hart.pc()), (START, 0));
        assert_eq!((hart.register(3), env.accesses.len()), (99, 0), "nothing else happened");
        assert_eq!(csr(&hart, 0xb02), 0, "what traps does not count as retired");
    }
}

#[test]
fn a_branch_that_is_not_taken_may_have_any_target() {
    assert!(!one(bne(0, 0, 6), &[]).1.trap);
}

#[test]
fn a_fetch_that_faults_has_no_instruction() {
    let (mut hart, mut env) = start(&[jalr(0, 1, 0)], &[(1, 0x100)]);
    steps(&mut hart, &mut env, 1);
    let retired = hart.step(&mut env).unwrap();
    assert_eq!((retired.trap, mcause(&retired), retired.insn), (true, Some(1), 0));
    assert_eq!((hart.csrs().exception_pc, hart.csrs().trap_value), (0x100, 0x100));
}

#[test]
fn a_trap_and_its_return_keep_mode_and_interrupt_enable() {
    // In the handler at START + 8: go back to the instruction after.
    let handler = START + 0x20;
    let mut program = vec![
        csrrw(0, MTVEC, 1),
        csrrw(0, MSTATUS, 2),
        csrrw(0, MEPC, 3),
        MRET,
        ECALL,
        NOP,
        NOP,
        NOP,
    ];
    program.extend([csrrs(5, MSTATUS, 0), csrrs(6, MCAUSE, 0), csrrs(7, MTVAL, 0), MRET]);
    let registers = [(1, handler), (2, 1 << 7), (3, START + 0x10)];
    let (mut hart, mut env) = start_open(&program, &registers);
    let returned = steps(&mut hart, &mut env, 4);
    assert_eq!((returned.mode, returned.pc_wdata), (M, START + 0x10));
    assert_eq!(hart.csrs().mode, U);
    assert_eq!(hart.csrs().status(), 1 << 3 | 1 << 7, "MPIE to MIE; MPP is U");

    let trap = hart.step(&mut env).unwrap();
    assert_eq!((trap.trap, mcause(&trap), trap.mode, trap.intr), (true, Some(8), U, false));
    assert_eq!(trap.pc_wdata, handler);
    let first = hart.step(&mut env).unwrap();
    assert_eq!((first.mode, first.intr, first.pc_rdata), (M, true, handler));
    assert_eq!(first.rd_wdata, 1 << 7, "MIE to MPIE; MPP is U");
    let second = hart.step(&mut env).unwrap();
    assert_eq!((second.intr, second.rd_wdata), (false, 8));
    steps(&mut hart, &mut env, 2);
    assert_eq!((hart.pc(), hart.csrs().mode), (START + 0x10, U), "mepc is the ecall itself");
}

#[test]
fn mret_in_user_mode_is_illegal_and_wfi_is_not() {
    let in_user_mode = |insn| {
        let program = [csrrw(0, MEPC, 1), MRET, insn];
        let (mut hart, mut env) = start_open(&program, &[(1, START + 8)]);
        steps(&mut hart, &mut env, 2);
        assert_eq!(hart.csrs().mode, U);
        hart.step(&mut env).map(|retired| mcause(&retired).unwrap())
    };
    assert_eq!(in_user_mode(MRET), Some(2));
    assert_eq!(in_user_mode(ECALL), Some(8));
    assert_eq!(in_user_mode(WFI), None, "it waits");
}

#[test]
fn wfi_waits_for_an_enabled_interrupt_whatever_mie_of_mstatus() {
    let (mut hart, mut env) = start(&[csrrw(0, MIE, 1), WFI, NOP], &[(1, 1 << 3)]);
    steps(&mut hart, &mut env, 1);
    let before = hart.clone();
    assert_eq!(hart.step(&mut env), None);
    assert_eq!(hart, before, "a waiting instruction changes nothing");
    env.pending = Interrupt::Timer.bit();
    assert_eq!(hart.step(&mut env), None, "not enabled");
    env.pending = Interrupt::Software.bit();
    let retired = hart.step(&mut env).unwrap();
    assert_eq!((retired.insn, retired.trap, retired.intr), (WFI, false, false));
    assert_eq!(hart.pc(), START + 8, "M mode with MIE 0 goes on");
}

/// (enabled, pending, taken)
#[test]
fn interrupts_have_priorities() {
    let [software, timer, table] =
        [Interrupt::Software, Interrupt::Timer, Interrupt::Table].map(Interrupt::bit);
    let all = software | timer | table;
    let cases = [
        (all, 0, None),
        (0, all, None),
        (all, timer, Some(Interrupt::Timer)),
        (all, timer | software, Some(Interrupt::Software)),
        (all, all, Some(Interrupt::Table)),
        (software | timer, all, Some(Interrupt::Software)),
        (table, software | timer, None),
    ];
    for (enabled, pending, taken) in cases {
        for vectored in [0, 1] {
            let program = [csrrw(0, MIE, 1), csrrw(0, MTVEC, 2), csrrsi(0, MSTATUS, 8), NOP];
            let registers = [(1, enabled), (2, (START + 0x40) | vectored)];
            let (mut hart, mut env) = start(&program, &registers);
            let nops = [NOP; 17];
            env.bytes[0x40..0x40 + 4 * nops.len()].copy_from_slice(&bytes(&nops));
            steps(&mut hart, &mut env, 3);
            env.pending = pending;
            let retired = hart.step(&mut env).unwrap();
            assert_eq!(retired.intr, taken.is_some(), "{enabled:#x} {pending:#x}");
            let Some(interrupt) = taken else {
                assert_eq!(retired.pc_rdata, START + 12);
                continue;
            };
            assert_eq!(retired.pc_rdata, START + 0x40 + 4 * interrupt.number() * vectored);
            assert_eq!(hart.csrs().exception_pc, START + 12);
            assert_eq!(hart.csrs().cause, interrupt.mcause());
            assert!(!retired.trap, "an interrupt is no record of its own");
        }
    }
}

#[test]
fn exceptions_ignore_vectored_mode() {
    let program = [csrrw(0, MTVEC, 1), ECALL];
    let (mut hart, mut env) = start(&program, &[(1, (START + 0x40) | 1)]);
    steps(&mut hart, &mut env, 1);
    assert_eq!(hart.step(&mut env).unwrap().pc_wdata, START + 0x40);
}

#[test]
fn user_mode_takes_interrupts_whatever_mie_of_mstatus() {
    let program = [csrrw(0, MIE, 1), csrrw(0, MEPC, 2), csrrw(0, MTVEC, 3), MRET, NOP];
    let registers = [(1, Interrupt::Timer.bit()), (2, START + 16), (3, START + 16)];
    let (mut hart, mut env) = start(&program, &registers);
    steps(&mut hart, &mut env, 4);
    env.pending = Interrupt::Timer.bit();
    let retired = hart.step(&mut env).unwrap();
    assert_eq!((retired.intr, retired.mode), (true, M));
    assert_eq!(hart.csrs().cause, Interrupt::Timer.mcause());
    assert_eq!(hart.csrs().trap_value, 0);
    let next = hart.step(&mut env).unwrap();
    assert!(!next.intr, "M mode with MIE 0 is not interrupted again");
}

#[test]
fn an_access_put_off_is_repeated_or_given_up_for_an_interrupt() {
    let program = [csrrsi(0, MSTATUS, 8), csrrw(0, MIE, 1), csrrw(0, MTVEC, 2), lw(4, 3, 0)];
    let registers = [(1, 1 << 7), (2, START + 0x40), (3, START + 0x100)];
    let (mut hart, mut env) = start(&program, &registers);
    env.bytes[0x40..0x44].copy_from_slice(&NOP.to_le_bytes());
    env.bytes[0x100] = 5;
    steps(&mut hart, &mut env, 3);
    env.later = true;
    let before = hart.clone();
    assert_eq!(hart.step(&mut env), None);
    assert_eq!(hart, before);
    let mut repeated = hart.clone();
    env.pending = Interrupt::Timer.bit();
    let handler = hart.step(&mut env).unwrap();
    assert_eq!((handler.intr, handler.pc_rdata), (true, START + 0x40));
    assert_eq!(hart.csrs().exception_pc, START + 12);
    (env.later, env.pending) = (false, 0);
    assert_eq!(repeated.step(&mut env).unwrap().rd_wdata, 5);
}

#[test]
fn a_first_handler_instruction_that_waits_is_still_the_first() {
    let program = [csrrsi(0, MSTATUS, 8), csrrw(0, MIE, 1), csrrw(0, MTVEC, 2), NOP];
    let (mut hart, mut env) = start(&program, &[(1, 1 << 7), (2, START + 0x40), (3, START)]);
    env.bytes[0x40..0x44].copy_from_slice(&lw(4, 3, 0).to_le_bytes());
    steps(&mut hart, &mut env, 3);
    (env.pending, env.later) = (1 << 7, true);
    assert_eq!(hart.step(&mut env), None);
    assert!(hart.is_entering());
    env.later = false;
    let retired = hart.step(&mut env).unwrap();
    assert_eq!((retired.intr, retired.pc_rdata, retired.order), (true, START + 0x40, 3));
    assert_eq!(hart.csrs().exception_pc, START + 12, "the interrupt is taken once");
}

#[test]
fn fence_i_forgets_instructions_and_fence_does_not() {
    let (mut hart, mut env) = start(&[FENCE, FENCE_I], &[]);
    steps(&mut hart, &mut env, 1);
    assert_eq!(env.forgotten, 0);
    steps(&mut hart, &mut env, 1);
    assert_eq!(env.forgotten, 1);
}
