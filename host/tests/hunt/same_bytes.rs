//! The same arguments give the same files, whatever happens on the way.

use crate::{assert_same, files, found, golden, hunt, sentence, text};
use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

/// One stage: a second one would be the same again.
const ARGS: [&str; 6] = ["--failing", "6", "--passing", "6", "--monitor", "program"];

/// A hunt of the flaky program on the golden machine.
fn flaky(folder: &Path, args: &[&str]) -> Output {
    golden(folder, "lost_update.c", &[&ARGS, args].concat())
}

#[test]
fn one_thread_and_three_give_the_same_files() {
    let folder = tempfile::tempdir().unwrap();
    let with = |threads: &str| {
        let mut command = hunt(folder.path(), "lost_update.c", &ARGS);
        command.args(["--on", "golden", "--out", threads]).env("RAYON_NUM_THREADS", threads);
        found(&command.output().unwrap()).replace(&format!("{threads}/"), "DIR/")
    };
    assert_eq!(with("1"), with("3"));
    assert_same(&folder.path().join("1"), &folder.path().join("3"));
    let files = files(&folder.path().join("1"));
    let runs = files.keys().filter(|name| name.extension().is_some_and(|end| end == "run")).count();
    let journal = text(&files[Path::new("schedules.jsonl")]);
    assert_eq!(journal.lines().count(), runs, "every schedule has its run");
    assert!(runs >= 12 && files.contains_key(Path::new("report.html")));
}

/// Kills a hunt as soon as its journal has this many lines; false if it was over before.
fn interrupted(folder: &Path, out: &str, lines: usize) -> bool {
    let mut command = hunt(folder, "lost_update.c", &ARGS);
    command
        .args(["--on", "golden", "--out", out, "--resume"])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let journal = folder.join(out).join("schedules.jsonl");
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success());
            return false;
        }
        let written = fs::read(&journal).unwrap_or_default();
        if written.iter().filter(|byte| **byte == b'\n').count() >= lines && journal.exists() {
            child.kill().unwrap();
            child.wait().unwrap();
            return true;
        }
        std::thread::yield_now();
    }
}

#[test]
fn an_interrupted_hunt_goes_on_to_the_same_files() {
    let folder = tempfile::tempdir().unwrap();
    let whole = found(&flaky(folder.path(), &["--out", "whole"])).replace("whole/", "DIR/");
    let kills = [0, 1, 2, 5, 9].map(|lines| interrupted(folder.path(), "cut", lines));
    assert!(kills.contains(&true), "every hunt was over before it was killed");
    let rest = found(&flaky(folder.path(), &["--out", "cut", "--resume"]));
    assert_eq!(rest.replace("cut/", "DIR/"), whole);
    assert_same(&folder.path().join("whole"), &folder.path().join("cut"));
}

#[test]
fn a_run_that_was_damaged_is_run_again_with_those_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let whole = found(&flaky(folder.path(), &["--out", "whole"])).replace("whole/", "DIR/");
    found(&flaky(folder.path(), &["--out", "cut"]));
    let run = folder.path().join("cut/runs/3.run");
    for damage in ["gone", "empty", "half"] {
        let bytes = fs::read(&run).unwrap();
        match damage {
            "gone" => fs::remove_file(&run).unwrap(),
            "empty" => fs::write(&run, "").unwrap(),
            _ => fs::write(&run, &bytes[..bytes.len() / 2]).unwrap(),
        }
        let output = flaky(folder.path(), &["--out", "cut", "--resume"]);
        let said = text(&output.stderr);
        assert!(said.starts_with("cut/runs/3.run: ") && said.contains("run again"), "{said}");
        assert_eq!(found(&output).replace("cut/", "DIR/"), whole, "{damage}");
        assert_same(&folder.path().join("whole"), &folder.path().join("cut"));
    }
}

#[test]
fn a_hunt_that_is_refused_takes_nothing_from_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    let few = ["--failing", "1", "--passing", "1", "--monitor", "program", "--out", "x"];
    found(&golden(folder.path(), "lost_update.c", &few));
    let before = files(&folder.path().join("x"));
    fs::write(folder.path().join("none.toml"), "[context]\nevents = 0\n").unwrap();
    fs::write(folder.path().join("stall.toml"), "[ct]\noverflow = \"stall\"\n").unwrap();
    let long = "x".repeat(3000);
    for more in [
        ["--config", "none.toml"].as_slice(),
        &["--config", "stall.toml", "--collect", "tap"],
        &["--on", "golden", "--", &long],
    ] {
        let output = hunt(folder.path(), "lost_update.c", &[&few, more].concat()).output().unwrap();
        sentence(&output, 2);
        assert!(files(&folder.path().join("x")) == before, "{more:?}");
    }
}

#[test]
fn a_hunt_can_be_resumed_for_more() {
    let folder = tempfile::tempdir().unwrap();
    let small = ["--failing", "2", "--passing", "2", "--monitor", "program", "--out", "grown"];
    found(&golden(folder.path(), "lost_update.c", &small));
    found(&flaky(folder.path(), &["--out", "grown", "--resume"]));
    found(&flaky(folder.path(), &["--out", "whole"]));
    assert_same(&folder.path().join("grown"), &folder.path().join("whole"));
}

#[test]
fn only_the_same_hunt_is_resumed_and_only_a_hunt_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let few = ["--failing", "1", "--passing", "1", "--out", "x"];
    found(&golden(folder.path(), "lost_update.c", &few));
    fs::write(folder.path().join("x/mine.txt"), "mine").unwrap();
    for (program, more, what) in [
        ("hopeless.c", [].as_slice(), "another program"),
        ("lost_update.c", &["--cflags", "-O0"], "another program (its file differs)"),
        ("lost_update.c", &["--harts", "2"], "another configuration"),
        ("lost_update.c", &["--fail-if", "output=x"], "another --fail-if"),
    ] {
        let args = [&few, ["--resume"].as_slice(), more].concat();
        let said = sentence(&golden(folder.path(), program, &args), 2);
        assert!(said.contains(what) && said.contains("--resume"), "{said}");
    }
    // Without --resume it is replaced, and what is not of a hunt stays.
    let two = ["--failing", "2", "--passing", "0", "--out", "x"];
    found(&golden(folder.path(), "hopeless.c", &two));
    assert_eq!(fs::read_to_string(folder.path().join("x/mine.txt")).unwrap(), "mine");
    assert_eq!(fs::read_dir(folder.path().join("x/runs")).unwrap().count(), 2);
    fs::create_dir(folder.path().join("y")).unwrap();
    fs::write(folder.path().join("y/mine.txt"), "mine").unwrap();
    let said = sentence(&golden(folder.path(), "hopeless.c", &["--out", "y"]), 2);
    assert!(said.contains("--out"), "{said}");
}
