//! Results of the last runs: one small file per kind, beside the page's template.
//!
//! Records are by name and hold nothing that differs from run to run, so that a run that finds the same
//! writes the same bytes.

use crate::failure::Failure;
use kit::file::write_atomic;
use mutate::report::UnitRecord;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use tools::workspace_root;

/// Records by name.
pub type Records<T> = BTreeMap<String, T>;

/// A kind of record, and the file that has them.
pub trait Record: Serialize + DeserializeOwned {
    /// The file's name.
    const FILE: &'static str;
}

/// A proof that held, by its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proved {
    /// Hash of the Verilog, the script and the tools.
    pub key: String,
}

impl Record for Proved {
    const FILE: &'static str = "proofs.json";
}

/// A mistake that a proof detected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Noticed {
    /// Name of the proof.
    pub proof: String,
    /// The properties that failed.
    pub properties: Vec<String>,
    /// Cycle of the failure, counted from reset.
    pub cycle: usize,
    /// Hash of the Verilog, the script and the tools.
    pub key: String,
}

impl Record for Noticed {
    const FILE: &'static str = "mistakes.json";
}

/// The comparison of a unit with its model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compared {
    /// Number of configurations.
    pub configurations: usize,
    /// Cycles compared, over all configurations.
    pub cycles: u64,
}

impl Record for Compared {
    const FILE: &'static str = "comparison.json";
}

/// Coverage of a unit by its tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Covered {
    /// Number of configurations.
    pub configurations: usize,
    /// Lines of Verilog.
    pub lines: Part,
    /// Branches, each way.
    pub branches: Part,
}

impl Record for Covered {
    const FILE: &'static str = "coverage.json";
}

/// Results of a unit's mutants.
impl Record for UnitRecord {
    const FILE: &'static str = "mutation.json";
}

/// A part of a total.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part(pub usize, pub usize);

impl From<coverage::Share> for Part {
    fn from(share: coverage::Share) -> Part {
        Part(share.covered, share.total)
    }
}

/// All results.
#[derive(Debug, Default)]
pub struct Found {
    pub proved: Records<Proved>,
    pub noticed: Records<Noticed>,
    pub compared: Records<Compared>,
    pub covered: Records<Covered>,
    pub mutated: Records<UnitRecord>,
}

impl Found {
    /// Reads all files.
    pub fn read() -> Result<Found, Failure> {
        Ok(Found {
            proved: records()?,
            noticed: records()?,
            compared: records()?,
            covered: records()?,
            mutated: records()?,
        })
    }
}

/// Changes the records of one kind.
pub fn update<T: Record>(change: impl FnOnce(&mut Records<T>)) -> Result<(), Failure> {
    let mut all = records()?;
    change(&mut all);
    let text = serde_json::to_string_pretty(&all)
        .map_err(|error| Failure::failed(format!("{}: {error}", T::FILE)))?;
    Ok(write_atomic(&place(T::FILE), (text + "\n").as_bytes())?)
}

/// The records of one kind; empty if there is no file yet.
pub fn records<T: Record>() -> Result<Records<T>, Failure> {
    let place = place(T::FILE);
    match fs::read_to_string(&place) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Records::new()),
        Err(error) => Err(Failure::failed(format!("cannot read {}: {error}", place.display()))),
        Ok(text) => parse(&text).map_err(|error| {
            Failure::bad_input(format!("{} is damaged: {error}", place.display()))
        }),
    }
}

fn parse<T: Record>(text: &str) -> Result<Records<T>, serde_json::Error> {
    serde_json::from_str(text)
}

/// Reads a file beside the template.
pub fn read(name: &str) -> Result<String, Failure> {
    let place = place(name);
    fs::read_to_string(&place)
        .map_err(|error| Failure::failed(format!("cannot read {}: {error}", place.display())))
}

fn place(name: &str) -> PathBuf {
    workspace_root().join("docs/assurance").join(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_refused_with_a_place_if_they_are_not_what_they_should_be() {
        let whole = r#"{"bus": {"configurations": 3, "lines": [1, 2], "branches": [3, 4]}}"#;
        let records: Records<Covered> = parse(whole).unwrap();
        assert_eq!(records["bus"].branches, Part(3, 4));
        for (damage, place) in [
            (whole.replace("3,", "-3,"), "line 1"),
            (whole.replace("branches", "toggles"), "unknown field"),
            (whole[..40].to_owned(), "EOF"),
        ] {
            let error = parse::<Covered>(&damage).unwrap_err().to_string();
            assert!(error.contains(place), "{error}");
        }
    }
}
