//! `crosstalk avoid`: from colored data to failures that do not happen.

use crate::{crosstalk, folder_with, text};
use serde_json::Value;
use std::fs;

#[test]
fn what_was_learned_avoids_failures_and_can_be_given_again() {
    let folder = folder_with(&["rates.c"]);
    let path = folder.path();
    let avoid = |args: &[&str]| {
        let output =
            crosstalk(path, &[&["avoid", "rates.c", "--schedules", "60", "--json"], args].concat());
        let said = text(&output.stderr);
        let answer: Value = serde_json::from_slice(&output.stdout).expect(&said);
        (output.status.code(), answer)
    };
    let (code, learned) = avoid(&["--hazards", "colors.json"]);
    let failed = |arm: &str| learned[arm]["failed"].as_u64().unwrap();
    assert!(failed("without") > 2 && failed("with") < failed("without"), "{learned}");
    assert_eq!(code, Some(0));
    assert_eq!((&learned["on"], &learned["hazards"]), (&"golden".into(), &vec![1].into()));
    let transactions = |arm: &str, what: &str| learned[arm]["transactions"][what].as_u64().unwrap();
    assert_eq!(transactions("without", "starts"), 0);
    assert!(
        transactions("with", "starts") > 0 && transactions("with", "committed_instructions") > 0
    );
    let kept = fs::read_to_string(path.join("colors.json")).unwrap();
    assert_eq!(kept, "{\"schema\":\"crosstalk.hazards/1\",\"program\":\"rates\",\"colors\":[1]}\n");
    // The same schedules with the same colors: the same answer.
    let (_, given) = avoid(&["--from", "colors.json"]);
    assert_eq!(given["learned"], Value::Null);
    assert_eq!((&given["without"], &given["with"]), (&learned["without"], &learned["with"]));
}

#[test]
fn what_has_no_colors_and_what_is_no_hazard_file_is_refused() {
    let folder = folder_with(&["rates.c", "torn.c"]);
    let refused = |args: &[&str]| {
        let output = crosstalk(folder.path(), &[&["avoid"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        text(&output.stderr)
    };
    let said = refused(&["torn.c"]);
    assert!(said.contains("`torn` gives no color to its data: use crosstalk/color.h"), "{said}");
    fs::write(folder.path().join("x.json"), "[]").unwrap();
    let said = refused(&["rates.c", "--from", "x.json"]);
    assert!(said.contains("x.json: "), "{said}");
    let said = refused(&["rates.c", "--length", "3"]);
    assert!(said.contains("16"), "{said}");
}
