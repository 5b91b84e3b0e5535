//! `crosstalk run` on either machine: input, signatures, and what the golden machine has not.

use firmware::{Compiler, Source};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn run(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crosstalk"));
    command.arg("run").args(args).current_dir(folder).env("CROSSTALK_PROGRESS", "never");
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The program that reads its input in one of five ways, without our runtime.
fn reader(folder: &Path, by: u32) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = fs::read_to_string(root.join("tests/analysis/programs/input.S")).unwrap();
    let file = folder.join(format!("input-{by}.S"));
    fs::write(&file, format!("#define BY {by}\n{source}")).unwrap();
    let firmware = root.join("../firmware");
    let source = Source {
        files: vec![file],
        includes: vec![firmware.join("border")],
        script: firmware.join("suites/link.ld"),
    };
    Compiler::for_workspace().unwrap().build(&source).unwrap()
}

#[test]
fn a_program_reads_its_input_by_calls_by_characters_and_at_the_serial_port() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("in"), "twenty-two characters\n").unwrap();
    for by in 0..5 {
        let elf = reader(folder.path(), by);
        let elf = elf.to_str().unwrap();
        for machine in [&["--on", "golden"][..], &["--on", "rtl", "--lockstep"]] {
            let args = [&[elf, "--input", "in", "--signature", "out"], machine].concat();
            let output = run(folder.path(), &args);
            assert_eq!(
                text(&output.stdout),
                "twenty-two characters\n",
                "{by}: {}",
                text(&output.stderr)
            );
            assert_eq!(output.status.code(), Some(22), "{by}: {}", text(&output.stderr));
            let words = fs::read_to_string(folder.path().join("out")).unwrap();
            assert_eq!(words, "0000cafe\n00000016\n", "{by} {machine:?}");
        }
    }
    // Without a file there is nothing to read.
    let elf = reader(folder.path(), 1);
    let output = run(folder.path(), &[elf.to_str().unwrap(), "--on", "golden"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
}

#[test]
fn the_golden_machine_runs_c_records_it_and_traces_as_spike() {
    let folder = tempfile::tempdir().unwrap();
    let source = "#include <stdio.h>\nint main(int n, char **a) { puts(a[1]); return n + 40; }";
    fs::write(folder.path().join("p.c"), source).unwrap();
    let args =
        ["p.c", "--on", "golden", "--seed", "0x7", "--record", "r.run", "--trace", "--", "hello"];
    let output = run(folder.path(), &args);
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(42), "hello\n"));
    let traced = text(&output.stderr);
    assert!(traced.contains("core   0: >>>>  main\n"), "no `main` in {} bytes", traced.len());
    let kept = record::Run::read(&fs::read(folder.path().join("r.run")).unwrap()[..]).unwrap();
    assert_eq!(kept.ending.outcome, record::End::Exit { code: 42 });
    assert_eq!(kept.header.seed, 7);
    // Stopped, it has what the tables took.
    let args = ["p.c", "--on", "golden", "--max-cycles", "2_000", "--record", "r.run", "--", "x"];
    let output = run(folder.path(), &args);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(125), "{said}");
    assert!(said.contains("did not end within 2000 instructions:\n  hart 0: "), "{said}");
    let kept = record::Run::read(&fs::read(folder.path().join("r.run")).unwrap()[..]).unwrap();
    assert_eq!(kept.ending.outcome, record::End::CycleLimit);
}

#[test]
fn what_run_cannot_do_is_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("p.c"), "int main(void) { return 0; }").unwrap();
    for (args, said) in [
        (&["--on", "golden", "--stats"][..], "the golden machine has no --stats"),
        (&["--on", "golden", "--lockstep"], "the golden machine has no --lockstep"),
        (&["--on", "golden", "--vcd", "w"], "the golden machine has no --vcd"),
        (&["--on", "golden", "--fst", "w"], "the golden machine has no --fst"),
        (&["--vcd", "v", "--fst", "w"], "cannot be used with"),
        (&["--fst", "nowhere/w.fst"], "nowhere/w.fst"),
        (&["--on", "silver"], "invalid value 'silver'"),
        (&["--input", "nowhere"], "nowhere: No such file"),
        (&["--input", "/dev/zero"], "/dev/zero: expected at most 16777216 bytes of input"),
        (&["--input", "."], ".: Is a directory"),
        (&["--on", "golden", "--signature", "s"], "has no symbol `begin_signature`"),
        (&["--on", "golden", "--signature", "p.c"], "p.c"),
        (&["--on", "golden", "--harts", "0x40"], "harts"),
    ] {
        let output = run(folder.path(), &[&["p.c"], args].concat());
        let found = text(&output.stderr);
        assert_eq!(output.status.code(), Some(125), "{args:?}: {found}");
        assert!(found.contains(said), "{args:?}: {found}");
    }
}
