//! How a command ends when it does not end well.

use std::fmt;
use std::process::ExitCode;

/// One or more sentences, and whose fault it is.
#[derive(Debug, PartialEq, Eq)]
pub enum Failure {
    /// The thing asked about failed: exit code 1.
    Failed(String),
    /// Wrong use or bad input: exit code 2.
    BadInput(String),
}

impl Failure {
    /// The thing asked about failed.
    pub fn failed(message: impl fmt::Display) -> Self {
        Self::Failed(message.to_string())
    }

    /// Wrong use or bad input.
    pub fn bad_input(message: impl fmt::Display) -> Self {
        Self::BadInput(message.to_string())
    }

    /// What scripts see.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Failed(_) => ExitCode::from(1),
            Self::BadInput(_) => ExitCode::from(2),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(message) | Self::BadInput(message) => f.write_str(message),
        }
    }
}
