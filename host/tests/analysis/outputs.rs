//! Where answers go: files of their own, pipes that close, disks that are full.

use crate::commands::{crosstalk, runs, text};
use std::process::Command;

#[test]
fn an_output_takes_the_place_of_no_input_and_of_no_folder() {
    let folder = runs(4);
    let a_run = folder.path().join("runs/0002.run");
    let before = std::fs::read(&a_run).unwrap();
    std::fs::write(folder.path().join("a.c"), "int main(void) { return 0; }\n").unwrap();
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    for (args, why) in [
        (["export", "runs", "--to", "dot", "-o", "runs/0002.run"].as_slice(), "one of the inputs"),
        (&["report", "runs", "-o", "runs/0002.run"], "one of the inputs"),
        (&["testing-graph", "runs", "-o", "runs/0002.run"], "one of the inputs"),
        (&["cc", "a.c", "-o", "a.c"], "one of the inputs"),
        (&["export", "runs", "--to", "dot", "-o", "empty"], "a folder"),
        (&["cc", "a.c", "-o", "empty"], "a folder"),
    ] {
        let output = crosstalk(folder.path(), args);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        let sentence =
            format!("error: `{}` cannot be written: it is {why}\n", args.last().unwrap());
        assert_eq!(said, sentence);
    }
    assert_eq!(std::fs::read(&a_run).unwrap(), before);
    let names = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names, 3, "nothing is left: runs, a.c and empty");
}

#[test]
fn a_program_is_linked_into_where_a_link_leads() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.c"), "int main(void) { return 0; }\n").unwrap();
    std::os::unix::fs::symlink("far.elf", folder.path().join("a.elf")).unwrap();
    text(&crosstalk(folder.path(), &["cc", "a.c"]));
    assert!(folder.path().join("a.elf").is_symlink());
    let program = std::fs::read(folder.path().join("far.elf")).unwrap();
    assert!(program.starts_with(b"\x7fELF"));
}

#[test]
fn what_is_written_can_be_read_by_whom_the_umask_lets() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = runs(4);
    let files = ["all.graphml", "union.run", "report.html"];
    text(&crosstalk(folder.path(), &["export", "runs", "--to", "graphml", "--out", files[0]]));
    text(&crosstalk(folder.path(), &["testing-graph", "runs", "--out", files[1]]));
    text(&crosstalk(folder.path(), &["report", "runs", "--out", files[2]]));
    // A file that anybody would make in this folder.
    std::fs::write(folder.path().join("ordinary"), "").unwrap();
    let mode = |name: &str| {
        let about = std::fs::metadata(folder.path().join(name)).unwrap();
        about.permissions().mode() & 0o777
    };
    assert_eq!(files.map(mode), [mode("ordinary"); 3]);
}

#[test]
fn an_answer_that_cannot_be_written_is_a_failure() {
    let folder = runs(4);
    let commands: [&[&str]; 9] = [
        &["export", "runs", "--to", "json"],
        &["rank", "runs"],
        &["report", "runs"],
        &["stats", "runs", "--json"],
        &["graph", "runs"],
        &["diff", "runs/0000.run", "--against", "runs/0001.run"],
        &["testing-graph", "--passing", "runs", "--out", "t.run"],
        &["watch", "t.run", "runs", "--json"],
        &["cc", "--help"],
    ];
    for args in commands {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_crosstalk"));
        command.args(args).current_dir(folder.path()).stdout(full);
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{args:?}: {said}");
        assert!(said.starts_with("error: cannot write to standard output: "), "{args:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{args:?}: {said}");
    }
}

#[test]
fn who_reads_may_leave_and_nobody_need_listen() {
    let folder = runs(4);
    text(&crosstalk(folder.path(), &["testing-graph", "--passing", "runs", "--out", "t.run"]));
    let one = std::fs::read(folder.path().join("runs/0001.run")).unwrap();
    std::fs::write(folder.path().join("wire"), [&one[..], b"noise", &one].concat()).unwrap();
    let cases: [&[&str]; 3] =
        [&["watch", "t.run", "-", "--json"], &["watch", "t.run", "-"], &["cc", "--help"]];
    for args in cases {
        let closed = || std::io::pipe().unwrap().1;
        let mut command = Command::new(env!("CARGO_BIN_EXE_crosstalk"));
        command.args(args).current_dir(folder.path()).stdout(closed()).stderr(closed());
        command.stdin(std::fs::File::open(folder.path().join("wire")).unwrap());
        assert_eq!(command.status().unwrap().code(), Some(0), "{args:?}");
    }
}
