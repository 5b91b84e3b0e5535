//! The breakpoint library on the computer that runs the tests (docs/breakpoints.md): compiled with its
//! C compiler and linked with small scenarios, each of which says what its threads saw.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn compiler() -> Command {
    let mut call = Command::new("cc");
    call.args(["-O2", "-g", "-std=gnu11", "-Wall", "-Wextra", "-Werror"]);
    call.arg("-I").arg(folder("breakpoint"));
    call
}

fn run(command: &mut Command) -> Output {
    let output = command.output().expect("a C compiler called `cc`");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}:\n{said}");
    output
}

/// A program of scenarios, with the library.
struct Scenarios {
    folder: tempfile::TempDir,
}

impl Scenarios {
    fn of(source: &str) -> Scenarios {
        let folder = tempfile::tempdir().unwrap();
        let mut call = compiler();
        call.args(["-pthread", "-DCROSSTALK_BREAKPOINTS"]);
        call.arg(self::folder("tests/breakpoint").join(source))
            .arg(self::folder("breakpoint/breakpoint.c"));
        run(call.arg("-o").arg(folder.path().join("program")));
        Scenarios { folder }
    }

    /// What a scenario prints, and what the library says, with these settings.
    fn with(&self, settings: &str, arguments: &[&str]) -> (String, String) {
        let mut call = Command::new(self.folder.path().join("program"));
        call.args(arguments).env_remove("CROSSTALK_BREAKPOINTS");
        if !settings.is_empty() {
            call.env("CROSSTALK_BREAKPOINTS", settings);
        }
        let output = run(&mut call);
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    }

    #[track_caller]
    fn prints(&self, settings: &str, arguments: &[&str], expected: &str) {
        assert_eq!(
            self.with(settings, arguments),
            (expected.into(), String::new()),
            "{arguments:?}"
        );
    }
}

#[test]
fn all_parties_that_agree_meet_and_go_in_order() {
    let meetings = Scenarios::of("meetings.c");
    let rounds = |line: &str, count: usize| format!("{line}\n").repeat(count);
    let counts = |name: &str, hits: usize, timeouts: usize| {
        format!("{name}: hits {hits}, timeouts {timeouts}, skipped 0, refused 0\n")
    };
    for name in ["conflict", "crossed"] {
        meetings.prints("", &[name, "50"], &(rounds("11 ab", 50) + &counts(name, 50, 0)));
    }
    meetings.prints(
        "",
        &["many", "20"],
        &(rounds("11 ab\n111 abc\n1111 abcd", 20) + &counts("many", 60, 0)),
    );
    meetings.prints("", &["any", "5"], &rounds("ab\nabc\nabcd", 5));
    meetings.prints("", &["kept", "20"], &(rounds("11 ", 20) + &counts("kept", 20, 0)));
    meetings.prints("", &["general", "5"], &(rounds("1001 ad", 5) + &counts("general", 5, 5)));
    meetings.prints("pause=500", &["paused"], &(rounds("11 ab", 1) + &counts("paused", 1, 0)));
}

#[test]
fn threads_that_do_not_agree_wait_until_their_time_is_over() {
    let meetings = Scenarios::of("meetings.c");
    for name in ["apart", "parallel", "mixed"] {
        let expected = format!("00 \n00 \n{name}: hits 0, timeouts 4, skipped 0, refused 0\n");
        meetings.prints("", &[name, "2"], &expected);
    }
}

#[test]
fn skip_bound_after_and_locks_decide_who_waits() {
    let limits = Scenarios::of("limits.c");
    let expected = |line: &str, name: &str, counts: [u32; 4]| {
        let [hits, timeouts, skipped, refused] = counts;
        format!(
            "{line}\n{name}: hits {hits}, timeouts {timeouts}, skipped {skipped}, refused {refused}\n"
        )
    };
    for (name, line, counts) in [
        ("alone", "0", [0, 1, 0, 0]),
        ("skipping", "11 ", [1, 0, 3, 0]),
        ("bounded", "11001100 ", [2, 0, 0, 0]),
        ("sequence", "1111 ", [1, 0, 0, 0]),
        ("holding", "1010 ", [1, 0, 0, 0]),
    ] {
        limits.prints("", &[name], &expected(line, name, counts));
    }
    let first_line = |name: &str| limits.with("", &[name]).0.lines().next().unwrap().to_owned();
    assert_eq!(first_line("released"), "2");
    assert_eq!(first_line("silent"), "11 ");
    assert_eq!(first_line("forked"), "0 1 1");
    assert_eq!(first_line("canceled"), "1 h canceled");
}

#[test]
fn the_environment_switches_breakpoints_and_changes_their_limits() {
    let limits = Scenarios::of("limits.c");
    let none = |name: &str| format!("{name}: hits 0, timeouts 0, skipped 0, refused 0\n");
    limits.prints("off", &["skipping"], &format!("00 \n{}", none("skipping")));
    limits.prints("skipping: off", &["skipping"], &format!("00 \n{}", none("skipping")));
    let on = "11 \nskipping: hits 1, timeouts 0, skipped 3, refused 0\n";
    limits.prints("off; skipping: on", &["skipping"], on);
    limits.prints("other: off timeout=1", &["skipping"], on);
    let shorter = "10001000 \nbounded: hits 1, timeouts 0, skipped 0, refused 0\n";
    limits.prints("bounded: bound=1", &["bounded"], shorter);
    let skipped = "0\nalone: hits 0, timeouts 0, skipped 1, refused 0\n";
    limits.prints("skip=1", &["alone"], skipped);
    limits.prints("alone: skip0=1", &["alone"], skipped);
    let waited = "0\nalone: hits 0, timeouts 1, skipped 0, refused 0\n";
    limits.prints("alone: skip1=1 timeout=0", &["alone"], waited);
    let meetings = Scenarios::of("meetings.c");
    let ordered = "11 ab\npaused: hits 1, timeouts 0, skipped 0, refused 0\n";
    meetings.prints("paused: until timeout=500", &["paused"], ordered);
}

#[test]
fn hits_and_mistakes_are_told() {
    let limits = Scenarios::of("limits.c");
    let said = |settings: &str, name: &str| limits.with(settings, &[name]).1;
    assert_eq!(said("log", "alone"), "crosstalk: breakpoint `alone`, party 0: timeout\n");
    assert_eq!(
        said("timeout=soon; alone: skip4=1", "alone"),
        "crosstalk: CROSSTALK_BREAKPOINTS: `timeout=soon` is not a setting; expected on, off, log, until, \
         skip=N, skip0=N to skip3=N, bound=N, timeout=N or pause=N\n\
         crosstalk: CROSSTALK_BREAKPOINTS: `skip4=1` is not a setting; expected on, off, log, until, \
         skip=N, skip0=N to skip3=N, bound=N, timeout=N or pause=N\n",
    );
    assert_eq!(
        said(&"on ".repeat(1000), "alone"),
        "crosstalk: CROSSTALK_BREAKPOINTS has more than 2047 bytes; all its settings are ignored\n",
    );
    assert_eq!(
        said("", "senseless"),
        "crosstalk: breakpoint `senseless`: invalid party 2 of 2; expected 2 to 4 parties, \
         numbered from 0\n",
    );
    let names = said("", "names");
    let mut lines = names.lines();
    assert_eq!(
        lines.next().unwrap(),
        "crosstalk: more than 64 breakpoints; `name 64` and those after it are ignored",
    );
    assert!(
        lines
            .next()
            .unwrap()
            .starts_with("crosstalk: the name of a breakpoint has 1 to 63 bytes; `nnn")
    );
    assert_eq!(lines.next(), None);
}

/// The machine code of `empty.c`, with the calls in it or not.
fn machine_code(made: &Path, definitions: &[&str]) -> Vec<u8> {
    let (object, text) = (made.join("empty.o"), made.join("empty.text"));
    run(compiler()
        .args(definitions)
        .args(["-g0", "-c"])
        .arg(folder("tests/breakpoint/empty.c"))
        .arg("-o")
        .arg(&object));
    run(Command::new("objcopy").args(["-O", "binary", "-j", ".text"]).arg(&object).arg(&text));
    std::fs::read(text).unwrap()
}

#[test]
fn without_the_definition_no_code_is_made() {
    let made = tempfile::tempdir().unwrap();
    let plain = machine_code(made.path(), &[]);
    assert!(!plain.is_empty());
    assert_eq!(machine_code(made.path(), &["-DCALLS"]), plain);
    assert_ne!(machine_code(made.path(), &["-DCALLS", "-DCROSSTALK_BREAKPOINTS"]), plain);
}

#[test]
fn the_header_is_cpp_too() {
    let made = tempfile::tempdir().unwrap();
    let source = made.path().join("program.cpp");
    let text = "#include <crosstalk/breakpoint.h>\n\
                int main() { int x; return crosstalk_breakpoint(\"cpp\", 0, &x, nullptr, 0); }\n";
    std::fs::write(&source, text).unwrap();
    let library = made.path().join("breakpoint.o");
    run(compiler().arg("-c").arg(folder("breakpoint/breakpoint.c")).arg("-o").arg(&library));
    let mut call = Command::new("c++");
    call.args(["-Wall", "-Wextra", "-Werror", "-pthread", "-DCROSSTALK_BREAKPOINTS", "-I"])
        .arg(folder("breakpoint"));
    run(call.arg(&source).arg(&library).arg("-o").arg(made.path().join("program")));
    run(&mut Command::new(made.path().join("program")));
}
