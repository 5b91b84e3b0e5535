//! The machine: simulated beside a bare loop in C++, and what draining its tables costs. What
//! `cargo xtask bench` prints.
//!
//! Where speeds are compared, both sides run the same Verilog and the same program from reset for the same
//! cycles, serve its memory and leave the same memory behind. Nothing here fails because of a time: a
//! limit that is missed is said to be.

#![forbid(unsafe_code)]

mod bare;
#[path = "../cosim/build.rs"]
#[allow(dead_code, reason = "shared with another benchmark, which uses all of it")]
mod build;
mod drain;
mod handler;
mod loops;
#[path = "../cosim/peer.rs"]
mod peer;
mod speed;
#[path = "../cosim/verilated.rs"]
mod verilated;

use measure::command::Wanted;
use measure::report::Report;

/// The words that select what is measured; all begin like this benchmark.
const NAMES: [&str; 3] = ["machine-speed", "machine-loops", "machine-drain"];

fn main() {
    let wanted = Wanted::of(&NAMES);
    let mut report = Report::default();
    if wanted.has(NAMES[0]) {
        speed::measure(&mut report);
    }
    if wanted.has(NAMES[1]) {
        loops::measure(&mut report);
    }
    if wanted.has(NAMES[2]) {
        drain::measure(&mut report);
    }
    wanted.print(&report);
}
