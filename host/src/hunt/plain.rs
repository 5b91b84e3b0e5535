//! What is told of failures that no schedule explains: that all schedules failed in the same way, where, and what the
//! program printed.

use super::journal::Entry;
use super::judge::FIRST_LOOK;
use super::source::Finished;
use super::{Collection, HuntError, Schedule, Source, Stop, Tail};
use crate::analysis::Analysis;
use crate::verdict::{Finding, Note};
use record::{End, Label};

/// Lines of output that are shown.
const LINES: usize = 4;
/// Letters of a line that are shown.
const LETTERS: usize = 160;

impl Collection {
    /// How all schedules ended, if they all failed, in the same way, and enough of them were run to say so. A hunt that does
    /// not look for passing runs, or not any more, ends with the first failing ones, and tells nothing of the others.
    pub fn always(&self) -> Option<&str> {
        let first = self.entries.first()?;
        let same =
            |entry: &Entry| entry.label() == Label::Failing && entry.outcome == first.outcome;
        let looked_for_others = self.goal.passing > 0 && self.stop != Stop::Deadlocks;
        let enough = self.entries.len() >= FIRST_LOOK && looked_for_others;
        (enough && self.entries.iter().all(same)).then_some(&first.outcome)
    }
}

/// How all schedules of all sources ended, if they all failed in the same way.
pub(super) fn always<'a>(collection: &'a Collection, others: &[Collection]) -> Option<&'a str> {
    let how = collection.always()?;
    let same = |entry: &Entry| entry.label() == Label::Failing && entry.outcome == how;
    others.iter().flat_map(|other| &other.entries).all(same).then_some(how)
}

/// Replaces a verdict that would name a cause where the schedule does not matter.
pub(super) fn overrule(analysis: &mut Analysis, collection: &Collection, others: &[Collection]) {
    let Some(how) = always(collection, others) else { return };
    let fault = analysis.census.runs.iter().find_map(|run| match run.about.ending.outcome {
        End::Fault { pc, .. } => Some(pc),
        _ => None,
    });
    let at = fault.map(|pc| analysis.spot_at(pc));
    let all = [collection].into_iter().chain(others);
    let schedules = all.map(|collection| collection.entries.len() as u64).sum();
    analysis.overrule(Finding::Always { schedules, how: how.to_owned(), at });
}

/// What the first failing schedule printed, for verdicts that name no line of the program.
pub(super) fn printed(
    analysis: &Analysis,
    collection: &Collection,
    source: &dyn Source,
) -> Result<Option<Note>, HuntError> {
    let names_lines = match analysis.finding() {
        Finding::Exact(_) | Finding::Edge(_) | Finding::Point { .. } => true,
        Finding::Undecided { .. } | Finding::Always { .. } | Finding::Nothing { .. } => false,
    };
    if names_lines {
        return Ok(None);
    }
    let Some(entry) = collection.entries.iter().find(|entry| entry.label() == Label::Failing)
    else {
        return Ok(None);
    };
    let Finished { console, errors, .. } =
        source.run(Schedule { seed: entry.seed, level: entry.level() })?;
    let lines: Vec<String> = last_lines(&console).chain(last_lines(&errors)).collect();
    Ok((!lines.is_empty()).then_some(Note::Printed { schedule: entry.seed, lines }))
}

fn last_lines(text: &Tail) -> impl Iterator<Item = String> {
    let text = text.text();
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let from = lines.len().saturating_sub(LINES);
    let short = |line: &&str| line.chars().take(LETTERS).collect();
    lines[from..].iter().map(short).collect::<Vec<String>>().into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt::{Goal, Level};
    use border::record::OutcomeCode;

    fn collection(outcomes: &[&str], goal: Goal) -> Collection {
        let entry = |(place, outcome): (usize, &&str)| {
            let label = if outcome.is_empty() { Label::Passing } else { Label::Failing };
            let seed = place as u64 + 1;
            let mut entry = Entry::new(seed, Level::CONFIGURED, label, OutcomeCode::Exit);
            (*outcome).clone_into(&mut entry.outcome);
            entry
        };
        let entries = outcomes.iter().enumerate().map(entry).collect();
        Collection {
            folder: "x".into(),
            source: "test",
            kept: outcomes.len(),
            entries,
            goal,
            stop: Stop::AlwaysFails,
        }
    }

    #[test]
    fn the_schedule_does_not_matter_if_all_of_enough_schedules_fail_alike() {
        let goal = Goal::default();
        assert_eq!(collection(&["exited with 3"; 8], goal).always(), Some("exited with 3"));
        assert_eq!(collection(&["exited with 3"; 7], goal).always(), None, "too few to say");
        let mut mixed = ["exited with 3"; 8];
        mixed[5] = "deadlock";
        assert_eq!(collection(&mixed, goal).always(), None, "in two ways");
        mixed[5] = "";
        assert_eq!(collection(&mixed, goal).always(), None, "one passed");
        let failing_only = Goal { passing: 0, ..goal };
        assert_eq!(collection(&["deadlock"; 8], failing_only).always(), None);
        let left = Collection { stop: Stop::Deadlocks, ..collection(&["deadlock"; 8], goal) };
        assert_eq!(left.always(), None, "others may have passed");
    }

    #[test]
    fn of_output_the_last_lines_are_shown() {
        let text = Tail::from(format!("1\n2\n\n3\n4\n5\n{}\n", "x".repeat(999)).into_bytes());
        let lines: Vec<String> = last_lines(&text).collect();
        assert_eq!(lines[..3], ["3", "4", "5"]);
        assert_eq!(lines[3].len(), LETTERS);
    }
}
