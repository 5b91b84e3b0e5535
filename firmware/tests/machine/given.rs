//! Files and signals of the command line become part of the program.

use std::fs;
use std::path::Path;

use crate::alone::{self, Finished};
use crate::common;
use border::{End, Program};
use config::Config;
use firmware::Build;

const LIMIT: u64 = 5_000_000;

fn link(folder: &Path, flags: &[&str]) -> Program {
    let out = folder.join("program.elf");
    let flags = flags.iter().map(Into::into).collect();
    let build = Build { files: vec![common::test_source("given")], flags };
    common::runtime().build(&build, &out).unwrap_or_else(|error| panic!("{error}"));
    Program::read(&out, Program::ANY_RAM).unwrap()
}

/// Runs the program with one argument, in a folder with a file of words.
fn run(argument: &str, flags: &[&str]) -> Finished {
    let folder = tempfile::tempdir().unwrap();
    let words = folder.path().join("words");
    fs::write(&words, "hello \"world\" \\ \u{e9}\nsecond line\n").unwrap();
    let file = format!("--file=words.txt={}", words.display());
    let flags: Vec<&str> = flags.iter().copied().chain([file.as_str()]).collect();
    let program = common::with(link(folder.path(), &flags), |settings| {
        settings.arguments = vec![b"given".to_vec(), argument.into()];
    });
    alone::run(&program, &Config::default(), 1, LIMIT)
}

#[test]
fn a_given_file_is_read_byte_by_byte_as_it_was() {
    let end = run("show", &[]);
    assert_eq!(end.text(1), "hello \"world\" \\ \u{e9}\nsecond line\n", "{}", end.text(2));
    assert_eq!(end.stop, End::Exit { code: 0 });
}

#[test]
fn a_given_file_can_be_changed_while_the_run_lasts() {
    let end = run("change", &[]);
    assert_eq!(
        end.text(1),
        "HELLO\nHELLO \"world\" \\ \u{e9}\nsecond line\nmore\n",
        "{}",
        end.text(2)
    );
}

#[test]
fn a_file_that_is_not_given_is_missed_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let end = alone::run(&link(folder.path(), &[]), &Config::default(), 1, LIMIT);
    assert_eq!(end.text(2), "words.txt: No such file or directory\n");
    assert_eq!(end.stop, End::Exit { code: 1 });
}

#[test]
fn memory_for_files_ends_and_comes_back() {
    let end = run("fill", &[]);
    assert_eq!(end.text(1), "full after many bytes\nroom again: 1000\n", "{}", end.text(2));
}

#[test]
fn a_program_cannot_make_the_firmware_touch_what_it_may_not() {
    let end = run("bad", &[]);
    assert_eq!(end.text(1), "-1\n-1 1\n-1 1\n-1 1\n-1\n28 more, 31, 1\n", "{}", end.text(2));
}

#[test]
fn without_input_standard_input_is_at_its_end() {
    assert_eq!(run("input", &[]).text(1), "-1\n");
}

#[test]
fn a_signal_comes_at_its_time_to_the_handler() {
    let end = run("wait", &["--signal", "INT@5000"]);
    assert_eq!(end.text(1), "signal 2\n", "{}", end.text(2));
    assert_eq!(end.stop, End::Exit { code: 0 });
}

#[test]
fn a_signal_without_a_handler_ends_the_program_and_says_so() {
    let end = run("spin", &["--signal", "TERM@3000"]);
    assert_eq!(end.text(2), "crosstalk: signal 15 (SIGTERM) ended the program\n");
    assert_eq!(end.stop, End::Exit { code: 143 });
}

#[test]
fn the_same_files_give_the_same_bytes_from_any_folder() {
    let build = || {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        fs::write(&path, [0, 1, 2, 255]).unwrap();
        let program = link(folder.path(), &[&format!("--file=x={}", path.display())]);
        program.file().to_vec()
    };
    assert!(build() == build(), "a folder shows in the program");
}
