//! The Verilog of random circuits, as the tools that read it see it: no warnings, no waivers.

use crosstalk_tests::differ::{Differ, seed, specimens};
use crosstalk_tests::simulators::lint::{IcarusLint, VerilatorLint, YosysCheck};
use crosstalk_tests::simulators::{Icarus, Simulator, Yosys};

/// The circuits of the differential tests.
const CIRCUITS: usize = 1024;
const PACK: usize = 128;

fn holds(check: Result<impl Simulator + 'static, String>) {
    let check = check.unwrap_or_else(|missing| panic!("{missing}"));
    let simulators: [Box<dyn Simulator>; 1] = [Box::new(check)];
    let differ = Differ { simulators: &simulators, seed: seed(1), cycles: 1 };
    for first in (0..CIRCUITS).step_by(PACK) {
        let pack = specimens(differ.seed, first..first + PACK);
        differ.check(pack).unwrap_or_else(|report| panic!("{report}"));
    }
}

#[test]
fn verilator_has_no_warnings() {
    holds(VerilatorLint::new());
}

#[test]
fn yosys_accepts_it_and_its_checks_hold() {
    holds(Yosys::new().map(YosysCheck));
}

#[test]
fn icarus_accepts_it_without_warnings() {
    match Icarus::new() {
        Some(icarus) => holds(Ok(IcarusLint(icarus))),
        None => eprintln!("skipped: Icarus is not on the PATH (Debian package `iverilog`)"),
    }
}
