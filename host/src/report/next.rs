//! What to try next, given what was found and what is missing.

use super::Report;
use super::escape::text;
use super::words::{grouped, plural};

/// A suggestion: why, and the command if there is one.
pub struct Suggestion {
    /// Why, as HTML.
    pub why: String,
    /// What to type; empty: nothing.
    pub command: String,
}

/// Fewer failing runs than this say little about what they have in common.
const FEW_RUNS: u32 = 10;

/// What to try, the most useful first.
pub fn suggestions(report: &Report) -> Vec<Suggestion> {
    let view = &report.analysis;
    let runs = &view.runs;
    let mut all = Vec::new();
    let mut add = |why: String, command: &str| {
        all.push(Suggestion { why, command: command.to_owned() });
    };
    if let Some(found) = view.reconstructions.first() {
        let ends = [found.source.as_ref(), Some(&found.sink)];
        let mut ends: Vec<_> = ends
            .into_iter()
            .flatten()
            .map(|end| format!("<code>{}</code>", text(&end.name)))
            .collect();
        ends.dedup();
        add(
            format!(
                "Read {} with the first picture beside you. What may not happen between the two, and \
                 what keeps other threads from doing it?",
                ends.join(" and ")
            ),
            "",
        );
        if view.reconstructed > 1 {
            add(
                "If that is not the cause, the next candidates are one command away.".into(),
                "crosstalk explain RUNS --rank 2 --top 3",
            );
        }
    }
    let no_lines = |point: &crate::view::PointView| point.point.location.is_none();
    if view.ranking.iter().any(|row| no_lines(&row.point)) {
        add(
            "Addresses become lines of source when the program with its debug information is named."
                .into(),
            "crosstalk report RUNS --elf PROGRAM",
        );
    }
    if runs.failing == 0 {
        add(
            "No run is labeled failing. With one that is, what it did differently can be shown."
                .into(),
            "crosstalk report --failing BAD --passing GOOD",
        );
    } else if runs.passing == 0 {
        add(
            "There is no passing run. What is normal is known only from those.".into(),
            "crosstalk report --failing BAD --passing GOOD",
        );
    } else if runs.failing < FEW_RUNS {
        add(
            format!(
                "{} to learn from. More of them, under other seeds, make the confidence mean more.",
                if runs.failing == 1 {
                    "There is one failing run".to_owned()
                } else {
                    format!("There are only {} failing runs", grouped(runs.failing.into()))
                }
            ),
            "crosstalk stats RUNS",
        );
    }
    if runs.lost_edges > 0 {
        add(
            format!(
                "{} were lost, and the cause may be among them. Drain the tables more often, or make \
                 them larger, and record again.",
                plural(runs.lost_edges, "edge")
            ),
            "crosstalk stats RUNS",
        );
    }
    if !view.ranking.is_empty() {
        add(
            "See whether the bug can be seen without contexts. If it cannot, it takes more than one \
             variable to explain it."
                .into(),
            "crosstalk rank RUNS --context 0",
        );
    }
    if runs.passing > 0 {
        add(
            "Once it is fixed, keep what passing runs do, and have runs in the field compared with it."
                .into(),
            "crosstalk testing-graph RUNS --out testing.run",
        );
    }
    all
}
