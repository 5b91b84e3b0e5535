//! What to try next, given what was found and what is missing.

use super::{Finding, Phrase};
use crate::view::{AnalysisView, RunsView};

/// Something to try.
pub struct Suggestion {
    /// Why, in one or two sentences.
    pub why: Phrase,
    /// The command to type, if there is one.
    pub command: Option<&'static str>,
}

/// With fewer failing runs than this, what they have in common may be chance.
const FEW_RUNS: u32 = 10;

/// What to try, the most useful first.
pub fn suggestions(view: &AnalysisView) -> Vec<Suggestion> {
    let mut all = Vec::new();
    let mut add = |why: Phrase, command| all.push(Suggestion { why, command });
    if let Finding::Edge(found) = &view.finding {
        let mut ends: Vec<_> =
            found.source.iter().chain([&found.sink]).map(|end| &end.name).collect();
        ends.dedup();
        let mut read = Phrase::new("Read ");
        for (place, end) in ends.into_iter().enumerate() {
            read = if place > 0 { read.words(" and ") } else { read }.code(end);
        }
        let why = read.words(
            " with the first picture at hand. What must not happen between the two, and what prevents \
             other threads from doing it?",
        );
        add(why, None);
        if view.reconstructed > 1 {
            let why = Phrase::new("If that is not the cause, look at the next candidates.");
            add(why, Some("crosstalk explain RUNS --rank 2 --top 3"));
        }
    }
    if let Finding::Undecided { p: Some(_), .. } = &view.finding {
        let why = Phrase::new(
            "Record more runs of both labels: what is chance becomes rare among them, and what is not stands \
             out. Until then, edges can be looked at in the order of their rank.",
        );
        add(why, Some("crosstalk explain RUNS --top 3"));
    }
    if view.ranking.iter().any(|row| row.point.point.location.is_none()) {
        let why =
            Phrase::new("To see source lines instead of addresses, name the program that ran.");
        add(why, Some("crosstalk report RUNS --elf PROGRAM"));
    }
    if let Some((why, command)) = labels(&view.runs) {
        add(why, Some(command));
    }
    if view.runs.lost_edges > 0 {
        let why = Phrase::default().counted(view.runs.lost_edges, "edge").words(
            " were lost, and the cause may be among them. Drain the tables more often, or make them \
             larger, and record again.",
        );
        add(why, Some("crosstalk stats RUNS"));
    }
    if !view.ranking.is_empty() {
        let why = Phrase::new(
            "See whether the bug shows without contexts. If it does not, more than one variable is \
             involved.",
        );
        add(why, Some("crosstalk rank RUNS --context 0"));
    }
    if view.runs.passing > 0 {
        let why = Phrase::new(
            "Once it is fixed, keep what passing runs do, and compare runs in the field with it.",
        );
        add(why, Some("crosstalk testing-graph RUNS --out testing.run"));
    }
    all
}

/// What is missing among the labels, and the command for it.
fn labels(runs: &RunsView) -> Option<(Phrase, &'static str)> {
    const LABEL: &str = "crosstalk report --failing BAD --passing GOOD";
    if runs.failing == 0 {
        let why = "No run is labeled failing. With one, what it did differently can be shown.";
        return Some((Phrase::new(why), LABEL));
    }
    if runs.passing == 0 {
        let why = "There is no passing run. Only passing runs show what is normal.";
        return Some((Phrase::new(why), LABEL));
    }
    if runs.failing >= FEW_RUNS {
        return None;
    }
    let few = match runs.failing {
        1 => Phrase::new("There is only one failing run"),
        some => Phrase::new("There are only ").count(some).words(" failing runs"),
    };
    let why = few.words(". More of them, with other seeds, make the confidence mean more.");
    Some((why, "crosstalk stats RUNS"))
}
