//! Why a run has no result of its own.

use border::ProgramError;
use golden::memory::Unsupported;

use crate::{Error, Failure};

/// Why a run ended without the program ending it.
#[derive(Debug, thiserror::Error)]
pub enum MachineError {
    /// The program cannot be loaded.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The configuration is wrong.
    #[error("{0}")]
    Config(String),
    /// The configuration has no machine.
    #[error(transparent)]
    Generate(#[from] units::GenerateError),
    /// The model cannot be built or loaded, or a waveform cannot be written.
    #[error(transparent)]
    Model(#[from] Error),
    /// The model is not a machine of this configuration.
    #[error("the model `{top}` has no port `{port}`: it is no machine of this configuration")]
    Port {
        /// The model.
        top: String,
        /// What it lacks.
        port: String,
    },
    /// The design itself complains: a property it was built with does not hold.
    #[error("the machine complains: {0}")]
    Complaint(#[from] Failure),
    /// There is no software model of this configuration.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// Hardware and software model part.
    #[error("hardware and model differ: {report}")]
    Mismatch {
        /// When.
        cycle: u64,
        /// Cycle, hart, field, expected, actual.
        report: String,
    },
    /// The program passed the host something that makes no sense.
    #[error("cycle {cycle}: the program wrote {value:#x} to `tohost`: {what}")]
    Host {
        /// When.
        cycle: u64,
        /// What.
        value: u64,
        /// Why it makes no sense.
        what: String,
    },
    /// What the program prints cannot be passed on.
    #[error("the program's output cannot be written: {0}")]
    Output(std::io::Error),
    /// The host got no answer.
    #[error("cycle {cycle}: the bus did not answer the host within {waited} cycles")]
    NoAnswer {
        /// When it gave up.
        cycle: u64,
        /// How long it waited.
        waited: u64,
    },
}
