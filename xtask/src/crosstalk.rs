//! `cargo xtask crosstalk`, by its alias `cargo crosstalk`: the tool for users.

use crate::cargo;
use crate::failure::Failure;
use std::ffi::OsString;
use std::process::{Command, ExitCode};

/// Build the `crosstalk` tool and run it: `cargo crosstalk …` is an alias for this.
///
/// Its exit code is that of the tool.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Args {
    /// What the tool is told; `--help` lists its commands
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<OsString>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let build = ["build", "--quiet", "--release", "--package", "crosstalk", "--bin", "crosstalk"];
    if !cargo::run(&build)? {
        return Err(Failure::failed("the crosstalk tool cannot be built"));
    }
    let tool = tools::target_dir().join("release").join("crosstalk");
    // In the folder the person is in: that is where their runs are.
    let status = Command::new(&tool).args(&args.args).status();
    let status = status
        .map_err(|error| Failure::failed(format!("{} cannot be run: {error}", tool.display())))?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}
