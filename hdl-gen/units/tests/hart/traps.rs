//! Exceptions and CSRs: precise, and with the right state.

use super::asm::*;
use super::check::check;
use super::instructions::{run, same, value};
use super::machine::{Machine, RAM};
use super::random::Delays;
use super::record::Record;

const MSTATUS: u32 = 0x300;
const MIE: u32 = 0x304;
const MTVEC: u32 = 0x305;
const MEPC: u32 = 0x341;
const MCAUSE: u32 = 0x342;
const MTVAL: u32 = 0x343;
const MIP: u32 = 0x344;
const MINSTRET: u32 = 0xb02;

/// Where the handler of these tests is.
const HANDLER: u32 = RAM + 0x400;

/// A program whose traps go to a handler that reads `mcause` to x28, `mtval` to x29 and `mepc` to x30,
/// and goes on after the instruction that trapped. The program comes after three instructions.
fn with_handler(program: &[u32]) -> Vec<u32> {
    let mut all = li(31, HANDLER).to_vec();
    all.push(csrrw(0, MTVEC, 31));
    all.extend(program);
    all.push(jal(0, 0));
    assert!(all.len() <= 0x100);
    all.resize(0x100, NOP);
    all.extend([csrrs(28, MCAUSE, 0), csrrs(29, MTVAL, 0), csrrs(30, MEPC, 0)]);
    all.extend([addi(31, 30, 4), csrrw(0, MEPC, 31), MRET]);
    all
}

/// `mcause`, `mtval` and `mepc` of each trap, as the handler read them.
fn handled(records: &[Record]) -> Vec<(u32, u32, u32)> {
    let reads = |register: u32| {
        records
            .iter()
            .filter(move |record| record.rd_addr == register && record.insn & 0x7f == 0x73)
    };
    let values = reads(29).zip(reads(30));
    let all = reads(28)
        .zip(values)
        .map(|(cause, (value, epc))| (cause.rd_wdata, value.rd_wdata, epc.rd_wdata));
    all.collect()
}

/// Runs a program and gives its traps.
fn traps_of(program: &[u32], count: usize) -> Vec<(u32, u32, u32)> {
    handled(&run(&with_handler(program), count).records)
}

/// The address of the instruction `place` of a program in [`with_handler`].
fn at(place: u32) -> u32 {
    RAM + 12 + 4 * place
}

#[test]
fn exceptions_say_what_happened_where() {
    let bad = 0x0000_0057;
    let program = [
        lui(1, RAM),
        ECALL,
        EBREAK,
        bad,
        lw(2, 1, 2),
        lh(2, 1, 1),
        sw(2, 1, 1),
        lw(2, 0, 16),
        sb(2, 0, 5),
        amo(0, 2, 2, 0),
        lr(2, 0),
        jalr(5, 1, 2),
        addi(3, 1, 1),
        lr(2, 3),
        sc(2, 2, 3),
        csrrw(4, 0xf14, 1),
        csrrs(4, 0x123, 0),
    ];
    let expected = [
        (11, 0, at(1)),
        (3, at(2), at(2)),
        (2, bad, at(3)),
        (4, RAM + 2, at(4)),
        (4, RAM + 1, at(5)),
        (6, RAM + 1, at(6)),
        (5, 16, at(7)),
        (7, 5, at(8)),
        (7, 0, at(9)),
        (5, 0, at(10)),
        (0, RAM + 2, at(11)),
        (4, RAM + 1, at(13)),
        (6, RAM + 1, at(14)),
        (2, csrrw(4, 0xf14, 1), at(15)),
        (2, csrrs(4, 0x123, 0), at(16)),
    ];
    let machine = run(&with_handler(&program), 3 + 17 + 15 * 6);
    assert_eq!(handled(&machine.records), expected);
    // Nothing that trapped had an effect.
    assert_eq!(value(&machine, 5), 0);
    assert_eq!(value(&machine, 4), 0);
    let firsts = machine.records.windows(2).filter(|pair| pair[0].trap);
    for pair in firsts {
        assert!(pair[1].intr && pair[1].pc_rdata == HANDLER && pair[0].pc_wdata == HANDLER);
    }
    let marked = machine.records.iter().filter(|record| record.intr).count();
    assert_eq!(marked, expected.len());
}

#[test]
fn a_misaligned_branch_traps_only_when_taken() {
    let program = [beq(0, 0, 6), bne(0, 0, 6), jal(1, 10)];
    assert_eq!(traps_of(&program, 3 + 3 + 12), [(0, at(0) + 6, at(0)), (0, at(2) + 10, at(2))]);
}

#[test]
fn a_fetch_outside_ram_faults_at_its_target() {
    // The handler returns after the faulting pc, so it faults again there.
    let program = [jalr(1, 0, 0x100)];
    let traps = traps_of(&program, 3 + 2 + 7 + 7);
    assert_eq!(traps[..2], [(1, 0x100, 0x100), (1, 0x104, 0x104)]);
    let machine = run(&with_handler(&program), 10);
    let fault = machine.records.iter().find(|record| record.cause == 1).expect("a fault");
    assert_eq!((fault.insn, fault.rs1_addr, fault.pc_rdata), (0, 0, 0x100));
}

#[test]
fn counters_count_what_retires() {
    let program = [
        csrrs(1, MINSTRET, 0),
        ECALL,
        csrrs(2, MINSTRET, 0),
        csrrwi(0, MINSTRET, 20),
        csrrs(3, MINSTRET, 0),
        csrrwi(0, 0x320, 4),
        csrrs(4, MINSTRET, 0),
        csrrs(5, MINSTRET, 0),
        csrrwi(0, 0x320, 0),
        csrrw(0, 0xb82, 1),
        csrrs(6, 0xb82, 0),
        csrrs(7, MINSTRET, 0),
    ];
    let machine = run(&with_handler(&program), 3 + 12 + 6);
    let values = [1, 2, 3, 4, 5, 6, 7].map(|register| value(&machine, register));
    assert_eq!(values, [3, 3 + 1 + 6, 20, 22, 22, 3, 23]);
}

#[test]
fn an_access_that_waits_is_counted_before_a_counter_is_written_or_read() {
    for seed in 1..6 {
        let program = [
            auipc(8, 0),
            lw(9, 8, 0x100),
            csrrwi(0, MINSTRET, 20),
            lw(9, 8, 0x200),
            csrrs(1, MINSTRET, 0),
            sw(9, 8, 0x200),
            csrrwi(0, MINSTRET, 7),
            amo(0, 9, 9, 8),
            csrrs(2, MINSTRET, 0),
        ];
        let mut machine = Machine::new(&program, Delays::random(seed));
        machine.run_to(program.len());
        check(&machine);
        assert_eq!([value(&machine, 1), value(&machine, 2)], [21, 8]);
    }
}

#[test]
fn csrs_keep_what_they_can_hold() {
    let masks = [
        (MSTATUS, 0x0002_1888),
        (0x310, 0),
        (0x301, 0x4010_1101),
        (MIE, 0x0001_0088),
        (MTVEC, 0xffff_fffd),
        (0x340, 0xffff_ffff),
        (MEPC, 0xffff_fffc),
        (MCAUSE, 0x8000_003f),
        (MTVAL, 0xffff_ffff),
        (MIP, 0),
        (0x306, 7),
        (0x30a, 0),
        (0x31a, 0),
        (0x33f, 0),
        (0xb1f, 0),
        (0xb83, 0),
        (0x3a3, 0),
        (0x3bf, 0),
        (0x7a0, 0),
        (0x7a3, 0),
        (0x3b3, 0xffff_ffff),
        (0xb82, 0xffff_ffff),
    ];
    let mut program = vec![addi(1, 0, -1)];
    for (csr, _) in masks {
        program.extend([csrrw(0, csr, 1), csrrs(2, csr, 0), csrrw(3, csr, 0), csrrs(4, csr, 0)]);
        program.extend([csrrsi(0, csr, 31), csrrci(5, csr, 8), csrrs(6, csr, 0)]);
    }
    let count = program.len();
    let machine = run(&program, count);
    for (place, (csr, mask)) in masks.into_iter().enumerate() {
        let records = &machine.records[1 + 7 * place..];
        let constant = if csr == 0x301 { mask } else { 0 };
        // MEPC, MTVEC and the counters aside, zero reads back as zero.
        let low = (mask & 31) | constant;
        assert_eq!(records[1].rd_wdata, mask, "{csr:#x}");
        assert_eq!(records[2].rd_wdata, mask, "{csr:#x}");
        assert_eq!(records[3].rd_wdata, constant, "{csr:#x}");
        assert_eq!(records[5].rd_wdata, low, "{csr:#x}");
        assert_eq!(records[6].rd_wdata, low & !8 | constant, "{csr:#x}");
    }
}

#[test]
fn constant_csrs_have_their_values() {
    let program: Vec<u32> = (0xf11..=0xf15).map(|csr| csrrs(csr - 0xf00, csr, 0)).collect();
    let machine = run(&with_handler(&program), 3 + 5);
    let values = [0x11, 0x12, 0x13, 0x14, 0x15].map(|register| value(&machine, register));
    assert_eq!(values, [0, 0, 0, 5, 0]);
}

#[test]
fn csrs_that_do_not_exist_are_illegal() {
    let numbers = [0x000, 0x100, 0x302, 0x303, 0x3c0, 0x7a4, 0x7b0, 0xb01, 0xb20, 0xc03, 0xf16];
    let program: Vec<u32> = numbers.iter().map(|&csr| csrrs(1, csr, 0)).collect();
    let traps = traps_of(&program, 3 + 11 * 7);
    assert_eq!(traps.len(), numbers.len());
    assert!(traps.iter().zip(&program).all(|(trap, &insn)| (trap.0, trap.1) == (2, insn)));
}

#[test]
fn user_mode_has_less_and_returns_by_traps() {
    let user = 12;
    let mut program = li(1, at(user)).to_vec();
    program.extend([csrrw(0, MEPC, 1), addi(2, 0, 2), csrrw(0, 0x306, 2), addi(3, 0, -1)]);
    // All memory open to U mode.
    program.extend([csrrw(0, 0x3b0, 3), addi(3, 0, 0x1f), csrrw(0, 0x3a0, 3)]);
    program.extend([csrrw(0, MSTATUS, 0), MRET, NOP]);
    assert_eq!(program.len() as u32, user);
    // In U mode.
    program.extend([
        csrrs(4, 0xc01, 0),
        csrrs(5, 0xc00, 0),
        csrrs(6, 0x340, 0),
        MRET,
        WFI,
        ECALL,
        addi(7, 0, 1),
    ]);
    let mut machine = Machine::new(&with_handler(&program), Delays::random(3));
    machine.lines.software = true;
    machine.run_to(3 + 11 + 2);
    check(&machine);
    let entered = machine.records.iter().find(|record| record.pc_rdata == at(user)).unwrap();
    assert_eq!((entered.mode, entered.insn, entered.trap), (0, csrrs(4, 0xc01, 0), false));
    machine.steps(2000);
    check(&machine);
    let traps = handled(&machine.records);
    // The handler returns to M mode: MPP is U, so it is U that goes on.
    assert_eq!(traps[0], (2, csrrs(5, 0xc00, 0), at(user + 1)));
    assert_eq!(traps[1], (2, csrrs(6, 0x340, 0), at(user + 2)));
    assert_eq!(traps[2], (2, MRET, at(user + 3)));
    // WFI sleeps until something is enabled.
    assert_eq!(machine.wait(), (at(user + 4), "Wfi"));
}

#[test]
fn nothing_retires_while_held() {
    let program = [addi(1, 1, 1), jal(0, -4)];
    let mut machine = Machine::new(&program, Delays::NONE);
    machine.held = true;
    machine.steps(100);
    assert_eq!((machine.records.len(), machine.wait()), (0, (RAM, "Held")));
    machine.held = false;
    machine.run_to(50);
    machine.held = true;
    machine.steps(3);
    let count = machine.records.len();
    machine.steps(20);
    assert_eq!(machine.records.len(), count);
    check(&machine);
}

#[test]
fn fence_i_makes_new_code_visible() {
    let mut program = li(1, addi(5, 5, 100)).to_vec();
    // The loop rewrites the instruction at `patched`, then runs it.
    program.extend(li(2, RAM + 4 * 8));
    program.extend([addi(4, 0, 3), sw(1, 2, 0), FENCE_I, NOP, addi(5, 5, 1)]);
    program.extend([addi(4, 4, -1), bne(4, 0, -20), jal(0, 0)]);
    let machine = run(&program, 5 + 3 * 6);
    assert_eq!(value(&machine, 5), 300);
    let again = run(&program, 23);
    same(&machine.records, &again.records);
}

#[test]
fn the_mode_before_a_trap_comes_back() {
    // MPP keeps M or U and ignores the rest.
    let mut program = Vec::new();
    for mpp in [3, 1, 2, 0, 1, 2, 3] {
        program.extend(li(1, mpp << 11 | 0x8));
        program.extend([csrrw(0, MSTATUS, 1), csrrs(2, MSTATUS, 0)]);
    }
    let count = program.len();
    let machine = run(&program, count);
    let reads = machine.records.iter().filter(|record| record.insn == csrrs(2, MSTATUS, 0));
    let kept: Vec<_> = reads.map(|record| record.rd_wdata).collect();
    assert_eq!(kept, [0x1808, 0x1808, 0x1808, 8, 8, 8, 0x1808]);
}
