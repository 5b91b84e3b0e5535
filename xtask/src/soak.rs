//! `cargo xtask soak`: everything at random, for as long as one likes.

use crate::failure::Failure;
use crate::program::{self, Profile};
use crate::setup;
use std::ffi::OsString;
use std::process::ExitCode;
use tools::Tool;

/// Try to break everything, at random, for a while; `--help` lists campaigns and options.
///
/// Builds the program in tests/soak and the program that measures areas beside it, as tests are built, and runs
/// it. The exit code is that program's.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Args {
    /// What is asked; `--help` lists it
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<OsString>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let soak = program::built("crosstalk-soak", Profile::Dev)?;
    let needed = needed(&args.args);
    setup::ensure(needed)?;
    if needed.contains(&Tool::Yosys) {
        // It is killed while it measures.
        program::built("crosstalk-area", Profile::Dev)?;
    }
    program::run(&soak, &args.args)
}

/// The pinned tools that a call needs: Yosys only where areas are measured.
fn needed(args: &[OsString]) -> &'static [Tool] {
    let has = |wanted: &str| args.iter().any(|arg| arg.to_str().is_some_and(|arg| arg == wanted));
    if has("--help") || has("-h") {
        &[]
    } else if has("--fixed") || (has("--only") && !has("kill-area")) {
        &[Tool::Zig, Tool::Verilator]
    } else {
        &[Tool::Zig, Tool::Verilator, Tool::Yosys]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_areas_need_yosys() {
        let of = |line: &str| needed(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert!(of("--minutes 3").contains(&Tool::Yosys));
        assert!(of("--only files --only kill-area").contains(&Tool::Yosys));
        assert!(!of("--only files").contains(&Tool::Yosys));
        assert!(!of("--fixed 500").contains(&Tool::Yosys));
        assert_eq!(of("--help"), []);
    }
}
