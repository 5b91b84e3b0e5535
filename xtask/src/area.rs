//! `cargo xtask area`: what the hardware costs.

use crate::failure::Failure;
use crate::program::{self, Profile};
use crate::setup;
use std::ffi::OsString;
use std::process::ExitCode;
use tools::Tool;

/// Synthesize, attribute the cost to units, sweep parameters; `--help` tells more.
///
/// Makes sure of the pinned Yosys, and of nextpnr when it is asked for. The exit code is that of the
/// program in fpga/area.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Args {
    /// What is asked; `--help` lists it
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<OsString>,
}

/// The pinned tools that a call needs.
fn needed(args: &[OsString]) -> Vec<Tool> {
    let has = |wanted: &str| args.iter().any(|arg| arg.to_str().is_some_and(|arg| arg == wanted));
    if has("--help") || has("-h") {
        return Vec::new();
    }
    let mut tools = vec![Tool::Yosys];
    if has("--pnr") {
        let small = has("ice40") || has("--target=ice40");
        tools.push(if small { Tool::NextpnrIce40 } else { Tool::NextpnrEcp5 });
    }
    tools
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    setup::ensure(&needed(&args.args))?;
    program::run(&program::built("crosstalk-area", Profile::Dev)?, &args.args)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_needs_just_its_tools() {
        let of = |line: &str| needed(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(of("--top bus"), [Tool::Yosys]);
        assert_eq!(of("--pnr"), [Tool::Yosys, Tool::NextpnrEcp5]);
        assert_eq!(of("--pnr --target ice40"), [Tool::Yosys, Tool::NextpnrIce40]);
        assert_eq!(of("--help"), []);
    }
}
