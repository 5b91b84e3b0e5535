//! What an interrupted hunt says, and that nothing is lost.

use crate::{assert_same, found, golden, hunt, text};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};

const ARGS: [&str; 6] = ["--failing", "6", "--passing", "6", "--monitor", "program"];

/// Sends a signal to a hunt as soon as its journal has a line; what it said. None: it was over before.
fn interrupted(folder: &Path, signal: Signal) -> Option<String> {
    let mut command = hunt(folder, "lost_update.c", &ARGS);
    command.args(["--on", "golden", "--out", "cut it", "--resume"]);
    command.env("CROSSTALK_COMMAND", env!("CARGO_BIN_EXE_crosstalk"));
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let journal = folder.join("cut it/schedules.jsonl");
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if fs::read(&journal).is_ok_and(|lines| lines.contains(&b'\n')) {
            kill_process(Pid::from_child(&child), signal).unwrap();
            break child.wait().unwrap();
        }
        std::thread::yield_now();
    };
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    if status.success() {
        return None;
    }
    assert_eq!(status.signal(), Some(signal.as_raw()), "it ends by the signal: {said}");
    Some(said)
}

#[test]
fn an_interrupted_hunt_prints_the_command_that_resumes_it() {
    let folder = tempfile::tempdir().unwrap();
    let whole = golden(folder.path(), "lost_update.c", &[&ARGS[..], &["--out", "whole"]].concat());
    let whole = found(&whole).replace("whole/", "DIR/");
    let mut tried = 0;
    for signal in [Signal::INT, Signal::TERM] {
        fs::remove_dir_all(folder.path().join("cut it")).unwrap_or_default();
        let Some(said) = interrupted(folder.path(), signal) else { continue };
        tried += 1;
        let line =
            said.strip_prefix("interrupted; to resume:\n  ").unwrap_or_else(|| panic!("{said}"));
        assert!(line.ends_with(" --on golden --out 'cut it' --resume\n"), "{line}");
        let resumed = Command::new("sh").args(["-c", line]).current_dir(folder.path()).output();
        let resumed = resumed.unwrap();
        assert!(resumed.status.success(), "{}", text(&resumed.stderr));
        assert_eq!(text(&resumed.stdout).replace("cut it/", "DIR/"), whole);
        assert_same(&folder.path().join("whole"), &folder.path().join("cut it"));
    }
    assert!(tried > 0, "every hunt was over before it was interrupted");
}
