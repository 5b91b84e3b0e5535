//! `cargo xtask fpga`: the bitstream of a board.

use crate::failure::Failure;
use crate::program::{self, Profile};
use crate::setup;
use std::ffi::OsString;
use std::process::ExitCode;
use tools::Tool;

/// Build the bitstream of a board with Yosys and nextpnr; `--help` tells more.
///
/// Makes sure of the pinned tools that the board's device needs. The exit code is that of the program in
/// fpga/boards.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Args {
    /// What is asked; `--help` lists it
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<OsString>,
}

/// The pinned tools that a call needs; none if it names no board that there is.
fn needed(args: &[OsString]) -> &'static [Tool] {
    let has = |board: &str| {
        args.iter()
            .filter_map(|arg| arg.to_str())
            .any(|arg| arg.trim_start_matches("--board=") == board)
    };
    match () {
        () if has("--help") || has("-h") => &[],
        () if has("hx8k") => &[Tool::Yosys, Tool::NextpnrIce40],
        () if has("ulx3s") => &[Tool::Yosys, Tool::NextpnrEcp5],
        () => &[],
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    setup::ensure(needed(&args.args))?;
    program::run(&program::built("crosstalk-boards", Profile::Dev)?, &args.args)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_needs_the_tools_of_its_device() {
        let of = |line: &str| needed(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(of("--board ulx3s"), [Tool::Yosys, Tool::NextpnrEcp5]);
        assert_eq!(of("--board=hx8k --out x"), [Tool::Yosys, Tool::NextpnrIce40]);
        assert_eq!(of("--board ulx3s --help"), []);
        assert_eq!(of("--board ulx4"), []);
    }
}
