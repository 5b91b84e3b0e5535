//! Bugaboo, Table 4: inspections by length of context.

use super::{NOT_FOUND, one, paper_name, points};
use crate::markdown::Table;
use crate::measured::{Measured, Tracking};
use crate::published::{BUGABOO_4, row};

/// Up to three rows a bug: what the paper has for BB-SW (word), what we have for it, and for BB-HW.
pub fn table(measured: &[Measured]) -> String {
    let mut table = Table::new(["bug", "tracking", "no events", "1", "2", "3", "4", "5"]);
    for measured in measured {
        let name = || paper_name(&measured.bug);
        if let Some((_, told)) = row(&BUGABOO_4, &measured.bug, |row| row.0) {
            let told = told.map(|number| number.map_or(NOT_FOUND.into(), one));
            table.row([name(), "paper, word".into()].into_iter().chain(told));
        }
        for (what, tracking) in [("word", Tracking::Words), ("BB-HW", Tracking::Hardware)] {
            let cells = measured.found(tracking).contexts.iter().map(points);
            table.row([name(), what.into()].into_iter().chain(cells));
        }
    }
    table.text()
}
