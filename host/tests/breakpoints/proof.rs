//! `crosstalk repro`: from a hunt to a proof, and from there to a test.

use crate::{crosstalk, folder_with, text};
use serde_json::Value;
use std::fs;
use std::path::Path;

#[test]
fn a_lost_update_is_proved_and_its_fix_passes_the_test() {
    let folder = folder_with(&["torn.c"]);
    let path = folder.path();
    let hunt =
        ["hunt", "torn.c", "--on", "golden", "--out", "h", "--failing", "6", "--passing", "6"];
    let output = crosstalk(path, &hunt);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains("Confirmed: with"), "{said}");
    let output = crosstalk(path, &["repro", "h", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&answer["on"], &answer["confirmed"]), (&"golden".into(), &true.into()));
    let forced = &answer["forced"][0];
    let (runs, failed) = (forced["runs"].as_u64().unwrap(), forced["failed"].as_u64().unwrap());
    assert!(runs >= 299 && failed + 1 >= runs, "{forced}");
    assert_eq!(answer["opposite"][0]["failed"], 0, "{answer}");
    // A second time nothing is measured anew, and the answer is the same.
    let journal = fs::read(path.join("h/repro/journal.jsonl")).unwrap();
    let again = crosstalk(path, &["repro", "h", "--json"]);
    assert_eq!(text(&again.stdout), text(&output.stdout));
    assert_eq!(fs::read(path.join("h/repro/journal.jsonl")).unwrap(), journal);
    // One that was stopped in the middle of a line goes on from there.
    fs::write(path.join("h/repro/journal.jsonl"), &journal[..journal.len() / 2]).unwrap();
    let resumed = crosstalk(path, &["repro", "h", "--json"]);
    assert_eq!(text(&resumed.stdout), text(&output.stdout));
    let check = |args: &[&str]| {
        let file = ["repro", "--check", "h/repro/breakpoints.toml", "torn.c"];
        let output = crosstalk(path, &[&file[..], args].concat());
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    let (code, said) = check(&["--schedules", "40"]);
    assert_eq!(code, Some(1), "{said}");
    let (code, said) = check(&["--schedules", "40", "--cflags", "-DFIXED"]);
    assert_eq!(code, Some(0), "{said}");
    let source = fs::read_to_string(path.join("torn.c")).unwrap();
    fs::write(path.join("torn.c"), source.replace("seen", "known")).unwrap();
    let (code, said) = check(&[]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("is gone"), "{said}");
}

/// What `repro --json` says of a program of `firmware/breakpoint-bugs`, from a hunt of a few failures.
fn proved(program: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let bugs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../firmware/breakpoint-bugs");
    fs::copy(bugs.join(program), path.join("prog.c")).unwrap();
    let hunt =
        ["hunt", "prog.c", "--on", "golden", "--out", "h", "--failing", "10", "--passing", "10"];
    let output = crosstalk(path, &hunt);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let output = crosstalk(path, &["repro", "h", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Both halves hold, and every visit hit in enough schedules of the opposite order.
fn assert_clean(answer: &Value) {
    assert_eq!(answer["confirmed"], true, "{answer}");
    let opposite = &answer["opposite"][0];
    assert!(opposite["clean"].as_u64().unwrap() >= 299, "{answer}");
    assert_eq!(opposite["failed"], 0, "{answer}");
}

#[test]
fn the_opposite_of_an_interrupted_sequence_is_met_at_every_visit() {
    // A reader goes through a set in many calls, and one member is removed.
    assert_clean(&proved("sync-set/set.c"));
}

#[test]
fn two_failures_that_undo_each_other_are_told_apart() {
    assert_clean(&proved("parity/lights.c"));
}

#[test]
fn a_value_tells_visits_apart() {
    // Of eight keys, only one is looked at in the end.
    assert_clean(&proved("sync-map/map.c"));
}

#[test]
fn a_thread_begins_anew_while_the_other_stands_ready() {
    // The signal must come when the log is empty, and was not found closed.
    let answer = proved("log4j/appender.c");
    let forced = &answer["forced"][0];
    let (runs, failed) = (forced["runs"].as_u64().unwrap(), forced["failed"].as_u64().unwrap());
    assert!(runs >= 299 && failed + 1 >= runs, "{answer}");
}

#[test]
fn what_is_no_hunt_is_refused() {
    let folder = folder_with(&["torn.c"]);
    let output = crosstalk(folder.path(), &["repro", "torn.c"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    let output = crosstalk(folder.path(), &["repro", "nothing"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}
