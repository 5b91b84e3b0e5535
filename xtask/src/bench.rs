//! `cargo xtask bench`: the measurements.

use crate::failure::Failure;
use crate::{cargo, setup};
use tools::Tool;

/// Measure: elaboration beside Amaranth and kaze, cost per node, simulated cycles per second.
///
/// Figures that are compared were measured in the same run. Nothing else should be running.
#[derive(clap::Args)]
pub struct Args {
    /// Only the benchmarks whose names contain one of these
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    setup::ensure(&[Tool::Verilator, Tool::Amaranth])?;
    let mut call = vec!["bench", "--package", "crosstalk-tests", "--benches", "--"];
    call.extend(args.filters.iter().map(String::as_str));
    if cargo::run(&call)? { Ok(()) } else { Err(Failure::failed("the benchmarks failed")) }
}
