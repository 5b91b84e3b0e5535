//! Exit codes of commands, and their error messages.
//!
//! All commands of the project use the same codes, so that scripts can rely on them: 0 success, 1 the check or run
//! failed, 2 wrong usage or bad input.

use crate::file::Unwritable;
use std::fmt;
use std::io::{self, Write as _};
use std::process::ExitCode;

/// Error of a command, with the exit code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The check or run failed: exit code 1.
    Failed(String),
    /// Wrong usage or bad input: exit code 2.
    BadInput(String),
    /// An error with an exit code specific to the command.
    Own(String, u8),
}

impl Failure {
    /// The check or run failed.
    pub fn failed(message: impl fmt::Display) -> Self {
        Self::Failed(message.to_string())
    }

    /// Wrong usage or bad input.
    pub fn bad_input(message: impl fmt::Display) -> Self {
        Self::BadInput(message.to_string())
    }

    /// The exit code.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Failed(_) => ExitCode::from(1),
            Self::BadInput(_) => ExitCode::from(2),
            Self::Own(_, code) => ExitCode::from(*code),
        }
    }
}

impl From<Unwritable> for Failure {
    /// The user chose the output path, so this is bad input.
    fn from(error: Unwritable) -> Self {
        Self::bad_input(error)
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

/// The exit code of a command; a failure is printed first.
pub fn ended(done: Result<ExitCode, Failure>) -> ExitCode {
    done.unwrap_or_else(|failure| {
        say(format_args!("error: {failure}\n"));
        failure.exit_code()
    })
}

/// Prints to standard error. If that is closed (`… 2>&1 | head`) the text is dropped: `eprint` would panic.
pub fn say(text: impl fmt::Display) {
    let _ = write!(io::stderr(), "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::env;
    use std::process::{self, Command, Stdio};

    #[test]
    fn exit_codes_tell_whose_fault_it_is() {
        let code = |failure: Failure| format!("{:?}", failure.exit_code());
        let number = |code: u8| format!("{:?}", ExitCode::from(code));
        assert_eq!(code(Failure::failed("it broke")), number(1));
        assert_eq!(code(Failure::bad_input("no such file")), number(2));
        assert_eq!(code(Failure::Own("hangs".into(), 125)), number(125));
        assert_eq!(Failure::failed("it broke").to_string(), "it broke");
    }

    #[test]
    fn a_failure_into_a_closed_pipe_keeps_its_exit_code() {
        const CHILD: &str = "CROSSTALK_EXIT_CHILD";
        if env::var_os(CHILD).is_some() {
            ended(Err(Failure::failed("it broke")));
            process::exit(7);
        }
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let name = "exit::tests::a_failure_into_a_closed_pipe_keeps_its_exit_code";
        let mut child = Command::new(env::current_exe().unwrap());
        child.args(["--exact", name, "--nocapture"]).env(CHILD, "1");
        let status = child.stdout(Stdio::null()).stderr(writer).status().unwrap();
        assert_eq!(status.code(), Some(7));
    }
}
