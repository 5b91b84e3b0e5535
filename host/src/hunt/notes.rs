//! What a reader should know of a hunt besides its verdict.

use super::{Collection, On, Stop, Tail};
use crate::verdict::Note;
use border::record::OutcomeCode;

/// What a reader should know of the runs.
pub(super) fn of_runs(collection: &Collection) -> Vec<Note> {
    let mut notes = Vec::new();
    let schedules = collection.entries.len() as u64;
    let goal = collection.goal;
    if collection.passing() == 0 && goal.passing > 0 {
        notes.push(Note::AllFailed { schedules });
    } else if collection.stop == Stop::Limit {
        for (label, found, wanted) in [
            ("failing", collection.failing() as u64, goal.failing.into()),
            ("passing", collection.passing() as u64, goal.passing.into()),
        ] {
            if found < wanted {
                notes.push(Note::FewRuns { label, found, wanted, schedules });
            }
        }
    }
    let chosen = collection.chosen();
    let stopped =
        chosen.iter().filter(|entry| entry.ended == OutcomeCode::CycleLimit).count() as u64;
    if stopped > 0 {
        notes.push(Note::CycleLimit { runs: stopped });
    }
    let kept = Tail::KEPT as u64;
    if let Some(entry) = collection.entries.iter().max_by_key(|entry| entry.printed)
        && entry.printed > kept
    {
        notes.push(Note::LongOutput { schedule: entry.seed, printed: entry.printed, kept });
    }
    notes
}

/// Says that the runs which count are not those of the hardware, if there are any of it.
pub(super) fn of_choice(collection: &Collection, others: &[Collection]) -> Option<Note> {
    let other = others.iter().find(|other| other.source == On::default().name())?;
    let called = |name: &'static str| On::named(name).map_or(name, On::called).to_owned();
    Some(Note::OtherCounts {
        on: called(collection.source),
        instead_of: called(other.source),
        failing: other.failing() as u64,
        schedules: other.entries.len() as u64,
    })
}
