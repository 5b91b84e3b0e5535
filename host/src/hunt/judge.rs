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
    /// The program has threads: go on even if the first schedules show no communication.
    pub has_threads: bool,
}

impl Default for Goal {
    fn default() -> Self {
        let (leave_deadlocks, has_threads) = (false, false);
        Self { failing: 25, passing: 25, max_runs: 2000, leave_deadlocks, has_threads }
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
    /// The first schedules all reached the cycle limit.
    NeverEnds,
    /// In the first schedules no second thread did anything, and all ended alike: others will, too.
    NoThreads,
    /// The limit of schedules is reached.
    Limit,
}

/// After this many schedules the hunt checks whether more of them can tell more.
pub(super) const FIRST_LOOK: usize = 8;
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
    if let Some(stop) = first_look(entries, goal) {
        return Some(stop);
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

/// Whether these first entries, all alike, show that others would be as well.
fn first_look(entries: &[Entry], goal: &Goal) -> Option<Stop> {
    let first = entries.first().filter(|_| entries.len() == FIRST_LOOK)?;
    let alike = |entry: &Entry| entry.outcome == first.outcome && entry.label() == first.label();
    if !entries.iter().all(alike) {
        return None;
    }
    let alone = !goal.has_threads && !entries.iter().any(|entry| entry.threads);
    match first.ended {
        OutcomeCode::CycleLimit => Some(Stop::NeverEnds),
        _ => alone.then_some(Stop::NoThreads),
    }
}

/// Refuses a program that never failed and of which more schedules would show no more.
pub(super) fn suits(entries: &[Entry], stop: Stop) -> Result<(), HuntError> {
    let refuse = |what: String| Err(HuntError::Refused(what));
    if entries.iter().any(|entry| entry.label() == Label::Failing) {
        return Ok(());
    }
    match stop {
        Stop::NeverEnds => {
            let cycles = entries.first().map_or(0, |entry| entry.cycles);
            refuse(format!(
                "none of the first {FIRST_LOOK} schedules ended within {cycles} cycles; if the \
                 program ends at all, raise --max-cycles or give it less to do"
            ))
        }
        Stop::NoThreads => refuse(format!(
            "in the first {FIRST_LOOK} schedules no second thread touched shared memory; a hunt needs a \
             program with threads"
        )),
        Stop::Enough | Stop::AlwaysFails | Stop::Deadlocks | Stop::Limit => Ok(()),
    }
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

    const GOAL: Goal =
        Goal { failing: 2, passing: 3, max_runs: 400, leave_deadlocks: false, has_threads: false };
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

    /// The first schedules, all of which ended so.
    fn alike(label: Label, ended: OutcomeCode) -> Vec<Entry> {
        let seeds = 1..=FIRST_LOOK as u64;
        seeds.map(|seed| Entry::new(seed, Level::CONFIGURED, label, ended)).collect()
    }

    #[test]
    fn what_never_ends_is_given_up_early() {
        let goal = Goal { failing: 25, ..GOAL };
        let mut endless = alike(F, OutcomeCode::CycleLimit);
        assert_eq!(judge(&endless, &goal, true), Some(Stop::NeverEnds));
        assert_eq!(judge(&endless[..7], &goal, true), None);
        endless[3] = Entry::new(4, Level::CONFIGURED, P, OutcomeCode::CycleLimit);
        assert_eq!(judge(&endless, &goal, true), None, "what it prints tells them apart");
    }

    #[test]
    fn what_has_no_threads_is_given_up_early() {
        let goal = Goal { failing: 25, ..GOAL };
        for label in [F, P] {
            let mut alone = alike(label, OutcomeCode::Exit);
            assert_eq!(judge(&alone, &goal, true), None);
            alone.iter_mut().for_each(|entry| entry.threads = false);
            assert_eq!(judge(&alone, &goal, true), Some(Stop::NoThreads));
            assert_eq!(judge(&alone[..7], &goal, true), None);
            assert_eq!(judge(&alone, &Goal { has_threads: true, ..goal }, true), None);
            alone[3].outcome = "in another way".into();
            assert_eq!(judge(&alone, &goal, true), None, "the schedule matters");
        }
    }

    #[test]
    fn only_a_program_that_never_failed_is_refused() {
        let mut endless = alike(P, OutcomeCode::CycleLimit);
        endless[0].cycles = 99;
        let refused = suits(&endless, Stop::NeverEnds).unwrap_err().to_string();
        assert!(
            refused.contains("within 99 cycles") && refused.contains("--max-cycles"),
            "{refused}"
        );
        let refused = suits(&alike(P, OutcomeCode::Exit), Stop::NoThreads).unwrap_err().to_string();
        assert!(refused.ends_with("a hunt needs a program with threads"), "{refused}");
        for stop in [Stop::NeverEnds, Stop::NoThreads] {
            suits(&alike(F, OutcomeCode::CycleLimit), stop).unwrap();
        }
    }
}
