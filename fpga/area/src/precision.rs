//! Figures of precision from the bug suite, where `cargo xtask paper` has left them, and which points
//! of a study nothing beats in cost and precision at once.

use crate::study::{Answer, Study};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// How soon bugs are found with a context of some length.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Precision {
    /// Events of the context.
    pub events: u32,
    /// Code points that a person inspects on average until the bug is found, where it is.
    pub inspections: f64,
    /// Trials that found their bug.
    pub found: usize,
    /// All trials.
    pub trials: usize,
}

/// The part of the suite's results that is used: for each bug, what each trial needed with contexts of
/// 0, 1, 2 … events, on the machine's own monitors.
#[derive(Deserialize)]
struct Bug {
    hw: Tracked,
}

#[derive(Deserialize)]
struct Tracked {
    contexts: Vec<Vec<Option<Inspected>>>,
}

#[derive(Deserialize)]
struct Inspected {
    points: f64,
}

/// The results in a folder, the hardware's before the golden machine's; or why there are none.
pub fn read(folder: &Path) -> Result<Vec<Precision>, String> {
    let names = ["results-rtl.json", "results-golden.json"];
    let found = names.iter().find_map(|name| {
        let text = fs::read_to_string(folder.join(name)).ok()?;
        Some((name, text))
    });
    let Some((name, text)) = found else {
        return Err("there are no results of the bug suite; `cargo xtask paper` makes them".into());
    };
    parse(&text).map_err(|error| format!("{name} is not what `cargo xtask paper` writes: {error}"))
}

fn parse(text: &str) -> Result<Vec<Precision>, serde_json::Error> {
    let bugs: Vec<Bug> = serde_json::from_str(text)?;
    let lengths = bugs.iter().map(|bug| bug.hw.contexts.len()).max().unwrap_or(0);
    let of_length = |events: usize| {
        let trials = bugs.iter().filter_map(|bug| bug.hw.contexts.get(events)).flatten();
        let needed: Vec<f64> = trials.clone().flatten().map(|trial| trial.points).collect();
        (!needed.is_empty()).then(|| Precision {
            events: events as u32,
            inspections: needed.iter().sum::<f64>() / needed.len() as f64,
            found: needed.len(),
            trials: trials.count(),
        })
    };
    Ok((0..lengths).filter_map(of_length).collect())
}

/// A point of a study with the precision of its context.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Choice {
    /// The point's name.
    pub label: String,
    /// What it costs.
    pub luts: u64,
    /// How precise it is.
    pub precision: Precision,
    /// No other point is cheaper and as precise, or as cheap and more precise.
    pub is_best: bool,
}

/// The points whose precision is known.
pub fn choices(study: &Study, known: &[Precision]) -> Vec<Choice> {
    let of = |answer: &Answer| {
        let precision = known.iter().find(|known| known.events == answer.context_events)?;
        let luts = answer.machine.cost()?.luts;
        Some(Choice { label: answer.label(), luts, precision: *precision, is_best: false })
    };
    let mut choices: Vec<Choice> = study.points.iter().filter_map(of).collect();
    mark_best(&mut choices);
    choices
}

fn mark_best(choices: &mut [Choice]) {
    let figures: Vec<(u64, f64)> =
        choices.iter().map(|choice| (choice.luts, choice.precision.inspections)).collect();
    for (choice, &(luts, needed)) in choices.iter_mut().zip(&figures) {
        let beats = |&(other_luts, other_needed): &(u64, f64)| {
            other_luts <= luts
                && other_needed <= needed
                && (other_luts, other_needed) != (luts, needed)
        };
        choice.is_best = !figures.iter().any(beats);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_means_over_the_trials_that_found_their_bug() {
        let text = r#"[
            {"bug": "a", "hw": {"labeled": {}, "contexts": [[null], [{"points": 4, "functions": 1}]]}},
            {"bug": "b", "hw": {"labeled": {}, "contexts": [[null], [{"points": 1, "functions": 1}, null]]}}
        ]"#;
        let found = parse(text).unwrap();
        assert_eq!(found, [Precision { events: 1, inspections: 2.5, found: 2, trials: 3 }]);
    }

    #[test]
    fn missing_and_foreign_results_are_one_sentence() {
        let folder = tempfile::tempdir().unwrap();
        assert!(read(folder.path()).unwrap_err().starts_with("there are no results"));
        fs::write(folder.path().join("results-rtl.json"), "{}").unwrap();
        assert!(read(folder.path()).unwrap_err().starts_with("results-rtl.json is not what"));
    }

    #[test]
    fn nothing_beats_the_best() {
        let choice = |luts, inspections| Choice {
            label: String::new(),
            luts,
            precision: Precision { events: 1, inspections, found: 1, trials: 1 },
            is_best: false,
        };
        let mut choices = [choice(10, 3.0), choice(12, 1.0), choice(12, 3.0), choice(20, 1.0)];
        mark_best(&mut choices);
        assert_eq!(choices.map(|choice| choice.is_best), [true, true, false, false]);
    }
}
