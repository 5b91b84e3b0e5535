//! What is wrong with a question is one sentence and exit code 2, before any tool is looked for.

use std::process::{Command, Output};

fn area(args: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    Command::new(env!("CARGO_BIN_EXE_crosstalk-area"))
        .args(args)
        // No tool is there: a question that is wrong must not get that far.
        .env("CARGO_TARGET_DIR", folder.path())
        .current_dir(folder.path())
        .output()
        .unwrap()
}

#[test]
fn a_question_that_is_wrong_ends_with_two() {
    let cases: [(&[&str], &str); 7] = [
        (
            &["--sweep", "context.event=1"],
            "unknown key `context.event`; did you mean `context.events`?",
        ),
        (&["--sweep", "ct.depth=64,3"], "ct.depth = 3 is not allowed; allowed: 4 to 65536"),
        (&["--top", "bsu"], "bsu"),
        (
            &["--target", "generic", "--pnr"],
            "--pnr needs a device to place on; `generic` is only a target for synthesis",
        ),
        (&["--pnr", "--mhz", "0"], "--mhz: expected a number above 0"),
        (&["--preset", "sim5"], "sim5"),
        (&["--config", "there_is_none.toml"], "there_is_none.toml"),
    ];
    for (args, said) in cases {
        let output = area(args);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
        assert!(text.contains(said), "{args:?}: {text}");
        assert!(text.contains("error: ") && text.lines().count() <= 5, "{args:?}: {text}");
    }
}

#[test]
fn a_tool_that_is_missing_is_told_with_what_installs_it() {
    let output = area(&["--top", "context_register"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("yosys") && text.contains("cargo xtask setup"), "{text}");
}
