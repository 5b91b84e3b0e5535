//! Programs with firmware and runtime on the hardware, in lockstep with the golden machine.

#[path = "../machine/common.rs"]
#[allow(dead_code)]
mod common;
#[path = "../machine/counted.rs"]
mod counted;

use border::{Drain, End, Program};
use config::Config;
use cosim::Library;
use cosim::machine::{Machines, Options, Outcome, Run};
use counted::Pace;

const LIMIT: u64 = 3_000_000;

struct Bench {
    config: Config,
    library: Library,
}

impl Bench {
    fn of(config: Config) -> Self {
        let library = Machines::for_workspace().library(&config, false);
        Self { config, library: library.unwrap_or_else(|error| panic!("{error}")) }
    }

    /// Runs a program to its end, both machines agreeing; gives what it printed too.
    fn run(&self, program: Program, seed: u64) -> (Outcome, String) {
        let mut config = self.config.clone();
        config.simulation.seed = seed;
        let options =
            Options { limit: Some(LIMIT), lockstep: true, collect: true, ..Options::default() };
        let mut console = Vec::new();
        let run = Run::new(&self.library, &config, &program, options, &mut console);
        let outcome =
            run.and_then(Run::finish).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        (outcome, String::from_utf8(console).expect("text"))
    }
}

/// What arrived and what was lost is all that the tap showed. Gives how many edges there were.
#[track_caller]
fn check_record(outcome: &Outcome, what: &str) -> usize {
    assert!(matches!(outcome.end, End::Exit { code: 0, .. }), "{what}: {:?}", outcome.end);
    let run = record::Run::read(outcome.sent.records.as_slice()).expect("a sound record");
    let received: u64 = run.edges.iter().map(|total| u64::from(total.count)).sum();
    assert_eq!(received + run.lost_edges(), outcome.edges.len() as u64, "{what}");
    let lost = outcome.edges.iter().filter(|tap| tap.lost).count();
    assert_eq!(run.lost_edges(), lost as u64, "{what}");
    outcome.edges.len()
}

#[test]
fn programs_run_on_the_hardware_as_on_the_model() {
    let bench = Bench::of(Config::default());
    for (name, printed) in [
        ("producer_consumer", "consumed 80 items, sum 45560\n"),
        ("once_initialization", "built 1 time: 13 233 4181\n"),
        ("readers_writers", "both are 275 and 275, torn reads: 0\n"),
    ] {
        let file = common::link(&firmware::programs::source(name));
        for seed in [0, 11] {
            let what = format!("{name}, seed {seed}");
            let (outcome, console) = bench.run(file.clone(), seed);
            assert_eq!(console, printed, "{what}");
            check_record(&outcome, &what);
        }
    }
}

#[test]
fn every_drain_mode_works_on_the_hardware() {
    let bench = Bench::of(Config::default());
    let file = common::link(&common::test_source("hammer"));
    for drain in [Drain::Watermark, Drain::Full, Drain::Spare] {
        let file = common::with(file.clone(), |settings| {
            settings.drain = drain;
            settings.watermark = 4;
        });
        let (outcome, console) = bench.run(file, 3);
        assert_eq!(console, "done\n", "{drain:?}");
        assert!(check_record(&outcome, &format!("{drain:?}")) > 100);
    }
}

/// Three harts, so that one can be spare, and caches so large that nothing leaves them.
fn roomy(depth: u32) -> Config {
    Config { harts: 3, ..common::roomy(depth) }
}

#[test]
fn exactly_the_edges_counted_by_hand_arrive_from_the_hardware() {
    let pace = Pace { rounds: 10, turns: 60 };
    for depth in [4, 1024] {
        let bench = Bench::of(roomy(depth));
        for drain in [Drain::Watermark, Drain::Full, Drain::Spare] {
            let file = counted::program(pace, |settings| {
                settings.drain = drain;
                settings.watermark = 3;
            });
            for seed in [0, 5] {
                let what = format!("{drain:?}, {depth} entries, seed {seed}");
                let (outcome, _) = bench.run(file.clone(), seed);
                check_record(&outcome, &what);
                counted::check(&common::received(&outcome.sent.records), &file, pace, &what);
            }
        }
    }
}

#[test]
fn what_a_small_table_of_the_hardware_loses_is_counted() {
    // Two threads are faster than the spare hart that empties their tables.
    let file = common::with(common::link(&common::test_source("hammer")), |settings| {
        settings.drain = Drain::Spare;
        settings.arguments.push(b"two".to_vec());
    });
    let (outcome, _) = Bench::of(roomy(4)).run(file, 2);
    assert!(check_record(&outcome, "a spare hart") > 100);
    let lost = outcome.edges.iter().filter(|tap| tap.lost).count();
    assert!(lost > 0, "the table lost nothing, so the test says nothing of losses");
}
