//! Colors as programs see them, and as the machine does.

use crate::alone::{self, Finished};
use crate::common;
use border::color::Word;
use border::{End, Program};
use config::Config;
use golden::ColorLookaside;
use golden::machine::Machine;

const LIMIT: u64 = 20_000_000;

fn colored() -> Config {
    "[color]\nitems = 16\nepoch = 300\nbits = 10".parse().unwrap()
}

fn program(argument: &str, flags: &'static [&'static str]) -> Program {
    let program = common::link_with(vec![common::test_source("colors")], flags);
    common::with(program, |settings| settings.arguments = vec![b"colors".to_vec(), argument.into()])
}

fn run(argument: &str, flags: &'static [&'static str], config: &Config) -> (Machine, Finished) {
    alone::observe(&program(argument, flags), config, 1, LIMIT, |_| ())
}

#[test]
fn ranges_keep_their_colors_whatever_is_colored_around_them() {
    let (_, end) = run("ranges", &[], &colored());
    assert_eq!(end.text(1), "last 1023\n1\n1\n1\n1\n22 0\n", "{}", end.text(2));
}

#[test]
fn without_colors_in_the_machine_nothing_has_a_color() {
    let (_, end) = run("ranges", &[], &Config::default());
    assert_eq!(end.text(1), "last 0\n0\n0\n0\n0\n0 0\n", "{}", end.text(2));
    let (_, end) = run("numbers", &[], &Config::default());
    assert_eq!(end.text(1), "0 0, 2 given\n0 again, then 0\n", "{}", end.text(2));
}

#[test]
fn colors_are_given_once_and_come_back_when_they_are_given_back() {
    let (_, end) = run("numbers", &[], &colored());
    assert_eq!(end.text(1), "1 2, 1024 given\n2 again, then 0\n", "{}", end.text(2));
}

#[test]
fn the_machine_finds_the_colors_that_the_program_gave() {
    let (machine, end) = run("ranges", &[], &colored());
    assert_eq!(end.stop, End::Exit { code: 0 });
    let program = program("ranges", &[]);
    let (words, root) =
        (common::symbol(&program, "words"), common::symbol(&program, "__crosstalk_color_root"));
    let registers = machine.coloring().unwrap().hart(0);
    assert_eq!(registers.read(Word::ColorTable), root);
    let range = [Word::ColorRangeLow, Word::ColorRangeHigh].map(|word| registers.read(word));
    let text = ["__program_text_start", "__program_text_end"];
    assert_eq!(range, text.map(|name| common::symbol(&program, name)));
    // With few entries and with many, in both directions: ranges of all sizes overlap nowhere.
    for entries in [1, 64] {
        let mut buffer = ColorLookaside::new(entries, 10, 0x83ff_ffff);
        let memory = |address| machine.host_word(address).unwrap();
        let up = 0..4096;
        for word in up.clone().chain(up.rev()) {
            let color = match word {
                50 | 51 => 6,
                10..100 => 5,
                1500 => 0,
                1000..3000 => 7,
                _ => 0,
            };
            let found = buffer.lookup(true, root, words + 4 * word, memory);
            assert_eq!(found.color.0, color, "word {word}");
        }
    }
}

#[test]
fn with_malloc_coloring_each_block_has_a_color_of_its_own_until_it_is_freed() {
    let flags = &["--color-malloc"];
    let (_, end) = run("blocks", flags, &colored());
    assert_eq!(end.text(1), "1 1 1 1\n1\n", "{}", end.text(2));
    let (_, end) = run("blocks", &[], &colored());
    assert_eq!(end.text(1), "0 1 0 1\n0\n", "{}", end.text(2));
}

const DEPLOYMENT: u32 = Word::TRACK.mask() | Word::SEARCH.mask() | Word::AVOID.mask();

/// Writes a register of every hart.
fn set(machine: &mut Machine, word: Word, value: u32) {
    for hart in 0..machine.harts() as u32 {
        assert!(machine.host_write(word.address(hart), value));
    }
}

/// Transactions begun and aborted.
fn transactions(machine: &Machine) -> (u32, u32) {
    let counters = |hart| machine.coloring().unwrap().hart(hart).counters();
    let all = || (0..machine.harts()).map(counters);
    (all().map(|one| one.starts).sum(), all().map(|one| one.aborts).sum())
}

/// How many reads did not fit together in some schedules, and transactions begun.
fn violations(argument: &str, control: u32) -> (i32, u32) {
    let program = program(argument, &[]);
    let (mut failed, mut starts) = (0, 0);
    for seed in 0..10 {
        let prepare = |machine: &mut Machine| set(machine, Word::ColorControl, control);
        let (machine, end) = alone::observe(&program, &colored(), seed, LIMIT, prepare);
        failed += match end.stop {
            End::Exit { code } => code,
            other => panic!("{other}"),
        };
        starts += transactions(&machine).0;
    }
    (failed, starts)
}

#[test]
fn the_host_decides_whether_colors_begin_transactions_and_the_program_can_switch_them_off() {
    let (without, with) = (violations("move", 0), violations("move", DEPLOYMENT));
    println!("{without:?} {with:?}");
    assert!(without.1 == 0 && with.1 > 0, "{without:?} {with:?}");
    assert_eq!(violations("quiet", DEPLOYMENT).1, 0);
    assert_eq!(violations("quiet then loud", 0).1, 0);
    assert!(violations("quiet then loud", DEPLOYMENT).1 > 0);
}

#[test]
fn transactions_change_no_result_of_a_correct_program() {
    let (mut starts, mut aborts) = (0, 0);
    for name in firmware::programs::ALL {
        let source = firmware::programs::source(name);
        let program = common::link_with(vec![source], &["--color-malloc"]);
        let expected = alone::run(&program, &colored(), 1, LIMIT).text(1);
        for seed in 1..4 {
            let prepare = |machine: &mut Machine| {
                set(machine, Word::ColorControl, DEPLOYMENT);
                set(machine, Word::TransactionLength, 400 * seed);
                machine.start_at_random(seed.into(), 1 << 20);
            };
            let (machine, end) = alone::observe(&program, &colored(), seed.into(), LIMIT, prepare);
            let what = format!("{name}, seed {seed}: {}", end.text(2));
            assert_eq!(end.text(1), expected, "{what}");
            assert_eq!(end.stop, End::Exit { code: 0 }, "{what}");
            end.check_edges(&what);
            let (begun, aborted) = transactions(&machine);
            (starts, aborts) = (starts + begun, aborts + aborted);
        }
    }
    println!("{starts} transactions begun, {aborts} aborted");
    assert!(starts > 3000 && aborts > 1000, "{starts} begun, {aborts} aborted");
}
