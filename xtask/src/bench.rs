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
    #[arg(value_name = "GROUP", value_parser = PossibleValuesParser::new(groups()))]
    groups: Vec<String>,
}

/// One benchmark program, and the groups it has: a wrong name is refused before anything is built.
struct Benchmark {
    name: &'static str,
    groups: &'static [&'static str],
}

const BENCHMARKS: &[Benchmark] = &[
    Benchmark { name: "language", groups: &["amaranth", "kaze", "scaling", "simulation"] },
    Benchmark { name: "cosim", groups: &["cosim-bare", "cosim-marlin", "cosim-cocotb"] },
];

fn groups() -> Vec<&'static str> {
    BENCHMARKS.iter().flat_map(|benchmark| benchmark.groups).copied().collect()
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    setup::ensure(&[Tool::Verilator, Tool::Amaranth])?;
    // Its wheel exists for few machines; where it does not, the rest can still be measured.
    if let Err(failure) = setup::ensure(&[Tool::Cocotb]) {
        eprintln!("without cocotb: {failure}");
    }
    for Benchmark { name, groups } in BENCHMARKS {
        let wanted = args.groups.iter().map(String::as_str).filter(|group| groups.contains(group));
        let wanted: Vec<&str> = wanted.collect();
        if wanted.is_empty() && !args.groups.is_empty() {
            continue;
        }
        let mut call = vec!["bench", "--package", "crosstalk-tests", "--bench", name, "--"];
        call.extend(wanted);
        if !cargo::run(&call)? {
            return Err(Failure::failed(format!("the benchmark {name} failed")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_groups_are_those_of_the_benchmarks() {
        for Benchmark { name, groups } in BENCHMARKS {
            let program = tools::workspace_root().join(format!("tests/benches/{name}/main.rs"));
            let program = std::fs::read_to_string(program).unwrap();
            for group in *groups {
                assert!(program.contains(&format!("\"{group}\"")), "{name} has no {group}");
            }
        }
    }
}
