//! Programs of the workspace that do a command's work: built by cargo, then run in the folder the person is in.

use crate::cargo;
use crate::failure::Failure;
use std::ffi::OsString;
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
    let status = Command::new(program).args(args).status();
    let status = status.map_err(|error| {
        Failure::failed(format!("{} cannot be run: {error}", program.display()))
    })?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}
