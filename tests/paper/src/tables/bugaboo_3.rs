//! Bugaboo, Table 3: code points that lossy tracking misses.

use super::{NOTHING, one, paper_name};
use crate::markdown::Table;
use crate::measured::Measured;
use crate::published::{BUGABOO_3, row};

/// In percent of the code points that BB-SW (word) finds.
pub fn table(measured: &[Measured]) -> String {
    let mut table = Table::new([
        "bug",
        "lines: paper",
        "one run",
        "all runs",
        "lines and evictions: paper",
        "one run",
        "all runs",
    ]);
    let percent = |share: f64| one(100.0 * share);
    for measured in measured {
        let told = row(&BUGABOO_3, &measured.bug, |row| row.0);
        let text = |number: Option<f64>| number.map_or(NOTHING.into(), one);
        let (line, hw) = (measured.missed_by_line, measured.missed_by_hw);
        table.row([
            paper_name(&measured.bug),
            text(told.map(|row| row.1)),
            percent(line.of_one_run),
            percent(line.of_all_runs),
            text(told.map(|row| row.2)),
            percent(hw.of_one_run),
            percent(hw.of_all_runs),
        ]);
    }
    table.text()
}
