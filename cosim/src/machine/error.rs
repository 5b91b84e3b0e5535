//! Errors of a run.

use border::ProgramError;
use golden::memory::Unsupported;

use crate::{Error, Failure};

/// Why a run did not reach an outcome.
#[derive(Debug, thiserror::Error)]
pub enum MachineError {
    /// The program cannot be loaded.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The configuration is invalid.
    #[error("{0}")]
    Config(String),
    /// No machine can be generated for the configuration.
    #[error(transparent)]
    Generate(#[from] units::GenerateError),
    /// The model cannot be built or loaded, or a waveform cannot be written.
    #[error(transparent)]
    Model(#[from] Error),
    /// The model is not a machine of this configuration.
    #[error("model `{top}` has no port `{port}`: it was not built for this configuration")]
    Port {
        /// The model's top module.
        top: String,
        /// The missing port.
        port: String,
    },
    /// A check inside the design failed.
    #[error("a check inside the hardware failed: {0}")]
    Complaint(#[from] Failure),
    /// The golden machine does not support this configuration.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// Hardware and golden machine differ.
    #[error("hardware and model differ: {report}")]
    Mismatch {
        /// The first cycle in which they differ.
        cycle: u64,
        /// Cycle, hart, field, expected, actual.
        report: String,
    },
    /// The program wrote an invalid command to `tohost`.
    #[error("cycle {cycle}: the program wrote the invalid word {value:#x} to `tohost`: {what}")]
    Host {
        /// Cycle of the write.
        cycle: u64,
        /// The word written.
        value: u64,
        /// Why the word is not valid.
        what: String,
    },
    /// The program's output cannot be written.
    #[error("cannot write the program's output: {0}")]
    Output(std::io::Error),
    /// The bus did not answer a host access.
    #[error("cycle {cycle}: the bus did not answer an access of the host within {waited} cycles")]
    NoAnswer {
        /// Cycle of the timeout.
        cycle: u64,
        /// Cycles waited.
        waited: u64,
    },
}
