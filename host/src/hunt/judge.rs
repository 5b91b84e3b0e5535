//! When a hunt is over, judged from a prefix of the seeds.

use super::HuntError;
use super::journal::Entry;
use super::levels::{BLOCK, Level};
use border::record::OutcomeCode;
use record::Label;

/// What a hunt looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The number of failing runs to look for.
    pub failing: u32,
    /// The number of passing runs to look for.
    pub passing: u32,
    /// The number of schedules to try at most.
    pub max_runs: u64,
    /// Stop once the failures are clearly deadlocks, which monitoring the thread library shows better.
    pub leave_deadlocks: bool,
}

impl Default for Goal {
    fn default() -> Self {
        Self { failing: 25, passing: 25, max_runs: 2000, leave_deadlocks: false }
    }
}

/// Why a collection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Enough runs of both labels were found.
    Enough,
    /// Enough failed, and nothing passed however little was perturbed.
    AlwaysFails,
    /// The failures are deadlocks.
    Deadlocks,
    /// The limit of schedules is reached.
    Limit,
}

/// After this many schedules the hunt checks whether the program suits it at all.
const FIRST_LOOK: usize = 8;
/// This many failures that are all deadlocks are no coincidence.
const DEADLOCKS: usize = 5;

/// Whether these entries, a prefix of the seeds, are all that is needed.
pub(super) fn judge(entries: &[Entry], goal: &Goal, perturbed: bool) -> Option<Stop> {
    let failing = || entries.iter().filter(|entry| entry.label() == Label::Failing);
    let failed = failing().count();
    let passed = entries.len() - failed;
    let enough_failed = failed >= goal.failing as usize;
    if enough_failed && passed >= goal.passing as usize {
        return Some(Stop::Enough);
    }
    let is_deadlock = |entry: &Entry| entry.ended == OutcomeCode::Deadlock;
    if goal.leave_deadlocks && failed == DEADLOCKS && failing().all(is_deadlock) {
        return Some(Stop::Deadlocks);
    }
    let at_least = entries.iter().filter(|entry| entry.level() == Level::LEAST).count() as u64;
    let tried_all = if perturbed { at_least >= BLOCK } else { entries.len() as u64 >= 4 * BLOCK };
    if enough_failed && passed == 0 && goal.passing > 0 && tried_all {
        return Some(Stop::AlwaysFails);
    }
    (entries.len() as u64 >= goal.max_runs).then_some(Stop::Limit)
}

/// Whether these first entries are of a program that a hunt can say something about.
pub(super) fn suits(entries: &[Entry]) -> Result<(), HuntError> {
    if entries.len() != FIRST_LOOK {
        return Ok(());
    }
    let refuse = |what: String| Err(HuntError::Refused(what));
    if entries.iter().all(|entry| entry.ended == OutcomeCode::CycleLimit) {
        let cycles = entries[0].cycles;
        return refuse(format!(
            "none of the first {FIRST_LOOK} schedules ended within {cycles} cycles; if the \
             program ends at all, raise --max-cycles or give it less to do"
        ));
    }
    if !entries.iter().any(|entry| entry.threads) {
        let same = entries.iter().all(|entry| entry.outcome == entries[0].outcome);
        if same && entries[0].label() == Label::Failing {
            return refuse(format!(
                "the first {FIRST_LOOK} schedules all ended before a second thread touched shared memory, and in \
                 the same way: {}; a hunt needs a program whose threads share something",
                entries[0].outcome
            ));
        }
        return refuse(format!(
            "in the first {FIRST_LOOK} schedules no second thread touched shared memory; a hunt needs a \
             program with threads"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(labels: &[Label]) -> Vec<Entry> {
        let entry = |(place, label): (usize, &Label)| {
            Entry::new(place as u64 + 1, Level::CONFIGURED, *label, OutcomeCode::Exit)
        };
        labels.iter().enumerate().map(entry).collect()
    }

    const GOAL: Goal = Goal { failing: 2, passing: 3, max_runs: 400, leave_deadlocks: false };
    const F: Label = Label::Failing;
    const P: Label = Label::Passing;

    #[test]
    fn a_hunt_ends_with_the_first_prefix_that_has_enough_of_both() {
        let all = entries(&[P, F, P, F, F, P, P]);
        let ended = (0..=all.len()).find(|count| judge(&all[..*count], &GOAL, true).is_some());
        assert_eq!(ended, Some(6));
        assert_eq!(judge(&all[..6], &GOAL, true), Some(Stop::Enough));
    }

    #[test]
    fn at_the_limit_of_schedules_it_ends_with_what_there_is() {
        let goal = Goal { max_runs: 3, ..GOAL };
        assert_eq!(judge(&entries(&[P, P, P]), &goal, true), Some(Stop::Limit));
        assert_eq!(judge(&entries(&[P, P]), &goal, true), None);
    }

    #[test]
    fn what_always_fails_is_given_up_when_the_least_perturbation_did_not_help() {
        let mut all = entries(&[F; 96]);
        assert_eq!(judge(&all, &GOAL, true), None);
        all.extend((97..=128).map(|seed| Entry::new(seed, Level::LEAST, F, OutcomeCode::Exit)));
        assert_eq!(judge(&all, &GOAL, true), Some(Stop::AlwaysFails));
        assert_eq!(judge(&entries(&[F; 128]), &GOAL, false), Some(Stop::AlwaysFails));
        let failing_only = Goal { passing: 0, ..GOAL };
        assert_eq!(judge(&entries(&[F; 2]), &failing_only, true), Some(Stop::Enough));
    }

    #[test]
    fn deadlocks_are_left_only_where_that_is_wanted() {
        let all: Vec<_> = (1..=5)
            .map(|seed| Entry::new(seed, Level::CONFIGURED, F, OutcomeCode::Deadlock))
            .collect();
        let goal = Goal { failing: 25, leave_deadlocks: true, ..GOAL };
        assert_eq!(judge(&all, &goal, true), Some(Stop::Deadlocks));
        assert_eq!(judge(&all, &Goal { leave_deadlocks: false, ..goal }, true), None);
        let mut mixed = all.clone();
        mixed[2].ended = OutcomeCode::Assertion;
        assert_eq!(judge(&mixed, &goal, true), None);
    }

    #[test]
    fn a_program_that_does_not_suit_is_refused_in_a_sentence() {
        let mut endless: Vec<_> = (1..=8)
            .map(|seed| Entry::new(seed, Level::CONFIGURED, F, OutcomeCode::CycleLimit))
            .collect();
        endless[0].cycles = 99;
        let refused = suits(&endless).unwrap_err().to_string();
        assert!(
            refused.contains("within 99 cycles") && refused.contains("--max-cycles"),
            "{refused}"
        );
        let mut alone = entries(&[P; 8]);
        suits(&alone).unwrap();
        alone.iter_mut().for_each(|entry| entry.threads = false);
        let refused = suits(&alone).unwrap_err().to_string();
        assert!(refused.ends_with("a hunt needs a program with threads"), "{refused}");
        suits(&alone[..7]).unwrap();
    }
}
