//! `cargo xtask bench`: the measurements.

mod against;

use crate::failure::Failure;
use crate::{cargo, needs};
use clap::builder::PossibleValuesParser;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use tools::Tool;

/// Measure: elaboration beside Amaranth and kaze, cost per node, simulated cycles per second,
/// co-simulation beside a bare C++ loop, marlin and cocotb, the cost of draining the communication tables,
/// the host tool beside networkx, how soon a hunt finds a rare failure; and how many cycles the instructions of one
/// hart take, on programs of our own (single-hart) and on CoreMark.
///
/// Figures that are compared come from the same run. Run nothing else meanwhile.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask bench single-hart                       cycles, instructions and their ratio, for each program
  cargo xtask bench --coremark ~/coremark             CoreMark/MHz, from your own copy of its sources
  cargo xtask bench machine-speed --against v0.1      simulated cycles a second, beside another version's")]
pub struct Args {
    /// CoreMark, from the folder with your own copy of its sources (core_main.c and the others)
    #[arg(long, value_name = "DIR")]
    coremark: Option<PathBuf>,
    /// Compare simulation speed with the Verilog that another commit generates: measures machine-speed
    #[arg(long, value_name = "COMMIT")]
    against: Option<String>,
    /// Run only these groups of measurements; all by default
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

/// The group that needs a folder.
const COREMARK: &str = "coremark";
/// The group that can compare with another version.
const SPEED: &str = "machine-speed";
/// What the folder of CoreMark must have.
const COREMARK_FILES: [&str; 6] = [
    "core_list_join.c",
    "core_main.c",
    "core_matrix.c",
    "core_state.c",
    "core_util.c",
    "coremark.h",
];

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
        groups: &["machine-speed", "machine-loops", "machine-drain", "single-hart", COREMARK],
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
    let wanted = wanted(args)?;
    let mut options: Vec<OsString> = Vec::new();
    if let Some(folder) = &args.coremark {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
        options.extend(["--coremark".into(), folder.into_os_string()]);
    }
    if let Some(commit) = &args.against {
        let rtl = against::rtl(commit)?;
        options.extend(["--against".into(), rtl.into_os_string()]);
    }
    for benchmark in BENCHMARKS {
        let groups = wanted.iter().map(String::as_str);
        let groups: Vec<&str> = groups.filter(|group| benchmark.groups.contains(group)).collect();
        if !groups.is_empty() {
            measure(benchmark, &groups, &options)?;
        }
    }
    Ok(())
}

/// The groups to measure. Everything that is wrong with the question is told before anything is built.
fn wanted(args: &Args) -> Result<Vec<String>, Failure> {
    let mut wanted = args.groups.clone();
    let of_options = [(args.coremark.is_some(), COREMARK), (args.against.is_some(), SPEED)];
    for (_, group) in of_options.iter().filter(|(asked, _)| *asked) {
        if !wanted.iter().any(|name| name == group) {
            wanted.push((*group).to_owned());
        }
    }
    match &args.coremark {
        Some(folder) => check_coremark(folder)?,
        None if wanted.iter().any(|group| group == COREMARK) => {
            let sentence = "`coremark` needs the folder of its sources: --coremark DIR";
            return Err(Failure::bad_input(sentence));
        }
        None => {}
    }
    if wanted.is_empty() {
        let all = groups().into_iter().filter(|group| *group != COREMARK);
        wanted.extend(all.map(str::to_owned));
    }
    Ok(wanted)
}

/// The folder must have the sources.
fn check_coremark(folder: &Path) -> Result<(), Failure> {
    let shown = folder.display();
    if !folder.is_dir() {
        return Err(Failure::bad_input(format!("--coremark: `{shown}` is not a folder")));
    }
    let missing: Vec<&str> =
        COREMARK_FILES.into_iter().filter(|name| !folder.join(name).is_file()).collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(Failure::bad_input(format!(
            "--coremark: `{shown}` has no {}; expected the sources of CoreMark",
            missing.join(", ")
        ))),
    }
}

fn measure(benchmark: &Benchmark, groups: &[&str], options: &[OsString]) -> Result<(), Failure> {
    needs::ensure_tools("bench", benchmark.tools)?;
    if let Err(failure) = needs::ensure_tools("bench", benchmark.peers) {
        eprintln!("some measurements are skipped: {failure}");
    }
    let Benchmark { package, name, .. } = benchmark;
    let call = ["bench", "--package", package, "--bench", name, "--"];
    let call = call.iter().chain(groups).map(OsString::from);
    let call: Vec<OsString> = call.chain(options.iter().cloned()).collect();
    if cargo::run(&call)? {
        Ok(())
    } else {
        Err(Failure::failed(format!("the benchmark {name} failed")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(groups: &[&str], coremark: Option<&Path>) -> Args {
        let groups = groups.iter().map(|group| (*group).to_owned()).collect();
        Args { groups, coremark: coremark.map(Path::to_owned), against: None }
    }

    #[test]
    fn a_folder_without_coremark_is_told_with_what_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let said = |folder: &Path| wanted(&args(&[], Some(folder))).unwrap_err().to_string();
        for name in &COREMARK_FILES[..4] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let shown = folder.path().display();
        assert_eq!(
            said(folder.path()),
            format!(
                "--coremark: `{shown}` has no core_util.c, coremark.h; expected the sources of CoreMark"
            )
        );
        let nowhere = folder.path().join("nowhere");
        let shown = nowhere.display();
        assert_eq!(said(&nowhere), format!("--coremark: `{shown}` is not a folder"));
    }

    #[test]
    fn coremark_is_measured_only_where_its_sources_are() {
        assert!(!wanted(&args(&[], None)).unwrap().contains(&COREMARK.to_owned()));
        assert!(wanted(&args(&[COREMARK], None)).is_err());
        let ours = tools::workspace_root().join("firmware/tests/coremark-stand-in");
        assert_eq!(wanted(&args(&[], Some(&ours))).unwrap(), [COREMARK]);
        let firmware = tools::workspace_root().join("firmware/src/coremark.rs");
        let firmware = std::fs::read_to_string(firmware).unwrap();
        assert!(COREMARK_FILES.iter().all(|name| firmware.contains(&format!("{name:?}"))));
    }

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
