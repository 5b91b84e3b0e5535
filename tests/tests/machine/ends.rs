//! Runs that do not end by themselves, and what is said of them.

use border::map::RAM;
use border::{End, Program};
use config::Config;
use cosim::machine::Options;
use std::io;

use crosstalk_tests::machine::setup::Bench;

/// A program from words at the reset vector.
fn words(words: &[u32]) -> Program {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    Program::of_pieces("words", [(RAM.base, bytes)])
}

const WFI: u32 = 0x1050_0073;
const JUMP_TO_SELF: u32 = 0x0000_006f;

#[test]
fn harts_that_nothing_can_wake_are_a_hang_that_names_them() {
    let bench = Bench::of(Config::default());
    let outcome = bench.run(&words(&[WFI]), 0, &mut io::sink(), &Options::default);
    assert_eq!(outcome.end, End::Deadlock);
    let hang = outcome.hang.unwrap();
    let text = hang.to_string();
    assert_eq!(text.lines().count(), 4);
    for (hart, line) in text.lines().enumerate() {
        let place = format!("hart {hart}: 0x80000000, waiting for an interrupt (wfi)");
        assert_eq!(line.trim(), place);
    }
}

#[test]
fn a_program_that_goes_on_for_ever_is_stopped_at_the_limit() {
    let bench = Bench::of(Config::default());
    let options = || Options { limit: Some(5000), ..Options::default() };
    let outcome = bench.run(&words(&[JUMP_TO_SELF]), 0, &mut io::sink(), &options);
    assert_eq!((outcome.end, outcome.cycles), (End::CycleLimit, 5000));
}

/// What is said of each hart of a program in which every hart does the same.
fn said_of(program: &Program, limit: Option<u64>) -> (End, Vec<String>) {
    let bench = Bench::of(Config::default());
    let options = || Options { limit, ..Options::default() };
    let outcome = bench.run(program, 0, &mut io::sink(), &options);
    let lines =
        outcome.hang.unwrap().to_string().lines().map(|line| line.trim().to_owned()).collect();
    (outcome.end, lines)
}

#[test]
fn harts_that_trap_for_ever_are_a_hang_that_says_why() {
    const EBREAK: u32 = 0x0010_0073;
    const TO_THE_START: u32 = 0x8000_02b7; // lui t0, 0x80000
    const SET_VECTOR: u32 = 0x3052_9073; // csrw mtvec, t0
    // No trap vector was set, so the handler is at 0, where nothing is.
    let (end, said) = said_of(&words(&[EBREAK]), None);
    let nowhere = "0x00000000, in a trap loop at the start of its trap handler: fetch access \
                   fault (mtval 0x0)";
    assert_eq!((end, said[3].as_str()), (End::Deadlock, format!("hart 3: {nowhere}").as_str()));
    // The handler is no instruction.
    let mut program = words(&[0, TO_THE_START, SET_VECTOR, EBREAK]);
    program.entry = 0x8000_0004;
    let mut config = Config { reset_vector: 0x8000_0004, ..Config::default() };
    config.harts = 2;
    let outcome = Bench::of(config).run(&program, 0, &mut io::sink(), &Options::default);
    let said = outcome.hang.unwrap().to_string();
    let illegal = "hart 1: 0x80000000, in a trap loop at the start of its trap handler: illegal \
                   instruction (mtval 0x0)";
    assert!(said.contains(illegal), "{said}");
}

#[test]
fn a_hart_that_traps_for_ever_is_named_at_the_limit_too() {
    // Hart 0 breaks, the others go on for ever: csrr t0, mhartid; beqz t0, +8; j .; ebreak
    let program = words(&[0xf140_22f3, 0x0002_8463, JUMP_TO_SELF, 0x0010_0073]);
    let (end, said) = said_of(&program, Some(5000));
    assert_eq!(end, End::CycleLimit);
    assert!(said[0].starts_with("hart 0: 0x00000000, trapping at the start of its trap handler"));
    assert_eq!(said[1], "hart 1: 0x80000008, running");
}

#[test]
fn a_program_that_starts_elsewhere_is_jumped_to() {
    let bench = Bench::of(Config::default());
    let mut program = words(&[WFI]);
    program.entry = 0x8000_2ffc;
    program.segments[0].address = 0x8000_2ffc;
    let options = || Options { lockstep: true, ..Options::default() };
    let outcome = bench.run(&program, 0, &mut io::sink(), &options);
    assert_eq!(outcome.end, End::Deadlock);
    let hang = outcome.hang.unwrap();
    assert!(hang.to_string().contains("hart 3: 0x80002ffc"), "{hang}");
}
