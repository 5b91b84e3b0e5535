//! `cargo xtask coverage`: coverage of the generated Verilog by the tests of the units.

mod measured;
mod report;

use crate::failure::Failure;
use crate::{assurance, cargo, needs, out};
use measured::{Inside, Measured};
use std::fs;
use std::io::ErrorKind;
use tools::target_dir;

/// Environment variable that turns coverage on; `cosim::testing` reads it.
const VARIABLE: &str = "CROSSTALK_COVERAGE";

/// Measure line, branch and toggle coverage of the units' Verilog under their co-simulation tests.
///
/// Prints a table with a row for each unit, over all configurations that its tests build, then each
/// line of Verilog that was not reached, or never both ways. A line is covered when anything on it
/// was executed. Caches and bus are tested in the memory system, and their part of it counts for them; the
/// machine is counted under its programs in lockstep.
/// The data stays in the target folder under coverage/; the sums are written down in
/// docs/assurance.md.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask coverage                       all units
  cargo xtask coverage context_register      one")]
pub struct Args {
    /// Only these units
    #[arg(value_name = "UNIT")]
    units: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let names = units::names();
    if let Some(unknown) = args.units.iter().find(|unit| !names.contains(&unit.as_str())) {
        let known = names.join(", ");
        return Err(Failure::bad_input(format!(
            "unknown unit `{unknown}`; expected one of {known}"
        )));
    }
    needs::ensure("coverage", &[])?;
    let folder = target_dir().join("coverage");
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(Failure::failed(format!("{}: {error}", folder.display())));
        }
        _ => {}
    }
    let wanted = |unit: &&str| args.units.is_empty() || args.units.iter().any(|name| name == unit);
    let wanted: Vec<_> = names.iter().copied().filter(wanted).collect();
    for call in calls(&wanted) {
        let call: Vec<&str> = call.iter().map(String::as_str).collect();
        if !cargo::run_with(&call, &[(VARIABLE, folder.as_os_str())])? {
            return Err(Failure::failed("the tests fail, so their coverage is not valid"));
        }
    }
    let measured = Measured::read(&folder, &names, &INSIDE_MEMORY).map_err(Failure::failed)?;
    let compared = measured::compared(&folder).map_err(Failure::failed)?;
    out::line(report::text(&wanted, &measured).trim_end())?;
    assurance::update(|records| records.extend(report::records(&wanted, &measured)))?;
    assurance::update(|records| records.extend(compared))?;
    out::line(assurance::write()?)
}

/// The memory system, whose tests are a program of their own.
const MEMORY_SYSTEM: &str = "memory_system";
/// The units that are tested inside it.
const INSIDE_MEMORY: Inside = Inside { whole: MEMORY_SYSTEM, parts: &["l1_data", "bus"] };
/// The machine, whose tests are another program.
const MACHINE: &str = "soc";
/// The tests of it that are counted. Others compare machines with each other, or make thousands of short runs,
/// each of which would have to be counted.
const OF_MACHINE: [&str; 4] = ["lockstep::", "random::", "ends::", "configurations::"];

/// The cargo commands that run the tests of these units.
fn calls(wanted: &[&str]) -> Vec<Vec<String>> {
    let of_memory = |unit: &&str| *unit == MEMORY_SYSTEM || INSIDE_MEMORY.parts.contains(unit);
    let (of_memory, others): (Vec<&str>, Vec<&str>) = wanted.iter().copied().partition(of_memory);
    let (of_machine, alone): (Vec<&str>, Vec<&str>) =
        others.into_iter().partition(|unit| *unit == MACHINE);
    let call = |program: &str, filters: Vec<String>| {
        let call = ["test", "--package", "crosstalk-tests", "--test", program, "--"];
        call.into_iter().map(str::to_owned).chain(filters).collect::<Vec<_>>()
    };
    let mut calls = Vec::new();
    if !alone.is_empty() {
        // A unit's tests are in a module of its name.
        calls.push(call("units", alone.iter().map(|unit| format!("{unit}::")).collect()));
    }
    if !of_memory.is_empty() {
        calls.push(call(MEMORY_SYSTEM, Vec::new()));
    }
    if !of_machine.is_empty() {
        calls.push(call("machine", OF_MACHINE.map(str::to_owned).into()));
    }
    calls
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caches_and_bus_are_tested_in_the_memory_system_and_harts_in_the_machine() {
        let programs = |wanted: &[&str]| -> Vec<String> {
            calls(wanted).iter().map(|call| call[4..].join(" ")).collect()
        };
        assert_eq!(programs(&["signature"]), ["units -- signature::"]);
        assert_eq!(programs(&["bus"]), ["memory_system --"]);
        let machine = format!("machine -- {}", OF_MACHINE.join(" "));
        let all = ["units -- signature::", "memory_system --", &machine];
        assert_eq!(programs(&["soc", "l1_data", "signature", "bus"]), all);
    }
}
