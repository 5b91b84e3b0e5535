//! Random words as programs: legal and illegal instructions in any order, in both modes.

use super::asm::*;
use super::check::check;
use super::instructions::same;
use super::machine::{Machine, RAM};
use super::random::{Delays, Random};

/// Where the random words start and end: the part of RAM that cannot be written.
const CODE: u32 = RAM + 0x400;
const CODE_END: u32 = RAM + 0x1000;

/// Sets up protection, and a handler that goes on after whatever trapped: in U mode, where the program
/// starts then, or in M mode.
fn prologue(user: bool) -> Vec<u32> {
    let handler = RAM + 0x200;
    let mut program = li(31, handler).to_vec();
    program.push(csrrw(0, 0x305, 31));
    // Entry 0, locked: code may be read and executed, by both modes or by M alone.
    program.extend(li(1, CODE_END >> 2));
    program.extend([csrrw(0, 0x3b0, 1), addi(1, 0, -1), csrrw(0, 0x3b1, 1)]);
    program.extend(li(1, if user { 0x1f8d } else { 0x8d }));
    program.push(csrrw(0, 0x3a0, 1));
    for register in 1..16 {
        program.extend(li(register, RAM + 0x2000 + 0x5678 * register));
    }
    program.extend(li(31, CODE));
    program.push(if user { csrrw(0, 0x341, 31) } else { jalr(0, 31, 0) });
    program.push(MRET);
    program.resize(0x80, NOP);
    program.extend([csrrw(28, 0x340, 31), csrrs(31, 0x341, 0), addi(31, 31, 4)]);
    program.extend([csrrw(0, 0x341, 31), csrrs(29, 0x342, 0), csrrs(30, 0x343, 0)]);
    program.extend(li(31, 3 << 11));
    let back = if user { NOP } else { csrrs(0, 0x300, 31) };
    program.extend([back, csrrw(31, 0x340, 28), MRET]);
    program.resize(0x100, NOP);
    program
}

/// One word: an instruction, sometimes with a few bits turned over.
fn word(random: &mut Random) -> u32 {
    let mut register = || random.below(16) as u32;
    let (rd, rs1, rs2) = (register(), register(), register());
    let offset = random.below(256) as i32 * 4 - 512;
    let near = random.below(128) as i32 - 64;
    let csrs = [0x300, 0x304, 0x340, 0x341, 0x342, 0x343, 0x344, 0x306, 0x320, 0xb02, 0xb82];
    let more = [0x3a0, 0x3b0, 0x3b1, 0x3b2, 0x301, 0xf14, 0x7a0, 0xc02, 0x310, 0xb03, 0x105];
    let csr = if random.one_in(2) { csrs } else { more }[random.below(11) as usize];
    let word = match random.below(24) {
        0 => add(rd, rs1, rs2),
        1 => [sub, xor, sra, mulh][random.below(4) as usize](rd, rs1, rs2),
        2 => addi(rd, rs1, near),
        3 => div(rd, rs1, rs2),
        4..6 => lw(rd, rs1, near & !3),
        6 => [lb, lh, lhu][random.below(3) as usize](rd, rs1, near),
        7 => sw(rs2, rs1, near & !3),
        8 => [sb, sh][random.below(2) as usize](rs2, rs1, near),
        9 => amo([0, 1, 4, 28][random.below(4) as usize], rd, rs2, rs1),
        10 => lr(rd, rs1),
        11 => sc(rd, rs2, rs1),
        12..15 => branch(random.below(8) as u32, rs1, rs2, offset >> 1),
        15 => jal(rd, offset & !3),
        16 => jalr(rd, rs1, near),
        17 => [csrrw, csrrs, csrrc][random.below(3) as usize](rd, csr, rs1),
        18 => [csrrwi, csrrsi, csrrci][random.below(3) as usize](rd, csr, rs1),
        19 => [ECALL, EBREAK, FENCE, FENCE_I, MRET][random.below(5) as usize],
        20 => auipc(rd, 0x1000),
        21 => li(rd, CODE + random.below(0x300) as u32 * 4)[0],
        22 => lui(rd, RAM + 0x3000),
        _ => random.next() as u32,
    };
    let word = if random.one_in(12) { word ^ 1 << random.below(32) } else { word };
    // What depends on time, or sleeps for ever, is left out.
    let csr = word >> 20;
    let tells_time = [0xb00, 0xb80, 0xc00, 0xc01, 0xc80, 0xc81].contains(&csr);
    let is_csr = word & 0x7f == 0x73 && word >> 12 & 3 != 0;
    if word == WFI || is_csr && tells_time { NOP } else { word }
}

#[test]
fn random_words_do_the_same_whatever_the_delays() {
    let mut causes = [0; 16];
    let mut user = 0;
    for seed in 1..30 {
        let mut random = Random::new(seed);
        let mut program = prologue(seed % 3 != 0);
        while program.len() < (CODE_END - RAM) as usize / 4 {
            program.push(word(&mut random));
        }
        let mut runs = (0..3).map(|pattern| {
            let delays = if pattern == 0 { Delays::NONE } else { Delays::random(seed + pattern) };
            let mut machine = Machine::new(&program, delays);
            machine.run_to(900);
            check(&machine);
            machine
        });
        let first = runs.next().expect("a run");
        for other in runs {
            same(&first.records[..900], &other.records[..900]);
        }
        for record in &first.records {
            causes[record.cause as usize] += u32::from(record.trap);
            user += u32::from(record.mode == 0);
        }
    }
    // All exceptions of the machine happened.
    for cause in [0, 1, 2, 3, 4, 5, 6, 7, 8, 11] {
        assert!(causes[cause] > 0, "no exception {cause}: {causes:?}");
    }
    assert!(user > 100, "{user} instructions in U mode");
}
