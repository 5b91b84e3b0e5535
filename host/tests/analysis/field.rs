//! `crosstalk watch` and the graphs it compares with: runs from the field against those of testing.

use crate::commands::{another, crosstalk, refused, runs, text};
use crate::support::{kernels, machine};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn what_testing_never_showed_is_reported_in_the_field() {
    let folder = runs(40);
    let testing = ["testing-graph", "runs", "--out", "testing.run"];
    let said = text(&crosstalk(folder.path(), &testing));
    assert!(said.contains("failing run"), "{said}");
    let quiet = crosstalk(folder.path(), &["watch", "testing.run", "testing.run"]);
    assert_eq!(quiet.status.code(), Some(0), "testing shows what testing showed");
    let stats: Value =
        serde_json::from_str(&text(&crosstalk(folder.path(), &["stats", "runs", "--json"])))
            .unwrap();
    let failing = stats["runs"].as_array().unwrap().iter().find(|run| run["label"] == "failing");
    let name = format!("runs/{}", failing.unwrap()["name"].as_str().unwrap());
    let loud = crosstalk(folder.path(), &["watch", "testing.run", &name, "--json"]);
    assert_eq!(loud.status.code(), Some(1));
    let line: Value = serde_json::from_slice(&loud.stdout).unwrap();
    let bug = line["suspicious"].as_array().unwrap();
    let program = &kernels::all()[2];
    let (thread, step) = program.bug[1];
    let pc = format!("{:#010x}", machine::pc(thread, step));
    assert!(bug.iter().any(|point| point["name"] == pc.as_str()), "{line}");
}

#[test]
fn a_stream_of_field_runs_is_watched_around_damage() {
    let folder = runs(8);
    assert!(
        crosstalk(folder.path(), &["testing-graph", "--passing", "runs", "--out", "t.run"])
            .status
            .success()
    );
    let one = std::fs::read(folder.path().join("runs/0001.run")).unwrap();
    let two = std::fs::read(folder.path().join("runs/0002.run")).unwrap();
    std::fs::write(folder.path().join("wire"), [&one[..], b"noise", &two].concat()).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_crosstalk"))
        .args(["watch", "t.run", "-", "--json"])
        .current_dir(folder.path())
        .stdin(Stdio::from(std::fs::File::open(folder.path().join("wire")).unwrap()))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let lines: Vec<Value> = output
        .stdout
        .split(|b| *b == b'\n')
        .filter_map(|l| serde_json::from_slice(l).ok())
        .collect();
    assert_eq!(lines.len(), 2);
    assert_eq!((&lines[0]["damaged"], &lines[1]["damaged"]), (&0.into(), &5.into()));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains(&format!("5 bytes at offset {}", one.len())), "{said}");
}

/// `watch` with a stream on standard input: its exit code, what it printed, what it said.
fn watched(
    folder: &Path,
    args: &[&str],
    stream: impl Into<Stdio>,
) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crosstalk"));
    let output =
        command.arg("watch").args(args).current_dir(folder).stdin(stream).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_field_run_of_another_program_is_refused() {
    let folder = runs(2);
    another(folder.path(), "tested.run", |run| run.header.elf = [1; 32]);
    another(folder.path(), "other.run", |run| run.header.elf = [2; 32]);
    another(folder.path(), "hashed.run", |run| run.header.pc_bits = 20);
    another(folder.path(), "short.run", |run| run.header.events = 3);
    for (run, why) in [
        ("other.run", "of different programs"),
        ("hashed.run", "bits of a pc"),
        ("short.run", "different lengths"),
    ] {
        let said = refused(folder.path(), &["watch", "tested.run", run], 2);
        let names = said.contains("tested.run") && said.contains(run);
        assert!(names && said.contains(why), "{said}");
        let file = std::fs::File::open(folder.path().join(run)).unwrap();
        let (code, _, said) = watched(folder.path(), &["tested.run", "-"], file);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("stream, run 1") && said.contains(why), "{said}");
    }
}

#[test]
fn a_testing_graph_of_fewer_events_knows_its_own_runs() {
    let folder = runs(8);
    for context in ["0", "2", "16"] {
        let args = ["testing-graph", "--passing", "runs", "--context", context, "--out", "t.run"];
        text(&crosstalk(folder.path(), &args));
        let lines = text(&crosstalk(folder.path(), &["watch", "t.run", "runs", "--json"]));
        for line in lines.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            assert_eq!(line["new_edges"], 0, "--context {context}: {line}");
        }
    }
}

#[test]
fn a_stream_without_a_run_is_bad_input() {
    let folder = runs(2);
    let testing = ["runs/0001.run", "-"];
    let noise: Vec<u8> =
        (0..100_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    std::fs::write(folder.path().join("noise"), noise).unwrap();
    let open = |name: &str| std::fs::File::open(folder.path().join(name)).unwrap();
    for (stream, why) in [
        (Stdio::null(), "expected at least one run"),
        (open("noise").into(), "expected at least one run"),
        (open("runs").into(), "directory"),
    ] {
        let (code, printed, said) = watched(folder.path(), &testing, stream);
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{said}");
        let last = said.lines().last().unwrap();
        assert!(last.starts_with("error: standard input: ") && last.contains(why), "{said}");
    }
    for share in ["nan", "inf", "7", "-0.1", "half"] {
        let threshold = format!("--threshold={share}");
        let said = refused(folder.path(), &["watch", testing[0], testing[0], &threshold], 2);
        assert!(said.contains("from 0 to 1"), "{said}");
    }
}

#[test]
fn a_window_may_be_as_wide_as_can_be_said() {
    let folder = runs(30);
    for command in ["rank", "explain"] {
        let answer =
            |window| crosstalk(folder.path(), &[command, "runs", "--json", "--window", window]);
        let widest = text(&answer("18446744073709551615"));
        assert_eq!(widest, text(&answer("1000000")), "{command}");
    }
}

#[test]
fn a_pipe_is_a_run_like_any_other() {
    let folder = runs(30);
    let stats = text(&crosstalk(folder.path(), &["stats", "runs", "--json"]));
    let stats: Value = serde_json::from_str(&stats).unwrap();
    for label in ["failing", "passing"] {
        let run = stats["runs"].as_array().unwrap().iter().find(|run| run["label"] == label);
        let file = folder.path().join("runs").join(run.unwrap()["name"].as_str().unwrap());
        let (reader, mut writer) = std::io::pipe().unwrap();
        let feeder = std::thread::spawn(move || {
            let _ = std::io::Write::write_all(&mut writer, &std::fs::read(file).unwrap());
        });
        let mut command = Command::new(env!("CARGO_BIN_EXE_crosstalk"));
        command.args(["stats", "/dev/stdin", "--json"]).stdin(reader);
        let output = command.output().unwrap();
        feeder.join().unwrap();
        let value: Value = serde_json::from_str(&text(&output)).unwrap();
        assert_eq!(value["runs"][0]["edges"], run.unwrap()["edges"], "{label}");
    }
}
