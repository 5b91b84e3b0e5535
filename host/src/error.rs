//! Errors in input: run files, programs, options.

use kit::file::Unwritable;
use record::ReadError;
use std::path::{Path, PathBuf};

/// One sentence that names the file and the place in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A file or folder cannot be read or written.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// An output cannot be written.
    #[error(transparent)]
    Unwritable(#[from] Unwritable),
    /// A run file is damaged, or is no run file.
    #[error("{}: {error}", path.display())]
    Run {
        /// The run file.
        path: PathBuf,
        /// The offset and the reason.
        error: ReadError,
    },
    /// An exported run cannot be read back.
    #[error("{}: at byte {offset}: {reason}", path.display())]
    Import {
        /// The exported file.
        path: PathBuf,
        /// The byte at which it cannot be read.
        offset: u64,
        /// What is wrong there.
        reason: String,
    },
    /// There is nothing to analyze.
    #[error("{}: no run files (*.run) and no exported runs found", path.display())]
    NoRuns {
        /// The folder that was searched.
        path: PathBuf,
    },
    /// Two runs cannot be analyzed together.
    #[error("{one} and {other} cannot be analyzed together: {why}")]
    Mixed {
        /// A run.
        one: String,
        /// A later one.
        other: String,
        /// What differs.
        why: String,
    },
    /// A program file cannot be used.
    #[error("{}: {reason}", path.display())]
    Program {
        /// The program file.
        path: PathBuf,
        /// What is wrong with it.
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
