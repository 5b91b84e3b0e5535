//! The machine in simulation beside a bare loop in C++: what `cargo xtask bench` prints.
//!
//! Both sides run the same Verilog and the same program from reset for the same cycles, serve its memory
//! and leave the same memory behind. Nothing here fails because of a time: a limit that is missed is said
//! to be.

#![forbid(unsafe_code)]

mod bare;
#[path = "../cosim/build.rs"]
#[allow(dead_code, reason = "shared with another benchmark, which uses all of it")]
mod build;
mod loops;
#[path = "../cosim/peer.rs"]
mod peer;
mod speed;
#[path = "../cosim/verilated.rs"]
mod verilated;

use measure::command::Wanted;
use measure::report::Report;

/// The words that select what is measured; all begin like this benchmark.
const NAMES: [&str; 2] = ["machine-speed", "machine-loops"];

fn main() {
    let wanted = Wanted::of(&NAMES);
    let mut report = Report::default();
    if wanted.has(NAMES[0]) {
        speed::measure(&mut report);
    }
    if wanted.has(NAMES[1]) {
        loops::measure(&mut report);
    }
    wanted.print(&report);
}
