//! What can go wrong when a model is built or asked for something it cannot do.

use kit::file::Unwritable;
use std::io;
use std::path::{Path, PathBuf};

/// Why there is no model, or why it could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A tool is not installed; the text names the command that installs it.
    #[error("{0}")]
    MissingTool(String),
    /// The source cannot be built whatever the Verilog says.
    #[error("model `{top}`: {what}")]
    Source {
        /// The top module.
        top: String,
        /// What is wrong with it.
        what: String,
    },
    /// Verilator refused the Verilog.
    #[error("Verilator refuses `{top}`:\n{text}")]
    Verilator {
        /// The top module.
        top: String,
        /// Verilator's errors, each with the line it complains about.
        text: String,
    },
    /// The C++ compiler or linker failed on generated code.
    #[error("compiling the model `{top}` failed: {command}\n{text}")]
    Compile {
        /// The top module, or the runtime.
        top: String,
        /// The command that failed.
        command: String,
        /// What it printed, shortened.
        text: String,
    },
    /// A freshly built library cannot be used.
    #[error("the model library {} cannot be loaded: {what}", path.display())]
    Load {
        /// The library.
        path: PathBuf,
        /// What the loader or the interface check said.
        what: String,
    },
    /// The model was built without this ability.
    #[error("the model `{top}` was built without {what}")]
    NotBuilt {
        /// The top module.
        top: String,
        /// The missing option.
        what: &'static str,
    },
    /// The cache cannot be written.
    #[error(transparent)]
    Cache(#[from] Unwritable),
    /// A file or folder cannot be used.
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
