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
    /// The number of cycles of all schedules together after which no other is begun: what bounds the time that a hunt
    /// takes without making it depend on clocks.
    pub max_cycles: u64,
    /// Stop once this many schedules failed, and all of them by deadlocks: those need no passing runs to compare with.
    pub leave_deadlocks: Option<u32>,
    /// The program has threads: go on even if the first schedules show no communication.
    pub has_threads: bool,
}

impl Default for Goal {
    fn default() -> Self {
        Self {
            failing: 25,
            passing: 25,
            max_runs: 2000,
            max_cycles: u64::MAX,
            leave_deadlocks: None,
            has_threads: false,
        }
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
    /// The limit of schedules, or of their cycles, is reached.
    Limit,
}

/// After this many schedules the hunt checks whether more of them can tell more.
pub(super) const FIRST_LOOK: usize = 8;
/// This many failures that are all deadlocks are no coincidence.
pub(super) const DEADLOCKS: u32 = 5;

/// What a prefix of the seeds has shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Schedules that were run.
    pub runs: u64,
    /// Those that failed.
    pub failing: u64,
    /// Those that failed by a deadlock.
    deadlocks: u64,
    /// Those at the least perturbation.
    least: u64,
    /// Cycles of all of them.
    cycles: u64,
    /// More than one hart communicated in some of them.
    threads: bool,
    /// How the first ended, and its label.
    first: Option<(OutcomeCode, String, Label)>,
    /// All ended as the first did.
    alike: bool,
}

impl Tally {
    /// Those that passed.
    pub fn passing(&self) -> u64 {
        self.runs - self.failing
    }

    /// Counts the next schedule.
    pub(super) fn add(&mut self, entry: &Entry) {
        let failed = entry.label() == Label::Failing;
        self.runs += 1;
        self.failing += u64::from(failed);
        self.deadlocks += u64::from(failed && entry.ended == OutcomeCode::Deadlock);
        self.least += u64::from(entry.level() == Level::LEAST);
        self.cycles += entry.cycles;
        self.threads |= entry.threads;
        self.alike = match &self.first {
            Some((_, outcome, label)) => {
                self.alike && *outcome == entry.outcome && *label == entry.label()
            }
            None => {
                self.first = Some((entry.ended, entry.outcome.clone(), entry.label()));
                true
            }
        };
    }

    /// Whether enough of both labels were found.
    pub(super) fn has_enough(&self, goal: &Goal) -> bool {
        self.failing >= goal.failing.into() && self.passing() >= goal.passing.into()
    }
}

/// Whether a prefix of the seeds is all that is needed.
pub(super) fn judge(seen: &Tally, goal: &Goal, perturbed: bool) -> Option<Stop> {
    if seen.has_enough(goal) {
        return Some(Stop::Enough);
    }
    if let Some(stop) = first_look(seen, goal) {
        return Some(stop);
    }
    let are_deadlocks = |failed: u32| [seen.failing, seen.deadlocks] == [u64::from(failed); 2];
    if goal.leave_deadlocks.is_some_and(are_deadlocks) {
        return Some(Stop::Deadlocks);
    }
    let tried_all = if perturbed { seen.least >= BLOCK } else { seen.runs >= 4 * BLOCK };
    let enough_failed = seen.failing >= goal.failing.into();
    if enough_failed && seen.passing() == 0 && goal.passing > 0 && tried_all {
        return Some(Stop::AlwaysFails);
    }
    (seen.runs >= goal.max_runs || seen.cycles >= goal.max_cycles).then_some(Stop::Limit)
}

/// Whether the first schedules, all alike, show that others would be as well.
fn first_look(seen: &Tally, goal: &Goal) -> Option<Stop> {
    let is_first_look = seen.runs == FIRST_LOOK as u64 && seen.alike;
    let (ended, ..) = seen.first.as_ref().filter(|_| is_first_look)?;
    match ended {
        OutcomeCode::CycleLimit => Some(Stop::NeverEnds),
        _ => (!goal.has_threads && !seen.threads).then_some(Stop::NoThreads),
    }
}

/// Refuses a program that never failed and of which more schedules would show no more.
pub(super) fn suits(seen: &Tally, stop: Stop) -> Result<(), HuntError> {
    let refuse = |what: String| Err(HuntError::Refused(what));
    if seen.failing > 0 {
        return Ok(());
    }
    match stop {
        Stop::NeverEnds => {
            let cycles = seen.cycles / seen.runs.max(1);
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
    use super::{
        DEADLOCKS, Entry, FIRST_LOOK, Goal, Label, Level, OutcomeCode, Stop, Tally, suits,
    };

    fn entries(labels: &[Label]) -> Vec<Entry> {
        let entry = |(place, label): (usize, &Label)| {
            Entry::new(place as u64 + 1, Level::CONFIGURED, *label, OutcomeCode::Exit)
        };
        labels.iter().enumerate().map(entry).collect()
    }

    /// What entries show.
    fn seen(entries: &[Entry]) -> Tally {
        let mut tally = Tally::default();
        entries.iter().for_each(|entry| tally.add(entry));
        tally
    }

    fn judge(entries: &[Entry], goal: &Goal, perturbed: bool) -> Option<Stop> {
        super::judge(&seen(entries), goal, perturbed)
    }

    const GOAL: Goal = Goal {
        failing: 2,
        passing: 3,
        max_runs: 400,
        max_cycles: u64::MAX,
        leave_deadlocks: None,
        has_threads: false,
    };
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
        let mut long = entries(&[P, P]);
        long[1].cycles = 70;
        assert_eq!(judge(&long, &Goal { max_cycles: 70, ..GOAL }, true), Some(Stop::Limit));
        assert_eq!(judge(&long, &Goal { max_cycles: 71, ..GOAL }, true), None);
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
        let goal = Goal { failing: 25, leave_deadlocks: Some(DEADLOCKS), ..GOAL };
        assert_eq!(judge(&all, &goal, true), Some(Stop::Deadlocks));
        assert_eq!(judge(&all[..4], &goal, true), None);
        for leave_deadlocks in [None, Some(25)] {
            assert_eq!(judge(&all, &Goal { leave_deadlocks, ..goal }, true), None);
        }
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
        endless.iter_mut().for_each(|entry| entry.cycles = 99);
        let refused = suits(&seen(&endless), Stop::NeverEnds).unwrap_err().to_string();
        assert!(
            refused.contains("within 99 cycles") && refused.contains("--max-cycles"),
            "{refused}"
        );
        let refused =
            suits(&seen(&alike(P, OutcomeCode::Exit)), Stop::NoThreads).unwrap_err().to_string();
        assert!(refused.ends_with("a hunt needs a program with threads"), "{refused}");
        for stop in [Stop::NeverEnds, Stop::NoThreads] {
            suits(&seen(&alike(F, OutcomeCode::CycleLimit)), stop).unwrap();
        }
    }
}
