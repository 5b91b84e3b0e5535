//! The folder of a hunt: what it was told, its program, its runs, its report.
//!
//! ```text
//! hunt.json         what decides the runs      program.elf   the program
//! schedules.jsonl   a line a schedule          runs/7.run    the run of schedule 7
//! library/          the same once more, with the thread library monitored, if that was needed
//! report.html       the answer
//! ```

use super::super::failure::Failure;
use crate::files::write_beside;
use crate::{Error, hunt};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

const IDENTITY: &str = "hunt.json";
const PROGRAM: &str = "program.elf";
const REPORT: &str = "report.html";
const LIBRARY: &str = "library";

/// Everything that decides what a schedule gives; with the same, a hunt can go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The name and version of this form.
    pub schema: String,
    /// The program's name.
    pub program: String,
    /// SHA-256 of its file.
    pub elf: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The machine, in full.
    pub configuration: String,
    /// What runs it.
    pub on: String,
    /// Which code is monitored.
    pub monitor: String,
    /// How communication is collected.
    pub collect: String,
    /// What counts as failing.
    pub fail_if: String,
    /// The longest run.
    pub max_cycles: u64,
}

/// A hunt's folder.
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Opens the folder: to go on with the same hunt, or to begin a new one in the place of an older.
    pub fn open(path: &Path, identity: &Identity, resume: bool) -> Result<Self, Failure> {
        let folder = Self { path: path.to_owned() };
        let wrong = |error: &std::io::Error| Error::file(path, error);
        fs::create_dir_all(path).map_err(|error| wrong(&error))?;
        let is_empty = fs::read_dir(path).map_err(|error| wrong(&error))?.next().is_none();
        let known = folder.identity()?;
        match &known {
            Some(known) if resume => folder.check_same(known, identity)?,
            Some(_) => folder.clear()?,
            None if is_empty => {}
            None => {
                let shown = path.display();
                return Err(Failure::BadInput(format!(
                    "{shown} holds something else than a hunt; name another folder with --out"
                )));
            }
        }
        let mut text = serde_json::to_vec_pretty(identity).unwrap_or_default();
        text.push(b'\n');
        write_beside(&folder.path.join(IDENTITY), &text)?;
        Ok(folder)
    }

    fn identity(&self) -> Result<Option<Value>, Failure> {
        let path = self.path.join(IDENTITY);
        match fs::read(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::file(&path, &error).into()),
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| {
                Failure::BadInput(format!("{} is not of a hunt: {error}", path.display()))
            }),
        }
    }

    fn check_same(&self, known: &Value, wanted: &Identity) -> Result<(), Failure> {
        let wanted = serde_json::to_value(wanted).unwrap_or_default();
        let fields = wanted.as_object().into_iter().flatten();
        for (field, value) in fields {
            if known.get(field) != Some(value) {
                let what = match field.as_str() {
                    "elf" => "program (its file differs)",
                    "fail_if" => "--fail-if",
                    "max_cycles" => "--max-cycles",
                    other => other,
                };
                let shown = self.path.display();
                return Err(Failure::BadInput(format!(
                    "{shown} is of a hunt with another {what}; leave --resume out to begin a new one"
                )));
            }
        }
        Ok(())
    }

    /// Removes what an older hunt left, and nothing else.
    fn clear(&self) -> Result<(), Failure> {
        for stage in [self.path.clone(), self.library()] {
            hunt::clear(&stage)?;
        }
        match fs::remove_file(self.path.join(REPORT)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::file(&self.path.join(REPORT), &error).into())
            }
            _ => Ok(()),
        }
    }

    /// Where runs are collected.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where they are collected once more, with the thread library monitored.
    pub fn library(&self) -> PathBuf {
        self.path.join(LIBRARY)
    }

    /// Where the program is.
    pub fn program(&self) -> PathBuf {
        self.path.join(PROGRAM)
    }

    /// Keeps the program.
    pub fn put_program(&self, elf: &[u8]) -> Result<(), Failure> {
        Ok(write_beside(&self.program(), elf)?)
    }

    /// Keeps the report; says where.
    pub fn put_report(&self, page: &[u8]) -> Result<PathBuf, Failure> {
        let path = self.path.join(REPORT);
        write_beside(&path, page)?;
        Ok(path)
    }
}
