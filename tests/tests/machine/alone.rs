//! Every suite on the golden machine alone, under its own schedules.

use config::Config;
use firmware::suites::{self, Suite};
use golden::machine::{Limits, Machine, Segment, Stop};
use golden::memory::Parameters;

use crosstalk_tests::machine::setup;

/// Schedules of each suite.
const SEEDS: u64 = 8;

fn run(suite: &Suite, config: &Config, seed: u64) -> (Stop, Machine) {
    let program = setup::program(suite, config);
    let mut machine = Machine::new(&Parameters::of(config).unwrap(), seed);
    for segment in &program.segments {
        machine.load(Segment { address: segment.address, bytes: &segment.bytes }).unwrap();
    }
    machine.watch(program.tohost().unwrap().address);
    let stop = machine.run(Limits { instructions: 3_000_000 });
    (stop, machine)
}

#[test]
fn every_suite_passes_under_every_schedule() {
    let config = Config::default();
    let mut failed = Vec::new();
    for suite in suites::ALL {
        // It asks the host for more than the golden machine's host gives.
        if suite.name == "console" {
            continue;
        }
        for seed in 0..SEEDS {
            let (stop, machine) = run(suite, &config, seed);
            if stop != (Stop::Exit { code: 0 }) {
                let pcs: Vec<_> =
                    (0..4).map(|hart| format!("{:#x}", machine.hart(hart).pc())).collect();
                failed.push(format!(
                    "{}/{} seed {seed}: {stop:?} at {pcs:?}",
                    suite.group, suite.name
                ));
                break;
            }
        }
    }
    assert!(failed.is_empty(), "\n{}", failed.join("\n"));
}
