//! Cost for each node of elaboration, checks and Verilog, as circuits grow.
//!
//! Measured in a process of its own, twice. A small circuit finds the memory that the one before it
//! left; that of a large one goes back to the system in between and is fetched again page by page,
//! which takes a good part of the time. The limit holds with that. A second process, told to keep its
//! memory, shows what the work alone costs.

use std::process::Command;

use crate::circuits::{elaborated, nodes_of, pipeline};
use measure::report::{Limit, Report, Row, time};
use measure::timing::{median, seconds};

const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];
/// Turns in which every size does the same amount of work, after one that warms up.
const TURNS: usize = 7;

/// The argument that makes this program the process that measures.
pub const WORKER: &str = "--scaling-worker";

/// Circuits of a thousand to a million nodes, in one module each.
pub fn measure(report: &mut Report) {
    report.section("Cost for each node of elaboration, checks and Verilog");
    let limit = Some(Limit::AtMost(1.5));
    match costs(&[]) {
        Ok(costs) => {
            for (size, &cost) in SIZES.iter().zip(&costs) {
                report.row(row(format!("{size} nodes"), cost, least(&costs), None));
            }
            let what = "the largest cost beside the smallest".to_owned();
            report.row(row(what, most(&costs), least(&costs), limit));
        }
        Err(why) => report.missing("1000 to 1000000 nodes", &why, limit),
    }
    let what = "the same with memory kept in between";
    // Honored by the C library of Linux; others leave things as they are.
    let keep =
        ["MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_"].map(|name| (name, "4000000000"));
    match costs(&keep) {
        Ok(costs) => report.row(row(what.to_owned(), most(&costs), least(&costs), None)),
        Err(why) => report.missing(what, &why, None),
    }
}

fn least(costs: &[f64]) -> f64 {
    costs.iter().copied().fold(f64::INFINITY, f64::min)
}

fn most(costs: &[f64]) -> f64 {
    costs.iter().copied().fold(0.0, f64::max)
}

fn row(what: String, cost: f64, least: f64, limit: Option<Limit>) -> Row {
    Row {
        what,
        ours: format!("{} a node", time(cost)),
        peer: format!("{} a node", time(least)),
        ratio: Some(cost / least),
        limit,
    }
}

/// What a process with this environment finds: seconds a node, for each size.
fn costs(environment: &[(&str, &str)]) -> Result<Vec<f64>, String> {
    let failed = |error: std::io::Error| format!("the measuring process: {error}");
    let program = std::env::current_exe().map_err(failed)?;
    let mut command = Command::new(program);
    command.arg(WORKER).envs(environment.iter().copied()).stderr(std::process::Stdio::inherit());
    let output = command.output().map_err(failed)?;
    let text = String::from_utf8_lossy(&output.stdout);
    let costs: Vec<f64> = text.lines().filter_map(|line| line.parse().ok()).collect();
    if costs.len() == SIZES.len() { Ok(costs) } else { Err("the measuring process failed".into()) }
}

/// Measures and prints the seconds a node, one line for each size.
pub fn work() {
    let mut samples = SIZES.map(|_| Vec::new());
    for turn in 0..=TURNS {
        match turn {
            0 => eprintln!("scaling: warming up"),
            turn => eprintln!("scaling: turn {turn} of {TURNS}"),
        }
        for (size, samples) in SIZES.iter().zip(&mut samples) {
            let circuit = pipeline(*size);
            let nodes = nodes_of(&elaborated(circuit.clone()));
            let repetitions = SIZES[SIZES.len() - 1] / size;
            let run = || drop(elaborated(circuit.clone()).verilog(&["A measurement."]));
            let total = seconds(|| (0..repetitions).for_each(|_| run()));
            if turn > 0 {
                samples.push(total / (repetitions * nodes) as f64);
            }
        }
    }
    samples.map(median).iter().for_each(|cost| println!("{cost:e}"));
}
