//! A machine gets as many harts as the program has threads.

use crate::{assert_same, found, golden, hunt, sentence, text};
use std::fs;
use std::path::Path;

fn harts(folder: &Path) -> u64 {
    let identity = fs::read(folder.join("hunt.json")).unwrap();
    serde_json::from_slice::<serde_json::Value>(&identity).unwrap()["harts"].as_u64().unwrap()
}

#[test]
fn a_program_with_more_threads_gets_more_harts_and_the_answer_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--cflags", "-DCODE=3", "--failing", "3", "--passing", "0", "--out"];
    let output = golden(folder.path(), "crowd.c", &[&args[..], &["more"]].concat());
    let said = found(&output).replace('\n', " ");
    assert!(said.contains("The machine has 6 harts instead of 4"), "{said}");
    assert!(text(&output.stderr).contains("the machine gets 6"), "{}", text(&output.stderr));
    assert_eq!(harts(&folder.path().join("more")), 6);
    let page = fs::read_to_string(folder.path().join("more/report.html")).unwrap();
    assert!(page.contains("because each of the program"), "the page says so, too");
    // Resumed, it is the same machine; and nobody else's.
    let again = ["more", "--resume"];
    found(&golden(folder.path(), "crowd.c", &[&args[..], &again].concat()));
    let other = ["more", "--resume", "--harts", "4"];
    let said = sentence(&golden(folder.path(), "crowd.c", &[&args[..], &other].concat()), 2);
    assert!(said.contains("another --harts"), "{said}");
    // A machine of that size that was asked for gives the same runs.
    found(&golden(folder.path(), "crowd.c", &[&args[..], &["six", "--harts", "6"]].concat()));
    let runs = |name: &str| folder.path().join(name).join("runs");
    assert_same(&runs("more"), &runs("six"));
}

#[test]
fn a_schedule_with_more_threads_than_any_before_starts_the_hunt_over() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--cflags", "-DRARE=3", "--max-runs", "64", "--on", "golden"];
    let with = |threads: &str| {
        let mut command = hunt(folder.path(), "late_crowd.c", &args);
        command.args(["--out", threads]).env("RAYON_NUM_THREADS", threads);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        text(&output.stderr)
    };
    let said = with("1");
    assert!(said.contains("the machine gets 8"), "the first look saw it already: {said}");
    with("3");
    assert_same(&folder.path().join("1"), &folder.path().join("3"));
    let journal = fs::read_to_string(folder.path().join("1/schedules.jsonl")).unwrap();
    assert_eq!(journal.lines().count(), 64);
}
