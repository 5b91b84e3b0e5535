//! Opening a long run in the debugger, and going back over all of it: part of what `cargo xtask bench` prints.

#![forbid(unsafe_code)]

mod open;

use measure::command::{self, Group};

const GROUPS: [Group; 1] = [Group { name: "debugger-open", measure: open::measure }];

fn main() {
    command::run(&GROUPS);
}
