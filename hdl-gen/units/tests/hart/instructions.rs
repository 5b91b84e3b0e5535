//! Every class of instruction, checked record by record, and random programs.

use super::asm::*;
use super::check::check;
use super::machine::{Machine, RAM};
use super::random::{Delays, Random};
use super::record::Record;

/// A program that ends in an endless loop, run for `count` instructions under several delays: the
/// records are right, and always the same.
pub fn run(program: &[u32], count: usize) -> Machine {
    let mut program = program.to_vec();
    program.push(jal(0, 0));
    let mut machines = (0..4).map(|seed| {
        let delays = if seed == 0 { Delays::NONE } else { Delays::random(seed) };
        let mut machine = Machine::new(&program, delays);
        machine.run_to(count);
        check(&machine);
        machine
    });
    let first = machines.next().expect("a run");
    for machine in machines {
        same(&first.records[..count], &machine.records[..count]);
    }
    first
}

/// The same instructions did the same, whenever that was.
pub fn same(left: &[Record], right: &[Record]) {
    for (left, right) in left.iter().zip(right) {
        assert_eq!(left.timeless(), right.timeless());
    }
}

/// The value the last instruction that wrote `register` left there.
pub fn value(machine: &Machine, register: Reg) -> u32 {
    let mut writes = machine.records.iter().rev().filter(|record| record.rd_addr == register);
    writes.next().map_or(0, |record| record.rd_wdata)
}

#[test]
fn straight_line_code_executes() {
    let machine = run(&[addi(1, 0, 5), addi(2, 1, 7), add(3, 1, 2), sub(4, 3, 1)], 6);
    let values: Vec<u32> = machine.records[..4].iter().map(|record| record.rd_wdata).collect();
    assert_eq!(values, [5, 12, 17, 12]);
    assert_eq!(machine.records[0].pc_rdata, RAM);
}

#[test]
fn x0_stays_zero() {
    let machine = run(&[addi(0, 0, 5), lui(0, 0x1000), add(1, 0, 0), jal(0, 4), add(2, 0, 0)], 6);
    assert_eq!(value(&machine, 1), 0);
    assert_eq!(value(&machine, 2), 0);
}

#[test]
fn division_follows_the_manual() {
    let operands = [0u32, 1, 2, 7, 0x7fff_ffff, 1 << 31, 0xffff_ffff, 0xffff_fff9, 12345];
    let mut program = Vec::new();
    for a in operands {
        for b in [0u32, 1, 3, 1 << 31, 0xffff_ffff, 0xffff_fffd] {
            program.extend(li(1, a));
            program.extend(li(2, b));
            program.extend([div(3, 1, 2), divu(4, 1, 2), rem(5, 1, 2), remu(6, 1, 2)]);
            program.extend([mul(3, 1, 2), mulh(4, 1, 2), mulhsu(5, 1, 2), mulhu(6, 1, 2)]);
        }
    }
    let count = program.len();
    run(&program, count);
}

#[test]
fn atomics_read_compute_and_write() {
    let mut program = li(1, RAM + 0x8000).to_vec();
    program.extend(li(2, 0xffff_fff0));
    program.extend(li(3, 0x0000_0123));
    program.push(sw(3, 1, 0));
    for funct5 in [0, 1, 4, 8, 12, 16, 20, 24, 28] {
        program.extend([sw(3, 1, 0), amo(funct5, 4, 2, 1), lw(5, 1, 0), add(6, 5, 4)]);
    }
    let count = program.len();
    let machine = run(&program, count);
    let (a, b) = (0x123u32, 0xffff_fff0u32);
    let expected = [a.wrapping_add(b), b, a ^ b, a | b, a & b, b, a, a, b];
    let loaded = machine.records.iter().filter(|record| record.insn == lw(5, 1, 0));
    assert_eq!(loaded.map(|record| record.rd_wdata).collect::<Vec<_>>(), expected);
    for (record, written) in
        machine.records.iter().filter(|record| record.insn & 0x7f == 0x2f).zip(expected)
    {
        assert_eq!((record.mem_rmask, record.mem_wmask), (15, 15));
        assert_eq!((record.mem_rdata, record.mem_wdata, record.rd_wdata), (a, written, a));
        assert_eq!(record.mem_addr, RAM + 0x8000);
    }
}

#[test]
fn store_conditional_tells_whether_it_wrote() {
    let mut program = li(1, RAM + 0x8000).to_vec();
    program.extend([
        addi(2, 0, 77),
        lr(3, 1),
        sc(4, 2, 1),
        sc(5, 2, 1),
        lw(6, 1, 0),
        lr(0, 1),
        addi(7, 1, 64),
        sc(8, 2, 7),
    ]);
    let machine = run(&program, 10);
    assert_eq!([4, 5, 6, 8].map(|register| value(&machine, register)), [0, 1, 77, 1]);
    let conditionals = machine.records.iter().filter(|record| record.insn >> 27 == 3);
    let masks: Vec<_> = conditionals.map(|record| (record.mem_rmask, record.mem_wmask)).collect();
    assert_eq!(masks[..3], [(0, 15), (0, 0), (0, 0)]);
}

/// A loop with a call and two branches of different habits.
#[test]
fn branches_and_calls_go_where_they_should() {
    let program = [
        addi(1, 0, 40),
        addi(2, 0, 0),
        // loop:
        andi(3, 1, 3),
        bne(3, 0, 8),
        addi(2, 2, 100),
        jal(5, 20),
        addi(1, 1, -1),
        bne(1, 0, -20),
        jal(0, 16),
        NOP,
        // called:
        addi(2, 2, 1),
        jalr(0, 5, 0),
        NOP,
        NOP,
    ];
    let machine = run(&program, 2 + 40 * 8 + 10 + 1);
    assert_eq!(value(&machine, 2), 40 + 10 * 100);
}

/// Random straight-line code with short forward branches over a small memory: every mixture of
/// producers and consumers at every distance.
fn random_program(seed: u64, length: usize) -> Vec<u32> {
    let mut random = Random::new(seed);
    let mut program = li(15, RAM + 0x8000).to_vec();
    for register in 1..8 {
        program.extend(li(register, random.next() as u32));
    }
    while program.len() < length {
        let mut register = || 1 + random.below(7) as u32;
        let (rd, rs1, rs2) = (register(), register(), register());
        let word = 4 * random.below(16) as i32;
        let byte = random.below(64) as i32;
        program.push(match random.below(30) {
            0..4 => add(rd, rs1, rs2),
            4 => sub(rd, rs1, rs2),
            5 => [sll, slt, sltu, xor, srl, sra, or, and][random.below(8) as usize](rd, rs1, rs2),
            6 => [mul, mulh, mulhsu, mulhu][random.below(4) as usize](rd, rs1, rs2),
            7 if random.one_in(3) => [div, divu, rem, remu][random.below(4) as usize](rd, rs1, rs2),
            8 => [addi, slti, sltiu, xori, ori, andi][random.below(6) as usize](rd, rs1, byte - 32),
            9 => [slli, srli, srai][random.below(3) as usize](rd, rs1, byte as u32 & 31),
            10..14 => lw(rd, 15, word),
            14 => [lb, lbu][random.below(2) as usize](rd, 15, byte),
            15 => [lh, lhu][random.below(2) as usize](rd, 15, byte & !1),
            16..18 => sw(rs2, 15, word),
            18 => sb(rs2, 15, byte),
            19 => sh(rs2, 15, byte & !1),
            20 => amo([0, 1, 4, 8, 12, 16, 20, 24, 28][random.below(9) as usize], rd, rs2, 15),
            21 => lr(rd, 15),
            22 => sc(rd, rs2, 15),
            23..26 => {
                let funct3 = [0, 1, 4, 5, 6, 7][random.below(6) as usize];
                branch(funct3, rs1, rs2, 4 + 4 * random.below(5) as i32)
            }
            26 => jal(rd, 4 + 4 * random.below(4) as i32),
            27 => csrrw(rd, 0x340, rs1),
            28 => csrrs(rd, 0x340, 0),
            _ => [FENCE, FENCE_I, auipc(rd, 0x1000), lui(rd, 0x4000)][random.below(4) as usize],
        });
    }
    program.extend([NOP; 6]);
    // And once more from the start of the random part.
    program.extend(li(14, RAM + 64));
    program.push(jalr(0, 14, 0));
    program
}

#[test]
fn random_programs_do_the_same_whatever_the_delays() {
    for seed in 1..24 {
        let program = random_program(seed, 150 + 10 * (seed as usize % 7));
        run(&program, 700);
    }
}

#[test]
fn integer_loops_in_the_caches_run_at_full_speed() {
    // sum += table[i] * 3, 64 times a round.
    let program = [
        lui(1, RAM),
        addi(2, 0, 64),
        addi(3, 0, 0),
        lw(4, 1, 0x400),
        addi(1, 1, 4),
        addi(2, 2, -1),
        slli(5, 4, 1),
        add(4, 4, 5),
        xor(3, 3, 4),
        add(3, 3, 4),
        bne(2, 0, -28),
        jal(0, -44),
    ];
    let mut machine = Machine::new(&program, Delays::NONE);
    machine.run_to(4000);
    check(&machine);
    let (first, last) = (machine.records[1000], machine.records[3999]);
    let cycles = last.cycle - first.cycle;
    assert!(2999 * 100 >= 95 * cycles, "{cycles} cycles for 2999 instructions");
}
