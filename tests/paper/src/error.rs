//! What can go wrong while measuring.

use std::path::{Path, PathBuf};

/// One sentence that names the place.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file cannot be read or written.
    #[error("{}: {reason}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system said.
        reason: std::io::Error,
    },
    /// A result cannot be written.
    #[error(transparent)]
    Unwritable(#[from] kit::file::Unwritable),
    /// A file of an earlier measurement makes no sense.
    #[error("{}: {reason}; remove it to measure again", path.display())]
    Damaged {
        /// Which.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Runs cannot be analyzed.
    #[error(transparent)]
    Analysis(#[from] crosstalk::Error),
    /// Runs cannot be made.
    #[error(transparent)]
    Hunt(#[from] crosstalk::hunt::HuntError),
    /// A bug did not show, or did nothing else.
    #[error("{bug}: {what}")]
    Bug {
        /// Which.
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
