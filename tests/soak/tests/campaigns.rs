//! A little of every campaign, always the same: what a soak would find at once is found here.

use soak::{campaign, turns};
use std::path::Path;

/// One small round.
#[track_caller]
fn tried(name: &str, seed: u64, cases: u32) -> soak::Tried {
    let campaign = campaign::named(name).expect("a campaign");
    let me = Path::new(env!("CARGO_BIN_EXE_crosstalk-soak"));
    match turns::in_child(me, campaign, seed, cases) {
        Ok(tried) => tried,
        Err(found) => panic!("{name}, seed {seed}: {found}"),
    }
}

#[test]
fn hardware_and_golden_machine_agree() {
    let tried = tried("lockstep", 1, 1);
    assert!(tried.cycles > 200_000 && tried.programs == 3, "{tried}");
}

#[test]
fn memory_does_not_grow() {
    assert!(tried("growth", 1, 2).cycles > 200_000);
}

#[test]
fn fixed_programs_do_not_fail() {
    assert_eq!(tried("schedules", 1, 20).schedules, 20);
}

#[test]
fn damaged_bytes_are_refused() {
    assert_eq!(tried("parsers", 1, 700).files, 700);
}

#[test]
fn damaged_files_are_refused_with_a_sentence() {
    assert_eq!(tried("files", 1, 20).files, 20);
}

#[test]
fn random_command_lines_end_with_a_sentence() {
    assert_eq!(tried("arguments", 1, 26).lines, 26);
}

#[test]
fn killed_hunts_go_on_to_the_same_bytes() {
    let tried = tried("kill-hunt", 1, 3);
    assert!(tried.kills > 0 && tried.schedules > 0, "{tried}");
}

#[test]
fn killed_builds_of_models_are_not_believed() {
    assert!(tried("kill-model", 2, 2).kills > 0);
}
