//! `cargo xtask paper`: the papers' tables, measured again.

use crate::failure::Failure;
use crate::program::{self, Profile};
use crate::setup;
use std::ffi::OsString;
use std::process::ExitCode;
use tools::Tool;

/// Measure the papers' tables again on the bug suite, and print them beside the published figures.
///
/// Builds the program that does it and runs it: `cargo xtask paper --help` lists tables and options.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Args {
    /// A table, and options
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<OsString>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    setup::ensure(needed(&args.args))?;
    program::run(&program::built("crosstalk-paper", Profile::Release)?, &args.args)
}

/// The golden machine needs no simulator.
fn needed(args: &[OsString]) -> &'static [Tool] {
    let golden = args.iter().any(|arg| arg == "golden" || arg == "--on=golden");
    if golden { &[Tool::Zig] } else { &[Tool::Zig, Tool::Verilator] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hardware_needs_the_simulator() {
        let tools = |args: &[&str]| needed(&args.iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(tools(&["recon-3", "--on", "golden"]), [Tool::Zig]);
        assert_eq!(tools(&["--on=golden"]), [Tool::Zig]);
        assert!(tools(&["--on", "rtl"]).contains(&Tool::Verilator));
        assert!(tools(&[]).contains(&Tool::Verilator));
    }
}
