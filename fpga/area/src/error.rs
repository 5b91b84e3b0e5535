//! How a study ends when it does not end well.

use kit::Failure;
use std::path::PathBuf;

/// Why there is no result, or not all of it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Wrong use or bad input: exit code 2.
    #[error("{0}")]
    BadInput(String),
    /// The thing asked about failed: exit code 1.
    #[error("{0}")]
    Failed(String),
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// A result or the cache cannot be written.
    #[error(transparent)]
    Unwritable(#[from] kit::file::Unwritable),
    /// A tool is not there.
    #[error(transparent)]
    Tool(#[from] tools::Missing),
}

impl Error {
    /// For `map_err`: something went wrong with this file.
    pub fn at(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.into();
        move |error| Error::File { path, error }
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
