//! The breakpoint file: TOML beside a run's parameters, which names locations by source line and access.

use super::form::EntryForm;
use super::places::Places;
use super::set::{Entry, Set};
use kit::numbers::hex;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The form of the file.
const SCHEMA: &str = "crosstalk.breakpoints/1";

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
#[error("{}: {what}", path.display())]
pub struct BreakpointError {
    path: PathBuf,
    what: String,
}

/// How the program was run for which the file was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RunFacts {
    /// The program's name.
    pub program: String,
    /// SHA-256 of its ELF file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elf: Option<String>,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// Harts of the machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub harts: Option<u32>,
    /// What counts as failing, as `hunt --fail-if` has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fail_if: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Form {
    schema: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<RunFacts>,
    #[serde(default)]
    entry: Vec<EntryForm>,
}

/// A file that was read.
#[derive(Debug)]
pub struct File {
    path: PathBuf,
    form: Form,
}

impl File {
    /// Reads it.
    ///
    /// # Errors
    /// If it cannot be read or is no such file; says where.
    pub fn read(path: &Path) -> Result<Self, BreakpointError> {
        let wrong = |what: String| BreakpointError { path: path.to_owned(), what };
        let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        let form: Form = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        let file = Self { path: path.to_owned(), form };
        file.check().map_err(wrong)?;
        Ok(file)
    }

    /// An error of this file.
    pub fn wrong(&self, what: String) -> BreakpointError {
        BreakpointError { path: self.path.clone(), what }
    }

    /// How the program was run, if the file says.
    pub fn run(&self) -> Option<&RunFacts> {
        self.form.run.as_ref()
    }

    /// The set, for a program with this hash.
    ///
    /// # Errors
    /// If a location is not found, or not clear; says which.
    pub fn set(&self, places: &Places, elf: &[u8; 32]) -> Result<Set, BreakpointError> {
        let known = self.run().and_then(|run| run.elf.as_ref());
        let same = known.is_none_or(|known| *known == hex(elf));
        let entries = self.form.entry.iter().enumerate();
        let entries = entries.map(|(number, entry)| entry.found(number, places, same));
        let entries: Result<Vec<Entry>, String> = entries.collect();
        Ok(Set { entries: entries.map_err(|what| self.wrong(what))? })
    }

    fn check(&self) -> Result<(), String> {
        let Form { schema, entry, .. } = &self.form;
        if schema != SCHEMA {
            return Err(format!("schema is `{schema}`; expected `{SCHEMA}`"));
        }
        if entry.is_empty() {
            return Err("expected at least one [[entry]]".into());
        }
        if entry.len() > Set::MOST {
            let most = Set::MOST;
            return Err(format!("expected at most {most} entries, got {}", entry.len()));
        }
        let all = entry.len();
        entry.iter().enumerate().try_for_each(|(number, entry)| entry.check(number, all))
    }

    /// The text of a file for a set.
    ///
    /// # Errors
    /// If an instruction of the set is none of the program's own, or has no line.
    pub fn text(set: &Set, places: &Places, run: &RunFacts) -> Result<String, String> {
        let entry = set.entries.iter().map(|entry| EntryForm::of(entry, places));
        let entry = entry.collect::<Result<_, _>>()?;
        let form = Form { schema: SCHEMA.into(), run: Some(run.clone()), entry };
        let text = toml::to_string(&form).map_err(|error| error.to_string())?;
        Ok(format!("# Concurrent breakpoints: docs/breakpoints.md in Crosstalk\n{text}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str = "[[entry]]\nwait = 10\n[[entry.party]]\nat = \"a.c:1 load\"\n\
                         [[entry.party]]\nat = \"a.c:2 store\"\n";

    fn read(text: &str) -> Result<File, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("b.toml");
        std::fs::write(&path, text).unwrap();
        File::read(&path).map_err(|error| error.what)
    }

    fn with_schema(text: &str) -> Result<File, String> {
        read(&format!("schema = \"{SCHEMA}\"\n{text}"))
    }

    #[test]
    fn a_file_that_is_none_is_refused_with_its_place() {
        assert!(with_schema(ENTRY).is_ok());
        let said = |text: &str| with_schema(text).unwrap_err();
        assert!(read(&format!("schema = \"x\"\n{ENTRY}")).unwrap_err().contains("expected `cross"));
        assert_eq!(said(""), "expected at least one [[entry]]");
        assert!(said(&ENTRY.replace("wait", "wiat")).contains("line 3"));
        assert!(said(&ENTRY.replace("= 10", "= 0")).contains("entry 0: wait = 0: expected 1 to"));
        assert!(said(&ENTRY.replace("= 10", "= 1048577")).contains("wait = 1048577"));
        let lonely = &ENTRY[..ENTRY.rfind("[[").unwrap()];
        assert!(said(lonely).contains("expected 2 to 4 parties, got 1"));
        assert!(said(&ENTRY.repeat(17)).contains("expected at most 16 entries, got 17"));
        assert!(said(&ENTRY.replace("= 10", "= 10\nafter = 0")).contains("after = 0"));
        assert!(said(&format!("{ENTRY}in-region = true\n")).contains("party 1 has in-region"));
        assert!(said(&format!("{ENTRY}skip = 65536\n")).contains("a skip of at most 65535"));
    }
}
