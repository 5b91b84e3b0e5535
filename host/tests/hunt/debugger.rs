//! `crosstalk gdb` and `crosstalk core` on runs of a hunt: with gdb where it is installed, else by the protocol.

use crate::why::{hunted, json};
use crate::{hunt, sentence, source, text};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

const CROSSTALK: &str = env!("CARGO_BIN_EXE_crosstalk");

fn crosstalk(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(CROSSTALK);
    command.args(args).current_dir(folder).env("CROSSTALK_PROGRESS", "never");
    command
}

fn output(folder: &Path, args: &[&str]) -> Output {
    crosstalk(folder, args).output().unwrap()
}

/// What gdb says to a script; none, and it says so, if there is no gdb.
fn gdb(folder: &Path, files: &[&str], script: &[&str]) -> Option<String> {
    let mut command = Command::new("gdb-multiarch");
    command.args(["-nx", "-q", "-batch"]).current_dir(folder);
    for line in ["set pagination off", "set width 0"].iter().chain(script) {
        command.args(["-ex", line]);
    }
    // One pipe for both, in the order in which gdb speaks.
    let (mut reader, writer) = std::io::pipe().unwrap();
    command.args(files).stdin(Stdio::null()).stdout(writer.try_clone().unwrap()).stderr(writer);
    let Ok(mut running) = command.spawn() else {
        eprintln!("skipped: gdb-multiarch is not on the PATH (Debian package `gdb-multiarch`)");
        return None;
    };
    drop(command);
    let mut said = Vec::new();
    reader.read_to_end(&mut said).unwrap();
    running.wait().unwrap();
    Some(text(&said))
}

fn framed(request: &str) -> String {
    let sum = request.bytes().fold(0u8, u8::wrapping_add);
    format!("${request}#{sum:02x}")
}

/// Sends requests to a server and closes its input; gives all that it answered, without acknowledgements.
fn dialogue(mut server: Child, requests: &[&str]) -> (Vec<String>, Output) {
    let mut input = server.stdin.take().unwrap();
    let all: String = requests.iter().map(|request| framed(request)).collect();
    // A server that has ended takes no more.
    let _ = input.write_all(all.as_bytes());
    drop(input);
    let output = server.wait_with_output().unwrap();
    let said = text(&output.stdout);
    let answers = said.split('$').skip(1).filter_map(|answer| answer.split('#').next());
    (answers.map(str::to_owned).collect(), output)
}

fn on_pipes(folder: &Path, args: &[&str]) -> Child {
    let mut command = crosstalk(folder, args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

#[test]
fn gdb_goes_back_from_the_failure_to_the_last_write() {
    let folder = hunted("lost_update.c");
    let remote = format!("target remote | {CROSSTALK} gdb h --stdio");
    let script = [
        remote.as_str(),
        "set scheduler-locking step",
        "info threads",
        "bt",
        "monitor where",
        "watch balance",
        "reverse-continue",
        "info threads",
        "echo here\\n",
        "monitor last-writer balance",
        "stepi",
        "echo after the store\\n",
        "monitor last-writer balance",
        "reverse-stepi",
        "print balance = 77",
    ];
    let Some(said) = gdb(folder.path(), &["h/program.elf"], &script) else { return };
    for part in [
        "(hart 0: main, U mode",
        "(hart 1: no thread, M mode, asleep)",
        "__assert_fail",
        "at the instruction of hart 0 that ended the run",
        "Hardware watchpoint 1: balance",
        "Old value = ",
        "in deposit ",
        "Cannot access memory at address",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    for number in 1..=4 {
        assert!(said.contains(&format!("Thread 1.{number} (hart {}: ", number - 1)), "{said}");
    }
    // Before the store another thread's value is there, or an older one; after it the thread's own.
    let (before, after) = said.split_once("after the store").unwrap();
    let before = before.split_once("here\n").unwrap().1;
    let value = |said: &str| {
        let line = said.lines().find(|line| line.starts_with("balance (4 bytes at ")).unwrap();
        line.split(" is ").nth(1).unwrap().split(' ').next().unwrap().parse::<u32>().unwrap()
    };
    assert_ne!(value(before), value(after), "{said}");
    assert!(after.contains("last written by ") && after.contains("lost_update.c:18"), "{said}");
}

#[test]
fn gdb_opens_a_core_file_with_all_threads() {
    let folder = hunted("lost_update.c");
    let said = output(folder.path(), &["core", "h", "--out", "x.core"]);
    assert_eq!(said.status.code(), Some(0), "{}", text(&said.stderr));
    let script = ["info threads", "bt", "print balance", "print deposits"];
    let Some(said) = gdb(folder.path(), &["h/program.elf", "x.core"], &script) else { return };
    let balance = &json(folder.path(), &["h", "balance", "--passing", "0"])["about"]["bytes"][0];
    for part in [
        "Program terminated with signal SIGABRT",
        "LWP 1",
        "LWP 4",
        "__assert_fail",
        "lost_update.c:29",
        &format!("$1 = {balance}\n"),
        "$2 = 24\n",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!said.contains("warning: core file"), "{said}");
}

#[test]
fn the_note_of_a_core_file_says_which_run_it_is() {
    let folder = hunted("lost_update.c");
    let run = |args: &[&str]| {
        let output = output(folder.path(), args);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let said = run(&["core", "h", "-o", "x.core"]);
    assert!(said.contains("failed an assertion at lost_update.c:29"), "{said}");
    assert!(said.contains("hart 0: main, U mode"), "{said}");
    assert_eq!(run(&["core", "--read", "x.core"]), said);
    let note: serde_json::Value =
        serde_json::from_str(&run(&["core", "--read", "x.core", "--json"])).unwrap();
    let about = json(folder.path(), &["h", "balance", "--passing", "0"])["about"].clone();
    let covers = |written: &&serde_json::Value| {
        let address = about["address"].as_u64().unwrap();
        let start = written["address"].as_u64().unwrap();
        (start..start + written["bytes"].as_u64().unwrap()).contains(&address)
    };
    let written = note["last_writers"].as_array().unwrap().iter().find(covers).unwrap();
    let write = &note["writes"][written["write"].as_u64().unwrap() as usize];
    let writer = &about["parts"][0]["writer"];
    assert_eq!((&write["event"], &write["thread"]), (&writer["event"], &writer["thread"]));
    assert_eq!(write["line"], writer["at"]["line"]);
    // The same run, the same bytes.
    run(&["core", "h", "-o", "y.core"]);
    let [one, other] = ["x.core", "y.core"].map(|name| fs::read(folder.path().join(name)).unwrap());
    assert!(one == other, "two core files of one run differ");
    let mut damaged = one;
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    fs::write(folder.path().join("y.core"), damaged).unwrap();
    for (file, said) in [
        ("y.core", "y.core: the core file is damaged: the registers or memory differ"),
        ("h/program.elf", "not a core file written by `crosstalk core`: this ELF file is not"),
        ("nowhere", "nowhere: No such file"),
    ] {
        let found = sentence(&output(folder.path(), &["core", "--read", file]), 2);
        assert!(found.contains(said), "{found}");
    }
}

#[test]
fn the_protocol_is_spoken_on_pipes_and_on_a_port() {
    let folder = hunted("lost_update.c");
    let requests = ["?", "Hg1", "m80000000,4", "bc", "qThreadExtraInfo,1", "D"];
    let server = on_pipes(folder.path(), &["gdb", "h", "--stdio"]);
    let (answers, output) = dialogue(server, &requests);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(answers[0], "T05thread:01;", "the failing hart: {answers:?}");
    assert_eq!(answers[1], "OK");
    assert_eq!(answers[2].len(), 8, "{answers:?}");
    assert_eq!(answers[3], "T05thread:01;replaylog:begin;");
    assert_eq!(answers[5], "OK");
    let mut server = on_pipes(folder.path(), &["gdb", "h", "--listen", "127.0.0.1:0"]);
    let mut said = [0; 4096];
    let count = server.stdout.as_mut().unwrap().read(&mut said).unwrap();
    let said = text(&said[..count]);
    assert!(said.contains("gdb-multiarch ") && said.contains("/h/program.elf"), "{said}");
    let address = said.split("target remote ").nth(1).unwrap().split('\'').next().unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(framed("?").as_bytes()).unwrap();
    stream.write_all(framed("D").as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.contains("$T05thread:01;#") && answer.ends_with("$OK#9a"), "{answer}");
    assert_eq!(server.wait().unwrap().code(), Some(0));
}

#[test]
fn what_cannot_be_debugged_is_a_sentence() {
    let folder = hunted("lost_update.c");
    for command in ["gdb", "core"] {
        for (args, said) in [
            (&["nowhere"][..], "nowhere: No such file"),
            (&["."], ".: expected the folder of a hunt, found no runs"),
            (&["h", "--seed", "999999"], "h: the hunt has no schedule 999999"),
            (&["h", "--source", "nowhere"], "nowhere: not a folder"),
        ] {
            let found = sentence(&output(folder.path(), &[&[command], args].concat()), 2);
            assert!(found.contains(said), "{command} {args:?}: {found}");
        }
    }
    let busy = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = busy.local_addr().unwrap().to_string();
    let found = sentence(&output(folder.path(), &["gdb", "h", "--listen", &address]), 2);
    assert!(found.contains(&format!("cannot wait for a debugger at {address}")), "{found}");
    let found = sentence(&output(folder.path(), &["core", "h", "-o", "nowhere/core"]), 2);
    assert!(found.contains("nowhere"), "{found}");
    let (_, garbage) = dialogue(on_pipes(folder.path(), &["gdb", "h", "--stdio"]), &["vCont;s"]);
    let found = text(&garbage.stderr);
    assert_eq!(garbage.status.code(), Some(2), "{found}");
    assert!(found.starts_with("error: the session with the debugger failed"), "{found}");
    // What `monitor` cannot answer, it says.
    let hex = |text: &str| text.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
    for (command, said) in [
        ("nonsense", "there is no command `nonsense`"),
        ("why balanc", "did you mean `balance`?"),
        ("why *(int *)0x10", "where there is no memory"),
        ("last-writer", "expected an expression"),
    ] {
        let server = on_pipes(folder.path(), &["gdb", "h", "--stdio"]);
        let (answers, _) = dialogue(server, &[&format!("qRcmd,{}", hex(command))]);
        assert!(answers.concat().contains(&hex(said)), "{command}: {answers:?}");
    }
    fs::copy(source("crossed.c"), folder.path().join("other.c")).unwrap();
    let other =
        crosstalk(folder.path(), &["cc", "other.c", "-o", "h/program.elf"]).output().unwrap();
    assert_eq!(other.status.code(), Some(0), "{}", text(&other.stderr));
    for command in ["gdb", "core"] {
        let found = sentence(&output(folder.path(), &[command, "h"]), 2);
        assert!(found.contains("the program differs from the one that was hunted"), "{found}");
    }
}

#[test]
fn a_run_of_the_hardware_is_walked_through_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--max-runs", "1", "--monitor", "program", "--out", "h", "--on", "rtl"];
    // Whether its one run fails does not matter.
    let made = hunt(folder.path(), "lost_update.c", &args).output().unwrap();
    assert!(folder.path().join("h/schedules.jsonl").exists(), "{}", text(&made.stderr));
    let said = output(folder.path(), &["core", "h", "--seed", "1", "-o", "x.core", "--json"]);
    assert_eq!(said.status.code(), Some(0), "{}", text(&said.stderr));
    let note: serde_json::Value = serde_json::from_slice(&said.stdout).unwrap();
    assert_eq!(note["on"], "rtl");
    let about =
        json(folder.path(), &["h", "--seed", "1", "balance", "--passing", "0"])["about"].clone();
    let address = about["address"].as_u64().unwrap();
    let requests = ["?", "Hg1", &format!("m{address:x},4"), "bc", "vCont;c", "D"];
    let (answers, output) =
        dialogue(on_pipes(folder.path(), &["gdb", "h", "--seed", "1", "--stdio"]), &requests);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let bytes = about["bytes"].as_array().unwrap().iter();
    let balance: String = bytes.map(|byte| format!("{:02x}", byte.as_u64().unwrap())).collect();
    // Zeros may be sent as a digit and how often it is repeated.
    assert_eq!(answers[2][..2], balance[..2], "{answers:?}");
    assert_eq!(answers[3], "T05thread:01;replaylog:begin;");
    assert_eq!(answers[4], "T05thread:01;replaylog:end;");
}

#[test]
fn nothing_is_said_of_a_run_that_is_not_the_hunts() {
    let folder = hunted("lost_update.c");
    let path = folder.path().join("h/hunt.json");
    let text = fs::read_to_string(&path).unwrap();
    // A limit of another hunt: its runs end differently.
    let other = text.replace("\"max_cycles\": 2000000", "\"max_cycles\": 900");
    assert_ne!(other, text);
    fs::write(&path, other).unwrap();
    for args in [
        &["why", "h", "balance"][..],
        &["core", "h", "--out", "x.core"],
        &["gdb", "h", "--stdio"],
        &["trace", "h"],
    ] {
        let said = output(folder.path(), args);
        assert!(sentence(&said, 2).contains("now gives a different run"), "{args:?}");
        assert_eq!(said.stdout, b"", "{args:?}");
    }
    assert!(!folder.path().join("x.core").exists());
}
