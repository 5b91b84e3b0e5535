//! Runs that do not end by themselves, and what is said of them.

use border::map::RAM;
use config::Config;
use cosim::machine::{End, Options, Program, Segment};
use std::io;

use crosstalk_tests::machine::setup::Bench;

/// A program from words at the reset vector.
fn words(words: &[u32]) -> Program {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let size = bytes.len() as u32;
    Program {
        path: "words".into(),
        entry: RAM.base,
        segments: vec![Segment { address: RAM.base, bytes, size }],
        text: RAM.base..RAM.base + size,
        tohost: None,
        fromhost: None,
        file: Vec::new(),
    }
}

const WFI: u32 = 0x1050_0073;
const JUMP_TO_SELF: u32 = 0x0000_006f;

#[test]
fn harts_that_nothing_can_wake_are_a_hang_that_names_them() {
    let bench = Bench::of(Config::default());
    let outcome = bench.run(&words(&[WFI]), 0, &mut io::sink(), &Options::default);
    let End::Hang(hang) = outcome.end else { panic!("{:?}", outcome.end) };
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
    assert_eq!((outcome.end, outcome.cycles), (End::Limit, 5000));
}

#[test]
fn a_program_that_starts_elsewhere_is_jumped_to() {
    let bench = Bench::of(Config::default());
    let mut program = words(&[WFI]);
    program.entry = 0x8000_2ffc;
    program.segments[0].address = 0x8000_2ffc;
    let options = || Options { lockstep: true, ..Options::default() };
    let outcome = bench.run(&program, 0, &mut io::sink(), &options);
    let End::Hang(hang) = outcome.end else { panic!("{:?}", outcome.end) };
    assert!(hang.to_string().contains("hart 3: 0x80002ffc"), "{hang}");
}
