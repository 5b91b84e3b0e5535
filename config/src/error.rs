//! What can be wrong with a configuration.

use crate::{Allowed, Preset};
use std::path::PathBuf;

/// Why there is no configuration. Bad configurations list what is wrong, one sentence a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the configuration {}: {reason}", path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// It is not TOML.
    #[error("line {line}, column {column}: {reason}")]
    Syntax {
        /// Where, from 1.
        line: usize,
        /// Where, from 1, in characters.
        column: usize,
        /// What the parser says.
        reason: String,
    },
    /// There is no preset of that name, which is given as TOML writes it.
    #[error("preset = {0} is unknown; allowed: {known}", known = preset_names())]
    UnknownPreset(String),
    /// Keys or values are wrong.
    #[error("{}", lines(.0))]
    Invalid(Vec<Problem>),
    /// Something is wrong in a file.
    #[error("{}", in_file(path, error))]
    InFile {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        error: Box<ConfigError>,
    },
}

/// One thing that is wrong with a key or its value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// There is no such key.
    #[error("unknown key `{key}`{}", nearest.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default())]
    UnknownKey {
        /// What was written.
        key: String,
        /// What was probably meant.
        nearest: Option<&'static str>,
    },
    /// A table is expected there.
    #[error("{key} = {value} is a single value; [{key}] is a table of keys")]
    NotATable {
        /// Which table.
        key: String,
        /// What was written.
        value: String,
    },
    /// A value that its key never allows.
    #[error("{key} = {value} is not allowed; allowed: {allowed}")]
    OutOfRange {
        /// Which key.
        key: &'static str,
        /// What was written.
        value: String,
        /// What may be written.
        allowed: Allowed,
    },
    /// A value that another key forbids.
    #[error("{key} = {value} is not allowed; allowed: {allowed}")]
    Conflict {
        /// Which key.
        key: &'static str,
        /// What it is.
        value: String,
        /// What it may be, and because of which other key.
        allowed: String,
    },
    /// A value whose hardware does not exist yet.
    #[error("{key} = {value} is not built yet; built: {built}")]
    NotBuilt {
        /// Which key.
        key: &'static str,
        /// What it is.
        value: String,
        /// What exists.
        built: &'static str,
    },
}

fn preset_names() -> String {
    let quoted: Vec<_> = Preset::ALL.iter().map(|p| format!("\"{p}\"")).collect();
    quoted.join(", ")
}

/// So many problems are told one by one: a file with more is probably no configuration.
const TOLD: usize = 10;

fn lines(problems: &[Problem]) -> String {
    let mut lines: Vec<_> = problems.iter().take(TOLD).map(Problem::to_string).collect();
    if let more @ 1.. = problems.len().saturating_sub(TOLD) {
        lines.push(format!("and {more} more"));
    }
    lines.join("\n")
}

fn in_file(path: &std::path::Path, error: &ConfigError) -> String {
    let text = error.to_string();
    let lines: Vec<_> = text.lines().map(|line| format!("{}: {line}", path.display())).collect();
    lines.join("\n")
}
