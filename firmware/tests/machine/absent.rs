//! What is not there says so by name; what is old is taken with a warning; what is not used is not linked.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crate::{alone, common};
use border::{End, Program};
use config::Config;
use firmware::Build;

/// The warnings of a source, or why it was refused.
fn compile(source: &str) -> Result<(Program, String), String> {
    compile_with(source, &[])
}

fn compile_with(source: &str, flags: &[String]) -> Result<(Program, String), String> {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (folder.path().join("source.c"), folder.path().join("program.elf"));
    fs::write(&path, source).unwrap();
    let build = Build { files: vec![path], flags: flags.iter().map(Into::into).collect() };
    let warnings = common::runtime().build(&build, &out).map_err(|error| error.to_string())?;
    Ok((Program::read(&out, Program::ANY_RAM).unwrap(), warnings))
}

fn refused(source: &str) -> String {
    compile(source).map(|(_, warnings)| warnings).expect_err("it compiles")
}

#[test]
fn a_header_that_is_not_there_names_what_is() {
    for (header, instead) in [
        ("poll.h", "wait with pthread_cond_timedwait or sem_timedwait"),
        ("sys/wait.h", "there is one process; use pthread_create and pthread_join"),
        ("sys/socket.h", "there is no network;"),
        ("linux/futex.h", "use pthread_cond_wait or sem_wait"),
    ] {
        let said = refused(&format!("#include <{header}>\nint main(void) {{ return 0; }}\n"));
        let first = said.lines().find(|line| line.contains("error:")).unwrap();
        assert!(first.contains(&format!("{header}: not available; ")), "{said}");
        assert!(first.contains(instead), "{said}");
    }
}

/// Every header, or all that say they are not there.
fn headers(absent: bool) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    let (mut found, mut folders) = (Vec::new(), vec![root.clone()]);
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if fs::read_to_string(&path).unwrap().starts_with("#error") == absent {
                found.push(path.strip_prefix(&root).unwrap().to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    found
}

#[test]
fn headers_can_be_included_together_twice_and_in_every_standard() {
    let all: String = headers(false).iter().map(|name| format!("#include <{name}>\n")).collect();
    let source = format!("{all}{all}int main(void) {{ return 0; }}\n");
    for standard in ["c89", "gnu89", "c99", "gnu11", "gnu2x"] {
        for define in ["-DPLAIN", "-D_GNU_SOURCE"] {
            let flags = [format!("-std={standard}"), define.into(), "-Wall".into()];
            let said = compile_with(&source, &flags).map(|(_, warnings)| warnings);
            assert_eq!(said.as_deref(), Ok(""), "{standard} {define}");
        }
    }
}

#[test]
fn every_absent_header_says_its_own_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    for name in headers(true) {
        let text = fs::read_to_string(root.join(&name)).unwrap();
        assert!(text.starts_with(&format!("#error \"{name}: not available; ")), "{name}: {text}");
    }
}

#[test]
fn a_function_that_is_not_there_names_what_is() {
    let said = refused("int fork(void);\nint main(void) { return fork(); }\n");
    assert!(said.contains("source.c"), "{said}");
    assert!(
        said.ends_with(
            "fork: not available; there is one process; use pthread_create and pthread_join"
        ),
        "{said}"
    );
}

#[test]
fn old_c_is_taken_with_a_warning() {
    for (source, warning) in [
        ("main() { return 0; }", "implicit-int"),
        (
            "int main(void) { return helper(1); }\nint helper(int x) { return x - 1; }",
            "implicit-function-declaration",
        ),
        ("int main(void) { char *p = 5; return p != (char *)5; }", "int-conversion"),
        (
            "int add(a, b) int a, b; { return a + b; }\nint main(void) { return add(1, -1); }",
            "deprecated-non-prototype",
        ),
        (
            "int get(int x) { if (x) return 1; }\nint main(void) { return get(1) - 1; }",
            "return-type",
        ),
        (
            "void run(int *p) { *p = 0; }\nint main(void) { char c[4]; run(c); return c[0]; }",
            "incompatible-pointer-types",
        ),
        ("void none(void) { return 1; }\nint main(void) { none(); return 0; }", "return-mismatch"),
        ("int f(int x) { return; }\nint main(void) { f(1); return 0; }", "return-mismatch"),
        (
            "#include <pthread.h>\nvoid run(void) {}\nint main(void) { pthread_t t; pthread_create(&t, 0, run, 0); \
             return pthread_join(t, 0); }",
            "incompatible-function-pointer-types",
        ),
    ] {
        let (_, warnings) = compile(source).unwrap_or_else(|error| panic!("{source}: {error}"));
        assert!(warnings.contains(warning), "{source}: {warnings}");
    }
}

#[test]
fn the_end_of_main_is_success_whatever_is_warned_of() {
    let main = "int main(void) { for (volatile int i = 3; i; i--) {} }";
    let other = "static int lost(int x) { if (x) return x; }\nint use(void) { return lost(0); }\n";
    let flags = |flags: &[&str]| flags.iter().map(|flag| (*flag).to_owned()).collect::<Vec<_>>();
    for (source, flags, warns) in [
        (main.to_owned(), flags(&[]), false),
        (main.to_owned(), flags(&["-w"]), false),
        (main.to_owned(), flags(&["-O0", "-Wno-return-type"]), false),
        (format!("{other}{main}"), flags(&[]), true),
    ] {
        // The compiler has an object of the second time; it warns all the same.
        for _ in 0..2 {
            let (program, warnings) = compile_with(&source, &flags).unwrap();
            assert_eq!(warnings.contains("return-type"), warns, "{flags:?}: {warnings}");
            let end = alone::run(&program, &Config::default(), 1, 1_000_000);
            assert_eq!(end.stop, End::Exit { code: 0 }, "{flags:?}");
        }
    }
}

#[test]
fn a_linked_program_can_be_executed_as_other_linkers_leave_it() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (folder.path().join("source.c"), folder.path().join("program.elf"));
    fs::write(&path, "int main(void) { return 0; }\n").unwrap();
    let build = Build { files: vec![path], flags: Vec::new() };
    common::runtime().build(&build, &out).unwrap();
    assert_eq!(fs::metadata(out).unwrap().permissions().mode() & 0o100, 0o100);
}

#[test]
fn a_program_without_files_and_cancellation_has_nothing_of_them() {
    let names = [
        "__wrap_crosstalk_on_call",
        "__wrap_strerror",
        "pthread_cancel",
        "__crosstalk_scan",
        "raise",
    ];
    let plain = common::link(&firmware::programs::source("work_queue"));
    names.iter().for_each(|name| assert_eq!(plain.symbol(name), None, "{name}"));
    let (reads, warnings) = compile("#include <stdio.h>\nmain() { return getchar(); }").unwrap();
    assert!(warnings.contains("implicit-int") && !warnings.contains("__real_"), "{warnings}");
    assert!(reads.symbol("__wrap_crosstalk_on_call").is_some());
    assert_eq!(reads.symbol("pthread_cancel"), None);
}
