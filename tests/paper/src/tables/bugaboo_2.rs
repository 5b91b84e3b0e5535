//! Bugaboo, Table 2: inspections until the bug is found.

use super::{NOTHING, needed, paper_name};
use crate::markdown::Table;
use crate::measured::{Measured, Needed, Tracking};
use crate::published::{BUGABOO_2, Bugaboo2, Inspections, row};

fn published(bug: &str) -> Option<&'static Bugaboo2> {
    row(&BUGABOO_2, bug, |row| row.bug)
}

fn told(inspections: Option<&Inspections>) -> String {
    let text = |told: &Inspections| format!("{:.1} ({:.1})", told.points, told.functions);
    inspections.map_or(NOTHING.into(), text)
}

fn yes_or_no(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

/// Whether the trials found the bug.
fn detected(needed: &Needed) -> String {
    match (needed.found().count(), needed.0.len()) {
        (0, _) => "no".into(),
        (found, all) if found == all => "yes".into(),
        (found, all) => format!("{found}/{all}"),
    }
}

/// BB-HW.
pub fn hardware(measured: &[Measured]) -> String {
    let mut table = Table::new([
        "bug",
        "found without context: paper",
        "here",
        "with: paper",
        "here",
        "labeled: paper",
        "here",
        "unlabeled: paper",
        "here",
    ]);
    for measured in measured {
        let row = published(&measured.bug);
        let hw = |place: usize| told(row.map(|row| &row.hw[place]));
        let found = measured.found(Tracking::Hardware);
        table.row([
            paper_name(&measured.bug),
            row.map_or(NOTHING, |row| yes_or_no(row.without_context)).into(),
            detected(&found.contexts[0]),
            row.map_or(NOTHING, |_| "yes").into(),
            detected(&found.labeled.exception),
            hw(0),
            needed(&found.labeled.exception),
            hw(1),
            needed(&found.unlabeled.exception),
        ]);
    }
    table.text()
}

/// BB-SW.
pub fn software(measured: &[Measured]) -> String {
    let mut heads = vec!["bug".to_owned()];
    for grain in ["line", "word"] {
        for mode in ["labeled", "unlabeled"] {
            heads.extend([format!("{grain}, {mode}: paper"), "here".to_owned()]);
        }
    }
    let mut table = Table::new(heads);
    for measured in measured {
        let row = published(&measured.bug);
        let mut cells = vec![paper_name(&measured.bug)];
        for (row, found) in [
            (row.map(|row| &row.line), measured.found(Tracking::Lines)),
            (row.map(|row| &row.word), measured.found(Tracking::Words)),
        ] {
            cells.push(told(row.map(|row| &row[0])));
            cells.push(needed(&found.labeled.exception));
            cells.push(told(row.map(|row| &row[1])));
            cells.push(needed(&found.unlabeled.exception));
        }
        table.row(cells);
    }
    table.text()
}
