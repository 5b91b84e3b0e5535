//! Breakpoints on the hardware, with the golden machine beside it (docs/machine.md §12).

use border::breakpoint::Event;
use border::{End, Program};
use config::{Breakpoints, Config};
use cosim::machine::{Observed, Options};
use firmware::suites;
use kit::Dice;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::sync::{Arc, Mutex};

use crosstalk_tests::machine::breakpoints::{Counter, table};
use crosstalk_tests::machine::random;
use crosstalk_tests::machine::setup::{self, Bench};

fn with_breakpoints(config: Config) -> Config {
    Config { harts: 2, breakpoints: Breakpoints { entries: 4 }, ..config }
}

fn happened(counter: &Counter, event: Event) -> u64 {
    counter.tally()[event as usize]
}

#[test]
fn random_tables_agree_with_the_golden_machine() {
    let bench = Bench::of(with_breakpoints(Config::default()));
    let counter = Counter::default();
    let mut compared = 0;
    for seed in 1..17 {
        let Config { harts, breakpoints, .. } = bench.config;
        let program = random::together(seed, harts);
        let devices = table(&mut Dice::new(seed), breakpoints.entries, harts, &program);
        let options = || {
            counter.on(Options {
                limit: Some(100_000),
                lockstep: true,
                devices: devices.clone(),
                ..Options::default()
            })
        };
        let schedule = if seed % 2 == 0 { 0 } else { seed };
        let outcome = bench.run(&program, schedule, &mut io::sink(), &options);
        assert_eq!(outcome.end, End::CycleLimit, "random program {seed}");
        compared += outcome.cycles;
    }
    println!("{compared} cycles in lockstep: {:?}", counter.tally());
    for event in Event::ALL {
        assert!(happened(&counter, event) > 10, "{event:?}: the tables are too tame");
    }
}

/// Everything that the machine exports but for breakpoints, as one number.
fn exports(bench: &Bench, program: &Program, seed: u64) -> (u64, u64) {
    let hash = Arc::new(Mutex::new(DefaultHasher::new()));
    let options = || {
        let hash = hash.clone();
        let note = move |_, observed: &Observed<'_>| {
            let hasher = &mut *hash.lock().expect("no panic");
            for hart in 0..observed.harts() {
                if let Some(hit) = observed.hit(hart) {
                    format!("{hart} {hit:?}").hash(hasher);
                }
                if let Some(record) = observed.retired(hart) {
                    format!("{hart} {record:?}").hash(hasher);
                }
            }
            if let Some(grant) = observed.bus() {
                format!("{grant:?} {:?}", observed.tap()).hash(hasher);
            }
            0_u8.hash(hasher);
        };
        Options {
            monitor: Some(program.text.clone()),
            limit: Some(2_000_000),
            observer: Some(Box::new(note)),
            ..Options::default()
        }
    };
    let outcome = bench.run(program, seed, &mut io::sink(), &options);
    assert_eq!(outcome.end, End::Exit { code: 0 }, "{}", program.path.display());
    let hash = hash.lock().expect("no panic").finish();
    (outcome.cycles, hash)
}

#[test]
fn a_machine_with_unarmed_breakpoints_exports_what_one_without_does() {
    let config = with_breakpoints(Config::default());
    let without = Config { breakpoints: Breakpoints::default(), ..config.clone() };
    let (with, without) = (Bench::of(config), Bench::of(without));
    let all = std::env::var_os("CROSSTALK_EVERY_SUITE").is_some();
    let few = ["lock", "console", "amo", "mutex"];
    let mut compared = 0;
    for suite in suites::ALL {
        if !all && !few.contains(&suite.name) {
            continue;
        }
        let program = setup::program(suite, &with.config);
        for seed in [0, 3] {
            let (one, other) = (exports(&with, &program, seed), exports(&without, &program, seed));
            assert_eq!(one, other, "{}, seed {seed}", suite.name);
            compared += one.0;
        }
    }
    println!("{compared} cycles compared");
    assert!(compared > 10_000);
}
