//! Co-simulation beside a bare loop in C++ and beside its peers: what `cargo xtask bench` prints.
//!
//! Every side runs the same Verilog of `comm_monitor` in the default configuration with the same
//! inputs, and says what it saw as one number, which must be the same. The sides are measured turn by
//! turn, each in processor time, so that what else the machine is doing meets all of them. Nothing
//! here fails because of a time: a limit that is missed is said to be.

#![forbid(unsafe_code)]

mod bare;
mod build;
mod cocotb;
mod harness;
mod marlin;
mod monitor;
mod peer;
mod ports;
mod stimulus;

use crosstalk_tests::measure::report::Report;

/// The words that select what stands beside our harness; all begin like this benchmark.
const NAMES: [&str; 3] = ["cosim-bare", "cosim-marlin", "cosim-cocotb"];

fn main() {
    let mut json = false;
    let mut filters = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            // Cargo says that this is a benchmark.
            "--bench" => {}
            "--json" => json = true,
            option if option.starts_with('-') => {
                eprintln!("no such option: {option}; there is --json, and names of groups");
                std::process::exit(2);
            }
            _ => filters.push(argument),
        }
    }
    let wanted = |name: &str| filters.is_empty() || filters.iter().any(|part| name.contains(part));
    let chosen = NAMES.map(wanted);
    if !chosen.contains(&true) {
        let (filters, names) = (filters.join(", "), NAMES.join(", "));
        return eprintln!("nothing here is called {filters}; there are: {names}");
    }
    let mut report = Report::default();
    eprintln!("measuring: cosim");
    monitor::measure(&mut report, chosen);
    if json { report.print_json() } else { report.print() }
}
