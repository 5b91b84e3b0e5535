//! The hardware language beside its peers: what `cargo xtask bench` prints.
//!
//! Every figure stands beside the one it is compared with, measured in the same run, turn by turn,
//! so that what else the machine is doing meets both. Nothing here fails because of a time: a limit
//! that is missed is said to be.

#![forbid(unsafe_code)]

mod amaranth;
mod circuits;
mod elaboration;
mod kaze_fifo;
mod scaling;
mod simulation;

use measure::command::{self, Group};

const GROUPS: [Group; 4] = [
    Group { name: "amaranth", measure: elaboration::beside_amaranth },
    Group { name: "kaze", measure: elaboration::beside_kaze },
    Group { name: "scaling", measure: scaling::measure },
    Group { name: "simulation", measure: simulation::measure },
];

fn main() {
    if std::env::args().any(|argument| argument == scaling::WORKER) {
        return scaling::work();
    }
    command::run(&GROUPS);
}
