//! Lines that are not what they should be: one sentence, the right exit code, and what there is is kept.

use crate::board::Terminal;
use crate::noise::stream;
use record::{End, Run};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

fn record(serial: &Path, args: &[&str], out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crosstalk"));
    command
        .arg("record")
        .args([Path::new("--serial"), serial])
        .args([Path::new("--out"), out])
        .args(args);
    command
}

fn told(done: &Output) -> String {
    String::from_utf8_lossy(&done.stderr).into_owned()
}

#[test]
fn a_device_that_is_not_there_is_bad_input() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("x.run");
    let done = record(Path::new("/dev/no-such-line"), &[], &out).output().unwrap();
    assert_eq!(done.status.code(), Some(2));
    assert_eq!(
        told(&done),
        "error: `/dev/no-such-line` cannot be opened: No such file or directory (os error 2)\n"
    );
    let file = folder.path().join("plain");
    std::fs::write(&file, "text").unwrap();
    let done = record(&file, &[], &out).output().unwrap();
    assert_eq!(done.status.code(), Some(2));
    assert_eq!(told(&done), format!("error: `{}` is not a serial device\n", file.display()));
    assert!(!out.exists());
}

#[test]
fn a_program_that_is_not_there_is_told_before_the_board_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let terminal = Terminal::open();
    let done = record(&terminal.path, &["--load", "nowhere.elf"], &folder.path().join("x.run"))
        .output()
        .unwrap();
    assert_eq!(done.status.code(), Some(2));
    assert_eq!(told(&done), "error: `nowhere.elf` is not a file\n");
}

#[test]
fn a_board_that_does_not_answer_is_told_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("some.elf");
    std::fs::write(&program, "never looked at").unwrap();
    let terminal = Terminal::open();
    let args = ["--answer", "0", "--load", program.to_str().unwrap()];
    let done = record(&terminal.path, &args, &folder.path().join("x.run")).output().unwrap();
    assert_eq!(done.status.code(), Some(1));
    let sentence = "error: the board did not answer a reset: check the serial device, and that the \
                    bitstream is on the board\n";
    assert_eq!(told(&done), sentence);
}

#[test]
fn garbage_on_the_line_costs_only_what_it_hit() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("x.run");
    let mut terminal = Terminal::open();
    let (bytes, frames, run) = stream();
    let hit = frames[3].clone();
    let mut damaged = bytes.clone();
    damaged[hit.start + 12] ^= 0x40;
    terminal.near.write_all(&damaged).unwrap();
    let done = record(&terminal.path, &[], &out).output().unwrap();
    assert_eq!(done.status.code(), Some(1));
    let (count, at) = (hit.len(), hit.start);
    let place = format!("brought {count} bytes that are not records, from byte {at} on");
    assert!(told(&done).contains(&place), "{}", told(&done));
    assert!(told(&done).ends_with(&format!("every intact record is in `{}`\n", out.display())));
    let received = Run::read(File::open(&out).unwrap()).unwrap();
    assert_eq!(received.ending, run.ending);
    let kept: Vec<_> = run.edges.iter().filter(|total| received.edges.contains(total)).collect();
    assert_eq!(kept.len(), received.edges.len());
    assert_eq!(kept.len(), run.edges.len() - 1, "each frame of this run has one record");
}

#[test]
fn a_silent_line_takes_nothing_away() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("x.run");
    std::fs::write(&out, "a good run").unwrap();
    let mut terminal = Terminal::open();
    terminal.near.write_all(b"hello\n").unwrap();
    let done = record(&terminal.path, &["--silence", "1"], &out).output().unwrap();
    assert_eq!(done.status.code(), Some(1));
    let sentence = "the serial line fell silent before any record arrived; nothing was written";
    assert_eq!(told(&done), format!("error: {sentence}\n"));
    assert_eq!(std::fs::read(&out).unwrap(), b"a good run");
}

#[test]
fn where_a_run_cannot_go_is_told_before_the_line_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |args: &[&str]| {
        let done = Command::new(env!("CARGO_BIN_EXE_crosstalk"))
            .args(["record", "--serial", "/dev/no-such-line"])
            .args(args)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert_eq!(done.status.code(), Some(2), "{}", told(&done));
        told(&done)
    };
    std::fs::write(folder.path().join("prog.elf"), "a program").unwrap();
    for name in ["board.run", "prog.run"] {
        std::fs::write(folder.path().join(name), "a good run").unwrap();
    }
    let there = "already exists; name the file for the run with --out";
    assert_eq!(refused(&[]), format!("error: `board.run` {there}\n"));
    assert_eq!(refused(&["--load", "prog.elf"]), format!("error: `prog.run` {there}\n"));
    let said = refused(&["--out", "nowhere/x.run"]);
    assert!(said.starts_with("error: `nowhere/x.run` cannot be written: No such file"), "{said}");
    let said = refused(&["--load", "prog.elf", "--out", "prog.elf"]);
    assert_eq!(said, "error: `prog.elf` cannot be written: it is one of the inputs\n");
    assert!(refused(&["--out", "x.run", "--baud", "0"]).contains("'0' for '--baud <BAUD>'"));
    // Who names a file means it.
    let said = refused(&["--out", "board.run"]);
    assert!(said.contains("`/dev/no-such-line` cannot be opened"), "{said}");
}

#[test]
fn a_line_that_ends_in_the_middle_keeps_what_came() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("x.run");
    let mut terminal = Terminal::open();
    let (bytes, frames, run) = stream();
    terminal.near.write_all(&bytes[..frames[5].start + 5]).unwrap();
    let done = record(&terminal.path, &["--silence", "1"], &out).output().unwrap();
    assert_eq!(done.status.code(), Some(1));
    assert!(told(&done).contains(
        "error: the serial line fell silent before the run ended; every intact record is in"
    ));
    let received = Run::read(File::open(&out).unwrap()).unwrap();
    assert_eq!(received.ending.outcome, End::Unknown);
    assert_eq!(received.edges.len(), 2);
    assert_eq!(received.header, run.header);
    terminal.close();
}
