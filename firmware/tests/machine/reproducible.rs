//! A program is the same bytes wherever it is compiled, and complaints are clear.

use std::fs;
use std::path::Path;

use crate::common;
use border::{Program, SettingsError};
use firmware::{Build, Error};

fn compile_in(folder: &Path, name: &str) -> Vec<u8> {
    fs::create_dir_all(folder).unwrap();
    let source = folder.join("words.c");
    fs::copy(firmware::programs::source(name), &source).unwrap();
    let out = folder.join("words.elf");
    let build = Build { files: vec![source], flags: vec!["-O2".into(), "-pthread".into()] };
    common::runtime().build(&build, &out).unwrap();
    fs::read(out).unwrap()
}

#[test]
fn a_program_is_the_same_bytes_from_any_folder() {
    let folder = tempfile::tempdir().unwrap();
    let here = compile_in(&folder.path().join("here"), "word_count");
    let there = compile_in(&folder.path().join("some/other where"), "word_count");
    assert!(here == there, "the two differ");
    let hidden = folder.path().to_string_lossy().into_owned();
    let shows = here.windows(hidden.len()).any(|bytes| bytes == hidden.as_bytes());
    assert!(!shows, "the folder shows in the program");
}

#[test]
fn what_does_not_compile_is_told_with_the_compilers_lines() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("wrong.c");
    fs::write(&source, "int main(void) { return missing; }\n").unwrap();
    let out = folder.path().join("out.elf");
    let build = Build { files: vec![source.clone()], flags: Vec::new() };
    let error = common::runtime().build(&build, &out).unwrap_err().to_string();
    let first = format!("`{}` does not compile:", source.display());
    assert_eq!(error.lines().next(), Some(first.as_str()));
    assert!(error.contains("use of undeclared identifier 'missing'"), "{error}");
    assert!(!out.exists());
}

#[test]
fn a_missing_file_is_named() {
    let build = Build { files: vec!["nowhere.c".into()], flags: Vec::new() };
    let error = common::runtime().build(&build, Path::new("out.elf")).unwrap_err();
    assert_eq!(error.to_string(), "`nowhere.c` is not a file");
    let nothing = common::runtime().build(&Build::default(), Path::new("out.elf")).unwrap_err();
    assert!(matches!(nothing, Error::NoFiles));
}

#[test]
fn settings_survive_being_written_and_read() {
    let mut program = common::link(&common::test_source("touch"));
    let mut settings = program.settings().unwrap();
    assert_eq!(settings.arguments, [b"program".to_vec()]);
    settings.watermark = 77;
    settings.range = 0x8000_1000..0x8000_2000;
    settings.drain = border::Drain::Spare;
    settings.arguments = vec![b"a".to_vec(), Vec::new(), b"c d".to_vec()];
    program.set(&settings).unwrap();
    assert_eq!(program.settings().unwrap(), settings);
    // What is loaded is what the file says.
    let file = program.file().to_vec();
    let again = Program::parse(&program.path, file, Program::ANY_RAM).unwrap();
    assert_eq!(again.segments, program.segments);
    settings.arguments = vec![vec![b'x'; 1024]];
    let refused = program.set(&settings).unwrap_err();
    assert_eq!(refused, SettingsError::LongArguments { bytes: 1025 });
}
