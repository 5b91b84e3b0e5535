//! Errors of compiling and linking.

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
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Nothing to compile.
    #[error("no source file was given")]
    NoFiles,
    /// A source does not exist, or is a folder.
    #[error("`{}` is not a file", path.display())]
    NoFile {
        /// The path as it was given.
        path: PathBuf,
    },
    /// A source in a language that is not supported.
    #[error("`{}` is {language}, which is not supported; supported are C (.c) and assembly (.S, .s)", path.display())]
    Language {
        /// The file.
        path: PathBuf,
        /// The language that the end of its name stands for.
        language: &'static str,
    },
    /// A file that can be neither compiled nor linked.
    #[error("`{}` is neither a source (.c, .S, .s) nor an object file or archive (.o, .a)", path.display())]
    NotASource {
        /// The file.
        path: PathBuf,
    },
    /// A file or a signal that cannot be given to the program.
    #[error("{what}")]
    Given {
        /// What is wrong with it, in a sentence.
        what: String,
    },
    /// The compiler or the linker reports an error.
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
