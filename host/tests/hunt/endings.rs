//! What a hunt says when it is over.

use crate::{assert_same, found, golden, hunt, sentence};
use std::fs;
use std::process::Command;

#[test]
fn a_bug_is_explained_with_its_lines_and_a_report() {
    let folder = tempfile::tempdir().unwrap();
    let said = found(&golden(folder.path(), "lost_update.c", &[]));
    let first = said.lines().find(|line| line.starts_with("   1 ")).unwrap();
    assert!(first.contains("lost_update.c:"), "{said}");
    assert!(said.contains("balance = seen + 1;"), "{said}");
    assert!(said.contains("25 failing, 25 passing"), "{said}");
    let out = folder.path().join("crosstalk-hunt/lost_update");
    assert!(fs::read_to_string(out.join("report.html")).unwrap().contains("lost_update.c"));
    assert!(said.contains("report: crosstalk-hunt/lost_update/report.html"), "{said}");
    let sentence = said.replace('\n', " ");
    let order = ["main failed the assertion at", "balance", "lost_update.c:1", "lost_update.c:18"];
    let places: Vec<_> = order.iter().map(|part| sentence.find(part)).collect();
    assert!(places.is_sorted() && places[0].is_some(), "{said}");
    assert!(sentence.contains("In that order it fails; with "), "{said}");
    assert!(said.contains("\nthread "), "{said}");
    assert!(sentence.contains("main       then   failed the assertion"), "{said}");
    assert!(!sentence.contains(" out of turn the value that"), "{said}");
}

#[test]
fn if_nothing_fails_it_says_how_often_it_tried_and_what_to_raise() {
    let folder = tempfile::tempdir().unwrap();
    let said = sentence(&golden(folder.path(), "sound.c", &["--max-runs", "40"]), 1);
    assert!(said.starts_with("none of 40 schedules of `sound` failed; raise --max-runs"), "{said}");
    assert_eq!(fs::read_dir(folder.path().join("crosstalk-hunt/sound/runs")).unwrap().count(), 40);
}

#[test]
fn if_everything_fails_the_ranking_is_unlabeled_and_it_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let said = found(&golden(folder.path(), "hopeless.c", &[]));
    assert!(said.contains("All of 128 schedules failed"), "{said}");
    assert!(said.contains("unlabeled ranking"), "{said}");
    assert!(!said.contains("out of turn"), "{said}");
    assert!(said.contains("128 schedules of 128 failed: 128 exited with 3."), "{said}");
    assert!(
        said.contains("more:   crosstalk explain crosstalk-hunt/hopeless/runs --elf"),
        "{said}"
    );
    assert!(said.contains("(of all 128 runs; this answer uses 25 of them)"), "{said}");
}

/// What is said of a program that fails whatever the schedule is: how, and no cause.
fn always(program: &str, args: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let args = [args, &["--out", "x"]].concat();
    let said = found(&golden(folder.path(), program, &args));
    let page = fs::read_to_string(folder.path().join("x/report.html")).unwrap();
    for text in [&said, &page] {
        assert!(text.contains("The schedule does not matter"), "{said}");
        assert!(!text.contains("had written") && !text.contains("The likeliest cause"), "{said}");
    }
    let json = found(&golden(folder.path(), program, &[&args[..], &["--json"]].concat()));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["finding"]["known"], "always");
    assert_eq!(json["reconstructed"], 0);
    said.replace('\n', " ")
}

#[test]
fn a_program_that_fails_whatever_the_schedule_is_gets_no_cause() {
    let said = always("hopeless.c", &[]);
    let expected = "it failed in all 128 schedules, in the same way (exited with 3).";
    assert!(said.contains(expected), "{said}");
}

#[test]
fn a_program_that_never_ends_is_not_refused() {
    let said = always("endless.c", &["--max-cycles", "20000"]);
    assert!(
        said.contains("in all 8 schedules, in the same way (reached the cycle limit)"),
        "{said}"
    );
    assert!(said.contains("raise --max-cycles"), "{said}");
}

#[test]
fn a_program_that_fails_without_threads_is_not_refused() {
    let said = always("crashes.c", &[]);
    assert!(said.contains("(load access fault (cause 5) at pc 0x8"), "{said}");
    assert!(said.contains("), at crashes.c:7 in main."), "{said}");
    let said = always("wrong.c", &[]);
    assert!(
        said.contains("it failed in all 8 schedules, in the same way (exited with 2)"),
        "{said}"
    );
    assert!(said.contains("Schedule 1 printed last: the sum is 41"), "{said}");
}

#[test]
fn threads_that_share_only_what_lies_beside_their_lock_are_not_refused() {
    let folder = tempfile::tempdir().unwrap();
    let said = found(&golden(folder.path(), "quiet.c", &["--failing", "3", "--passing", "3"]));
    assert!(said.contains("3 failing, 3 passing"), "{said}");
}

#[test]
fn if_failures_are_few_it_says_how_many_are_missing() {
    let folder = tempfile::tempdir().unwrap();
    let said =
        found(&golden(folder.path(), "lost_update.c", &["--failing", "500", "--max-runs", "64"]));
    assert!(said.contains("of 500 failing runs were found in 64 schedules"), "{said}");
}

#[test]
fn a_deadlock_is_told_as_the_cycle_of_the_programs_own_locks() {
    let folder = tempfile::tempdir().unwrap();
    let said = found(&golden(folder.path(), "crossed.c", &["--failing", "8", "--passing", "8"]));
    assert!(said.contains("\nDeadlock: "), "{said}");
    let page =
        fs::read_to_string(folder.path().join("crosstalk-hunt/crossed/report.html")).unwrap();
    // With the program's own names and lines.
    for lock in ["left", "right"] {
        let rows = |did: &str| {
            let rows = said.lines().filter(|row| row.contains(&format!("{did}  {lock} ")));
            rows.filter(|row| row.contains("crossed.c:")).count()
        };
        assert!(rows("wants") == 1 && rows("has  ") == 1, "{lock}: {said}");
        assert!(page.contains(&format!("<title>{lock}</title>")), "{lock} is in no picture");
    }
    assert!(!said.contains("thread library"), "that would tell no more: {said}");
    assert!(!folder.path().join("crosstalk-hunt/crossed/library").exists());
    let args = ["--failing", "8", "--passing", "8", "--monitor", "all", "--json"];
    let all = found(&golden(folder.path(), "crossed.c", &args));
    let all: serde_json::Value = serde_json::from_str(&all).unwrap();
    assert_eq!(all["monitor"], "all");
    assert_eq!(all["accounts"][0]["cause"]["known"], "deadlock");
}

#[test]
fn what_a_program_prints_can_decide_and_is_kept_within_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--fail-if", "output=^it was never$", "--failing", "3", "--passing", "3"];
    let none = golden(folder.path(), "chatty.c", &[&args[..], &["--max-runs", "16"]].concat());
    assert!(sentence(&none, 1).contains("--fail-if"));
    let args = ["--fail-if", "output=^it was late$", "--failing", "3", "--passing", "3"];
    let said = found(&golden(folder.path(), "chatty.c", &args));
    assert!(said.contains("printed 81,9") && said.contains("the last 65,536 are kept"), "{said}");
}

#[test]
fn scripts_get_json() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--failing", "3", "--passing", "3", "--json"];
    let said = found(&golden(folder.path(), "lost_update.c", &args));
    let value: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(value["schema"], "crosstalk.hunt/1");
    assert_eq!(value["runs"]["failing"], 3);
    assert!(value["schedules"].as_u64().unwrap() >= 6);
    let account = &value["accounts"][0];
    assert_eq!(account["cause"]["known"], "order", "{account}");
    assert_eq!(value["finding"]["cause"], account["cause"]);
    let step = &account["cause"]["steps"][0];
    assert!(step["at"]["line"].as_str().unwrap().starts_with("lost_update.c:"), "{step}");
}

#[test]
fn on_the_hardware_it_comes_to_the_same_files_with_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--failing", "4", "--passing", "0"];
    for collect in ["firmware", "tap"] {
        let with = |threads: &str| {
            let out = folder.path().join(format!("{collect}-{threads}"));
            let mut command = hunt(folder.path(), "hopeless.c", &args);
            command.args(["--on", "rtl", "--collect", collect, "--out"]).arg(&out);
            let said = found(&command.env("RAYON_NUM_THREADS", threads).output().unwrap());
            assert!(
                said.contains("4 schedules of 4 failed") && said.contains("hopeless.c:7"),
                "{said}"
            );
            let journal = fs::read_to_string(out.join("schedules.jsonl")).unwrap();
            assert_eq!(journal.matches("\"threads\":true").count(), 4, "{journal}");
            out
        };
        assert_same(&with("1"), &with("2"));
    }
}

#[test]
fn a_hunt_on_the_hardware_alone_tells_an_exact_account() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_crosstalk"));
    command.args(["hunt", "mysql-idinit", "--on", "rtl", "--failing", "7", "--passing", "4"]);
    command.arg("--json").current_dir(folder.path()).env("CROSSTALK_PROGRESS", "never");
    let said = found(&command.output().unwrap());
    let value: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(value["sources"].as_array().unwrap().len(), 1);
    assert_eq!(value["finding"]["known"], "exact", "{}", value["verdict"]);
    let account = &value["accounts"][0];
    assert_eq!(account["cause"]["known"], "order", "{account}");
    assert_eq!(account["cause"]["variables"][0], "cluster->node", "{account}");
    // Replays take long there: not all of the failing runs are examined.
    assert_eq!(account["of_runs"], 6, "{account}");
}
