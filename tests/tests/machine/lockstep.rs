//! Every suite on the hardware, with the golden machine beside it.

use config::Config;
use firmware::suites;

use crosstalk_tests::machine::setup::{self, Bench};

#[test]
fn every_suite_passes_in_lockstep() {
    let bench = Bench::of(Config::default());
    let mut cycles = 0;
    for suite in suites::ALL {
        let program = setup::program(suite, &bench.config);
        for seed in [0, 1, 0x5eed] {
            cycles += bench.passes(suite.name, &program, seed, true);
        }
    }
    println!("{cycles} cycles in lockstep");
}

#[test]
fn a_seed_always_gives_the_same_run_and_another_seed_another() {
    let bench = Bench::of(Config::default());
    let suite = suites::named("multi", "lock").unwrap();
    let program = setup::program(&suite, &bench.config);
    let cycles = |seed| bench.passes(suite.name, &program, seed, false);
    assert_eq!(cycles(7), cycles(7));
    assert_eq!(cycles(0), cycles(0));
    let different: std::collections::BTreeSet<_> = (0..8).map(cycles).collect();
    assert!(different.len() > 4, "{different:?}");
}

#[test]
fn what_a_program_prints_arrives() {
    let bench = Bench::of(Config::default());
    for (name, text) in [("console", "hello\nhart\n"), ("devices", "devices answer\n")] {
        let program = setup::program(&suites::named("machine", name).unwrap(), &bench.config);
        let mut console = Vec::new();
        bench.run(&program, 0, &mut console, &Default::default);
        assert_eq!(String::from_utf8(console).unwrap(), text);
    }
}
