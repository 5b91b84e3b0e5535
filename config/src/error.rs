//! Errors of a configuration.

use crate::{Allowed, Preset};
use std::path::PathBuf;

/// Why a configuration cannot be used. An invalid one lists every problem, one per line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the configuration {}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's error.
        reason: String,
    },
    /// Not valid TOML.
    #[error("line {line}, column {column}: {reason}")]
    Syntax {
        /// Line of the error, from 1.
        line: usize,
        /// Column of the error, from 1, in characters.
        column: usize,
        /// The parser's message.
        reason: String,
    },
    /// Unknown preset; the name as written in TOML.
    #[error("preset = {0} is unknown; allowed: {known}", known = preset_names())]
    UnknownPreset(String),
    /// Invalid keys or values.
    #[error("{}", lines(.0))]
    Invalid(Vec<Problem>),
    /// An error in a file.
    #[error("{}", in_file(path, error))]
    InFile {
        /// The file.
        path: PathBuf,
        /// The error in it.
        error: Box<ConfigError>,
    },
}

/// A problem with one key or its value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The key does not exist.
    #[error("unknown key `{key}`{}", nearest.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default())]
    UnknownKey {
        /// The key as written.
        key: String,
        /// The nearest known key.
        nearest: Option<&'static str>,
    },
    /// A value where a table is expected.
    #[error("{key} = {value} is a single value; [{key}] is a table of keys")]
    NotATable {
        /// The table's name.
        key: String,
        /// The value as written.
        value: String,
    },
    /// A value outside the key's limits.
    #[error("{key} = {value} is not allowed; allowed: {allowed}")]
    OutOfRange {
        /// The key.
        key: &'static str,
        /// The value as written.
        value: String,
        /// The limits of the key.
        allowed: Allowed,
    },
    /// A value that conflicts with another key.
    #[error("{key} = {value} is not allowed; allowed: {allowed}")]
    Conflict {
        /// The key.
        key: &'static str,
        /// Its value.
        value: String,
        /// The allowed values, and the other key.
        allowed: String,
    },
    /// A value whose hardware is not implemented yet.
    #[error("{key} = {value} is not supported yet; supported: {built}")]
    NotBuilt {
        /// The key.
        key: &'static str,
        /// Its value.
        value: String,
        /// The values that are implemented.
        built: &'static str,
    },
}

fn preset_names() -> String {
    let quoted: Vec<_> = Preset::ALL.iter().map(|p| format!("\"{p}\"")).collect();
    quoted.join(", ")
}

/// Maximum number of problems listed: a file with more is probably not a configuration.
const MAX_LISTED: usize = 10;

fn lines(problems: &[Problem]) -> String {
    let mut lines: Vec<_> = problems.iter().take(MAX_LISTED).map(Problem::to_string).collect();
    if let more @ 1.. = problems.len().saturating_sub(MAX_LISTED) {
        lines.push(format!("and {more} more"));
    }
    lines.join("\n")
}

fn in_file(path: &std::path::Path, error: &ConfigError) -> String {
    let text = error.to_string();
    let lines: Vec<_> = text.lines().map(|line| format!("{}: {line}", path.display())).collect();
    lines.join("\n")
}
