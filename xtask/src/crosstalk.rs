//! `cargo xtask crosstalk`, by its alias `cargo crosstalk`: the tool for users.

use crate::failure::Failure;
use crate::{cargo, setup};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use tools::Tool;

/// Build the `crosstalk` tool and run it: `cargo crosstalk …` is an alias for this.
///
/// Makes sure of the pinned tools that the command needs. The exit code is that of the tool.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Args {
    /// What the tool is told; `--help` lists its commands
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<OsString>,
}

/// The pinned tools that a command of the tool needs.
fn needed(command: Option<&OsString>) -> &'static [Tool] {
    match command.and_then(|name| name.to_str()) {
        Some("cc") => &[Tool::Zig],
        Some("run" | "hunt") => &[Tool::Zig, Tool::Verilator],
        _ => &[],
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    setup::ensure(needed(args.args.first()))?;
    // In the folder the person is in: that is where their runs are.
    let code = call(&built()?, &args.args)?;
    Ok(ExitCode::from(code))
}

/// Builds the tool; says where it is.
pub fn built() -> Result<PathBuf, Failure> {
    let tool = tools::target_dir().join("release").join("crosstalk");
    let mut build = vec!["build", "--release", "--package", "crosstalk", "--bin", "crosstalk"];
    // The first build takes a minute: then cargo shows what it does.
    if tool.exists() {
        build.push("--quiet");
    }
    if !cargo::run(&build)? {
        return Err(Failure::failed("the crosstalk tool cannot be built"));
    }
    Ok(tool)
}

/// Runs the tool; gives its exit code.
pub fn call(tool: &Path, args: &[OsString]) -> Result<u8, Failure> {
    let status = Command::new(tool).args(args).status();
    let status = status
        .map_err(|error| Failure::failed(format!("{} cannot be run: {error}", tool.display())))?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}
