//! Random circuits on which every simulator must agree, cycle by cycle.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crosstalk_tests::differ::{Differ, Report, seed, specimens};
use crosstalk_tests::simulators::{self, Icarus, Native, Simulator};

/// Circuits that go through every simulator: at least a thousand.
const CIRCUITS: usize = 1024;
/// Circuits in one model.
const PACK: usize = 128;
const CYCLES: usize = 96;

/// Checks packs on all cores; the first report, if there is any.
fn check(simulators: &[Box<dyn Simulator>], seed: u64, circuits: usize) -> Option<Report> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(None);
    let work = || {
        loop {
            let pack = next.fetch_add(1, Ordering::Relaxed);
            let numbers = pack * PACK..circuits.min((pack + 1) * PACK);
            if numbers.is_empty() || found.lock().expect("no panics").is_some() {
                return;
            }
            let differ = Differ { simulators, seed, cycles: CYCLES };
            if let Err(report) = differ.check(specimens(seed, numbers)) {
                found.lock().expect("no panics").get_or_insert(report);
            }
        }
    };
    let threads = thread::available_parallelism().map_or(2, usize::from);
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    found.into_inner().expect("no panics")
}

#[test]
fn a_thousand_random_circuits_agree_in_every_simulator() {
    let (simulators, skipped) = simulators::all().unwrap_or_else(|missing| panic!("{missing}"));
    skipped.iter().for_each(|line| eprintln!("skipped: {line}"));
    let seed = seed(1);
    if let Some(report) = check(&simulators, seed, CIRCUITS) {
        panic!("{report}");
    }
    let names: Vec<&str> = simulators.iter().map(|simulator| simulator.name()).collect();
    println!(
        "{CIRCUITS} circuits x {CYCLES} cycles agree in the reference, {}; seed {seed}",
        names.join(", ")
    );
}

#[test]
fn the_native_simulator_follows_the_documented_meaning_on_many_more_circuits() {
    let seed = seed(2);
    if let Some(report) = check(&[Box::new(Native)], seed, 4 * CIRCUITS) {
        panic!("{report}");
    }
}

/// Icarus reads the Verilog as its text says, and is the only other simulator that compiles none of it
/// to C++: cheap enough for circuits that the others never see.
#[test]
fn two_thousand_more_circuits_agree_in_icarus() {
    let Some(icarus) = Icarus::new() else {
        eprintln!("skipped: Icarus is not on the PATH (Debian package `iverilog`)");
        return;
    };
    let seed = seed(3);
    if let Some(report) = check(&[Box::new(icarus)], seed, 2 * CIRCUITS) {
        panic!("{report}");
    }
}
