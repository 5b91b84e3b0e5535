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

use std::io::Write as _;

use crosstalk_tests::measure::report::Report;

/// One group of measurements, and the word that selects it.
struct Group {
    name: &'static str,
    measure: fn(&mut Report),
}

const GROUPS: [Group; 4] = [
    Group { name: "amaranth", measure: elaboration::beside_amaranth },
    Group { name: "kaze", measure: elaboration::beside_kaze },
    Group { name: "scaling", measure: scaling::measure },
    Group { name: "simulation", measure: simulation::measure },
];

fn main() {
    let mut json = false;
    let mut filters = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            // Cargo says that this is a benchmark.
            "--bench" => {}
            "--json" => json = true,
            scaling::WORKER => return scaling::work(),
            option if option.starts_with('-') => {
                eprintln!("no such option: {option}; there is --json, and names of groups");
                std::process::exit(2);
            }
            _ => filters.push(argument),
        }
    }
    let wanted = |name: &str| filters.is_empty() || filters.iter().any(|part| name.contains(part));
    let chosen: Vec<&Group> = GROUPS.iter().filter(|group| wanted(group.name)).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = GROUPS.iter().map(|group| group.name).collect();
        return eprintln!(
            "nothing here is called {}; there are: {}",
            filters.join(", "),
            names.join(", ")
        );
    }
    let mut report = Report::default();
    for group in chosen {
        eprintln!("measuring: {}", group.name);
        (group.measure)(&mut report);
    }
    let text = if json { report.json() } else { report.text() };
    // A reader that has seen enough, as `head` has, is no reason to complain.
    let _ = writeln!(std::io::stdout(), "{text}");
}
