//! The machine: simulated beside a bare loop in C++ and beside another version of itself, what draining its tables
//! costs, and how many cycles the instructions of one hart take. What
//! `cargo xtask bench` prints.
//!
//! Where speeds are compared, both sides run the same Verilog and the same program from reset for the same
//! cycles, serve its memory and leave the same memory behind. Nothing here fails because of a time: a
//! limit that is missed is said to be.

#![forbid(unsafe_code)]

mod against;
mod bare;
#[path = "../cosim/build.rs"]
#[allow(dead_code, reason = "shared with another benchmark, which uses all of it")]
mod build;
mod coremark;
mod drain;
mod handler;
mod loops;
#[path = "../cosim/peer.rs"]
mod peer;
mod single_hart;
mod speed;
#[path = "../cosim/verilated.rs"]
mod verilated;

use measure::command::{self, Group};

const GROUPS: [Group; 5] = [
    Group { name: "machine-speed", measure: speed::measure },
    Group { name: "machine-loops", measure: loops::measure },
    Group { name: "machine-drain", measure: drain::measure },
    Group { name: "single-hart", measure: single_hart::measure },
    Group { name: "coremark", measure: coremark::measure },
];

fn main() {
    command::run(&GROUPS);
}
