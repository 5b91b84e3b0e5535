//! How a command ends when it does not end well.

use crate::Error;
pub use kit::{Failure, ended, say};

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Labels(why) => Self::Failed(why),
            error => Self::BadInput(error.to_string()),
        }
    }
}
