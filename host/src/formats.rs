//! Runs in formats that other programs read, and back again: JSON, GraphML, DOT.
//!
//! Nothing is lost: reading what was written gives the same run. What cannot be read is refused with
//! its offset and the reason.

mod claims;
mod dot;
mod graphml;
mod json;
mod text;

pub(crate) use claims::claims;

use crate::Error;
use crate::graph::Node;
use record::{Run, RunReader};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A format of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The run file of `docs/records.md`.
    Run,
    /// One JSON object.
    Json,
    /// GraphML, for Gephi, yEd, networkx.
    GraphMl,
    /// DOT, for Graphviz.
    Dot,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Run, Self::Json, Self::GraphMl, Self::Dot];

    /// Its name, which is also the extension of its files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Json => "json",
            Self::GraphMl => "graphml",
            Self::Dot => "dot",
        }
    }

    /// The format of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The text format that begins with this byte.
    pub fn of_first_byte(byte: u8) -> Option<Self> {
        match byte {
            b'{' => Some(Self::Json),
            b'<' => Some(Self::GraphMl),
            b'd' => Some(Self::Dot),
            _ => None,
        }
    }
}

/// Why text is not a run, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at byte {offset}: {reason}")]
pub struct ImportError {
    /// The first byte that is wrong.
    pub offset: u64,
    /// What is wrong with it.
    pub reason: String,
}

impl ImportError {
    fn new(offset: usize, reason: impl Into<String>) -> Self {
        Self { offset: offset as u64, reason: reason.into() }
    }
}

/// The run in a format. `name` says what to call a node besides its address; that is for people, and
/// not read back.
pub fn write(run: &Run, format: Format, name: &dyn Fn(Node) -> Option<String>) -> Vec<u8> {
    match format {
        Format::Run => run.write(Vec::new()).unwrap_or_default(),
        Format::Json => json::write(run),
        Format::GraphMl => graphml::write(run, name).into_bytes(),
        Format::Dot => dot::write(run, name).into_bytes(),
    }
}

/// Reads a run in whatever format it is.
pub fn read(bytes: &[u8]) -> Result<Run, ImportError> {
    let format = bytes.first().and_then(|byte| Format::of_first_byte(*byte));
    let Some(format) = format.filter(|format| *format != Format::Run) else {
        let wrong = |error: record::ReadError| ImportError {
            offset: error.offset,
            reason: error.reason.to_string(),
        };
        RunReader::new(bytes).map_err(wrong)?;
        return Run::read(bytes).map_err(wrong);
    };
    let text = std::str::from_utf8(bytes)
        .map_err(|error| ImportError::new(error.valid_up_to(), "the file is not valid UTF-8"))?;
    match format {
        Format::GraphMl => graphml::read(text),
        Format::Dot => dot::read(text),
        Format::Json | Format::Run => json::read(text),
    }
}

/// Reads a run from a file.
pub fn read_file(path: &Path) -> Result<Run, Error> {
    read_from(File::open(path).map_err(|error| Error::file(path, &error))?, path)
}

/// Reads a run from a file that is open already.
pub(crate) fn read_from(mut file: impl Read, path: &Path) -> Result<Run, Error> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|error| Error::file(path, &error))?;
    read(&bytes).map_err(|ImportError { offset, reason }| Error::Import {
        path: path.to_owned(),
        offset,
        reason,
    })
}

/// The byte at which a line and column begin, both from 1.
fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    (before + column.saturating_sub(1)).min(text.len())
}
