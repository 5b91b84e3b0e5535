//! `<crosstalk/breakpoint.h>` on the machine.

use crate::{crosstalk, folder_with, run, text};

const MARKS: [&str; 2] = ["--cflags", "-DCROSSTALK_BREAKPOINTS"];

#[test]
fn marks_in_the_source_force_their_order() {
    let folder = folder_with(&["marked.c"]);
    let with_marks =
        |seed: &str| run(folder.path(), &[&["marked.c", "--seed", seed], &MARKS[..]].concat());
    for seed in ["1", "2", "3"] {
        let (out, said, code) = with_marks(seed);
        assert_eq!((out.as_str(), code), ("last 2\n", Some(0)), "{said}");
        assert!(said.contains("breakpoint 0: 1 hit, 0 timeouts"), "{said}");
    }
}

#[test]
fn without_the_definition_nothing_is_left() {
    let folder = folder_with(&["marked.c", "meet.c"]);
    let (_, said, code) = run(folder.path(), &["marked.c", "--seed", "3"]);
    assert_eq!((said.as_str(), code), ("", Some(0)));
}

#[test]
fn marks_that_do_not_fit_together_are_refused_by_name() {
    let folder = folder_with(&["marked.c"]);
    let path = folder.path().join("marked.c");
    let source = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, source.replace("CROSSTALK_PASSED(order);", "")).unwrap();
    let args = [&["run", "--on", "golden", "marked.c"], &MARKS[..]].concat();
    let output = crosstalk(folder.path(), &args);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(125), "{said}");
    assert!(said.contains("breakpoint `order`: CROSSTALK_BREAKPOINT_UNTIL needs"), "{said}");
}
