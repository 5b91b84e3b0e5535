//! `crosstalk hunt` as a person or a script sees it, mostly on the golden machine.

#[path = "../support/mod.rs"]
#[allow(dead_code)]
mod support;

mod both;
mod debugger;
mod endings;
mod harts;
mod library;
mod order_log;
mod rare;
mod replay;
mod same_bytes;
mod signals;
mod toy;
mod trace;
mod unsuited;
mod why;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The source of a program of these tests.
fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hunt/programs").join(name)
}

/// A hunt, not begun yet, with its folder below this one.
fn hunt(folder: &Path, program: &str, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crosstalk"));
    command.arg("hunt").arg(source(program)).args(args).current_dir(folder);
    // What is said must not depend on how long it takes.
    command.env("CROSSTALK_PROGRESS", "never");
    command
}

/// The same on the golden machine.
fn golden(folder: &Path, program: &str, args: &[&str]) -> Output {
    hunt(folder, program, &[args, &["--on", "golden"]].concat()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What a hunt said that found something.
fn found(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// The one sentence of a hunt that ended with this code.
fn sentence(output: &Output, code: i32) -> String {
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{said}{}", text(&output.stdout));
    assert_eq!(text(&output.stdout), "");
    said.strip_prefix("error: ").unwrap_or_else(|| panic!("{said}")).trim_end().to_owned()
}

/// Every file below a folder.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inside) = folders.pop() {
        for entry in fs::read_dir(&inside).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_owned();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// Fails with the names of files that differ, not with their bytes.
fn assert_same(one: &Path, other: &Path) {
    let (one, other) = (files(one), files(other));
    let names = one.keys().chain(other.keys());
    let differ: Vec<_> = names.filter(|name| one.get(*name) != other.get(*name)).collect();
    assert!(differ.is_empty(), "these differ: {differ:?}");
}
