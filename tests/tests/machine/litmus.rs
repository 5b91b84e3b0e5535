//! Litmus shapes over thousands of schedules: nothing that sequential consistency forbids.

use border::End;
use config::Config;
use cosim::machine::Options;
use firmware::suites;
use std::io;

use crosstalk_tests::machine::setup::{self, Bench};

/// Schedules of each shape.
const SEEDS: u64 = 200;
/// Rounds in each: a run is a few hundred cycles beside its start.
const ROUNDS: u32 = 3;
/// As many outcomes as a shape counts.
const OUTCOMES: u32 = 16;

#[test]
fn no_schedule_shows_what_sequential_consistency_forbids() {
    let bench = Bench::of(Config::default());
    for suite in suites::ALL.iter().filter(|suite| suite.group == "litmus") {
        let program = setup::program(suite, &bench.config);
        let rounds = program.symbol("rounds").unwrap();
        let outcomes = program.symbol("outcomes").unwrap();
        let mut seen = [0; OUTCOMES as usize];
        for seed in 1..=SEEDS {
            let options = || Options {
                limit: Some(100_000),
                // Every so often the golden machine looks on.
                lockstep: seed % 8 == 0,
                patches: vec![(rounds, ROUNDS)],
                ..Options::default()
            };
            let mut outcome = bench.run(&program, seed, &mut io::sink(), &options);
            assert!(
                matches!(outcome.end, End::Exit { code: 0, .. }),
                "{}, seed {seed}: {:?} (16 and more: that outcome is forbidden)",
                suite.name,
                outcome.end
            );
            for (number, count) in seen.iter_mut().enumerate() {
                *count += outcome.soc.peek_word(outcomes + 4 * number as u32).unwrap();
            }
        }
        println!("{:20} {seen:?}", suite.name);
        assert_eq!(seen.iter().sum::<u32>(), ROUNDS * SEEDS as u32, "{}", suite.name);
        let different = seen.iter().filter(|count| **count > 0).count();
        assert!(different > 1, "{}: the schedules do not differ: {seen:?}", suite.name);
    }
}
