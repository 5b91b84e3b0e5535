//! `cargo xtask bench`: the measurements.

use crate::failure::Failure;
use crate::{cargo, setup};
use clap::builder::PossibleValuesParser;
use tools::Tool;

/// Measure: elaboration beside Amaranth and kaze, cost per node, simulated cycles per second,
/// co-simulation beside a bare C++ loop, marlin and cocotb.
///
/// Figures that are compared were measured in the same run. Nothing else should be running.
#[derive(clap::Args)]
pub struct Args {
    /// Only these; all by default
    #[arg(value_name = "GROUP", value_parser = PossibleValuesParser::new(GROUPS))]
    groups: Vec<String>,
}

/// What there is, so that a wrong name is refused before anything is built.
const GROUPS: [&str; 4] = ["amaranth", "kaze", "scaling", "simulation"];

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    setup::ensure(&[Tool::Verilator, Tool::Amaranth])?;
    // Its wheel exists for few machines; where it does not, the rest can still be measured.
    if let Err(failure) = setup::ensure(&[Tool::Cocotb]) {
        eprintln!("without cocotb: {failure}");
    }
    let mut call = vec!["bench", "--package", "crosstalk-tests", "--benches", "--"];
    call.extend(args.groups.iter().map(String::as_str));
    if cargo::run(&call)? { Ok(()) } else { Err(Failure::failed("the benchmarks failed")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_groups_are_those_of_the_benchmark() {
        let program = tools::workspace_root().join("tests/benches/language/main.rs");
        let program = std::fs::read_to_string(program).unwrap();
        let names = program.lines().filter_map(|line| line.trim().strip_prefix("Group { name: \""));
        let names: Vec<&str> = names.filter_map(|rest| Some(rest.split_once('"')?.0)).collect();
        assert_eq!(names, GROUPS);
    }
}
