//! `cargo xtask bench`: the measurements.

use crate::failure::Failure;
use crate::{cargo, needs};
use clap::builder::PossibleValuesParser;
use tools::Tool;

/// Measure: elaboration beside Amaranth and kaze, cost per node, simulated cycles per second,
/// co-simulation beside a bare C++ loop, marlin and cocotb, the cost of draining the communication tables,
/// the host tool beside networkx, how soon a hunt finds a rare failure.
///
/// Figures that are compared come from the same run. Run nothing else meanwhile.
#[derive(clap::Args)]
pub struct Args {
    /// Only these; all by default
    #[arg(value_name = "GROUP", value_parser = PossibleValuesParser::new(groups()))]
    groups: Vec<String>,
}

/// One benchmark program and its groups: an unknown name is rejected before anything is built.
struct Benchmark {
    package: &'static str,
    name: &'static str,
    groups: &'static [&'static str],
    tools: &'static [Tool],
    /// Tools that are not available on every machine; without them the rest is measured.
    peers: &'static [Tool],
}

const BENCHMARKS: &[Benchmark] = &[
    Benchmark {
        package: "crosstalk-tests",
        name: "language",
        groups: &["amaranth", "kaze", "scaling", "simulation"],
        tools: &[Tool::Verilator, Tool::Amaranth],
        peers: &[],
    },
    Benchmark {
        package: "crosstalk-tests",
        name: "cosim",
        groups: &["cosim-bare", "cosim-marlin", "cosim-cocotb"],
        tools: &[Tool::Verilator],
        peers: &[Tool::Cocotb],
    },
    Benchmark {
        package: "crosstalk-tests",
        name: "machine",
        groups: &["machine-speed", "machine-loops", "machine-drain"],
        tools: &[Tool::Verilator, Tool::Zig],
        peers: &[],
    },
    Benchmark {
        package: "crosstalk",
        name: "host",
        groups: &["host-analysis", "host-growth"],
        tools: &[Tool::Networkx],
        peers: &[],
    },
    Benchmark {
        package: "crosstalk",
        name: "debugger",
        groups: &["debugger-open"],
        tools: &[Tool::Verilator, Tool::Zig],
        peers: &[],
    },
    Benchmark {
        package: "crosstalk",
        name: "hunt",
        groups: &["hunt-rare"],
        tools: &[Tool::Verilator, Tool::Zig],
        peers: &[],
    },
];

fn groups() -> Vec<&'static str> {
    BENCHMARKS.iter().flat_map(|benchmark| benchmark.groups).copied().collect()
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    for benchmark in BENCHMARKS {
        let wanted = args.groups.iter().map(String::as_str);
        let wanted: Vec<&str> = wanted.filter(|group| benchmark.groups.contains(group)).collect();
        if !wanted.is_empty() || args.groups.is_empty() {
            measure(benchmark, &wanted)?;
        }
    }
    Ok(())
}

fn measure(benchmark: &Benchmark, wanted: &[&str]) -> Result<(), Failure> {
    needs::ensure_tools("bench", benchmark.tools)?;
    if let Err(failure) = needs::ensure_tools("bench", benchmark.peers) {
        eprintln!("some measurements are skipped: {failure}");
    }
    let Benchmark { package, name, .. } = benchmark;
    let mut call = vec!["bench", "--package", package, "--bench", name, "--"];
    call.extend(wanted);
    if cargo::run(&call)? {
        Ok(())
    } else {
        Err(Failure::failed(format!("the benchmark {name} failed")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_groups_are_those_of_the_benchmarks() {
        for Benchmark { package, name, groups, .. } in BENCHMARKS {
            let folder = if *package == "crosstalk" { "host" } else { "tests" };
            let program = format!("{folder}/benches/{name}/main.rs");
            let program = tools::workspace_root().join(program);
            let program = std::fs::read_to_string(program).unwrap();
            for group in *groups {
                assert!(program.contains(&format!("\"{group}\"")), "{name} has no {group}");
            }
        }
    }
}
