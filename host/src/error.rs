//! What can be wrong with what a person hands in.

use kit::file::Unwritable;
use record::ReadError;
use std::path::{Path, PathBuf};

/// One sentence that names the file and the place in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A file or folder cannot be read or written.
    #[error("{}: {reason}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// An output cannot be written.
    #[error(transparent)]
    Unwritable(#[from] Unwritable),
    /// A run file is damaged or foreign.
    #[error("{}: {error}", path.display())]
    Run {
        /// Which.
        path: PathBuf,
        /// Where and why.
        error: ReadError,
    },
    /// An exported run cannot be read back.
    #[error("{}: at byte {offset}: {reason}", path.display())]
    Import {
        /// Which.
        path: PathBuf,
        /// Where.
        offset: u64,
        /// Why.
        reason: String,
    },
    /// There is nothing to analyze.
    #[error("{}: there is no run (*.run) here", path.display())]
    NoRuns {
        /// Where there should be some.
        path: PathBuf,
    },
    /// Two runs do not belong together.
    #[error("{one} and {other} do not belong together: {why}")]
    Mixed {
        /// A run.
        one: String,
        /// A later one.
        other: String,
        /// What differs.
        why: String,
    },
    /// A program file is of no use.
    #[error("{}: {reason}", path.display())]
    Program {
        /// Which.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The runs do not have the labels that are needed.
    #[error("{0}")]
    Labels(String),
    /// Something was asked for that does not exist.
    #[error("{0}")]
    NoSuch(String),
}

impl Error {
    /// A file cannot be read or written.
    pub fn file(path: &Path, error: &std::io::Error) -> Self {
        Self::File { path: path.to_owned(), reason: error.to_string() }
    }

    /// An output cannot be written.
    pub fn unwritable(path: &Path, error: &std::io::Error) -> Self {
        Self::Unwritable(Unwritable::new(path, error))
    }
}
