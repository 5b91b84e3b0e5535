//! Figures of precision from the bug suite, and which points of a study nothing beats in cost and precision
//! at once.
//!
//! The figures are those of the page that `cargo xtask paper` writes of the whole suite on the hardware: it
//! is checked in, so a study has them without an hour of runs, and the same ones that people read.

use crate::study::{Answer, Study};
use serde::Serialize;
use std::fs;
use std::path::Path;

/// How soon bugs are found with a context of some length.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Precision {
    /// Events of the context.
    pub events: u32,
    /// Code points that a person inspects on average until the bug is found, over the trials that find it.
    pub inspections: f64,
    /// Bugs found; one that some trials find counts for their share.
    pub found: f64,
    /// All bugs.
    pub bugs: usize,
}

/// What one bug needed with a context of one length.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Needed {
    inspections: f64,
    /// The share of trials that found it.
    share: f64,
}

/// The row of a bug that is of the machine's own monitors, and the first columns of the table.
const HARDWARE: &str = "BB-HW";
const HEAD: [&str; 3] = ["bug", "tracking", "no events"];

/// The figures of the page of results; or why there are none.
pub fn read(page: &Path) -> Result<Vec<Precision>, String> {
    let name = page.file_name().unwrap_or_default().to_string_lossy();
    let text = fs::read_to_string(page).map_err(|error| {
        format!("cannot read {name}, which `cargo xtask paper` writes: {error}")
    })?;
    parse(&text).map_err(|what| format!("{name} is not a table of `cargo xtask paper`: {what}"))
}

/// Reads Bugaboo's Table 4 in the page: a row for each bug, a column for each length of context.
fn parse(page: &str) -> Result<Vec<Precision>, String> {
    let mut lines = page.lines().map(cells).skip_while(|cells| !cells.starts_with(&HEAD));
    let head =
        lines.next().ok_or("expected a table with the columns bug, tracking and no events")?;
    // Without events there is no monitor, so that column is of no hardware that could be built.
    let lengths = head[HEAD.len()..].iter().map(|cell| cell.parse::<u32>());
    let lengths: Vec<u32> = lengths
        .collect::<Result<_, _>>()
        .map_err(|_| "expected a number of events as the head of every other column")?;
    let mut bugs: Vec<Vec<Option<Needed>>> = Vec::new();
    for row in lines.take_while(|cells| cells.len() == head.len()) {
        if row[1] == HARDWARE {
            let needed = row[HEAD.len()..].iter().map(|cell| needed(cell));
            bugs.push(needed.collect::<Result<_, _>>()?);
        }
    }
    let of_length = |(at, &events): (usize, &u32)| {
        let needed: Vec<Needed> = bugs.iter().filter_map(|bug| bug[at]).collect();
        let found: f64 = needed.iter().map(|needed| needed.share).sum();
        let sum: f64 = needed.iter().map(|needed| needed.share * needed.inspections).sum();
        (found > 0.0).then(|| Precision {
            events,
            inspections: sum / found,
            found,
            bugs: bugs.len(),
        })
    };
    Ok(lengths.iter().enumerate().filter_map(of_length).collect())
}

/// The cells of a row of a table; of other lines nothing.
fn cells(line: &str) -> Vec<&str> {
    let inside = line.strip_prefix('|').and_then(|line| line.strip_suffix('|'));
    inside.map(|line| line.split('|').map(str::trim).collect()).unwrap_or_default()
}

/// A cell: `1.4`, `1.4 in 3/5` where not all trials found the bug, `–` where none did.
fn needed(cell: &str) -> Result<Option<Needed>, String> {
    if cell == "–" {
        return Ok(None);
    }
    let (number, share) = match cell.split_once(" in ") {
        None => (cell, Some(1.0)),
        Some((number, share)) => (number, share.split_once('/').and_then(ratio)),
    };
    let needed = number.parse().ok().zip(share);
    let (inspections, share) = needed.ok_or_else(|| format!("expected a number, got `{cell}`"))?;
    Ok(Some(Needed { inspections, share }))
}

fn ratio((found, of): (&str, &str)) -> Option<f64> {
    let (found, of): (u32, u32) = (found.parse().ok()?, of.parse().ok()?);
    (0 < found && found <= of).then(|| f64::from(found) / f64::from(of))
}

/// A point of a study with the precision of its context.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Choice {
    /// The point's name.
    pub label: String,
    /// Its cost in LUTs.
    pub luts: u64,
    /// Precision of the rankings with its context, on the bug suite.
    pub precision: Precision,
    /// On the Pareto front: no other point is at least as good in cost, precision and bugs found, and
    /// better in one of them.
    pub is_best: bool,
}

/// The points whose precision is known.
pub fn choices(study: &Study, known: &[Precision]) -> Vec<Choice> {
    let of = |answer: &Answer| {
        let precision = known.iter().find(|known| known.events == answer.context_events)?;
        let luts = study.cost(&answer.machine)?.luts;
        Some(Choice { label: answer.label(), luts, precision: *precision, is_best: false })
    };
    let mut choices: Vec<Choice> = study.points.iter().filter_map(of).collect();
    mark_best(&mut choices);
    choices
}

fn mark_best(choices: &mut [Choice]) {
    // Less is better, of each.
    let figures: Vec<[f64; 3]> = choices
        .iter()
        .map(|choice| [choice.luts as f64, choice.precision.inspections, -choice.precision.found])
        .collect();
    for (choice, mine) in choices.iter_mut().zip(&figures) {
        let beats = |other: &[f64; 3]| {
            other != mine && other.iter().zip(mine).all(|(theirs, mine)| theirs <= mine)
        };
        choice.is_best = !figures.iter().any(beats);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "\
| bug  | found | in |
|------|------:|---:|
| a    |   yes |  1 |

| bug  |    tracking | no events |          1 |   2 |
|------|------------:|----------:|-----------:|----:|
| a    | paper, word |       9.0 |        9.0 | 9.0 |
| a    |       BB-HW |       1.0 |        4.0 | 2.0 |
| b    |        word |         – |        9.0 |   – |
| b    |       BB-HW |         – | 1.0 in 1/2 |   – |

| b    |       BB-HW |       1.0 |        7.0 | 7.0 |
";

    #[test]
    fn figures_are_means_over_the_trials_that_found_their_bug() {
        let found = parse(PAGE).unwrap();
        let one = Precision { events: 1, inspections: 3.0, found: 1.5, bugs: 2 };
        let two = Precision { events: 2, inspections: 2.0, found: 1.0, bugs: 2 };
        assert_eq!(found, [one, two]);
    }

    #[test]
    fn the_page_of_results_has_figures_of_every_bug() {
        let found = read(&tools::workspace_root().join("docs/results.md")).unwrap();
        let events: Vec<u32> = found.iter().map(|precision| precision.events).collect();
        assert_eq!(events, [1, 2, 3, 4, 5]);
        let inspections = found.iter().map(|precision| precision.inspections);
        assert!(inspections.clone().all(|inspections| inspections >= 1.0), "{found:?}");
        assert!(found.iter().all(|precision| precision.bugs == 16), "{found:?}");
    }

    #[test]
    fn missing_and_foreign_results_are_one_sentence() {
        let folder = tempfile::tempdir().unwrap();
        let page = folder.path().join("results.md");
        assert!(
            read(&page)
                .unwrap_err()
                .starts_with("cannot read results.md, which `cargo xtask paper` writes: ")
        );
        let cases = [
            (
                "# Results\n".to_owned(),
                "expected a table with the columns bug, tracking and no events",
            ),
            (PAGE.replace("4.0", "four"), "expected a number, got `four`"),
            (PAGE.replace("1/2", "3/2"), "expected a number, got `1.0 in 3/2`"),
        ];
        for (text, what) in cases {
            fs::write(&page, text).unwrap();
            let said = format!("results.md is not a table of `cargo xtask paper`: {what}");
            assert_eq!(read(&page).unwrap_err(), said);
        }
    }

    #[test]
    fn nothing_beats_the_best() {
        let choice = |luts, inspections, found| Choice {
            label: String::new(),
            luts,
            precision: Precision { events: 1, inspections, found, bugs: 2 },
            is_best: false,
        };
        let best = |choices: &mut [Choice]| {
            mark_best(choices);
            choices.iter().map(|choice| choice.is_best).collect::<Vec<_>>()
        };
        let mut choices = [(10, 3.0), (12, 1.0), (12, 3.0), (20, 1.0)]
            .map(|(luts, inspections)| choice(luts, inspections, 2.0));
        assert_eq!(best(&mut choices), [true, true, false, false]);
        let mut choices = [choice(10, 1.0, 1.0), choice(12, 3.0, 2.0)];
        assert_eq!(best(&mut choices), [true, true], "it finds bugs that the cheaper one does not");
    }
}
