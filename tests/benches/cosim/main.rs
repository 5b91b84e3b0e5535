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
mod verilated;

use measure::command::Wanted;
use measure::report::Report;

/// The words that select what stands beside our harness; all begin like this benchmark.
const NAMES: [&str; 3] = ["cosim-bare", "cosim-marlin", "cosim-cocotb"];

fn main() {
    let wanted = Wanted::of(&NAMES);
    let mut report = Report::default();
    eprintln!("measuring: cosim");
    monitor::measure(&mut report, NAMES.map(|name| wanted.has(name)));
    wanted.print(&report);
}
