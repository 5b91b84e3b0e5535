//! Errors of measuring.

use std::path::{Path, PathBuf};

/// Why a measurement failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file cannot be read or written.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        reason: std::io::Error,
    },
    /// A result cannot be written.
    #[error(transparent)]
    Unwritable(#[from] kit::file::Unwritable),
    /// A file of an earlier measurement is damaged.
    #[error("{}: {reason}; remove it to measure again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Why it cannot be read.
        reason: String,
    },
    /// Runs cannot be analyzed.
    #[error(transparent)]
    Analysis(#[from] crosstalk::Error),
    /// Runs cannot be made.
    #[error(transparent)]
    Hunt(#[from] crosstalk::hunt::HuntError),
    /// A bug did not fail, or did not pass, often enough.
    #[error("{bug}: {what}")]
    Bug {
        /// Name of the bug.
        bug: String,
        /// What was missing.
        what: String,
    },
    /// The page cannot be written.
    #[error("{0}")]
    Page(String),
}

/// A file cannot be read or written.
pub fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    let path = path.to_owned();
    move |reason| Error::File { path, reason }
}
