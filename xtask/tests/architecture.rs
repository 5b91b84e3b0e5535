//! `docs/architecture.md` is true: its drawing and tables agree with cargo's graph, its files exist.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Endings of names that are files even without a folder before them.
const FILES: [&str; 11] =
    [".rs", ".md", ".toml", ".c", ".h", ".S", ".v", ".cpp", ".ld", ".json", ".lock"];

/// A crate of the workspace.
#[derive(Debug)]
struct Crate {
    /// Its folder, from the root.
    folder: String,
    /// The crates of the workspace that it needs to be built.
    uses: BTreeSet<String>,
    /// Everything else that it, its tests or its build script need.
    libraries: BTreeSet<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

fn page() -> String {
    fs::read_to_string(root().join("docs/architecture.md")).unwrap()
}

/// The text below a heading of the second level, up to the next one.
fn chapter<'a>(page: &'a str, title: &str) -> &'a str {
    let heading = format!("\n## {title}\n");
    let (_, rest) = page.split_once(&heading).unwrap_or_else(|| panic!("no chapter `{title}`"));
    rest.split("\n## ").next().unwrap()
}

/// The name of a package on the page.
fn short(package: &str) -> String {
    package.strip_prefix("crosstalk-").unwrap_or(package).to_owned()
}

/// The crates of the workspace, as cargo has them.
fn workspace() -> BTreeMap<String, Crate> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let names: BTreeSet<String> = packages.iter().map(|package| text(&package["name"])).collect();
    let found = packages.iter().map(|package| {
        let manifest = PathBuf::from(text(&package["manifest_path"])).canonicalize().unwrap();
        let folder = manifest.parent().unwrap().strip_prefix(root()).unwrap();
        let needed = package["dependencies"].as_array().unwrap();
        let is_own = |needed: &&Value| names.contains(needed["name"].as_str().unwrap());
        let is_built_with = |needed: &&Value| needed["kind"] != "dev";
        let own = needed.iter().filter(is_own).filter(is_built_with);
        let found = Crate {
            folder: folder.to_str().unwrap().to_owned(),
            uses: own.map(|needed| short(needed["name"].as_str().unwrap())).collect(),
            libraries: needed
                .iter()
                .filter(|needed| !is_own(needed))
                .map(|needed| text(&needed["name"]))
                .collect(),
        };
        (short(package["name"].as_str().unwrap()), found)
    });
    found.collect()
}

/// The cells of each row of the tables in a chapter, without headings.
fn rows(chapter: &str) -> Vec<Vec<&str>> {
    let lines = chapter.lines().filter(|line| line.starts_with('|'));
    let cells = lines.map(|line| line.trim_matches('|').split('|').map(str::trim).collect());
    let rows: Vec<Vec<&str>> = cells.collect();
    let is_heading = |place: usize| rows.get(place + 1).is_some_and(|next| next[0] == "---");
    let kept =
        rows.iter().enumerate().filter(|(place, row)| row[0] != "---" && !is_heading(*place));
    kept.map(|(_, row)| row.clone()).collect()
}

/// What stands between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// 0 for a crate that uses no other, else one more than the highest layer among those that it uses.
fn layer(name: &str, crates: &BTreeMap<String, Crate>) -> usize {
    crates[name].uses.iter().map(|used| layer(used, crates) + 1).max().unwrap_or(0)
}

#[test]
fn the_drawing_has_every_crate_in_its_layer() {
    let crates = workspace();
    let page = page();
    let drawing = chapter(&page, "Crates").split("```").nth(1).expect("a drawing");
    let mut drawn = BTreeMap::new();
    for line in drawing.lines().skip(1) {
        let mut words = line.split_whitespace();
        let Some(number) = words.next() else { continue };
        let number: usize = number.parse().expect("a line begins with its layer");
        for name in words {
            let before = drawn.insert(name.to_owned(), number);
            assert_eq!(before, None, "`{name}` is drawn twice");
        }
    }
    let real: BTreeMap<_, _> =
        crates.keys().map(|name| (name.clone(), layer(name, &crates))).collect();
    assert_eq!(drawn, real, "left: the drawing; right: the workspace");
}

#[test]
fn the_table_of_crates_has_every_dependency_and_no_other() {
    let crates = workspace();
    let page = page();
    let table: BTreeMap<String, (String, BTreeSet<String>)> = rows(chapter(&page, "Crates"))
        .into_iter()
        .map(|row| {
            let [name, folder, uses] = row[..] else { panic!("expected three cells: {row:?}") };
            let one =
                |cell| quoted(cell).next().unwrap_or_default().trim_end_matches('/').to_owned();
            (one(name), (one(folder), quoted(uses).map(str::to_owned).collect()))
        })
        .collect();
    let real: BTreeMap<_, _> =
        crates.into_iter().map(|(name, it)| (name, (it.folder, it.uses))).collect();
    for name in table.keys().chain(real.keys()) {
        assert_eq!(table.get(name), real.get(name), "`{name}`; left: the page; right: cargo");
    }
}

#[test]
fn every_crate_has_a_section_of_the_code_map_with_its_invariants() {
    let page = page();
    let map = chapter(&page, "Code map");
    for (name, Crate { folder, .. }) in workspace() {
        let heading = format!("\n### `{folder}/`");
        let section = map.split_once(&heading).map(|(_, rest)| rest.split("\n### ").next());
        let section = section.flatten().unwrap_or_else(|| panic!("no section for `{name}`"));
        assert!(section.contains("*Invariants*"), "`{name}` has no invariants");
    }
}

#[test]
fn every_file_and_folder_on_the_page_exists() {
    let page = page();
    let mut folder = root();
    let (mut is_drawing, mut checked, mut missing) = (false, 0, Vec::new());
    for line in page.lines() {
        is_drawing ^= line.starts_with("```");
        if is_drawing {
            continue;
        }
        // In the section of a folder, names begin there.
        if let Some(heading) = line.strip_prefix("### ") {
            folder = root().join(quoted(heading).next().unwrap_or_default());
        } else if line.starts_with("## ") {
            folder = root();
        }
        let is_name = |name: &&str| {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "_./-".contains(c);
            let is_file = FILES.iter().any(|ending| name.ends_with(ending));
            name.chars().all(is_plain) && (is_file || name.contains('/'))
        };
        for name in quoted(line).filter(is_name) {
            checked += 1;
            if !folder.join(name).exists() && !root().join(name).exists() {
                missing.push(name.to_owned());
            }
        }
        let links = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links {
            checked += 1;
            if !root().join("docs").join(link).exists() {
                missing.push(link.to_owned());
            }
        }
    }
    assert!(checked > 200, "only {checked} names were found on the page");
    assert!(missing.is_empty(), "the page names what does not exist: {missing:#?}");
}

#[test]
fn the_table_of_libraries_has_each_one_once() {
    let page = page();
    let mut listed: Vec<&str> =
        rows(chapter(&page, "Libraries")).into_iter().map(|row| row[0]).collect();
    listed.sort_unstable();
    let real: BTreeSet<String> = workspace().into_values().flat_map(|it| it.libraries).collect();
    assert_eq!(listed, real.iter().collect::<Vec<_>>(), "left: the page; right: cargo");
}
