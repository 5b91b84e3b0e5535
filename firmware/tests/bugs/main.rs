//! Programs with a bug: every bug shows in some schedules of the golden machine and hides in others, and no
//! fixed variant ever fails.

#[path = "../machine/alone.rs"]
#[allow(dead_code)]
mod alone;
#[path = "../machine/common.rs"]
#[allow(dead_code)]
mod common;

use std::process::Command;

use border::End;
use border::{Program, Records};
use config::Config;
use firmware::bugs::{BREAKPOINTS, Bug, built_in};
use rayon::prelude::*;

const BUGGY: &[&str] = &[];
const FIXED: &[&str] = &["-DFIXED"];
/// Within so many schedules both outcomes are seen.
const BOTH_WITHIN: u64 = 2000;
/// Where every instruction takes as long as any other, what hides these on the hardware does not: the
/// writer of `pbzip2-order` waits for memory there, and here is always done before the consumers are.
const NEVER_HIDDEN: &[&str] = &["pbzip2-order"];
/// Schedules of a fixed variant; `cargo xtask soak --fixed` tries many more.
const SOME: u64 = 12;
/// Instructions after which a program that goes on hangs, which is a failure too.
const LIMIT: u64 = 1_000_000;
/// The exit code of a program that has more threads than harts.
const TOO_FEW_HARTS: i32 = 125;

/// A variant of a program, on a machine that has just as many harts as it needs.
struct Variant {
    name: &'static str,
    file: Program,
    config: Config,
}

fn every() -> impl ParallelIterator<Item = &'static Bug> {
    built_in().collect::<Vec<_>>().into_par_iter()
}

/// How a run ended.
struct Ending {
    failed: bool,
    how: String,
}

impl Variant {
    fn of(bug: &Bug, flags: &'static [&'static str]) -> Self {
        let file = common::with(common::link_with(bug.sources(), flags), |settings| {
            settings.records = Records::None;
        });
        Self { name: bug.name, file, config: Config { harts: bug.harts, ..Config::default() } }
    }

    fn run(&self, seed: u64) -> Ending {
        let end = alone::run(&self.file, &self.config, seed, LIMIT);
        let how = format!("{}, seed {seed}: {:?}: {}", self.name, end.stop, end.text(2));
        assert_ne!(end.stop, End::Exit { code: TOO_FEW_HARTS }, "{how}");
        Ending { failed: end.stop != End::Exit { code: 0 }, how }
    }
}

#[test]
fn every_bug_shows_in_some_schedules_and_hides_in_others() {
    // Those of `BREAKPOINTS` are rare in bursts on purpose: docs/results/breakpoints.md has their rates.
    let is_rare = |bug: &Bug| BREAKPOINTS.iter().any(|rare| rare.name == bug.name);
    every().filter(|bug| !is_rare(bug)).for_each(|bug| {
        let variant = Variant::of(bug, BUGGY);
        let ends = |failed: bool| (1..=BOTH_WITHIN).any(|seed| variant.run(seed).failed == failed);
        assert!(ends(true), "{} never fails", bug.name);
        assert!(NEVER_HIDDEN.contains(&bug.name) || ends(false), "{} always fails", bug.name);
    });
}

fn check_fixed(bug: &Bug, seeds: u64) {
    let variant = Variant::of(bug, FIXED);
    (1..=seeds).into_par_iter().for_each(|seed| {
        let ending = variant.run(seed);
        assert!(!ending.failed, "{}", ending.how);
    });
}

#[test]
fn the_fixed_variants_do_not_fail() {
    every().for_each(|bug| check_fixed(bug, SOME));
}

#[test]
fn both_variants_compile_anywhere_without_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    every().flat_map(|bug| [(bug, BUGGY), (bug, FIXED)]).for_each(|(bug, flags)| {
        let program = folder.path().join(format!("{}{}", bug.name, flags.concat()));
        let mut call = Command::new("cc");
        call.args(["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-pthread"]).args(flags);
        let output = call.arg("-o").arg(program).args(bug.sources()).output();
        let output = output.expect("a C compiler called `cc`");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {said}", bug.name);
    });
}
