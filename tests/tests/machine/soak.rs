//! As much lockstep as there is time for: `cargo xtask soak`.

use std::env;
use std::time::{Duration, Instant};

use config::Config;
use firmware::suites;

use crate::configurations;
use crate::random;
use crate::setup::{self, Bench};

#[test]
#[ignore = "runs for as long as it is told; `cargo xtask soak` does so"]
fn soak() {
    let minutes: f64 = env::var("CROSSTALK_SOAK_MINUTES")
        .ok()
        .and_then(|text| text.parse().ok())
        .expect("CROSSTALK_SOAK_MINUTES says how long");
    let bench = Bench::of(Config::default());
    let mut cycles = 0_u64;
    // Building these takes longer than running them, so they are no part of the time.
    for text in configurations::RARE {
        cycles += random::compare(&configurations::bench(text), 1..5, 50_000).0;
        println!("{cycles} cycles compared, the last of {text:?}");
    }
    let started = Instant::now();
    let mut round = 0_u64;
    while started.elapsed() < Duration::from_secs_f64(60.0 * minutes) {
        round += 1;
        cycles += random::compare(&bench, 8 * round..8 * round + 8, 200_000).0;
        for suite in suites::ALL.iter().filter(|suite| suite.harts > 1 || suite.group == "multi") {
            let program = setup::program(suite, &bench.config);
            cycles += bench.passes(suite.name, &program, round, true);
        }
        println!("{:>5.1} min  {cycles} cycles compared", started.elapsed().as_secs_f64() / 60.0);
    }
}
