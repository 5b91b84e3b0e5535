//! Small programs as people write them, unchanged: what they print here is what they print on the machine that runs the
//! tests.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{alone, common};
use border::{End, Program};
use config::Config;
use firmware::Build;

const SEEDS: std::ops::Range<u64> = 0..3;
const LIMIT: u64 = 40_000_000;

/// What a program is run with.
#[derive(Default)]
struct Given {
    arguments: &'static [&'static str],
    input: Option<&'static str>,
    files: &'static [&'static str],
}

fn given(name: &str) -> Given {
    let none = Given::default();
    match name {
        "csv_report" => Given { files: &["prices.csv"], ..none },
        "file_word_count" => Given { files: &["words.txt"], ..none },
        "long_options" => Given {
            arguments: &[
                "one",
                "--count=3",
                "--color",
                "two",
                "--dry-run",
                "-q",
                "--co",
                "--",
                "--quiet",
            ],
            ..none
        },
        "short_options" => {
            Given { arguments: &["-v", "first", "-t", "4", "-vo", "out.txt", "second"], ..none }
        }
        "stdin_average" => Given { input: Some("stdin_average.in"), ..none },
        "stdin_lines" => Given { input: Some("stdin_lines.in"), ..none },
        _ => none,
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ordinary")
}

fn data(name: &str) -> PathBuf {
    folder().join("data").join(name)
}

fn names() -> Vec<String> {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let sources = entries.filter(|path| path.extension().is_some_and(|end| end == "c"));
    let names = sources.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned());
    names.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Output and exit code on the machine that runs the tests.
fn on_this_machine(name: &str, given: &Given) -> (String, i32) {
    let place = tempfile::tempdir().unwrap();
    let program = place.path().join("program");
    let compiled = Command::new("cc")
        .args(["-O1", "-std=gnu11", "-w", "-pthread", "-o"])
        .arg(&program)
        .arg(folder().join(name).with_extension("c"))
        .arg("-lm")
        .output()
        .expect("a C compiler called `cc`");
    assert!(compiled.status.success(), "{name}: {}", String::from_utf8_lossy(&compiled.stderr));
    for file in given.files {
        fs::copy(data(file), place.path().join(file)).unwrap();
    }
    let input = given.input.map_or(Stdio::null(), |file| File::open(data(file)).unwrap().into());
    let run = Command::new(&program)
        .args(given.arguments)
        .current_dir(place.path())
        .env("TZ", "UTC")
        .stdin(input)
        .output()
        .unwrap();
    (String::from_utf8(run.stdout).unwrap(), run.status.code().expect("it ends by itself"))
}

/// The program for this machine. Warnings are taken: some of the sources are old.
fn linked(name: &str, given: &Given) -> Program {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("program.elf");
    let input = given.input.map(|file| format!("--file=/dev/stdin={}", data(file).display()));
    let files = given.files.iter().map(|file| format!("--file={file}={}", data(file).display()));
    let flags: Vec<OsString> = input.into_iter().chain(files).map(Into::into).collect();
    let build = Build { files: vec![folder().join(name).with_extension("c")], flags };
    common::runtime().build(&build, &out).unwrap_or_else(|error| panic!("{name}: {error}"));
    let program = Program::read(&out, Program::ANY_RAM).unwrap();
    common::with(program, |settings| {
        let arguments = given.arguments.iter().map(|argument| argument.as_bytes().to_vec());
        settings.arguments = [b"program".to_vec()].into_iter().chain(arguments).collect();
    })
}

/// What is different here, if something is.
fn difference(name: &str) -> Option<String> {
    let given = given(name);
    let (expected, code) = on_this_machine(name, &given);
    let program = linked(name, &given);
    SEEDS.into_iter().find_map(|seed| {
        let end = alone::run(&program, &Config::default(), seed, LIMIT);
        let same = end.text(1) == expected && end.stop == End::Exit { code };
        let (stop, here, said) = (&end.stop, end.text(1), end.text(2));
        (!same).then(|| {
            format!("{name}, seed {seed}, {stop:?}, not {code}: {said}\n-- expected\n{expected}-- here\n{here}")
        })
    })
}

/// One of several tests that share the programs among them, so that they run side by side.
fn check_share(share: usize) {
    const SHARES: usize = 4;
    let all = names();
    assert!(all.len() >= 40, "only {} programs", all.len());
    let mine = all.iter().skip(share).step_by(SHARES);
    let different: Vec<String> = mine.filter_map(|name| difference(name)).collect();
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn ordinary_programs_print_what_they_print_elsewhere_first_share() {
    check_share(0);
}

#[test]
fn ordinary_programs_print_what_they_print_elsewhere_second_share() {
    check_share(1);
}

#[test]
fn ordinary_programs_print_what_they_print_elsewhere_third_share() {
    check_share(2);
}

#[test]
fn ordinary_programs_print_what_they_print_elsewhere_fourth_share() {
    check_share(3);
}
