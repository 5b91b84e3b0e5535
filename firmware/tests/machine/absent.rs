//! What is not there says so by name; what is old is taken with a warning; what is not used is not linked.

use std::fs;

use crate::common;
use border::Program;
use firmware::Build;

/// The warnings of a source, or why it was refused.
fn compile(source: &str) -> Result<(Program, String), String> {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (folder.path().join("source.c"), folder.path().join("program.elf"));
    fs::write(&path, source).unwrap();
    let build = Build { files: vec![path], flags: Vec::new() };
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
    let (reads, _) = compile("#include <stdio.h>\nint main(void) { return getchar(); }").unwrap();
    assert!(reads.symbol("__wrap_crosstalk_on_call").is_some());
    assert_eq!(reads.symbol("pthread_cancel"), None);
}
