//! Runs on the machine that did not end by themselves are kept too.

use record::{Collected, End, Label, Run};
use std::path::Path;
use std::process::{Command, Output};

/// Two threads change a counter in turns, for so many rounds or, without a number, for ever.
const IN_TURNS: &str = "
#include <pthread.h>
#include <stdlib.h>
static volatile int turn;
static int rounds;
static void *play(void *argument) {
    int self = (int)(long)argument;
    for (int i = 0; !rounds || i < rounds; i++) {
        while (turn % 2 != self) {}
        turn++;
    }
    return NULL;
}
int main(int count, char **arguments) {
    pthread_t other;
    rounds = count > 1 ? atoi(arguments[1]) : 0;
    pthread_create(&other, NULL, play, (void *)1);
    play((void *)0);
    pthread_join(other, NULL);
    return 0;
}
";

/// Nothing ever wakes a program that waits for an interrupt.
const ASLEEP: &str = "int main(void) { for (;;) __asm__ volatile(\"wfi\"); }";

fn run(folder: &Path, source: &str, arguments: &[&str]) -> (Output, Run) {
    let kept = folder.join("kept.run");
    std::fs::write(folder.join("program.c"), source).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_crosstalk"))
        .args(["run", "program.c", "--record", "kept.run"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let bytes = std::fs::read(kept).unwrap_or_else(|error| panic!("{error}: {said}"));
    (output, Run::read(bytes.as_slice()).unwrap())
}

#[test]
fn at_the_limit_everything_is_kept_that_the_firmware_would_have_sent() {
    let folder = tempfile::tempdir().unwrap();
    let (output, whole) = run(folder.path(), IN_TURNS, &["--", "30"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(whole.ending.outcome, End::Exit { code: 0 });
    assert_eq!(whole.header.collected, Collected::Firmware);

    // Stopped when all threads have ended and nothing has been drained: the same edges.
    let limit = whole.ending.cycles.to_string();
    let (output, stopped) = run(folder.path(), IN_TURNS, &["--max-cycles", &limit, "--", "30"]);
    assert_eq!(output.status.code(), Some(125));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("did not end within") && said.contains("is in `kept.run`"), "{said}");
    assert_eq!(stopped.ending.outcome, End::CycleLimit);
    assert_eq!(stopped.ending.cycles, whole.ending.cycles);
    assert_eq!(stopped.label(), Label::Unknown);
    assert!(stopped.edges.len() > 4, "{} edges", stopped.edges.len());
    assert_eq!(stopped.edges, whole.edges);
    assert_eq!(stopped.lost, whole.lost);
    let expected = record::Header { collected: Collected::Tap, ..whole.header };
    assert_eq!(stopped.header, expected);
}

#[test]
fn a_run_that_goes_on_for_ever_keeps_what_it_had_until_then() {
    let folder = tempfile::tempdir().unwrap();
    let edges = |limit: &str| {
        let (_, run) = run(folder.path(), IN_TURNS, &["--max-cycles", limit]);
        assert_eq!(run.ending.outcome, End::CycleLimit);
        run.edges.iter().map(|total| u64::from(total.count)).sum::<u64>()
    };
    let (some, more) = (edges("20000"), edges("140000"));
    assert!(0 < some && some < more, "{some} edges, then {more}");
}

#[test]
fn a_hang_is_kept_as_a_deadlock() {
    let folder = tempfile::tempdir().unwrap();
    let (output, run) = run(folder.path(), ASLEEP, &[]);
    assert_eq!(output.status.code(), Some(125));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("hangs in cycle") && said.contains("is in `kept.run`"), "{said}");
    assert_eq!(run.ending.outcome, End::Deadlock);
    assert_eq!(run.label(), Label::Failing);
}

#[test]
fn an_output_that_cannot_be_is_refused_before_anything_is_built() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |arguments: &[&str]| {
        // The program does not exist either: that would be told later.
        let output = Command::new(env!("CARGO_BIN_EXE_crosstalk"))
            .args(["run", "missing.c"])
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(125));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let said = refused(&["--vcd", "w.vcd", "--from", "9", "--to", "3"]);
    assert!(said.contains("from cycle 9 to before cycle 3 is empty"), "{said}");
    assert!(!folder.path().join("w.vcd").exists());
    let said = refused(&["--vcd", "nowhere/w.vcd"]);
    assert!(said.contains("`nowhere/w.vcd` cannot be written"), "{said}");
    let said = refused(&["--record", "nowhere/x.run"]);
    assert!(said.contains("`nowhere/x.run` cannot be written"), "{said}");
    for (name, text) in [("a.c", "a source"), ("m.toml", "a machine")] {
        std::fs::write(folder.path().join(name), text).unwrap();
        for option in ["--record", "--vcd", "--fst"] {
            let said = refused(&["a.c", "--config", "m.toml", option, name]);
            assert!(said.ends_with("cannot be written: it is one of the inputs\n"), "{said}");
        }
        assert_eq!(std::fs::read_to_string(folder.path().join(name)).unwrap(), text);
    }
    assert!(!folder.path().join("w.vcd").exists() && !folder.path().join("x.run").exists());
}
