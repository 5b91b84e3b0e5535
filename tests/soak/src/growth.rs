//! Memory that must not grow: one long lockstep run, and the same run again and again.

use crate::{Round, Tried};
use border::Program;
use config::Config;
use cosim::machine::Options;
use crosstalk_tests::machine::random;
use crosstalk_tests::machine::setup::Bench;
use std::fs;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Cycles between two measurements of memory in a long run.
const STRETCH: u64 = 100_000;
/// Cycles of a run that is repeated.
const SHORT: u64 = 2_000;
/// Runs that are repeated, for each stretch of the long one.
const REPEATED: u32 = 20;
/// Kibibytes by which resident memory may differ: pages touched late, and what an allocator keeps.
const TOLERATED: u64 = 4096;

/// One round: `cases` stretches of a long run, then short ones.
///
/// # Panics
/// If hardware and golden machine differ.
pub fn round(round: &Round<'_>) -> Result<Tried, String> {
    let bench = Bench::of(Config::default());
    let program = random::program(round.seed, bench.config.harts);
    let mut tried = long(&bench, &program, round)?;
    tried += repeated(&bench, &program, round)?;
    Ok(tried)
}

/// Compares the memory after the first stretch with that at the end.
fn long(bench: &Bench, program: &Program, round: &Round<'_>) -> Result<Tried, String> {
    let cycles = STRETCH * u64::from(round.cases.max(2));
    let early = Arc::new(AtomicU64::new(0));
    let options = || {
        let early = early.clone();
        Options {
            limit: Some(cycles),
            lockstep: true,
            monitor: Some(program.text.clone()),
            observer: Some(Box::new(move |cycle, _| {
                if cycle == STRETCH {
                    early.store(resident().unwrap_or(0), Ordering::Relaxed);
                }
            })),
            ..Options::default()
        }
    };
    let outcome = bench.run(program, round.seed, &mut io::sink(), &options);
    let now = resident()?;
    check(early.load(Ordering::Relaxed), now, &format!("a run of {cycles} cycles"))?;
    Ok(Tried { cycles: outcome.cycles, programs: 1, ..Tried::default() })
}

/// Compares the memory after the first runs with that after the last.
fn repeated(bench: &Bench, program: &Program, round: &Round<'_>) -> Result<Tried, String> {
    let options = || Options {
        limit: Some(SHORT),
        lockstep: true,
        monitor: Some(program.text.clone()),
        ..Options::default()
    };
    let mut tried = Tried::default();
    let mut early = 0;
    let runs = REPEATED * round.cases.max(2);
    for number in 0..runs {
        let outcome = bench.run(program, u64::from(number), &mut io::sink(), &options);
        tried += Tried { cycles: outcome.cycles, programs: 1, ..Tried::default() };
        drop(outcome);
        if number == REPEATED {
            early = resident()?;
        }
    }
    check(early, resident()?, &format!("{runs} runs"))?;
    Ok(tried)
}

fn check(early: u64, late: u64, what: &str) -> Result<(), String> {
    if early == 0 {
        return Err(format!("cannot measure memory during {what}"));
    }
    match late.checked_sub(early) {
        Some(growth) if growth > TOLERATED => {
            Err(format!("memory grows during {what}: from {early} to {late} KiB"))
        }
        _ => Ok(()),
    }
}

/// Kibibytes of this process that are in memory and belong to no file: the model's code is dropped and
/// read again as the system likes.
fn resident() -> Result<u64, String> {
    let path = "/proc/self/status";
    let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.ok_or_else(|| format!("{path}: no line gives the memory in use"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_beyond_what_is_tolerated_is_found() {
        assert_eq!(check(1000, 1000 + TOLERATED, "x"), Ok(()));
        assert_eq!(check(9000, 10, "x"), Ok(()));
        let found = check(1000, 1001 + TOLERATED, "x").unwrap_err();
        assert_eq!(found, "memory grows during x: from 1000 to 5097 KiB");
        assert!(check(0, 10, "x").is_err());
        let before = resident().unwrap();
        let memory = vec![1_u8; 64 << 20];
        assert!(check(before, resident().unwrap(), "x").is_err(), "{}", memory.len());
    }
}
