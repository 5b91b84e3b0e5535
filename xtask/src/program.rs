//! Programs of the workspace that do a command's work: built by cargo, then run in the folder the person is in.

use crate::cargo;
use crate::failure::Failure;
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// How a program is compiled.
#[derive(Clone, Copy)]
pub enum Profile {
    /// Soon, and with overflow checks and debug assertions.
    Dev,
    /// For speed.
    Release,
}

impl Profile {
    fn name(self) -> &'static str {
        match self {
            Self::Dev => "dev",
            Self::Release => "release",
        }
    }

    fn folder(self) -> &'static str {
        match self {
            Self::Dev => "debug",
            Self::Release => "release",
        }
    }
}

/// Builds the program of a package, which has the same name; says where it is.
pub fn built(package: &str, profile: Profile) -> Result<PathBuf, Failure> {
    let program = tools::target_dir().join(profile.folder()).join(package);
    let mut build = vec!["build", "--profile", profile.name(), "--package", package];
    build.extend(["--bin", package]);
    // The first build takes a while: then cargo shows what it does.
    if program.exists() {
        build.push("--quiet");
    }
    if !cargo::run(&build)? {
        return Err(Failure::failed(format!("the program {package} cannot be built")));
    }
    Ok(program)
}

/// Runs a program; its exit code is the command's.
pub fn run(program: &Path, args: &[OsString]) -> Result<ExitCode, Failure> {
    ended(program, Command::new(program).args(args))
}

/// Runs a program that tells people what to type next: what they call it by.
pub fn run_as(name: &str, program: &Path, args: &[OsString]) -> Result<ExitCode, Failure> {
    ended(program, Command::new(program).args(args).env("CROSSTALK_COMMAND", name))
}

fn ended(program: &Path, command: &mut Command) -> Result<ExitCode, Failure> {
    let status = command.status();
    let status = status.map_err(|error| {
        Failure::failed(format!("{} cannot be run: {error}", program.display()))
    })?;
    match (status.code().map(u8::try_from), status.signal()) {
        (Some(code), _) => Ok(ExitCode::from(code.unwrap_or(1))),
        (None, signal) => {
            // As a shell tells it.
            let signal = signal.unwrap_or_default();
            let name = program.file_name().unwrap_or_default().to_string_lossy();
            eprintln!("error: {name} was ended by signal {signal}");
            Ok(ExitCode::from(u8::try_from(128 + signal).unwrap_or(1)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_killed_ends_as_in_a_shell() {
        let code = |script: &str| {
            let ended = ended(Path::new("sh"), Command::new("sh").args(["-c", script]));
            format!("{:?}", ended.ok().unwrap())
        };
        for (script, expected) in [("exit 3", 3), ("kill -9 $$", 137), ("kill -TERM $$", 143)] {
            assert_eq!(code(script), format!("{:?}", ExitCode::from(expected)), "{script}");
        }
    }
}
