//! What was measured already, on disk: a `repro` that was stopped goes on where it was.

use super::bench::Rate;
use crate::Error;
use crate::breakpoint::SetKey;
use crate::hunt::Level;
use kit::file::write_atomic;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// What decides every measurement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The form of the journal.
    pub schema: String,
    /// The program's hash.
    pub elf: String,
    /// What ran it.
    pub source: String,
    /// The failure that counts.
    pub failure: String,
}

/// A measurement: these schedules under this set.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Question {
    /// The set.
    pub set: SetKey,
    /// The first seed.
    pub first: u64,
    /// How many.
    pub count: u64,
    /// The perturbation.
    pub level: Level,
}

#[derive(Serialize, Deserialize)]
struct Line {
    #[serde(flatten)]
    question: Question,
    rate: Rate,
}

/// The journal.
pub struct Journal {
    path: PathBuf,
    file: File,
    known: HashMap<Question, Rate>,
}

impl Journal {
    /// Opens the one in a folder; one of another identity is begun anew.
    ///
    /// # Errors
    /// If it cannot be read or written.
    pub fn open(folder: &Path, identity: &Identity) -> Result<Self, Error> {
        fs::create_dir_all(folder).map_err(|error| Error::file(folder, &error))?;
        let path = folder.join("journal.jsonl");
        let wrong = |error: std::io::Error| Error::file(&path, &error);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            text => text.map_err(wrong)?,
        };
        let mut lines = text.lines();
        let first = serde_json::to_string(identity).unwrap_or_default();
        let same = lines.next() == Some(first.as_str());
        // A last line that was not finished is measured again.
        let line = |line: &str| serde_json::from_str::<Line>(line).ok();
        let known: Vec<Line> = if same { lines.map_while(line).collect() } else { Vec::new() };
        let mut kept = first + "\n";
        for line in &known {
            kept += &serde_json::to_string(line).unwrap_or_default();
            kept.push('\n');
        }
        write_atomic(&path, kept.as_bytes())?;
        let file = OpenOptions::new().append(true).open(&path).map_err(wrong)?;
        let known = known.into_iter().map(|line| (line.question, line.rate)).collect();
        Ok(Self { path, file, known })
    }

    /// What is known.
    pub fn known(&self, question: &Question) -> Option<Rate> {
        self.known.get(question).copied()
    }

    /// Keeps an answer.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&mut self, question: Question, rate: Rate) -> Result<(), Error> {
        let line = Line { question, rate };
        let mut text = serde_json::to_string(&line).unwrap_or_default();
        text.push('\n');
        let wrong = |error: std::io::Error| Error::file(&self.path, &error);
        self.file.write_all(text.as_bytes()).map_err(wrong)?;
        self.known.insert(line.question, rate);
        Ok(())
    }
}
