//! Programs that a hunt can say nothing about: a sentence each.

use crate::{golden, hunt, sentence, source};
use std::process::Command;

fn refused(program: &str, args: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let args = [args, &["--max-runs", "40"]].concat();
    sentence(&golden(folder.path(), program, &args), 2)
}

#[test]
fn one_that_does_not_compile() {
    let said = refused("broken.c", &[]);
    assert!(said.contains("broken.c` does not compile:") && said.contains("undeclared"), "{said}");
}

#[test]
fn one_without_threads() {
    let said = refused("alone.c", &[]);
    assert_eq!(
        said,
        "`alone`: in the first 8 schedules no second thread touched shared memory; a hunt needs a \
         program with threads"
    );
}

#[test]
fn one_that_never_ends_and_is_not_said_to_fail() {
    let said = refused("endless.c", &["--max-cycles", "20000", "--fail-if", "output=never"]);
    assert!(said.contains("none of the first 8 schedules ended within 20000 cycles"), "{said}");
    assert!(said.contains("--max-cycles"), "{said}");
}

#[test]
fn one_with_more_threads_than_harts() {
    let said = refused("crowd.c", &["--harts", "4"]);
    assert_eq!(
        said,
        "`crowd`: the program has 5 live threads but the machine has 4 harts for them; run it with \
         --harts 5, or more if it starts more threads"
    );
    assert!(refused("crowd.c", &["--harts", "17"]).contains("harts = 17"));
    let said = refused("crowd.c", &["--cflags", "-DTHREADS=16"]);
    assert_eq!(
        said,
        "`crowd`: the program has 17 live threads but the machine has 16 harts for them; 17 would be more than \
         the largest machine has"
    );
}

#[test]
fn what_is_no_program() {
    let folder = tempfile::tempdir().unwrap();
    let ask = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crosstalk"));
        command.arg("hunt").args(args).current_dir(folder.path()).output().unwrap()
    };
    let said = sentence(&ask(&["bank-acount"]), 2);
    assert!(said.contains("`bank-acount` is neither a file") && said.contains("bank-account"));
    std::fs::write(folder.path().join("text"), "text").unwrap();
    assert_eq!(sentence(&ask(&["text"]), 2), "`text` is not an ELF file");
    let wrong = hunt(folder.path(), "sound.c", &["--fail-if", "output=("]).output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    let said = refused("sound.c", &["--preset", "baseline"]);
    assert!(said.contains("context.events"), "{said}");
}

#[test]
fn one_whose_parameters_cannot_be_set() {
    let folder = tempfile::tempdir().unwrap();
    let ask = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crosstalk"));
        command.args(args).current_dir(folder.path()).output().unwrap()
    };
    let program = source("sound.c");
    assert!(ask(&["cc", program.to_str().unwrap(), "-o", "p.elf"]).status.success());
    let path = folder.path().join("p.elf");
    let mut elf = std::fs::read(&path).unwrap();
    let block = elf.windows(8).position(|bytes| bytes == b"XTLK\x01\0\0\0").unwrap();
    elf[block + 4] = 9;
    std::fs::write(&path, elf).unwrap();
    let why = "`p.elf`: the program's parameter block is not valid: expected version 1, got 9";
    assert_eq!(sentence(&ask(&["hunt", "p.elf", "--on", "golden"]), 2), why);
    assert_eq!(sentence(&ask(&["run", "p.elf"]), 125), why);
}
