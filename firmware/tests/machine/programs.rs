//! Ordinary programs give the same output here and on the machine that runs the tests.

use std::path::Path;
use std::process::Command;

use crate::{alone, common};
use border::End;
use config::Config;

const SEEDS: std::ops::Range<u64> = 0..4;
const LIMIT: u64 = 20_000_000;

fn on_this_machine(source: &Path) -> (String, i32) {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    let compiled = Command::new("cc")
        .args(["-O1", "-Wall", "-Wextra", "-Werror", "-pthread", "-o"])
        .arg(&program)
        .arg(source)
        .args(["-latomic", "-lm"])
        .output()
        .expect("a C compiler called `cc`");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(&program).output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code().unwrap())
}

fn check_same(source: &Path) {
    let (expected, code) = on_this_machine(source);
    let file = common::link(source);
    for seed in SEEDS {
        let what = format!("{}, seed {seed}", source.display());
        let end = alone::run(&file, &Config::default(), seed, LIMIT);
        assert_eq!(end.text(1), expected, "{what}: {:?}: {}", end.stop, end.text(2));
        assert_eq!(end.text(2), "", "{what}");
        assert_eq!(end.stop, End::Exit { code }, "{what}");
        end.check_edges(&what);
    }
}

#[test]
fn the_headers_keep_their_promises() {
    check_same(&common::test_source("conformance"));
}

#[test]
fn programs_print_the_same_here_and_there() {
    for name in firmware::programs::ALL {
        check_same(&firmware::programs::source(name));
    }
}

#[test]
fn one_program_runs_on_every_machine() {
    let source = firmware::programs::source("work_queue");
    let (expected, _) = on_this_machine(&source);
    let file = common::link(&source);
    for text in [
        "preset = \"paper\"",
        "harts = 16",
        "harts = 5\n[l1]\nline = 16\n",
        "[simulation]\nram_bytes = 1048576\n",
        "[l1.data]\nbytes = 512\nways = 1\n",
        "[metadata]\nupdate = \"every-write\"\n",
        "pc_bits = 16\ntimestamp_bits = 0\n[context]\nevents = 2\n",
    ] {
        let config: Config = text.parse().unwrap();
        let end = alone::run(&file, &config, 3, LIMIT);
        assert_eq!(end.text(1), expected, "{text}: {:?}: {}", end.stop, end.text(2));
        end.check_edges(text);
    }
}

#[test]
fn programs_run_without_a_monitor() {
    let config: Config = "preset = \"baseline\"".parse().unwrap();
    for name in ["producer_consumer", "timed_wait"] {
        let file = common::link(&firmware::programs::source(name));
        let end = alone::run(&file, &config, 1, LIMIT);
        assert_eq!(end.stop, End::Exit { code: 0 }, "{name}: {}", end.text(2));
        assert_eq!(end.record().edges, [], "{name}");
    }
}
