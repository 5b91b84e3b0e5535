//! How a command ends when it does not end well.

use crate::Error;
use std::fmt;
use std::process::ExitCode;

/// A sentence, and whose fault it is.
#[derive(Debug, PartialEq, Eq)]
pub enum Failure {
    /// The thing asked about failed: exit code 1.
    Failed(String),
    /// Wrong use or bad input: exit code 2.
    BadInput(String),
    /// The error of a command that has exit codes of its own.
    Own(String, u8),
}

impl Failure {
    /// What scripts see.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Failed(_) => ExitCode::from(1),
            Self::BadInput(_) => ExitCode::from(2),
            Self::Own(_, code) => ExitCode::from(*code),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(message) | Self::BadInput(message) | Self::Own(message, _) => {
                f.write_str(message)
            }
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Labels(why) => Self::Failed(why),
            error => Self::BadInput(error.to_string()),
        }
    }
}
