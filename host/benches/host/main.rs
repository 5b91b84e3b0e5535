//! The host tool beside a straightforward version in Python: part of what `cargo xtask bench` prints.
//!
//! Every measurement is a process of its own, so that its peak of memory is its own too. Nothing here
//! fails because of a time: a limit that is missed is said to be.

#![forbid(unsafe_code)]

mod analysis;
mod growth;
mod synthetic;
mod worker;

use measure::command::{self, Group};

const GROUPS: [Group; 2] = [
    Group { name: "host-analysis", measure: analysis::measure },
    Group { name: "host-growth", measure: growth::measure },
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == worker::WORKER) {
        return worker::work(&arguments[1..]);
    }
    command::run(&GROUPS);
}
