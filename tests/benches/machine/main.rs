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

use measure::command::{self, Group};

const GROUPS: [Group; 3] = [
    Group { name: "machine-speed", measure: speed::measure },
    Group { name: "machine-loops", measure: loops::measure },
    Group { name: "machine-drain", measure: drain::measure },
];

fn main() {
    command::run(&GROUPS);
}
