//! Why a hunt has no result.

/// One sentence each; what can be a person's doing says what would be right.
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
    /// What was asked for cannot be done.
    #[error("{0}")]
    Refused(String),
    /// The firmware said something that makes no sense.
    #[error("schedule {seed}: {what}")]
    Firmware {
        /// In which run.
        seed: u64,
        /// What is wrong.
        what: String,
    },
}
