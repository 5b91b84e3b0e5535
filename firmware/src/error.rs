//! Why there is no program.

use kit::file::Unwritable;
use std::io;
use std::path::{Path, PathBuf};

/// Why a program could not be compiled.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The cross-compiler is not installed.
    #[error(transparent)]
    Missing(#[from] tools::Missing),
    /// The program or the cache cannot be written.
    #[error(transparent)]
    Unwritable(#[from] Unwritable),
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Nothing to compile.
    #[error("no source file is named")]
    NoFiles,
    /// A source is not there.
    #[error("`{}` is not a file", path.display())]
    NoFile {
        /// Which.
        path: PathBuf,
    },
    /// The compiler refuses.
    #[error("`{}` does not compile:\n{messages}", program.display())]
    Refused {
        /// What was compiled.
        program: PathBuf,
        /// What the compiler said.
        messages: String,
    },
}

impl Error {
    /// For `map_err`: an error at this path.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |source| Self::Io { path: path.to_owned(), source }
    }
}
