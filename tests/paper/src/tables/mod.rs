//! One file a table: what was measured, beside what was published.

mod bugaboo_2;
mod bugaboo_3;
mod bugaboo_4;
mod bugaboo_5;
mod formulas;
mod recon_1;
mod recon_3;
mod summary;

pub use summary::{Shortfall, shortfalls};

use crate::measured::{Measured, Needed};

/// What a table is called, what it shows, and how it is made.
pub struct Named {
    /// Its name on the command line and in the page's template.
    pub name: &'static str,
    /// What it shows.
    pub about: &'static str,
    /// The Markdown, from what was measured of each bug.
    pub make: fn(&[Measured]) -> String,
}

/// All tables, in the order of the page.
pub const ALL: [Named; 9] = [
    Named {
        name: "summary",
        about: "each bug at a glance: schedules, inspections, rank",
        make: summary::table,
    },
    Named {
        name: "bugaboo-2",
        about: "inspections with BB-HW, and whether contexts were needed",
        make: bugaboo_2::hardware,
    },
    Named {
        name: "bugaboo-2-software",
        about: "inspections with BB-SW at line and word granularity",
        make: bugaboo_2::software,
    },
    Named { name: "formulas", about: "both ranking formulas", make: formulas::table },
    Named {
        name: "bugaboo-3",
        about: "code points that lossy tracking misses",
        make: bugaboo_3::table,
    },
    Named { name: "bugaboo-4", about: "inspections by length of context", make: bugaboo_4::table },
    Named {
        name: "bugaboo-5",
        about: "what the hardware does, and sizes of graphs",
        make: bugaboo_5::table,
    },
    Named { name: "recon-1", about: "ReliefF of the features", make: recon_1::table },
    Named { name: "recon-3", about: "the bug's reconstruction", make: recon_3::table },
];

/// What is shown where there is nothing: the paper has no such row, or nothing was measured.
const NOTHING: &str = "";
/// The bug was not found.
const NOT_FOUND: &str = "–";

/// The name that the papers use.
pub fn paper_name(bug: &str) -> String {
    firmware::bugs::named(bug).map_or(bug, |bug| bug.paper).to_owned()
}

/// A number with one digit behind the point.
fn one(number: f64) -> String {
    format!("{number:.1}")
}

/// Average inspections, with functions in parentheses; how many trials found the bug where not all did.
fn needed(needed: &Needed) -> String {
    match needed.points().zip(needed.functions()) {
        None => NOT_FOUND.into(),
        Some((points, functions)) => {
            let text = format!("{points:.1} ({functions:.1})");
            if needed.always() { text } else { format!("{text}{}", share(needed)) }
        }
    }
}

/// Average inspections alone.
fn points(needed: &Needed) -> String {
    match needed.points() {
        None => NOT_FOUND.into(),
        Some(points) if needed.always() => one(points),
        Some(points) => format!("{points:.1}{}", share(needed)),
    }
}

fn share(needed: &Needed) -> String {
    format!(" in {}/{}", needed.found().count(), needed.0.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::{Inspected, Judged};
    use crate::measured::{Reconstructed, Work};

    /// A bug that is found at once, by everything.
    pub fn found_at_once(bug: &str) -> Measured {
        let first = Needed(vec![Some(Inspected { points: 1, functions: 1 })]);
        let mut measured = Measured {
            bug: bug.into(),
            schedules: 100,
            failed: 25,
            runs: 50,
            work: Some(Work { operations: 1000, reads: 5, ..Work::default() }),
            ..Measured::default()
        };
        for found in [&mut measured.hw, &mut measured.line, &mut measured.word] {
            for by_formula in [&mut found.labeled, &mut found.unlabeled] {
                by_formula.exception = first.clone();
                by_formula.printed = first.clone();
            }
            found.contexts.iter_mut().skip(1).for_each(|needed| *needed = first.clone());
            found.contexts[0] = Needed(vec![None]);
        }
        let judged = Judged { relevant: 3, irrelevant: 1, in_order: Some(true), missing: 0 };
        measured.reconstructed = vec![Reconstructed {
            best: Some((1, judged)),
            shown: Some(1),
            fewer: [Some(2), Some(1)],
            relief: Some([0.5, 0.25, -0.125]),
        }];
        measured
    }

    #[test]
    fn every_table_has_a_row_for_every_bug() {
        let all: Vec<_> = firmware::bugs::ALL.iter().map(|bug| found_at_once(bug.name)).collect();
        for Named { name, make, .. } in ALL {
            let text = make(&all);
            for bug in firmware::bugs::ALL {
                let start = format!("| {} ", bug.paper);
                let has_row = text.lines().any(|line| line.starts_with(&start));
                assert!(has_row, "{name} has no row for {}:\n{text}", bug.paper);
            }
            let columns: Vec<_> = text.lines().map(|line| line.matches('|').count()).collect();
            assert!(columns.iter().all(|count| *count == columns[0]), "{name}:\n{text}");
        }
    }

    #[test]
    fn trials_that_did_not_find_the_bug_are_told() {
        let some = Needed(vec![Some(Inspected { points: 3, functions: 2 }), None]);
        assert_eq!(needed(&some), "3.0 (2.0) in 1/2");
        assert_eq!(points(&some), "3.0 in 1/2");
        assert_eq!(points(&Needed(vec![None])), NOT_FOUND);
    }
}
