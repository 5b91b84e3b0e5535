//! The generated files in the repository are what this crate generates.

use std::path::Path;

#[test]
fn headers_and_tables_are_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let files = border::generated::files(&root).unwrap();
    let stale: Vec<_> =
        files.iter().filter(|file| !file.is_current(&root)).map(|file| file.path).collect();
    assert!(stale.is_empty(), "run `cargo xtask gen-border`: {stale:?} are not current");
}

#[test]
fn every_table_stands_in_a_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let files = border::generated::files(&root).unwrap();
    for (name, _) in border::tables::TABLES {
        let marker = format!("<!-- border: {name} -->\n");
        assert!(files.iter().any(|file| file.text.contains(&marker)), "no page has {name}");
    }
}
