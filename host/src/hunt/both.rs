//! Two sources side by side: the hardware, and a faster one that finds rare failures.
//!
//! Each has its own sequence of seeds and its own journal. They advance in rounds of fixed sizes, and what is decided is decided
//! from what both have completed at the end of a step: the sizes come from measured speeds, never from a clock.

use super::collect::Collecting;
use super::judge::{Tally, suits};
use super::levels::BLOCK;
use super::{Collection, Goal, HuntError, Stop};
use std::cmp::Reverse;

/// Schedules of the hardware in a round.
pub const HARDWARE_ROUND: u64 = 8;
/// Schedules of the faster source in a round: it runs some fifty times as many a second, and gets most of the time.
pub const FAST_ROUND: u64 = 1500;

/// Advances both until one has enough, or both have come to their ends.
pub(super) fn collect(
    hardware: &Collecting<'_>,
    fast: &Collecting<'_>,
    goal: &Goal,
) -> Result<(), HuntError> {
    for round in 1.. {
        let found = fast.advance(round * FAST_ROUND)?;
        // The hardware would show the same, only later.
        if let Some(stop @ (Stop::NeverEnds | Stop::NoThreads | Stop::Deadlocks)) = found {
            return suits(&fast.seen(), stop);
        }
        let shown = hardware.advance(round * HARDWARE_ROUND)?;
        let over = match (shown, found) {
            (Some(Stop::Enough | Stop::Deadlocks), _) | (Some(_), Some(_)) => true,
            (None, Some(Stop::Enough)) => is_hopeless(&hardware.seen(), goal),
            (None, Some(Stop::AlwaysFails)) => is_one_sided(&hardware.seen()),
            _ => false,
        };
        if over {
            break;
        }
    }
    Ok(())
}

/// Whether the hardware, going on like this, will not have enough runs of both labels within its limit. Nothing is said
/// before it has run a block of schedules.
fn is_hopeless(seen: &Tally, goal: &Goal) -> bool {
    let expected = |found: u64| found * goal.max_runs / seen.runs.max(1);
    let enough = expected(seen.failing) >= goal.failing.into()
        && expected(seen.passing()) >= goal.passing.into();
    seen.runs >= BLOCK && !enough
}

/// Whether a block of schedules failed, or passed, altogether.
fn is_one_sided(seen: &Tally) -> bool {
    seen.runs >= BLOCK && (seen.failing == 0 || seen.passing() == 0)
}

/// Puts the collection whose runs count first: the one with failing and passing runs to compare, the one with more failing
/// runs, of those that were looked for, and else the first.
pub(super) fn chosen_first(collections: &mut [Collection]) {
    collections.sort_by_key(|collection| {
        let failing = collection.failing().min(collection.goal.failing as usize);
        let comparable = failing > 0 && (collection.passing() > 0 || collection.goal.passing == 0);
        Reverse((comparable, failing))
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt::{Entry, Level};
    use border::record::OutcomeCode;
    use record::Label;

    fn collection(source: &'static str, failing: u64, passing: u64) -> Collection {
        let labels = [(Label::Failing, failing), (Label::Passing, passing)];
        let labels = labels.into_iter().flat_map(|(label, n)| (0..n).map(move |_| label));
        let entry = |(place, label): (usize, Label)| {
            Entry::new(place as u64 + 1, Level::CONFIGURED, label, OutcomeCode::Exit)
        };
        let entries: Vec<Entry> = labels.enumerate().map(entry).collect();
        let (folder, goal, stop) = ("x".into(), Goal::default(), Stop::Limit);
        Collection { folder, source, kept: entries.len(), entries, goal, stop }
    }

    fn tally(failing: u64, passing: u64) -> Tally {
        let mut tally = Tally::default();
        collection("x", failing, passing).entries.iter().for_each(|entry| tally.add(entry));
        tally
    }

    #[test]
    fn the_hardware_counts_unless_the_other_has_more_to_compare() {
        let first = |hardware: (u64, u64), golden: (u64, u64)| {
            let mut both = [
                collection("rtl", hardware.0, hardware.1),
                collection("golden", golden.0, golden.1),
            ];
            chosen_first(&mut both);
            both[0].source
        };
        assert_eq!(first((25, 40), (30, 40)), "rtl", "both have as many as were looked for");
        assert_eq!(first((3, 29), (25, 40)), "golden");
        assert_eq!(first((3, 29), (2, 9998)), "rtl");
        assert_eq!(first((0, 32), (1, 9999)), "golden");
        assert_eq!(first((4, 28), (128, 0)), "rtl", "the other has nothing to compare with");
        assert_eq!(first((0, 160), (0, 20_000)), "rtl");
    }

    #[test]
    fn the_hardware_gets_a_block_and_then_as_long_as_it_does_well() {
        let goal = Goal { max_runs: 160, ..Goal::default() };
        assert!(!is_hopeless(&tally(0, 31), &goal));
        assert!(is_hopeless(&tally(0, 32), &goal));
        assert!(is_hopeless(&tally(4, 28), &goal), "20 in 160");
        assert!(!is_hopeless(&tally(5, 27), &goal), "25 in 160");
        assert!(is_hopeless(&tally(32, 0), &goal), "nothing passes");
        assert!(is_one_sided(&tally(32, 0)) && is_one_sided(&tally(0, 32)));
        assert!(!is_one_sided(&tally(31, 0)) && !is_one_sided(&tally(31, 1)));
    }
}
