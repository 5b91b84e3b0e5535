//! Commands implemented by other programs of the workspace: built by cargo, then run in the current folder.

use crate::cargo;
use crate::failure::Failure;
use crate::needs;
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Arguments passed on to a program.
#[derive(clap::Args)]
pub struct Args {
    /// Arguments of the program; `--help` lists them
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<OsString>,
}

impl Args {
    /// All of them.
    pub fn all(&self) -> &[OsString] {
        &self.args
    }
}

/// A command implemented by a program of the workspace.
pub struct Program {
    /// The command of `cargo xtask`.
    pub command: &'static str,
    package: &'static str,
    profile: Profile,
    /// The name under which the program refers to itself in its messages.
    called: Option<&'static str>,
}

pub const AREA: Program = dev("area", "crosstalk-area");
pub const FPGA: Program = dev("fpga", "crosstalk-boards");
pub const SOAK: Program = dev("soak", "crosstalk-soak");
pub const MUTATE: Program = dev("mutate", "crosstalk-mutate");
pub const PAPER: Program = Program { profile: Profile::Release, ..dev("paper", "crosstalk-paper") };
pub const VALIDATE: Program =
    Program { profile: Profile::Release, ..dev("validate", "crosstalk-validate") };
pub const CROSSTALK: Program = Program {
    profile: Profile::Release,
    called: Some("cargo crosstalk"),
    ..dev("crosstalk", "crosstalk")
};

const fn dev(command: &'static str, package: &'static str) -> Program {
    Program { command, package, profile: Profile::Dev, called: None }
}

impl Program {
    /// Installs its tools, builds it and runs it; returns its exit code.
    pub fn run(&self, args: &Args) -> Result<ExitCode, Failure> {
        needs::ensure(self.command, &args.args)?;
        let program = self.build()?;
        let mut call = Command::new(&program);
        call.args(&args.args);
        if let Some(name) = self.called {
            call.env("CROSSTALK_COMMAND", name);
        }
        ended(&program, &mut call)
    }

    /// Builds it; returns the path of the program.
    pub fn build(&self) -> Result<PathBuf, Failure> {
        built(self.package, self.profile)
    }
}

/// How a program is compiled.
#[derive(Clone, Copy)]
enum Profile {
    /// Fast to build, with overflow checks and debug assertions.
    Dev,
    /// Optimized for speed.
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

/// Builds the program of a package, which has the same name; returns its path.
fn built(package: &str, profile: Profile) -> Result<PathBuf, Failure> {
    let program = tools::target_dir().join(profile.folder()).join(package);
    let mut build = vec!["build", "--profile", profile.name(), "--package", package];
    build.extend(["--bin", package]);
    // The first build takes a while: then cargo shows what it does.
    if program.exists() {
        build.push("--quiet");
    }
    if !cargo::run(&build)? {
        return Err(Failure::failed(format!("cannot build the program {package}")));
    }
    Ok(program)
}

fn ended(program: &Path, command: &mut Command) -> Result<ExitCode, Failure> {
    let status = command.status();
    let status = status
        .map_err(|error| Failure::failed(format!("cannot run {}: {error}", program.display())))?;
    match (status.code().map(u8::try_from), status.signal()) {
        (Some(code), _) => Ok(ExitCode::from(code.unwrap_or(1))),
        (None, signal) => {
            // The exit code that a shell reports.
            let signal = signal.unwrap_or_default();
            let name = program.file_name().unwrap_or_default().to_string_lossy();
            eprintln!("error: {name} was killed by signal {signal}");
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
