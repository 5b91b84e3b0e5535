//! `cargo xtask coverage`: what the tests of the units reach of the generated Verilog.

mod measured;
mod report;

use crate::failure::Failure;
use crate::{cargo, out, setup};
use measured::Measured;
use std::fs;
use std::io::ErrorKind;
use tools::{Tool, target_dir};

/// The variable that makes tests count; `cosim::testing` reads it.
const VARIABLE: &str = "CROSSTALK_COVERAGE";

/// Measure line, branch and toggle coverage of the units' Verilog under their co-simulation tests.
///
/// Prints a table with a row for each unit, over all configurations that its tests build, then each
/// line of Verilog that was not reached, or never both ways. A line is covered when anything on it
/// was executed. The data stays in the target folder under coverage/.
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
            "no unit is called `{unknown}`; there are: {known}"
        )));
    }
    setup::ensure(&[Tool::Verilator])?;
    let folder = target_dir().join("coverage");
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(Failure::failed(format!("{}: {error}", folder.display())));
        }
        _ => {}
    }
    // A unit's tests are in a module of its name.
    let filters: Vec<_> = args.units.iter().map(|unit| format!("{unit}::")).collect();
    let mut call = vec!["test", "--package", "crosstalk-tests", "--test", "units", "--"];
    call.extend(filters.iter().map(String::as_str));
    if !cargo::run_with(&call, &[(VARIABLE, folder.as_os_str())])? {
        return Err(Failure::failed("the tests fail, so their coverage means nothing"));
    }
    let wanted = |unit: &&str| args.units.is_empty() || args.units.iter().any(|name| name == unit);
    let wanted: Vec<_> = names.iter().copied().filter(wanted).collect();
    let measured = Measured::read(&folder, &names).map_err(Failure::failed)?;
    out::line(report::text(&wanted, &measured).trim_end())
}
