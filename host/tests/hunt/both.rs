//! The hardware and the golden machine side by side, as a hunt does by itself.

use crate::{assert_same, files, found, hunt, sentence};
use std::fs;
use std::path::Path;
use std::process::Stdio;

/// Enough on the golden machine, and eight schedules on the hardware.
const ARGS: [&str; 8] =
    ["--failing", "6", "--passing", "6", "--monitor", "program", "--max-runs", "400"];

fn lines(journal: &Path) -> usize {
    fs::read_to_string(journal).unwrap_or_default().lines().count()
}

#[test]
fn golden_runs_count_where_the_hardware_fails_too_seldom_and_the_answer_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let with = |threads: &str| {
        let mut command = hunt(folder.path(), "lost_update.c", &ARGS);
        command.args(["--out", threads]).env("RAYON_NUM_THREADS", threads);
        found(&command.output().unwrap()).replace(&format!("{threads}/"), "DIR/")
    };
    let said = with("1");
    assert_eq!(said, with("3"));
    assert_same(&folder.path().join("1"), &folder.path().join("3"));
    assert!(said.contains("This answer rests on runs of the golden machine"), "{said}");
    assert!(said.contains(" on the simulated hardware failed"), "{said}");
    assert!(said.contains("explain DIR/golden/runs --elf"), "{said}");
    let of = |name: &str| folder.path().join("1").join(name).join("schedules.jsonl");
    assert_eq!(lines(&of("rtl")), 8);
    assert!(lines(&of("golden")) >= 12, "{}", lines(&of("golden")));
}

#[test]
fn the_hardwares_runs_count_if_it_finds_enough() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--failing", "4", "--passing", "0", "--json", "--out", "x"];
    let output = hunt(folder.path(), "hopeless.c", &args).output().unwrap();
    let value: serde_json::Value = serde_json::from_str(&found(&output)).unwrap();
    let sources = value["sources"].as_array().unwrap();
    assert_eq!((&sources[0]["on"], &sources[1]["on"]), (&"rtl".into(), &"golden".into()));
    assert_eq!((&sources[0]["schedules"], &sources[0]["failing"]), (&4.into(), &4.into()));
    assert_eq!(value["runs"]["failing"], 4);
}

/// Kills a hunt as soon as a journal has this many lines; false if it was over before.
fn interrupted(folder: &Path, source: &str, wanted: usize) -> bool {
    let mut command = hunt(folder, "lost_update.c", &ARGS);
    command.args(["--out", "cut", "--resume"]).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let journal = folder.join("cut").join(source).join("schedules.jsonl");
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success());
            return false;
        }
        if lines(&journal) >= wanted {
            child.kill().unwrap();
            child.wait().unwrap();
            return true;
        }
        std::thread::yield_now();
    }
}

#[test]
fn a_hunt_that_was_killed_on_either_machine_goes_on_to_the_same_files() {
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| {
        let output = hunt(folder.path(), "lost_update.c", &[&ARGS, args].concat()).output();
        found(&output.unwrap())
    };
    let whole = run(&["--out", "whole"]).replace("whole/", "DIR/");
    let kills = [("golden", 1), ("golden", 7), ("rtl", 1), ("rtl", 5)];
    let killed = kills.map(|(source, lines)| interrupted(folder.path(), source, lines));
    assert!(killed[..2].contains(&true) && killed[2..].contains(&true), "{killed:?}");
    assert_eq!(run(&["--out", "cut", "--resume"]).replace("cut/", "DIR/"), whole);
    assert_same(&folder.path().join("whole"), &folder.path().join("cut"));
    // Another hunt in the folder takes all of it away.
    let one = ["--on", "golden", "--out", "cut"];
    run(&one);
    let left = files(&folder.path().join("cut"));
    let of_both =
        |path: &&std::path::PathBuf| path.starts_with("rtl") || path.starts_with("golden");
    assert_eq!(left.keys().filter(of_both).count(), 0);
}

#[test]
fn if_nothing_fails_both_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let output = hunt(folder.path(), "sound.c", &["--max-runs", "12"]).output().unwrap();
    assert!(sentence(&output, 1).starts_with("none of 20 schedules of `sound` failed"));
}

#[test]
fn a_program_without_threads_is_not_run_on_the_hardware() {
    let folder = tempfile::tempdir().unwrap();
    let output = hunt(folder.path(), "crashes.c", &[]).output().unwrap();
    let said = found(&output).replace('\n', " ");
    assert!(said.contains("it failed in all 8 schedules, in the same way"), "{said}");
    assert!(said.contains("8 schedules of 8 on the golden machine failed"), "{said}");
    assert!(!said.contains("hardware"), "nothing was run there: {said}");
}
