//! Errors of a hunt.

use cosim::machine::MachineError;
use golden::memory::Unsupported;

/// One sentence each; where the input is at fault, it says what would be right.
#[derive(Debug, thiserror::Error)]
pub enum HuntError {
    /// A file cannot be read or written, or is damaged.
    #[error(transparent)]
    Host(#[from] crate::Error),
    /// The program does not compile, or there is no compiler.
    #[error(transparent)]
    Compile(#[from] firmware::Error),
    /// The machine cannot be built or run.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// There is no golden machine of this configuration.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
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
