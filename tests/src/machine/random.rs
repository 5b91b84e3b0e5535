//! Random instructions, legal and not, on all harts at once, with interrupts at random times.
//!
//! Every hart runs a stretch of its own over and over, among them loads, stores and atomics to a few
//! shared lines, writes to the CLINT that interrupt itself and others, reads and writes of somebody's
//! communication table, ecalls that change the mode, CSR accesses and nonsense. A handler returns after
//! whatever traps and empties a table that interrupts. Nothing ends; the golden machine must agree with
//! every instruction and every transaction.

use border::{clint, map, monitor};
use std::io;

use border::{End, Program};
use cosim::machine::{Counts, Options};

use super::breakpoints;
use super::setup::Bench;
use kit::Dice;

const START: u32 = map::RAM.base;
/// Shared by all: a few lines.
const DATA: u32 = 0x8001_0000;
/// Instructions of each hart's stretch.
const LENGTH: usize = 300;

// Words of a monitor's window.
const WATERMARK: u32 = 18;
const CONTROL: u32 = 19;
const CONTEXT: u32 = 37;

// Registers with a purpose: the data, the CLINT, its timers, some hart's window; x30 and x31 are the
// handler's.
const DATA_BASE: u32 = 8;
const CLINT_BASE: u32 = 9;
const TIMER_BASE: u32 = 29;
const WINDOW_BASE: u32 = 28;
const FREE: [u32; 12] = [1, 2, 3, 5, 10, 11, 12, 13, 14, 15, 16, 17];

fn r(op: u32, f3: u32, f7: u32, rd: u32, rs1: u32, rs2: u32) -> u32 {
    f7 << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | rd << 7 | op
}

fn i(op: u32, f3: u32, rd: u32, rs1: u32, imm: u32) -> u32 {
    (imm & 0xfff) << 20 | rs1 << 15 | f3 << 12 | rd << 7 | op
}

fn s(f3: u32, rs1: u32, rs2: u32, imm: u32) -> u32 {
    (imm >> 5 & 0x7f) << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | (imm & 0x1f) << 7 | 0x23
}

fn b(f3: u32, rs1: u32, rs2: u32, offset: u32) -> u32 {
    (offset >> 12 & 1) << 31
        | (offset >> 5 & 0x3f) << 25
        | rs2 << 20
        | rs1 << 15
        | f3 << 12
        | (offset >> 1 & 0xf) << 8
        | (offset >> 11 & 1) << 7
        | 0x63
}

fn jal(rd: u32, offset: u32) -> u32 {
    (offset >> 20 & 1) << 31
        | (offset >> 1 & 0x3ff) << 21
        | (offset >> 11 & 1) << 20
        | (offset >> 12 & 0xff) << 12
        | rd << 7
        | 0x6f
}

fn lui(rd: u32, value: u32) -> u32 {
    value & 0xffff_f000 | rd << 7 | 0x37
}

fn csr(f3: u32, number: u32, rd: u32, rs1: u32) -> u32 {
    number << 20 | rs1 << 15 | f3 << 12 | rd << 7 | 0x73
}

/// The handler: x30 and x31 are its own. Exceptions return after the instruction, ecalls in the other
/// mode; interrupts are answered.
fn handler() -> Vec<u32> {
    let (x30, x31) = (30, 31);
    vec![
        // MPRV off, or the handler's own accesses are U mode's.
        lui(x30, 0x20000),
        csr(3, 0x300, 0, x30),
        csr(2, 0x342, x31, 0),
        b(4, x31, 0, 48), // interrupt
        csr(2, 0x341, x30, 0),
        i(0x13, 0, x30, x30, 4),
        csr(1, 0x341, 0, x30),
        // An ecall (8 or 11) returns to the other mode.
        i(0x13, 7, x31, x31, 8),
        b(0, x31, 0, 24),
        lui(x30, 0x2000),
        i(0x13, 0, x30, x30, 0x800),
        csr(2, 0x300, x31, 0),
        r(0x33, 4, 0, x31, x31, x30),
        csr(1, 0x300, 0, x31),
        0x3020_0073, // mret
        // interrupt: the table empty, msip = 0, mtimecmp far away.
        csr(2, 0xf14, x30, 0),
        i(0x13, 1, x30, x30, 12),
        lui(x31, monitor::window(0)),
        r(0x33, 0, 0, x30, x30, x31),
        i(0x13, 0, x31, 0, 1),
        s(2, x30, x31, 4 * CONTROL),
        csr(2, 0xf14, x30, 0),
        i(0x13, 1, x30, x30, 2),
        lui(x31, map::CLINT.base),
        r(0x33, 0, 0, x30, x30, x31),
        s(2, x30, 0, 0),
        csr(2, 0xf14, x30, 0),
        i(0x13, 1, x30, x30, 3),
        r(0x33, 0, 0, x30, x30, x31),
        lui(x31, 0x4000),
        r(0x33, 0, 0, x30, x30, x31),
        s(2, x30, 30, 4),
        0x3020_0073,
    ]
}

/// One random instruction; `left` more follow in the stretch.
fn instruction(dice: &mut Dice, left: usize) -> u32 {
    let rd = dice.one_of(&FREE);
    let (rs1, rs2) = (dice.one_of(&FREE), dice.one_of(&FREE));
    let hart = dice.below(4);
    match dice.below(100) {
        0..=17 => {
            let f3 = dice.below(8);
            let f7 = if matches!(f3, 0 | 5) { dice.below(2) << 5 } else { 0 };
            r(0x33, f3, f7, rd, rs1, rs2)
        }
        18..=25 => r(0x33, dice.below(8), 1, rd, rs1, rs2),
        26..=35 => {
            let f3 = dice.below(8);
            let imm = match f3 {
                1 => dice.below(32),
                5 => dice.below(32) | dice.below(2) << 10,
                _ => dice.below(4096),
            };
            i(0x13, f3, rd, rs1, imm)
        }
        36..=38 => lui(rd, dice.word()) & !0x20 | if dice.below(2) == 0 { 0x20 } else { 0 },
        39..=52 => i(3, dice.one_of(&[0, 1, 2, 2, 4, 5]), rd, DATA_BASE, offset(dice)),
        53..=66 => s(dice.one_of(&[0, 1, 2, 2]), DATA_BASE, rs2, offset(dice)),
        67..=74 => {
            let f5 = dice.one_of(&[0, 1, 2, 2, 3, 3, 4, 8, 12, 16, 20, 24, 28]);
            let rs2 = if f5 == 2 { 0 } else { rs2 };
            r(0x2f, 2, f5 << 2 | dice.below(4), rd, dice.one_of(&[4, 6, 7, DATA_BASE]), rs2)
        }
        75..=82 if left > 8 => {
            b(dice.one_of(&[0, 1, 4, 5, 6, 7]), rs1, rs2, 4 * (1 + dice.below(6)))
        }
        83..=84 if left > 8 => jal(dice.one_of(&[0, 1]), 4 * (1 + dice.below(6))),
        85 => 0x0000_100f,
        86 => 0x0000_000f,
        87 => 0x0000_0073,
        88 => dice.one_of(&[0x0010_0073, 0x3020_0073, 0x1020_0073]),
        // The CLINT: somebody's msip, somebody's timer, soon; and reads.
        89 => s(2, CLINT_BASE, rs2, 4 * hart),
        90 => i(3, 2, rd, CLINT_BASE, 4 * hart),
        91 => s(2, TIMER_BASE, dice.one_of(&[0, 0, rs2]), 8 * hart + 4 * dice.below(2)),
        92..=95 => {
            let numbers = [
                0x300, 0x304, 0x304, 0x340, 0x342, 0x343, 0x344, 0x301, 0x305, 0xb02, 0xb82, 0x320,
                0x306, 0xb00, 0xb80, 0xc00, 0xc01, 0xc02, 0xf14, 0x3b1, 0x3b2, 0x7a0, 0x123, 0xb04,
                0xb06, 0xb0c, 0xb85, 0x328,
            ];
            let number = dice.one_of(&numbers);
            // mtvec and mcause are only read, so that there is a way back.
            let f3 = match number {
                0x305 | 0x342 => 2,
                _ => dice.one_of(&[1, 2, 3, 5, 6, 7]),
            };
            let rs1 = if matches!(number, 0x305 | 0x342) { 0 } else { rs1 };
            csr(f3, number, rd, rs1)
        }
        96 => csr(6, 0x300, 0, 8),
        97 => csr(7, 0x300, 0, 8),
        // A table: its entries, counters and filter; what software may change of it.
        98 => match dice.below(3) {
            0 => s(2, WINDOW_BASE, rs2, 4 * dice.one_of(&[WATERMARK, CONTROL, CONTEXT])),
            1 => i(3, 2, rd, WINDOW_BASE, 4 * dice.below(7)),
            _ => i(3, 2, rd, WINDOW_BASE, 4 * dice.one_of(&[16, 17, 18, 20, 32, 33, 34, CONTEXT])),
        },
        _ => loop {
            let word = dice.word();
            if harmless(word) {
                break word;
            }
        },
    }
}

fn offset(dice: &mut Dice) -> u32 {
    let line = 32 * dice.below(5);
    let word = 4 * dice.below(8);
    let misaligned = if dice.below(12) == 0 { dice.below(4) } else { 0 };
    line + word + misaligned
}

/// A word of nonsense must not write what keeps the program going.
fn harmless(word: u32) -> bool {
    let (op, rd) = (word & 0x7f, word >> 7 & 31);
    let writes = !matches!(op, 0x23 | 0x63 | 0x0f);
    let jumps = matches!(op, 0x67 | 0x6f | 0x63);
    let system = op == 0x73;
    let stores = matches!(op, 0x23 | 0x2f);
    let spoils = writes && matches!(rd, 4 | 6..=9 | 28..=31);
    !(spoils || jumps || system || stores)
}

/// The program of a seed, a stretch for each hart.
pub fn program(seed: u64, harts: u32) -> Program {
    assembled(seed, harts, harts)
}

/// The same with one stretch for all harts.
pub fn together(seed: u64, harts: u32) -> Program {
    assembled(seed, harts, 1)
}

fn assembled(seed: u64, harts: u32, stretches: u32) -> Program {
    let dice = &mut Dice::new(seed);
    let mut code = vec![0; 4 + 3 * harts as usize];
    let handler_at = 4 * code.len() as u32;
    code.extend(handler());
    let mut starts = Vec::new();
    for _ in 0..stretches {
        starts.push(4 * code.len() as u32);
        let prologue = [
            lui(DATA_BASE, DATA),
            lui(CLINT_BASE, map::CLINT.base),
            i(0x13, 0, 4, DATA_BASE, 32 * dice.below(5)),
            i(0x13, 0, 6, DATA_BASE, 32 * dice.below(5) + 4),
            i(0x13, 0, 7, DATA_BASE, 32 * dice.below(5) + 8),
            // U mode may do everything: one entry over all of memory.
            i(0x13, 0, 10, 0, 0xfff),
            csr(1, 0x3b0, 0, 10),
            csr(5, 0x3a0, 0, 0x1f),
            lui(TIMER_BASE, clint::Word::Mtimecmp.address(0)),
            // Somebody's table interrupts soon.
            lui(WINDOW_BASE, monitor::window(dice.below(harts))),
            i(0x13, 0, 10, 0, 1 + dice.below(40)),
            s(2, WINDOW_BASE, 10, 4 * WATERMARK),
            // All interrupts on.
            lui(10, 0x10000),
            i(0x13, 0, 10, 10, 0x88),
            csr(1, 0x304, 0, 10),
            csr(6, 0x300, 0, 8),
            // A stray mret comes here.
            0x0000_0f17, // auipc x30, 0
            i(0x13, 0, 30, 30, 12),
            csr(1, 0x341, 0, 30),
        ];
        code.extend(prologue);
        let again = code.len();
        for place in 0..LENGTH {
            code.push(instruction(dice, LENGTH - place));
        }
        let back = (again as u32).wrapping_sub(code.len() as u32).wrapping_mul(4);
        code.push(jal(0, back));
    }
    // The way in: mtvec, then each hart to its stretch.
    let start = [
        0x0000_0f17, // auipc x30, 0
        i(0x13, 0, 30, 30, handler_at),
        csr(1, 0x305, 0, 30),
        csr(2, 0xf14, 30, 0),
    ];
    code[..start.len()].copy_from_slice(&start);
    let mut place = start.len();
    for hart_start in starts.into_iter().cycle().take(harts as usize) {
        // beq x30, x0, +8 skips the jump that is not taken; x30 counts down.
        code[place] = b(1, 30, 0, 8);
        code[place + 1] = jal(0, hart_start.wrapping_sub(4 * (place as u32 + 1)));
        code[place + 2] = i(0x13, 0, 30, 30, 0xfff);
        place += 3;
    }
    let bytes: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
    let data: Vec<u8> = (0..160).map(|_| dice.below(256) as u8).collect();
    Program::of_pieces(&format!("random program {seed}"), [(START, bytes), (DATA, data)])
}

/// Runs random programs for so many cycles each, with random breakpoints if the machine has any; gives the cycles compared, and what happened.
pub fn compare(bench: &Bench, seeds: std::ops::Range<u64>, cycles: u64) -> (u64, Counts) {
    let (mut compared, mut all) = (0, Counts::default());
    for seed in seeds {
        let program = program(seed, bench.config.harts);
        let entries = bench.config.breakpoints.entries;
        let devices =
            breakpoints::table(&mut Dice::new(seed), entries, bench.config.harts, &program);
        let options = || Options {
            limit: Some(cycles),
            lockstep: true,
            monitor: Some(program.text.clone()),
            devices: devices.clone(),
            stats: true,
            ..Options::default()
        };
        // Every other schedule is not perturbed.
        let schedule = if seed % 2 == 0 { 0 } else { seed };
        let outcome = bench.run(&program, schedule, &mut io::sink(), &options);
        assert_eq!(outcome.end, End::CycleLimit, "random program {seed}");
        let total = outcome.stats.expect("counted").total();
        assert!(total.instructions > cycles / 100, "random program {seed} stands still");
        compared += outcome.cycles;
        all += total;
    }
    (compared, all)
}
