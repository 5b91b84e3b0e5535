//! `cargo xtask crosstalk`, by its alias `cargo crosstalk`: the tool for users.

use crate::failure::Failure;
use crate::program::{self, Profile};
use crate::setup;
use std::ffi::OsString;
use std::process::ExitCode;
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
        Some("cc" | "record") => &[Tool::Zig],
        Some("run" | "hunt") => &[Tool::Zig, Tool::Verilator],
        _ => &[],
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    setup::ensure(needed(args.args.first()))?;
    let tool = program::built("crosstalk", Profile::Release)?;
    program::run_as("cargo crosstalk", &tool, &args.args)
}
