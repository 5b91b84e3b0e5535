//! Monitoring costs nothing: the same program takes the same cycles with and without monitors.

use border::End;
use config::{Config, Preset};
use cosim::machine::Options;
use firmware::suites;
use std::io;

use crosstalk_tests::machine::setup::{self, Bench};

#[test]
fn cycle_counts_with_the_monitor_on_equal_those_of_baseline() {
    let (monitored, baseline) =
        (Bench::of(Config::default()), Bench::of(Preset::Baseline.config()));
    let mut edges = 0;
    for suite in suites::ALL {
        // These look whether there is a monitor.
        if matches!(suite.name, "devices" | "table" | "handover") {
            continue;
        }
        let program = setup::program(suite, &monitored.config);
        for seed in [0, 3] {
            // The filter is written before the start on both: baseline ignores it.
            let options = || Options {
                monitor: Some(program.text.clone()),
                collect: true,
                limit: Some(2_000_000),
                ..Options::default()
            };
            let with = monitored.run(&program, seed, &mut io::sink(), &options);
            let without = baseline.run(&program, seed, &mut io::sink(), &options);
            assert!(
                matches!(with.end, End::Exit { code: 0, .. }),
                "{}: {:?}",
                suite.name,
                with.end
            );
            assert_eq!(with.end, without.end, "{}, seed {seed}", suite.name);
            assert_eq!(with.cycles, without.cycles, "{}, seed {seed}", suite.name);
            assert_eq!(without.edges, []);
            edges += with.edges.len();
        }
    }
    assert!(edges > 10_000, "{edges} edges: the monitors were not on");
}
