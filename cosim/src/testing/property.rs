//! Random cases, each with its own seed, so that the seed alone reproduces a failure.

use std::any::type_name_of_val;
use std::cell::{Cell, RefCell};

use kit::random;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use super::{Disagreement, mutation};

/// Environment variable: the hexadecimal seed of the only case to run.
pub const SEED_VARIABLE: &str = "CROSSTALK_SEED";

/// Message of a case that found a disagreement.
const DISAGREEMENT: &str = "hardware and model differ";

/// Maximum attempts to shrink a failing case.
const SHRINKING: u32 = 4096;

/// Runs `cases` random cases, the same in every run, and returns the sum of their results:
/// the cycles compared. With [`SEED_VARIABLE`] set, runs the one case of that seed.
///
/// # Panics
/// If a case fails or panics, with the smallest case found, its report and its seed.
#[track_caller]
pub fn property<S: Strategy>(
    cases: u64,
    strategy: S,
    check: impl Fn(S::Value) -> Result<u64, Disagreement>,
) -> u64 {
    let name = test_name(&check);
    let seeds: Vec<u64> = match std::env::var(SEED_VARIABLE) {
        Ok(text) => vec![seed_from(&text)],
        // Each test has its own cases, the same in every run.
        Err(_) => (0..cases).map(|case| spread(spread(case) ^ hash(&name))).collect(),
    };
    let mut total = 0;
    for seed in seeds {
        let compared = one(seed, &name, &strategy, &check);
        // Mutants of another design are under test: no case compared anything.
        if compared == 0 && mutation::is_on() {
            break;
        }
        total += compared;
    }
    total
}

#[track_caller]
fn one<S: Strategy>(
    seed: u64,
    name: &str,
    strategy: &S,
    check: &impl Fn(S::Value) -> Result<u64, Disagreement>,
) -> u64 {
    let config = Config {
        cases: 1,
        failure_persistence: None,
        max_shrink_iters: SHRINKING,
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &rng_seed(seed));
    let mut runner = TestRunner::new_with_rng(config, rng);
    let cycles = Cell::new(0);
    let found = RefCell::new(None);
    let result = runner.run(strategy, |case| match check(case) {
        Ok(compared) => {
            cycles.set(compared);
            Ok(())
        }
        Err(disagreement) => {
            found.replace(Some(disagreement));
            Err(TestCaseError::fail(DISAGREEMENT))
        }
    });
    match result {
        Ok(()) => cycles.get(),
        Err(TestError::Abort(reason)) => panic!("cannot generate a case: {reason}"),
        Err(TestError::Fail(reason, smallest)) => {
            // The last failing case is the smallest; it may also have panicked.
            let disagreement = found.take().filter(|_| reason.message() == DISAGREEMENT);
            let report = match disagreement {
                Some(disagreement) => disagreement.report(),
                None => reason.message().to_owned(),
            };
            panic!(
                "{report}\nsmallest case: {smallest:x?}\n\
                 to repeat it: {SEED_VARIABLE}={seed:#x} cargo test {name}"
            )
        }
    }
}

/// Name of the test that contains a closure, as test runners print it: `fifo::is_a_queue` for
/// `units::fifo::is_a_queue::{{closure}}`.
fn test_name<T>(check: &T) -> String {
    let path = type_name_of_val(check);
    let parts: Vec<_> = path.split("::").skip(1).filter(|part| !part.starts_with('{')).collect();
    parts.join("::")
}

#[track_caller]
fn seed_from(text: &str) -> u64 {
    let digits = text.trim().trim_start_matches("0x");
    u64::from_str_radix(digits, 16).unwrap_or_else(|_| {
        panic!("{SEED_VARIABLE}={text} is not a seed; expected 0x and up to 16 hexadecimal digits")
    })
}

/// The seed of proptest's generator.
fn rng_seed(seed: u64) -> Vec<u8> {
    (0..4).flat_map(|place| spread(seed.wrapping_add(place)).to_le_bytes()).collect()
}

/// First random number of a seed.
fn spread(seed: u64) -> u64 {
    random::nth(0, seed.wrapping_add(1))
}

/// FNV-1a: stable across versions, unlike the standard library's hash.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_run_has_the_same_cases() {
        let cases = || {
            let seen = RefCell::new(Vec::new());
            let total = property(20, any::<u64>(), |case| {
                seen.borrow_mut().push(case);
                Ok(2)
            });
            assert_eq!(total, 40);
            seen.into_inner()
        };
        let first = cases();
        assert_eq!(first.len(), 20);
        assert_eq!(first, cases());
    }

    #[test]
    fn a_case_that_panics_is_made_smaller_and_reported_with_its_seed() {
        let failed = std::panic::catch_unwind(|| {
            property(50, 0..1000_u32, |case| {
                assert!(case < 10, "too large");
                Ok(1)
            })
        });
        let text = *failed.unwrap_err().downcast::<String>().unwrap();
        assert!(text.contains("too large"), "{text}");
        assert!(text.contains("smallest case: a\n"), "{text}");
        let name = "testing::property::tests::\
                    a_case_that_panics_is_made_smaller_and_reported_with_its_seed";
        assert!(text.ends_with(&format!(" cargo test {name}")), "{text}");
        let (_, seed) = text.split_once("CROSSTALK_SEED=0x").unwrap();
        let seed = seed_from(seed.split(' ').next().unwrap());
        let again = std::panic::catch_unwind(|| {
            one(seed, name, &(0..1000_u32), &|case| {
                assert!(case < 10, "too large");
                Ok(1)
            })
        });
        assert_eq!(*again.unwrap_err().downcast::<String>().unwrap(), text);
    }
}
