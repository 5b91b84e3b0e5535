//! Strategies: what they find, that they end, and that a seed means one schedule.

use super::*;
use std::sync::Arc;

const PLENTY: Limits = Limits { instructions: 200_000 };
const TWO: Parameters = Parameters { harts: 2, ..PARAMETERS };
const MSTATUS: u32 = 0x300;
const MEPC: u32 = 0x341;
const PMPCFG0: u32 = 0x3a0;
const PMPADDR0: u32 = 0x3b0;

/// A part of a program that runs in U mode, where scheduling points are.
fn in_user_mode(code: &[u32]) -> Vec<u32> {
    let mut program = vec![addi(1, 0, -1), csrrw(0, PMPADDR0, 1), addi(1, 0, 0x1f)];
    program.extend([csrrw(0, PMPCFG0, 1), csrrw(0, MSTATUS, 0), auipc(1, 0)]);
    program.extend([addi(1, 1, 16), csrrw(0, MEPC, 1), MRET]);
    program.extend(code);
    program
}

/// A program of two harts whose parts exit with their own codes.
fn program(parts_of: [&[u32]; 2]) -> Vec<u32> {
    parts(&parts_of.map(in_user_mode), &STOP)
}

fn machine(program: &[u32], seed: u64, strategy: Scheduling, points: &Arc<Points>) -> Machine {
    let mut machine = Machine::scheduled(&TWO, seed, strategy, points.clone());
    machine.load(Segment { address: RAM, bytes: &bytes(program) }).unwrap();
    machine.watch(TOHOST);
    machine
}

/// The points that a few runs show, in bursts and then by priorities.
fn points(program: &[u32]) -> Arc<Points> {
    let mut points = Points::default();
    for strategy in [Scheduling::Bursts, Scheduling::Priorities { changes: 1 }] {
        for seed in 0..4 {
            let mut machine = machine(program, seed, strategy, &Arc::new(points.clone()));
            machine.keep_accesses();
            machine.run(PLENTY);
            points.learn(machine.accesses());
        }
    }
    Arc::new(points)
}

fn found(program: &[u32], strategy: Scheduling, seeds: u64, code: u32) -> usize {
    let points = points(program);
    let ends_so = |seed: &u64| {
        let stop = machine(program, *seed, strategy, &points).run(PLENTY);
        stop == Stop::Exit { code }
    };
    (0..seeds).filter(ends_so).count()
}

/// Work that takes `rounds` rounds of two instructions and shares nothing.
fn work(rounds: i32) -> Vec<u32> {
    vec![addi(20, 0, rounds), addi(20, 20, -1), bne(20, 0, -4)]
}

/// Hart 1 exits with 7 if it sees the short time in which a word is 1.
fn short_window() -> Vec<u32> {
    let mut writer = Vec::from(li(10, DATA));
    writer.extend(work(400));
    writer.extend([addi(11, 0, 1), sw(11, 10, 0), sw(0, 10, 0)]);
    let mut reader = Vec::from(li(10, DATA));
    reader.extend(work(40));
    reader.extend([lw(12, 10, 0), beq(12, 0, 4 * 7)]);
    reader.extend(exit(7));
    program([&writer, &reader])
}

#[test]
fn strategies_with_points_find_a_window_of_one_instruction() {
    let program = short_window();
    assert_eq!(found(&program, Scheduling::Bursts, 200, 7), 0, "a window that bursts miss");
    for strategy in &Scheduling::IN_TURN[1..] {
        let found = found(&program, *strategy, 200, 7);
        assert!(found >= 10, "{strategy:?} found it {found} times in 200");
    }
}

/// Hart 1 exits with 7 if it looks only after hart 0 has done all its work.
fn long_sleep() -> Vec<u32> {
    let mut worker = Vec::from(li(10, DATA));
    worker.extend([addi(20, 0, 600), lw(11, 10, 0), addi(11, 11, 1), sw(11, 10, 0)]);
    worker.extend([addi(20, 20, -1), bne(20, 0, -16)]);
    let mut looker = Vec::from(li(10, DATA));
    looker.extend([addi(21, 0, 600), lw(12, 10, 0), bne(12, 21, 4 * 7)]);
    looker.extend(exit(7));
    program([&worker, &looker])
}

#[test]
fn priorities_let_a_hart_sleep_through_the_work_of_another() {
    let program = long_sleep();
    assert_eq!(found(&program, Scheduling::Uniform, 100, 7), 0);
    let found = found(&program, Scheduling::Priorities { changes: 1 }, 100, 7);
    assert!(found >= 8, "found {found} times in 100");
}

/// Hart 1 looks once, and exits with 7 if that is between the last two of many stores of hart 0.
fn late_look() -> Vec<u32> {
    let mut worker = Vec::from(li(10, DATA));
    worker.extend([addi(20, 0, 600), lw(11, 10, 4), addi(11, 11, 1), sw(11, 10, 4)]);
    worker.extend([addi(20, 20, -1), bne(20, 0, -16)]);
    worker.extend([addi(11, 0, 1), sw(11, 10, 0), sw(0, 10, 0)]);
    let mut looker = Vec::from(li(10, DATA));
    looker.extend([lw(11, 10, 4), lw(12, 10, 0), beq(12, 0, 4 * 7)]);
    looker.extend(exit(7));
    program([&worker, &looker])
}

#[test]
fn selected_words_are_accessed_in_any_order_whatever_else_harts_do() {
    let program = late_look();
    assert_eq!(found(&program, Scheduling::Uniform, 200, 7), 0);
    let found = found(&program, Scheduling::Selected, 200, 7);
    assert!(found >= 20, "found {found} times in 200");
}

#[test]
fn a_hart_that_spins_gives_way_under_every_strategy() {
    let mut spinner = Vec::from(li(10, DATA));
    spinner.extend([lw(11, 10, 0), beq(11, 0, -4)]);
    spinner.extend(exit(3));
    let mut setter = Vec::from(li(10, DATA));
    setter.extend([lw(12, 10, 4), lw(12, 10, 8), addi(11, 0, 1), sw(11, 10, 0)]);
    let program = program([&spinner, &setter]);
    let points = points(&program);
    for seed in 0..60 {
        let strategy = Scheduling::of_seed(seed);
        let mut machine = machine(&program, seed, strategy, &points);
        assert_eq!(machine.run(PLENTY), Stop::Exit { code: 3 }, "seed {seed}, {strategy:?}");
        assert!(machine.instructions() < 20_000, "seed {seed}, {strategy:?}");
    }
}

#[test]
fn a_seed_means_one_schedule_under_every_strategy() {
    let program = short_window();
    let points = points(&program);
    for seed in 0..12 {
        let run = || {
            let mut machine = machine(&program, seed, Scheduling::of_seed(seed), &points);
            machine.keep_accesses();
            let stop = machine.run(PLENTY);
            (stop, machine.instructions(), machine.accesses().to_vec())
        };
        assert_eq!(run(), run(), "seed {seed}");
    }
}
