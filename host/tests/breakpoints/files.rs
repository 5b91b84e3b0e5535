//! `crosstalk run --breakpoints`.

use crate::{crosstalk, folder_with, run, text};
use std::fs;
use std::path::Path;

const FILE: &str = r#"schema = "crosstalk.breakpoints/1"

[[entry]]
wait = 100000

[[entry.party]]
at = "meet.c:10 store"
value = "word"

[[entry.party]]
at = "meet.c:15 store"
value = "word"
"#;

fn with(folder: &Path, file: &str) -> (String, String, Option<i32>) {
    fs::write(folder.join("b.toml"), file).unwrap();
    run(folder, &["meet.c", "--seed", "3", "--breakpoints", "b.toml"])
}

#[test]
fn the_order_of_a_file_is_the_order_of_the_run() {
    let folder = folder_with(&["meet.c"]);
    let (out, said, code) = with(folder.path(), FILE);
    assert_eq!((out.as_str(), code), ("last 2\n", Some(0)), "{said}");
    assert!(said.contains("breakpoint 0: 1 hit, 0 timeouts"), "{said}");
    let turned = FILE.replace("meet.c:10", "FIRST").replace("meet.c:15", "meet.c:10");
    let turned = turned.replace("FIRST", "meet.c:15");
    let (out, said, _) = with(folder.path(), &turned);
    assert_eq!(out, "last 1\n", "{said}");
}

#[test]
fn a_partner_that_never_comes_is_waited_for_no_longer_than_was_said() {
    let folder = folder_with(&["meet.c"]);
    let alone = FILE.replacen("value", "skip = 9\nvalue", 1);
    let (out, said, code) = with(folder.path(), &alone);
    assert!(out.starts_with("last ") && code == Some(0), "{said}");
    assert!(said.contains("breakpoint 0: 0 hits, 1 timeout"), "{said}");
}

#[test]
fn what_cannot_be_is_refused_with_its_place() {
    let folder = folder_with(&["meet.c"]);
    let said = |file: &str| {
        let (out, said, code) = with(folder.path(), file);
        assert_eq!((out.as_str(), code), ("", Some(125)), "{said}");
        said
    };
    let all = said(&FILE.replace("meet.c:10 store", "meet.c:3 store"));
    let none = "entry 0, party 0: `meet.c:3 store`: the line has no such instruction";
    assert!(all.contains(none), "{all}");
    let all = said(&FILE.replace("meet.c:10 store", "meet.c:10 load"));
    assert!(all.contains("has no such instruction; it has `store`"), "{all}");
    let all = said(&FILE.replace("meet.c:10 store", "bank.c:10 store"));
    let other = "no code from `bank.c`: the breakpoint file is for another program";
    assert!(all.contains(other), "{all}");
    let all = said(&FILE.replace("meet.c:10 store", "meet.c:9 instruction"));
    assert!(all.contains("is ambiguous"), "{all}");
    let all = said(&FILE.replace("100000", "1048577"));
    assert!(all.contains("entry 0: wait = 1048577: expected 1 to 1048576"), "{all}");
    let entry = &FILE[FILE.find("[[entry]]").unwrap()..];
    let all = said(&format!("{FILE}{}", entry.repeat(16)));
    assert!(all.contains("expected at most 16 entries, got 17"), "{all}");
    let all = said(&FILE.replace("wait", "weight"));
    assert!(all.contains("unknown field `weight`") && all.contains("line 4"), "{all}");
}

#[test]
fn in_an_edited_program_a_location_is_found_again_by_its_text() {
    let folder = folder_with(&["meet.c"]);
    let bound = FILE
        .replace("[[entry]]", "[run]\nprogram = \"meet\"\nelf = \"of another file\"\n\n[[entry]]");
    let named = bound.replace(
        "value = \"word\"\n\n[[entry.party]]",
        "function = \"first\"\ntext = \"last = 1;\"\nvalue = \"word\"\n\n[[entry.party]]",
    ) + "function = \"second\"\ntext = \"last  =  2;\"\n";
    let source = fs::read_to_string(folder.path().join("meet.c")).unwrap();
    fs::write(folder.path().join("meet.c"), format!("\n\n{source}")).unwrap();
    let (out, said, _) = with(folder.path(), &named);
    assert_eq!(out, "last 2\n", "{said}");
    let (_, said, code) = with(folder.path(), &bound);
    assert!(code == Some(125) && said.contains("cannot be found in the edited program"), "{said}");
    let twice = source.replace("last = 1;", "last = 1;\n    last = 1;");
    fs::write(folder.path().join("meet.c"), twice).unwrap();
    let (_, said, code) = with(folder.path(), &named);
    assert!(
        code == Some(125) && said.contains("ambiguous in the edited program: lines 10, 11"),
        "{said}"
    );
    fs::write(folder.path().join("meet.c"), source.replace("last = 1;", "last = 7;")).unwrap();
    let (_, said, code) = with(folder.path(), &named);
    assert!(
        code == Some(125) && said.contains("entry 0, party 0: `meet.c:10 store` is gone"),
        "{said}"
    );
}

#[test]
fn hardware_gets_breakpoints_for_a_run_that_asks_and_agrees_with_the_golden_machine() {
    let folder = folder_with(&["meet.c"]);
    let turned = FILE.replace("meet.c:10", "FIRST").replace("meet.c:15", "meet.c:10");
    for (file, last) in [(FILE, "last 2\n"), (&turned.replace("FIRST", "meet.c:15"), "last 1\n")] {
        fs::write(folder.path().join("b.toml"), file).unwrap();
        let args = ["run", "meet.c", "--seed", "3", "--lockstep", "--breakpoints", "b.toml"];
        let output = crosstalk(folder.path(), &args);
        let said = text(&output.stderr);
        assert_eq!(
            (text(&output.stdout).as_str(), output.status.code()),
            (last, Some(0)),
            "{said}"
        );
        assert!(said.contains("breakpoint 0: 1 hit, 0 timeouts"), "{said}");
    }
}

#[test]
fn a_set_that_needs_more_entries_than_there_are_is_refused() {
    let folder = folder_with(&["meet.c"]);
    let entry = FILE.split_once("\n\n").unwrap().1;
    fs::write(folder.path().join("b.toml"), format!("{FILE}\n{entry}")).unwrap();
    fs::write(folder.path().join("one.toml"), "breakpoints.entries = 1\n").unwrap();
    let args = ["run", "meet.c", "--config", "one.toml", "--breakpoints", "b.toml"];
    let output = crosstalk(folder.path(), &args);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(125), "{said}");
    assert!(said.contains("has 1 breakpoint entries; expected at least 2"), "{said}");
}
