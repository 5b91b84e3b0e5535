//! Every code is explained in `docs/diagnostics.md`, and nothing else is.

use super::*;

const PAGE: &str = include_str!("../../../../docs/diagnostics.md");

#[test]
fn every_code_has_a_section_and_every_section_a_code() {
    let sections: Vec<&str> = PAGE.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let codes: Vec<String> =
        Code::ALL.iter().map(|code| format!("{} {}", code.id(), code.name())).collect();
    assert_eq!(sections, codes);
}

#[test]
fn every_code_has_a_row_in_the_table_that_leads_to_its_section() {
    for code in Code::ALL {
        let (id, name) = (code.id(), code.name());
        let anchor = format!("{id} {name}").to_lowercase().replace(' ', "-");
        let row = format!("| [{id}](#{anchor}) | {name} | ");
        assert!(PAGE.contains(&row), "{row}");
    }
}

#[test]
fn numbers_are_unique_and_tell_errors_from_warnings() {
    let mut ids: Vec<&str> = Code::ALL.iter().map(|code| code.id()).collect();
    assert!(ids.is_sorted());
    ids.dedup();
    assert_eq!(ids.len(), Code::ALL.len());
    for code in Code::ALL {
        assert_eq!(code.id().starts_with("H02"), code.is_warning(), "{code:?}");
    }
}
