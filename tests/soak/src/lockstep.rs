//! Programs on the hardware with the golden machine beside it: every instruction and every transaction must be
//! the same.

use crate::{Round, Tried};
use border::{Drain, End};
use config::Config;
use cosim::machine::Options;
use crosstalk_tests::machine::random;
use crosstalk_tests::machine::setup::{self, Bench};
use firmware::{programs, suites};
use kit::Dice;
use std::io;

/// Machines that tests have no time to build.
pub const UNUSUAL: [&str; 7] = [
    "harts = 1",
    "harts = 16\nl1.data = { bytes = 256, ways = 2 }",
    "l1.line = 256\nl1.data = { bytes = 8192, ways = 16 }\nl1.instruction = { bytes = 8192, ways = 16 }",
    "harts = 5\nl1.data = { bytes = 64, ways = 2 }\nmetadata.update = 'first-write'\nct.depth = 7",
    "preset = 'baseline'\ntimestamp_bits = 0\nharts = 2",
    "harts = 3\nbreakpoints.entries = 3",
    "harts = 2\nsimulation = { ram_bytes = 131072, memory_latency = 1, perturbation.chance = 256 }",
];

/// Cycles of a random program, which never ends.
const CYCLES: u64 = 200_000;
/// The same on an unusual machine, of which some are large and all check their properties.
const UNUSUAL_CYCLES: u64 = 50_000;
/// Cycles after which a program that should end hangs.
const LONGEST: u64 = 5_000_000;

/// One round on the default machine: a few random programs, and as many suites and programs in C.
///
/// # Panics
/// If hardware and golden machine differ, with the cycle, the fields and a waveform.
pub fn usual(round: &Round<'_>) -> Result<Tried, String> {
    let bench = Bench::of(Config::default());
    let dice = &mut round.dice();
    let mut tried = Tried::default();
    for _ in 0..round.cases {
        tried += random_program(&bench, dice, CYCLES);
        tried += suite(&bench, dice);
        tried += threaded(&bench, dice)?;
    }
    Ok(tried)
}

/// One round on a machine that nobody would build.
///
/// # Panics
/// As [`usual`].
pub fn unusual(round: &Round<'_>) -> Result<Tried, String> {
    let dice = &mut round.dice();
    let text = dice.one_of(&UNUSUAL);
    let bench = Bench::checked(described(text)?);
    let mut tried = Tried::default();
    for _ in 0..round.cases {
        tried += random_program(&bench, dice, UNUSUAL_CYCLES);
    }
    Ok(tried)
}

/// Builds the unusual machines, which can take longer than running them.
///
/// # Errors
/// If a description is wrong.
///
/// # Panics
/// If a machine cannot be built.
pub fn prepare() -> Result<(), String> {
    for text in UNUSUAL {
        Bench::checked(described(text)?);
    }
    Ok(())
}

fn described(text: &str) -> Result<Config, String> {
    text.parse().map_err(|error: config::ConfigError| error.to_string())
}

fn random_program(bench: &Bench, dice: &mut Dice, cycles: u64) -> Tried {
    let seed = dice.roll();
    let (cycles, _) = random::compare(bench, seed..seed.saturating_add(1), cycles);
    Tried { cycles, programs: 1, ..Tried::default() }
}

fn suite(bench: &Bench, dice: &mut Dice) -> Tried {
    let suite = dice.one_of(suites::ALL);
    let program = setup::program(&suite, &bench.config);
    let cycles = bench.passes(suite.name, &program, dice.roll(), true);
    Tried { cycles, programs: 1, ..Tried::default() }
}

/// An ordinary threaded program, whose tables the firmware drains.
fn threaded(bench: &Bench, dice: &mut Dice) -> Result<Tried, String> {
    let name = dice.one_of(programs::ALL);
    let program = setup::threaded(name, &bench.config, |settings| {
        settings.drain = dice.one_of(&[Drain::Off, Drain::Watermark, Drain::Full]);
        settings.watermark = dice.below(64u32);
    });
    let options = || Options { limit: Some(LONGEST), lockstep: true, ..Options::default() };
    let seed = dice.roll();
    let outcome = bench.run(&program, seed, &mut io::sink(), &options);
    match outcome.end {
        End::Exit { code: 0, .. } => {
            Ok(Tried { cycles: outcome.cycles, programs: 1, ..Tried::default() })
        }
        end => Err(format!("`{name}` ended unexpectedly under schedule {seed}: {end:?}")),
    }
}
