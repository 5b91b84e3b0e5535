//! Interrupts: between instructions, at any time, and while an access or WFI waits.

use super::asm::*;
use super::check::check;
use super::instructions::value;
use super::machine::{Lines, Machine, RAM};
use super::random::{Delays, Random};
use super::record::Record;
use border::interrupt::INTERRUPT_BIT;

const MSTATUS: u32 = 0x300;
const MIE: u32 = 0x304;
const MTVEC: u32 = 0x305;
const MEPC: u32 = 0x341;
const MCAUSE: u32 = 0x342;

/// Where the handler of these tests is.
const HANDLER: u32 = RAM + 0x400;

/// Counts with x1; enabled interrupts go to a handler that counts them with x2 and clears nothing.
fn interruptible(mie: u32, body: &[u32]) -> Vec<u32> {
    let mut program = li(31, HANDLER + 1).to_vec();
    program.push(csrrw(0, MTVEC, 31));
    program.extend(li(30, mie));
    program.extend([csrrw(0, MIE, 30), csrrsi(0, MSTATUS, 8)]);
    let start = program.len() as i32;
    program.extend(body);
    let length = program.len() as i32;
    program.push(jal(0, 4 * (start - length)));
    program.resize(0x100, NOP);
    // Base + 4 × cause: the number of the way in goes to x29.
    for cause in 0..32 {
        program.push(jal(29, 4 * (32 - cause)));
    }
    program.extend([csrrs(28, MCAUSE, 0), csrrs(27, MEPC, 0), addi(2, 2, 1), MRET]);
    program
}

#[test]
fn interrupts_come_between_instructions_by_priority() {
    for seed in 1..8 {
        let program = interruptible(0x0001_0088, &[addi(1, 1, 1), mul(3, 1, 1), add(4, 3, 1)]);
        let mut machine = Machine::new(&program, Delays::random(seed));
        machine.run_to(100);
        let mut random = Random::new(seed);
        for (lines, cause) in [
            (Lines { software: true, timer: true, table: true }, 16),
            (Lines { software: true, timer: true, table: false }, 3),
            (Lines { software: false, timer: true, table: false }, 7),
        ] {
            machine.steps(random.below(20) as usize);
            let before = machine.records.len();
            machine.lines = lines;
            let entered = (0..20_000).any(|_| {
                machine.step();
                machine.records[before..].iter().any(|record| record.intr)
            });
            assert!(entered, "no interrupt is taken");
            machine.lines = Lines::default();
            let count = machine.records.len();
            machine.run_to(count + 30);
            assert_eq!(value(&machine, 28), INTERRUPT_BIT | cause);
            let entry = machine.records[before..].iter().find(|record| record.intr).unwrap();
            assert_eq!(entry.pc_rdata, HANDLER + 4 * cause);
        }
        check(&machine);
        uninterrupted(&machine.records);
    }
}

/// Without the handlers, the program did what it does without interrupts: each goes on where it was.
fn uninterrupted(records: &[Record]) {
    let outside = records.iter().filter(|record| record.pc_rdata < HANDLER);
    let mut next = RAM;
    for record in outside {
        assert_eq!(record.pc_rdata, next, "{record:#x?}");
        assert!(!record.trap);
        next = record.pc_wdata;
    }
}

#[test]
fn interrupts_at_random_times_lose_and_repeat_nothing() {
    for seed in 1..12 {
        // x31 is one more than the handler's address.
        let body = [
            addi(26, 31, 0x1ff),
            lw(5, 26, 0),
            addi(5, 5, 1),
            sw(5, 26, 0),
            addi(26, 26, 4),
            amo(0, 6, 5, 26),
            div(7, 6, 5),
            csrrw(8, 0x340, 7),
            beq(5, 0, 8),
            addi(1, 1, 1),
        ];
        let mut machine = Machine::new(&interruptible(8, &body), Delays::random(seed));
        let mut random = Random::new(seed);
        for _ in 0..4000 {
            if random.one_in(40) {
                machine.lines.software = !machine.lines.software;
            }
            machine.step();
        }
        check(&machine);
        let sums = machine.records.iter().filter(|record| record.insn == sw(5, 26, 0));
        for (place, record) in sums.enumerate() {
            assert_eq!(record.mem_wdata, place as u32 + 1);
        }
        assert!(value(&machine, 2) > 3, "interrupts were taken");
        assert!(value(&machine, 1) > 3, "and the program goes on");
        uninterrupted(&machine.records);
    }
}

#[test]
fn a_waiting_access_is_given_up_for_an_interrupt_and_repeated() {
    let address = RAM + 0x800;
    let mut body = li(26, address).to_vec();
    body.extend([addi(1, 1, 1), amo(0, 6, 1, 26)]);
    let mut machine = Machine::new(&interruptible(0x0001_0000, &body), Delays::NONE);
    machine.stuck = Some(address);
    machine.steps(300);
    let before = machine.records.len();
    assert_eq!(machine.wait().1, "Bus");
    machine.steps(50);
    assert_eq!(machine.records.len(), before);
    machine.lines.table = true;
    machine.steps(60);
    machine.lines.table = false;
    machine.steps(100);
    assert!(machine.withdrawn >= 1);
    assert_eq!(value(&machine, 28), 0x8000_0010);
    assert!(machine.ordered.is_empty());
    machine.stuck = None;
    machine.steps(200);
    check(&machine);
    uninterrupted(&machine.records);
    // The first time it adds 1, once.
    let amos: Vec<_> = machine.records.iter().filter(|record| record.insn & 0x7f == 0x2f).collect();
    assert_eq!((amos[0].mem_rdata, amos[0].mem_wdata), (0, 1));
    assert_eq!((amos[1].mem_rdata, amos[1].mem_wdata), (1, 3));
}

#[test]
fn an_ordered_access_retires_before_the_interrupt() {
    for seed in 1..30 {
        let body = [addi(1, 1, 1), sw(1, 31, 0x1ff), lw(4, 31, 0x1ff)];
        let mut machine = Machine::new(&interruptible(8, &body), Delays { seed, most: 6, hold: 0 });
        let mut random = Random::new(seed);
        for _ in 0..600 {
            machine.lines.software =
                random.one_in(12) || machine.lines.software && !random.one_in(12);
            machine.step();
        }
        machine.lines.software = false;
        machine.steps(100);
        check(&machine);
        let accesses =
            machine.records.iter().filter(|record| record.mem_rmask | record.mem_wmask != 0);
        let retired: Vec<_> = accesses.map(|record| record.mem_addr).collect();
        let ordered: Vec<_> = machine.ordered.iter().map(|&(address, _)| address & !3).collect();
        assert!(ordered.len() <= retired.len() + 1);
        same_prefix(&ordered, &retired);
    }
}

fn same_prefix(left: &[u32], right: &[u32]) {
    let common = left.len().min(right.len());
    assert_eq!(left[..common], right[..common]);
}

#[test]
fn wfi_wakes_with_interrupts_off() {
    let mut program = vec![addi(1, 0, 8), csrrw(0, MIE, 1), WFI, addi(2, 0, 1), jal(0, 0)];
    program.push(NOP);
    let mut machine = Machine::new(&program, Delays::NONE);
    machine.steps(200);
    assert_eq!((machine.records.len(), machine.wait()), (2, (RAM + 8, "Wfi")));
    machine.lines.timer = true;
    machine.steps(20);
    assert_eq!(machine.records.len(), 2);
    machine.lines.software = true;
    machine.steps(20);
    check(&machine);
    assert_eq!(value(&machine, 2), 1);
    assert!(machine.records.iter().all(|record| !record.intr));
}
