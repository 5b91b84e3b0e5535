//! Ordinary programs give the same output here and on the machine that runs the tests.

use std::process::Command;

use crate::{alone, common};
use config::Config;
use golden::machine::Stop;

const SEEDS: std::ops::Range<u64> = 0..4;
const LIMIT: u64 = 20_000_000;

fn on_this_machine(name: &str) -> (String, i32) {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join(name);
    let compiled = Command::new("cc")
        .args(["-O1", "-Wall", "-Wextra", "-Werror", "-pthread", "-o"])
        .arg(&program)
        .arg(firmware::programs::source(name))
        .output()
        .expect("a C compiler called `cc`");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(&program).output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code().unwrap())
}

#[test]
fn programs_print_the_same_here_and_there() {
    for name in firmware::programs::ALL {
        let (expected, code) = on_this_machine(name);
        let file = common::link(&firmware::programs::source(name));
        for seed in SEEDS {
            let end = alone::run(&file, &Config::default(), seed, LIMIT);
            assert_eq!(end.text(1), expected, "{name}, seed {seed}: {:?}", end.stop);
            assert_eq!(end.text(2), "", "{name}, seed {seed}");
            assert_eq!(end.stop, Stop::Exit { code: code as u32 }, "{name}, seed {seed}");
            end.check_edges(&format!("{name}, seed {seed}"));
        }
    }
}

#[test]
fn programs_run_without_a_monitor() {
    let config: Config = "preset = \"baseline\"".parse().unwrap();
    for name in ["producer_consumer", "timed_wait"] {
        let file = common::link(&firmware::programs::source(name));
        let end = alone::run(&file, &config, 1, LIMIT);
        assert_eq!(end.stop, Stop::Exit { code: 0 }, "{name}: {}", end.text(2));
        assert_eq!(end.record().edges, [], "{name}");
    }
}
