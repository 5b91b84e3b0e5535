//! `crosstalk why` on runs of a hunt, and on what is none.

use crate::{golden, sentence, source, text};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn why(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crosstalk"));
    command.arg("why").args(args).current_dir(folder).env("CROSSTALK_PROGRESS", "never");
    command.output().unwrap()
}

fn answer(folder: &Path, args: &[&str]) -> String {
    let output = why(folder, args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

pub fn json(folder: &Path, args: &[&str]) -> Value {
    serde_json::from_str(&answer(folder, &[args, &["--json"]].concat())).unwrap()
}

/// A folder with a hunt of a program, in `h`.
pub fn hunted(program: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--failing", "4", "--passing", "6", "--monitor", "program", "--out", "h"];
    let output = golden(folder.path(), program, &args);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    fs::copy(source(program), folder.path().join(program)).unwrap();
    folder
}

/// A schedule with this label.
fn seed(folder: &Path, failing: bool) -> u64 {
    let journal = fs::read_to_string(folder.join("h/schedules.jsonl")).unwrap();
    let entries = journal.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut wanted = entries.filter(|entry| entry["failing"] == failing);
    wanted.next().unwrap()["seed"].as_u64().unwrap()
}

#[test]
fn the_failing_statement_is_explained_beside_passing_runs() {
    let folder = hunted("lost_update.c");
    let said = answer(folder.path(), &["h", "--passing", "6"]);
    for part in [
        "failed an assertion at lost_update.c:29",
        "the failed condition read",
        "last written by",
        "what 6 passing runs read there",
        "lost_update.c:18",
        "balance = seen + 1;",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(said.lines().all(|line| line.chars().count() <= 100), "{said}");
    let value = json(folder.path(), &["h", "--passing", "6"]);
    assert_eq!(value["schema"], "crosstalk.why/1");
    assert_eq!((&value["run"]["label"], &value["compared"]), (&"failing".into(), &6.into()));
    let reads = value["reads"].as_array().unwrap();
    let of_balance = reads.iter().find(|read| read["read"]["variable"] == "balance").unwrap();
    assert!(of_balance["read"]["after"].as_u64() < Some(24), "an update was lost");
    let passing = of_balance["passing"].as_array().unwrap();
    assert!(passing.iter().all(|group| group["bytes"][0] == 24), "{passing:?}");
    // The page of the hunt says the same.
    let page = fs::read_to_string(folder.path().join("h/report.html")).unwrap();
    let section = page.split("<section id=\"why\">").nth(1).expect("a section");
    let section = section.split("</section>").next().unwrap();
    assert!(section.contains("<code>balance</code>") && section.contains("lost_update.c:18"));
    // The same run by its file, from anywhere: the hunt remembers where the sources are.
    let file = format!("{}/h/runs/{}.run", folder.path().display(), seed(folder.path(), true));
    assert_eq!(json(Path::new("/"), &[&file, "--passing", "6"]), value);
}

#[test]
fn what_the_library_read_by_itself_is_not_told_beside_what_the_program_read() {
    let folder = tempfile::tempdir().unwrap();
    let mut hunt = Command::new(env!("CARGO_BIN_EXE_crosstalk"));
    hunt.args(["hunt", "httrack", "--on", "golden", "--failing", "2", "--passing", "4"]);
    hunt.args(["--monitor", "program", "--out", "h"]).current_dir(folder.path());
    assert!(hunt.env("CROSSTALK_PROGRESS", "never").output().unwrap().status.success());
    let value = json(folder.path(), &["h", "--passing", "4"]);
    let reads = value["reads"].as_array().unwrap();
    assert_eq!(reads.len(), 1, "{reads:?}");
    assert_eq!(reads[0]["read"]["variable"], "options.state.lock");
    assert!(reads[0]["writer"].is_null(), "nobody had written it");
    assert_eq!(reads[0]["passing"][0]["writer"]["thread"], "hts_main 1");
}

#[test]
fn an_expression_has_its_last_writer_and_the_writes_before() {
    let folder = hunted("lost_update.c");
    let value = json(folder.path(), &["h", "balance", "--history", "30", "--passing", "6"]);
    let about = &value["about"];
    let history = about["history"].as_array().unwrap();
    assert_eq!(
        history.len() + about["older"].as_u64().unwrap() as usize,
        24,
        "each thread wrote 12 times"
    );
    let [part] = &about["parts"].as_array().unwrap()[..] else { panic!("{about}") };
    assert_eq!(part["writer"], history[0]);
    assert_eq!(part["bytes"][0], history[0]["after"]);
    let events: Vec<_> = history.iter().map(|write| write["event"].as_u64().unwrap()).collect();
    assert!(events.is_sorted_by(|newer, older| newer > older), "{events:?}");
    let passing = &about["passing"][0];
    assert_eq!((&passing["runs"], &passing["bytes"][0]), (&6.into(), &24.into()));
    let said = answer(folder.path(), &["h", "balance", "--history", "2", "--passing", "0"]);
    assert!(said.contains("21 writes before those") && !said.contains("passing run"), "{said}");
    // A run that passed can be asked too, by its seed.
    let passed = seed(folder.path(), false).to_string();
    let value = json(folder.path(), &["h", "--seed", &passed, "deposits"]);
    assert_eq!(
        (&value["run"]["label"], &value["about"]["bytes"][0]),
        (&"passing".into(), &24.into())
    );
    let said = sentence(&why(folder.path(), &["h", "--seed", &passed]), 1);
    assert_eq!(said, "the run passed, so no statement failed; name an expression");
}

#[test]
fn what_cannot_be_answered_is_a_sentence() {
    let folder = hunted("lost_update.c");
    let run = format!("h/runs/{}.run", seed(folder.path(), true));
    fs::copy(folder.path().join(&run), folder.path().join("7.run")).unwrap();
    fs::write(folder.path().join("junk"), "junk").unwrap();
    for (args, said) in [
        (&["nowhere"][..], "nowhere: No such file"),
        (&["7.run"], "7.run: expected a run in the folder of a hunt"),
        (&["junk"], "junk: expected a run in the folder of a hunt"),
        (&["."], ".: expected the folder of a hunt, found no runs"),
        (&["h", "--seed", "999999"], "h: the hunt has no schedule 999999"),
        (&["h", "--on", "rtl"], "h: no run on the simulated hardware failed"),
        (&[&run, "--seed", "3"], "a run file already determines schedule and machine"),
        (&["h", "balanc"], "did you mean `balance`?"),
        (&["h", "balance["], "expected a constant index"),
        (&["h", "--source", "junk"], "junk: not a folder"),
    ] {
        let found = sentence(&why(folder.path(), args), 2);
        assert!(found.contains(said), "{args:?}: {found}");
    }
}

#[test]
fn a_run_that_is_not_what_its_folder_makes_is_refused() {
    let damaged = |change: &dyn Fn(&Path), said: &str| {
        let folder = hunted("lost_update.c");
        change(&folder.path().join("h"));
        let found = sentence(&why(folder.path(), &["h", "balance"]), 2);
        assert!(found.contains(said), "{found}");
    };
    let replaced = |path: &Path, from: &str, to: &str| {
        let text = fs::read_to_string(path).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(path, text.replace(from, to)).unwrap();
    };
    damaged(
        &|h| fs::remove_file(h.join("hunt.json")).unwrap(),
        "expected the file hunt.json of a hunt",
    );
    damaged(
        &|h| fs::write(h.join("hunt.json"), "{").unwrap(),
        "expected the format crosstalk.hunt-folder/",
    );
    damaged(&|h| fs::remove_file(h.join("program.elf")).unwrap(), "program.elf");
    // What a running hunt has not finished is no damage.
    damaged(&|h| fs::write(h.join("schedules.jsonl"), "{}").unwrap(), "no run failed");
    damaged(
        &|h| fs::write(h.join("schedules.jsonl"), "{}\n").unwrap(),
        "schedules.jsonl: line 1 is damaged; hunt again",
    );
    damaged(
        &|h| {
            let other = crosstalk::hunt::Subject::compile("other", &build()).unwrap().0;
            fs::write(h.join("program.elf"), other.elf()).unwrap();
        },
        "the program differs from the one that was hunted",
    );
    // A limit of another hunt: its runs end differently.
    damaged(
        &|h| replaced(&h.join("hunt.json"), "\"max_cycles\": 2000000", "\"max_cycles\": 900"),
        "now gives a different run",
    );
    damaged(
        &|h| {
            let path = h.join("runs").join(format!("{}.run", seed(h.parent().unwrap(), true)));
            let bytes = fs::read(&path).unwrap();
            fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        },
        ".run: at byte",
    );
}

fn build() -> firmware::Build {
    firmware::Build { files: vec![source("crossed.c")], flags: Vec::new() }
}
