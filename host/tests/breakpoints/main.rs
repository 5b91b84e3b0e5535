//! Breakpoints and colors as a person uses them: a file, marks in the source, the proof of a cause, and failures that
//! are avoided.

mod avoid;
mod files;
mod marks;
mod proof;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The source of a program of these tests.
fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/breakpoints/programs").join(name)
}

/// A command, in this folder.
fn crosstalk(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crosstalk"));
    command.args(args).current_dir(folder).env("CROSSTALK_PROGRESS", "never");
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder with programs of these tests.
fn folder_with(programs: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for program in programs {
        fs::copy(source(program), folder.path().join(program)).unwrap();
    }
    folder
}

/// What a run prints, and what is said of it.
fn run(folder: &Path, args: &[&str]) -> (String, String, Option<i32>) {
    let output = crosstalk(folder, &[&["run", "--on", "golden"], args].concat());
    (text(&output.stdout), text(&output.stderr), output.status.code())
}
