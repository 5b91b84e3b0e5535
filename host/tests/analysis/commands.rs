//! The commands as a person or a script sees them.

use crate::support::{kernels, machine, run_of, write_runs};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

pub fn crosstalk(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crosstalk"));
    command.args(args).current_dir(folder).env_remove("NO_COLOR").output().unwrap()
}

/// A folder with runs of a program with a bug.
pub fn runs(count: u64) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let program = &kernels::all()[2];
    let runs: Vec<_> = (1..=count)
        .map(|seed| {
            let (edges, failed) = machine::run(program, seed);
            run_of(seed, &edges, failed)
        })
        .collect();
    std::fs::create_dir(folder.path().join("runs")).unwrap();
    write_runs(&folder.path().join("runs"), &runs);
    folder
}

pub fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

const READING: [&[&str]; 6] = [
    &["rank", "runs", "--bug", "0x80004018"],
    &["explain", "runs", "--top", "2"],
    &["diff", "runs"],
    &["graph", "runs"],
    &["stats", "runs"],
    &["rank", "runs", "--unlabeled", "--formula", "printed", "--context", "2"],
];

#[test]
fn people_get_lines_of_at_most_100_columns_without_color_in_a_pipe() {
    let folder = runs(30);
    for args in READING {
        let text = text(&crosstalk(folder.path(), args));
        let widest = text.lines().max_by_key(|line| line.chars().count()).unwrap();
        assert!(widest.chars().count() <= 100, "{args:?}: {widest}");
        assert!(text.lines().count() > 3 && !text.contains('\x1b'), "{args:?}: {text}");
    }
    let colored = text(&crosstalk(folder.path(), &["rank", "runs", "--color", "always"]));
    assert!(colored.contains("\x1b[31m"));
}

#[test]
fn scripts_get_json_with_a_schema() {
    let folder = runs(30);
    for args in READING {
        let output = crosstalk(folder.path(), &[args, &["--json"]].concat());
        let value: Value = serde_json::from_str(&text(&output)).unwrap();
        assert_eq!(value["schema"], format!("crosstalk.{}/1", args[0]), "{args:?}");
    }
    let value: Value =
        serde_json::from_str(&text(&crosstalk(folder.path(), &["stats", "runs", "--json"])))
            .unwrap();
    let summary = &value["summary"];
    assert_eq!(summary["total"], 30);
    assert_eq!(summary["failing"].as_u64().unwrap() + summary["passing"].as_u64().unwrap(), 30);
}

#[test]
fn the_same_runs_give_the_same_bytes_from_any_folder_and_any_number_of_threads() {
    let folder = runs(30);
    let elsewhere = tempfile::tempdir().unwrap();
    let absolute = folder.path().join("runs");
    for command in ["rank", "explain", "stats"] {
        let one = crosstalk(folder.path(), &[command, "runs", "--json"]).stdout;
        let other = Command::new(env!("CARGO_BIN_EXE_crosstalk"))
            .args([command, absolute.to_str().unwrap(), "--json"])
            .current_dir(elsewhere.path())
            .env("RAYON_NUM_THREADS", "1")
            .output()
            .unwrap()
            .stdout;
        assert!(one == other && !one.is_empty(), "{command}");
    }
}

#[test]
fn bad_input_exits_with_2_and_names_file_offset_and_reason() {
    let folder = runs(4);
    let path = folder.path().join("runs/0002.run");
    let mut bytes = std::fs::read(&path).unwrap();
    let place = bytes.len() / 2;
    bytes[place] ^= 4;
    std::fs::write(&path, bytes).unwrap();
    for command in ["rank", "explain", "diff", "graph", "stats"] {
        let output = crosstalk(folder.path(), &[command, "runs"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{command}: {said}");
        assert!(
            said.starts_with("error: runs/0002.run: at byte ") && said.contains("checksum"),
            "{said}"
        );
    }
    let cases: [(&[&str], &str); 7] = [
        (&["rank", "nowhere"], "nowhere: No such file"),
        (&["rank"], "no runs were given"),
        (
            &[
                "explain",
                "runs/0000.run",
                "runs/0001.run",
                "--failing",
                "runs/0003.run",
                "--rank",
                "99999",
            ],
            "expected 1 to",
        ),
        (&["export", "runs", "--to", "xml"], "expected run, json, graphml or dot"),
        (&["rank", "runs/0000.run", "--elf", "runs/0001.run"], "not an object file"),
        (&["rank", "runs/0000.run", "--source", "nowhere"], "nowhere: not a folder"),
        (&["graph", "runs/0000.run", "--source", "runs/0000.run"], "0000.run: not a folder"),
    ];
    for (args, reason) in cases {
        let output = crosstalk(folder.path(), args);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(reason), "{args:?}: {said}");
    }
}

#[test]
fn nothing_to_explain_exits_with_1() {
    let folder = runs(4);
    let output = crosstalk(folder.path(), &["explain", "--passing", "runs"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no run failed"));
}

#[test]
fn a_label_counts_for_all_files_that_a_pattern_stands_for() {
    let folder = runs(6);
    let json = |args: &[&str]| -> Value {
        serde_json::from_str(&text(&crosstalk(folder.path(), args))).unwrap()
    };
    let [a, b, c] = ["runs/0000.run", "runs/0001.run", "runs/0002.run"];
    let value = json(&["rank", "--failing", a, b, "--passing", c, "runs/0003.run", "--json"]);
    assert_eq!((&value["runs"]["failing"], &value["runs"]["passing"]), (&2.into(), &2.into()));
    let value = json(&["stats", c, "--failing", a, b, "--json"]);
    assert_eq!((&value["summary"]["total"], &value["summary"]["failing"]), (&3.into(), &2.into()));
}

#[test]
fn folders_hold_exported_runs_too_and_files_of_others() {
    let folder = runs(4);
    for (place, format) in ["json", "graphml", "dot"].into_iter().enumerate() {
        let from = format!("runs/000{place}.run");
        let to = format!("runs/000{place}.{format}");
        text(&crosstalk(folder.path(), &["export", &from, "--to", format, "--out", &to]));
    }
    let total = || {
        let stats = text(&crosstalk(folder.path(), &["stats", "runs", "--json"]));
        let value: Value = serde_json::from_str(&stats).unwrap();
        value["summary"]["total"].as_u64().unwrap()
    };
    assert_eq!(total(), 4, "an export beside its run file is the same run");
    for place in 0..3 {
        std::fs::remove_file(folder.path().join(format!("runs/000{place}.run"))).unwrap();
    }
    assert_eq!(total(), 4);
    for (name, other) in
        [("hunt.json", "{\"schema\": 1}"), ("a.dot", "digraph g {}"), ("b.json", "")]
    {
        std::fs::write(folder.path().join("runs").join(name), other).unwrap();
    }
    assert_eq!(total(), 4);
    // One that says it is a run is not passed over when it is damaged.
    let path = folder.path().join("runs/0000.json");
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    let output = crosstalk(folder.path(), &["stats", "runs"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("runs/0000.json: at byte"), "{said}");
}

#[test]
fn an_unknown_hart_has_a_lane_of_its_own_and_null_in_json() {
    let folder = runs(12);
    let path = folder.path().join("runs/0000.json");
    for place in 0..12 {
        let run = format!("runs/{place:04}.run");
        let to = format!("runs/{place:04}.json");
        text(&crosstalk(folder.path(), &["export", &run, "--to", "json", "--out", &to]));
        let path = folder.path().join(&to);
        let mut document: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        for edge in document["edges"].as_array_mut().unwrap() {
            edge["source"]["hart"] = Value::Null;
        }
        std::fs::write(&path, document.to_string()).unwrap();
        std::fs::remove_file(folder.path().join(&run)).unwrap();
    }
    let json = text(&crosstalk(folder.path(), &["explain", "runs", "--top", "50", "--json"]));
    let value: Value = serde_json::from_str(&json).unwrap();
    let all = value["reconstructions"].as_array().unwrap();
    let found = all.iter().find(|found| !found["source"].is_null()).unwrap();
    let example = found["example"].as_array().unwrap();
    let source = example.iter().find(|event| event["part"] == "source").unwrap();
    assert_eq!(source["hart"], Value::Null);
    let rank = found["rank"].to_string();
    let shown = text(&crosstalk(folder.path(), &["explain", "runs", "--rank", &rank]));
    assert!(shown.contains("unknown") && shown.contains("hart "), "{shown}");
    // Through every format and back.
    for format in ["run", "graphml", "dot", "json"] {
        let to = format!("again.{format}");
        let line = ["export", "runs/0000.json", "--to", format, "--out", &to];
        text(&crosstalk(folder.path(), &line));
        let back = ["export", &to, "--to", "json"];
        let again: Value = serde_json::from_str(&text(&crosstalk(folder.path(), &back))).unwrap();
        let before: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(again, before, "{format}");
    }
}

#[test]
fn labels_can_be_given_on_the_command_line() {
    let folder = runs(6);
    let args = ["rank", "--failing", "runs/0000.run", "--passing", "runs/0001.run", "--json"];
    let value: Value = serde_json::from_str(&text(&crosstalk(folder.path(), &args))).unwrap();
    assert_eq!((&value["runs"]["failing"], &value["runs"]["passing"]), (&1.into(), &1.into()));
    assert_eq!(value["mode"], "labeled");
    let args = ["stats", "runs", "--failing", "runs/0003.run", "--json"];
    let value: Value = serde_json::from_str(&text(&crosstalk(folder.path(), &args))).unwrap();
    assert_eq!(value["summary"]["total"], 6, "a run that is named twice counts once");
    assert_eq!(value["runs"][3]["label"], "failing");
    for again in ["runs/0003.run", "runs/../runs/0003.run"] {
        let both = ["rank", "--failing", "runs/0003.run", "--passing", again];
        assert_eq!(crosstalk(folder.path(), &both).status.code(), Some(2));
    }
    let args = ["stats", "runs", "--failing", "runs/../runs/0003.run", "--json"];
    let value: Value = serde_json::from_str(&text(&crosstalk(folder.path(), &args))).unwrap();
    assert_eq!(value["summary"]["total"], 6, "whatever path leads to it");
}

#[test]
fn exports_read_back_as_runs() {
    let folder = runs(3);
    for format in ["json", "graphml", "dot", "run"] {
        let out = format!("one.{format}");
        let args = ["export", "runs/0001.run", "--to", format, "--out", &out];
        assert!(crosstalk(folder.path(), &args).status.success());
        let back = crosstalk(folder.path(), &["export", &out, "--to", "run"]).stdout;
        assert_eq!(back, std::fs::read(folder.path().join("runs/0001.run")).unwrap(), "{format}");
    }
}

/// One run more beside the others, changed.
pub fn another(folder: &Path, name: &str, change: impl FnOnce(&mut record::Run)) {
    let bytes = std::fs::read(folder.join("runs/0001.run")).unwrap();
    let mut run = record::Run::read(&bytes[..]).unwrap();
    change(&mut run);
    let limits = record::Limits::from(&run.header);
    for total in &mut run.edges {
        total.edge = limits.cut(total.edge);
    }
    std::fs::write(folder.join(name), run.write(Vec::new()).unwrap()).unwrap();
}

/// What a command said that ended with this code.
pub fn refused(folder: &Path, args: &[&str], code: i32) -> String {
    let output = crosstalk(folder, args);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
    said
}

#[test]
fn runs_that_do_not_belong_together_are_refused_by_every_command() {
    let folder = runs(2);
    another(folder.path(), "a.run", |run| run.header.elf = [1; 32]);
    another(folder.path(), "b.run", |run| run.header.elf = [2; 32]);
    another(folder.path(), "short.run", |run| run.header.events = 3);
    another(folder.path(), "hashed.run", |run| run.header.pc_bits = 20);
    for (one, other, why) in [
        ("a.run", "b.run", "of different programs"),
        ("runs/0001.run", "short.run", "different lengths"),
        ("runs/0001.run", "hashed.run", "bits of a pc"),
    ] {
        let cases: [&[&str]; 8] = [
            &["graph", one, other],
            &["diff", one, "--against", other],
            &["diff", "--failing", one, "--passing", other],
            &["export", one, other, "--to", "json"],
            &["testing-graph", "--passing", one, "--passing", other, "--out", "t.run"],
            &["rank", one, other],
            &["stats", one, other],
            &["report", one, other],
        ];
        for args in cases {
            let said = refused(folder.path(), args, 2);
            assert!(said.contains(why) && said.contains(one) && said.contains(other), "{said}");
        }
    }
    assert!(!folder.path().join("t.run").exists());
}

#[test]
fn a_union_says_of_how_many_runs_and_events_it_is() {
    let folder = runs(4);
    let header = |name: &str| {
        let bytes = std::fs::read(folder.path().join(name)).unwrap();
        record::Run::read(&bytes[..]).unwrap().header
    };
    text(&crosstalk(
        folder.path(),
        &[
            "export",
            "runs/0000.run",
            "runs/0001.run",
            "runs/0002.run",
            "--to",
            "run",
            "-o",
            "u.run",
        ],
    ));
    assert_eq!((header("u.run").runs, header("u.run").events), (3, 5));
    text(&crosstalk(
        folder.path(),
        &["export", "u.run", "runs/0003.run", "--to", "run", "-o", "all.run", "--context", "2"],
    ));
    assert_eq!((header("all.run").runs, header("all.run").events), (4, 2));
    let graph = text(&crosstalk(folder.path(), &["graph", "runs", "--context", "2", "--json"]));
    let graph: Value = serde_json::from_str(&graph).unwrap();
    let edges = graph["edges"].as_array().unwrap();
    let shown = |edge: &Value| edge["sink"]["context"].as_array().unwrap().len();
    assert!(
        edges.iter().all(|edge| shown(edge) == 2),
        "events that nobody looked at are not shown"
    );
}
