//! Hunts for rare failures: part of what `cargo xtask bench` prints.

#![forbid(unsafe_code)]

mod rare;

use measure::command::{self, Group};

const GROUPS: [Group; 1] = [Group { name: "hunt-rare", measure: rare::measure }];

fn main() {
    command::run(&GROUPS);
}
