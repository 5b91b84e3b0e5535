//! How many harts a program needs: one for each of its live threads.
//!
//! Only the program knows, and only by running it: the firmware ends a run at the first thread that finds no hart, and
//! names the number that would do. A few runs on the golden machine, which take no time and build nothing, show that
//! number before a machine is built; should a later schedule have more threads alive at once, the hunt starts over.

use super::golden::Look;
use super::{Golden, HuntError, Setup, Subject, Tail};
use border::host_call::MAX_HARTS;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use record::End;

/// The firmware's exit code for programs with more threads than harts.
const MORE_THREADS_THAN_HARTS: i32 = 125;
/// Runs of a first look: as many as the golden machine has strategies.
const LOOKS: u64 = 6;

/// What a first look at a program shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstLook {
    /// The number of harts that it needs, and at least that of the setup.
    pub harts: u32,
    /// Whether a second thread accessed memory; without a golden model of the machine, assumed.
    pub threads: bool,
}

impl FirstLook {
    /// Looks at a program on the golden machine. If `more` harts may be added, as many are as it needs.
    ///
    /// # Errors
    /// If it needs more harts than there are, or the firmware is at fault.
    pub fn at(subject: &Subject, setup: &Setup, more: bool) -> Result<Self, HuntError> {
        let mut setup = setup.clone();
        loop {
            match Self::with(subject, &setup) {
                Err(HuntError::Harts { needed: Some(needed), .. }) if more => {
                    setup.config.harts = needed;
                }
                // What is not modeled cannot be looked at.
                Err(HuntError::Machine(_)) => {
                    return Ok(Self { harts: setup.config.harts, threads: true });
                }
                looked => return looked,
            }
        }
    }

    fn with(subject: &Subject, setup: &Setup) -> Result<Self, HuntError> {
        let golden = Golden::unlearned(subject.load(setup)?)?;
        let looks: Vec<Result<Look, HuntError>> =
            (0..LOOKS).into_par_iter().map(|seed| golden.look(seed)).collect();
        let mut threads = false;
        for seen in looks {
            let seen = seen?;
            check(&seen.end, &seen.errors).map_err(|error| error.of(&subject.name))?;
            threads |= seen.threads;
        }
        Ok(Self { harts: setup.config.harts, threads })
    }
}

/// The harts to start over with when a schedule needs more than a machine has: twice as many, since each number of them
/// is a machine to build.
pub(super) fn after(harts: u32, needed: u32) -> u32 {
    needed.max((2 * harts).min(MAX_HARTS))
}

/// A program with too many threads never gets to its bug: that is no failure of a schedule.
pub(super) fn check(end: &End, errors: &Tail) -> Result<(), HuntError> {
    if *end != (End::Exit { code: MORE_THREADS_THAN_HARTS }) {
        return Ok(());
    }
    let errors = errors.text();
    let Some(line) = errors.lines().rev().find(|line| line.contains("live threads")) else {
        return Ok(());
    };
    let sentence = line.strip_prefix("crosstalk: ").unwrap_or(line).to_owned();
    let needed = sentence.rsplit_once("--harts ").and_then(|(_, number)| number.parse().ok());
    Err(HuntError::Harts { sentence, needed })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Tail {
        Tail::from(text.as_bytes().to_vec())
    }

    #[test]
    fn the_firmware_names_the_number_that_would_do() {
        let end = End::Exit { code: MORE_THREADS_THAN_HARTS };
        let few = said(
            "crosstalk: the program has 5 live threads but the machine has 4 harts for them; run it with --harts 5\n",
        );
        let Err(HuntError::Harts { needed, .. }) = check(&end, &few) else { panic!("too few") };
        assert_eq!(needed, Some(5));
        let none = said(
            "crosstalk: the program has 17 live threads but the machine has 16 harts for them; 17 would be more than \
             the largest machine has\n",
        );
        let error = check(&end, &none).unwrap_err();
        assert!(matches!(error, HuntError::Harts { needed: None, .. }));
        assert!(error.to_string().ends_with("than the largest machine has"), "{error}");
    }

    #[test]
    fn a_hunt_that_starts_over_does_so_a_few_times_at_most() {
        assert_eq!([after(1, 2), after(4, 5), after(4, 9), after(9, 10)], [2, 8, 9, 16]);
    }

    #[test]
    fn other_ends_are_the_programs_own() {
        let text = "crosstalk: the program has 5 live threads; run it with --harts 5";
        check(&End::Exit { code: 1 }, &said(text)).unwrap();
        check(&End::Exit { code: MORE_THREADS_THAN_HARTS }, &said("out of luck")).unwrap();
    }
}
