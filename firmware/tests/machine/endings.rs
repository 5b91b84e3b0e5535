//! How a run ends is recorded.

use crate::alone::{self, Finished};
use crate::common::{self, symbol};
use border::Drain;
use border::interrupt::{Cause, Exception};
use config::Config;
use record::End;

const LIMIT: u64 = 5_000_000;

fn end_by(how: &str, seed: u64) -> Finished {
    let file = common::with(common::link(&common::test_source("endings")), |settings| {
        settings.arguments = vec![b"endings".to_vec(), how.into()];
    });
    alone::run(&file, &Config::default(), seed, LIMIT)
}

#[test]
fn a_returned_value_is_the_exit_code() {
    let end = end_by("return", 1);
    assert_eq!(end.record().ending.outcome, End::Exit { code: -3 });
    assert_eq!(end.stop, End::Exit { code: 253 });
}

#[test]
fn exit_runs_its_functions_and_stops_busy_threads() {
    for seed in 0..8 {
        let end = end_by("exit", seed);
        assert_eq!(end.text(1), "goodbye");
        assert_eq!(end.record().ending.outcome, End::Exit { code: 7 });
    }
}

#[test]
fn a_failed_assertion_has_its_file_and_line() {
    let end = end_by("assert", 1);
    let source = std::fs::read_to_string(common::test_source("endings")).unwrap();
    let line = 1 + source.lines().position(|line| line.contains("assert(answer")).unwrap();
    let outcome = end.record().ending.outcome;
    assert_eq!(
        outcome,
        End::Assertion { file: "tests/sources/endings.c".into(), line: line as u32 }
    );
    let message = format!(
        "tests/sources/endings.c:{line}: fail_assertion: Assertion `answer == 42' failed.\n"
    );
    assert_eq!(end.text(2), message);
    assert_eq!(end.stop, End::Exit { code: 134 });
}

#[test]
fn abort_is_the_code_of_an_aborted_process() {
    assert_eq!(end_by("abort", 1).record().ending.outcome, End::Exit { code: 134 });
}

#[test]
fn a_deadlock_is_seen_at_once() {
    for seed in 0..8 {
        let end = end_by("deadlock", seed);
        assert_eq!(end.record().ending.outcome, End::Deadlock, "seed {seed}");
        assert_eq!(
            end.text(2),
            "crosstalk: deadlock: every thread waits, and none can wake another\n"
        );
    }
}

#[test]
fn too_many_threads_are_refused_with_both_numbers_and_the_option() {
    let few = "run it with --harts";
    let none = "17 would be more than the largest machine has";
    for (harts, drain, wanted, room, advice) in [
        (4, Drain::Watermark, 5, "4 harts", format!("{few} 5")),
        (4, Drain::Spare, 4, "3 harts", format!("{few} 5")),
        (1, Drain::Watermark, 2, "1 hart", format!("{few} 2")),
        (16, Drain::Watermark, 17, "16 harts", none.into()),
    ] {
        let file = common::with(common::link(&common::test_source("endings")), |settings| {
            settings.arguments = vec![b"endings".to_vec(), b"too-many".to_vec()];
            settings.drain = drain;
        });
        let config: Config = format!("harts = {harts}").parse().unwrap();
        let end = alone::run(&file, &config, 1, LIMIT);
        assert_eq!(
            end.text(2),
            format!(
                "crosstalk: the program has {wanted} live threads but the machine has {room} for them; \
                 {advice}\n"
            )
        );
        assert_eq!(end.stop, End::Exit { code: 125 });
    }
}

#[test]
fn a_stack_that_overflows_is_a_fault_before_it_reaches_another() {
    let outcome = end_by("recurse", 1).record().ending.outcome;
    let End::Fault { address, cause: Cause::Exception(Exception::StoreAccess), .. } = outcome
    else {
        panic!("{outcome}")
    };
    // The first stack lies below the edges of four harts: a mebibyte, and the guarded page under it.
    let end_of_stack = (0x8100_0000 - 4 * 2048 * 28) & !0xfff;
    let guard = end_of_stack - 0x10_0000 - 0x1000;
    assert!((guard..guard + 0x1000).contains(&address), "{outcome}");
}

#[test]
fn an_illegal_instruction_is_a_fault_at_its_pc() {
    let file = common::link(&common::test_source("endings"));
    let end = end_by("illegal", 1);
    let outcome = end.record().ending.outcome;
    let illegal = Cause::Exception(Exception::IllegalInstruction);
    let End::Fault { pc, address: 0, cause } = outcome else { panic!("{outcome}") };
    assert_eq!(cause, illegal);
    let text = u64::from(symbol(&file, "__program_text_start"))
        ..u64::from(symbol(&file, "__program_text_end"));
    assert!(text.contains(&pc));
    assert_eq!(end.stop, End::Exit { code: 132 });
}

#[test]
fn a_program_lives_as_long_as_its_last_thread() {
    for seed in 0..8 {
        let end = end_by("leave-main", seed);
        assert_eq!(end.text(1), "the last thread\n", "seed {seed}: {}", end.text(2));
        assert_eq!(end.record().ending.outcome, End::Exit { code: 0 });
    }
}

#[test]
fn a_joined_thread_frees_its_hart() {
    for seed in 0..8 {
        let end = end_by("many-in-turn", seed);
        assert_eq!(end.text(1), "780\n", "seed {seed}: {}", end.text(2));
    }
}

#[test]
fn longjmp_comes_back_to_setjmp() {
    assert_eq!(end_by("jump", 1).text(1), "4 3\n");
}

#[test]
fn the_header_says_what_it_was_told() {
    let file = common::with(common::link(&common::test_source("endings")), |settings| {
        settings.seed = 0x1234_5678_9abc_def0;
        settings.config_hash = [7; 32];
        settings.elf_hash = [9; 32];
        settings.events = 3;
    });
    let header = alone::run(&file, &Config::default(), 1, LIMIT).record().header;
    assert_eq!(header.seed, 0x1234_5678_9abc_def0);
    assert_eq!(header.config, [7; 32]);
    assert_eq!(header.elf, [9; 32]);
    assert_eq!((header.events, header.harts), (3, 4));
}
