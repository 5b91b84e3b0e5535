//! Errors of a study.

use kit::Failure;
use std::path::PathBuf;

/// Why a study has no result, or an incomplete one.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Wrong usage or bad input: exit code 2.
    #[error("{0}")]
    BadInput(String),
    /// The study failed: exit code 1.
    #[error("{0}")]
    Failed(String),
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: std::io::Error,
    },
    /// A result or the cache cannot be written.
    #[error(transparent)]
    Unwritable(#[from] kit::file::Unwritable),
    /// A tool is not installed.
    #[error(transparent)]
    Tool(#[from] tools::Missing),
}

impl Error {
    /// An I/O error with its file, for `map_err`.
    pub fn at(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.into();
        move |error| Error::File { path, error }
    }
}

/// One sentence of a tool, or about one.
impl From<String> for Error {
    fn from(sentence: String) -> Self {
        Self::Failed(sentence)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::BadInput(reason) => Self::BadInput(reason),
            error => Self::failed(error),
        }
    }
}
