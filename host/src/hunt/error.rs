//! Errors of a hunt.

/// One sentence each; where the input is at fault, it says what would be right.
#[derive(Debug, thiserror::Error)]
pub enum HuntError {
    /// A file cannot be read or written, or is damaged.
    #[error(transparent)]
    Host(#[from] crate::Error),
    /// The program does not compile, or there is no compiler.
    #[error(transparent)]
    Compile(#[from] firmware::Error),
    /// The machine cannot be built or run, or there is none of this configuration.
    #[error(transparent)]
    Machine(Box<dyn std::error::Error + Send + Sync>),
    /// The request cannot be fulfilled.
    #[error("{0}")]
    Refused(String),
    /// The firmware sent something invalid.
    #[error("schedule {seed}: {what}")]
    Firmware {
        /// The seed of the run.
        seed: u64,
        /// What is wrong with it.
        what: String,
    },
}

impl From<kit::file::Unwritable> for HuntError {
    fn from(error: kit::file::Unwritable) -> Self {
        Self::Host(error.into())
    }
}
