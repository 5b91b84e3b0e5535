//! Errors of building and using a model.

use kit::file::Unwritable;
use std::io;
use std::path::{Path, PathBuf};

/// Why a model cannot be built or used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A tool is not installed; the text names the command that installs it.
    #[error("{0}")]
    MissingTool(String),
    /// The source is not valid, independent of its Verilog.
    #[error("model `{top}`: {what}")]
    Source {
        /// The top module.
        top: String,
        /// Why it is not valid.
        what: String,
    },
    /// Verilator rejected the Verilog.
    #[error("Verilator rejects `{top}`:\n{text}")]
    Verilator {
        /// The top module.
        top: String,
        /// Verilator's errors, each with its source line.
        text: String,
    },
    /// The C++ compiler or linker failed on generated code.
    #[error("cannot compile model `{top}`: {command}\n{text}")]
    Compile {
        /// The top module, or the runtime.
        top: String,
        /// The command that failed.
        command: String,
        /// Its output, shortened.
        text: String,
    },
    /// A freshly built library cannot be used.
    #[error("cannot load the model library {}: {what}", path.display())]
    Load {
        /// The library.
        path: PathBuf,
        /// The error of the loader or of the interface check.
        what: String,
    },
    /// The model was built without this option.
    #[error("model `{top}` was built without {what}")]
    NotBuilt {
        /// The top module.
        top: String,
        /// The missing option.
        what: &'static str,
    },
    /// The cache cannot be written.
    #[error(transparent)]
    Cache(#[from] Unwritable),
    /// A file or folder cannot be accessed.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

impl Error {
    /// For `map_err`: an I/O error with the path it happened on.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |source| Self::Io { path: path.to_path_buf(), source }
    }
}
