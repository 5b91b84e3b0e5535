//! Recon, Table 1: how well each feature tells the bug's reconstructions from the others.

use super::{NOTHING, paper_name};
use crate::markdown::Table;
use crate::measured::{Measured, mean};
use crate::published::{RECON_1, row};

/// ReliefF of B, C and R, averaged over the trials.
pub fn table(measured: &[Measured]) -> String {
    let mut table = Table::new(["bug", "B: paper", "here", "C: paper", "here", "R: paper", "here"]);
    for measured in measured {
        let told = row(&RECON_1, &measured.bug, |row| row.0);
        let mut cells = vec![paper_name(&measured.bug)];
        for feature in 0..3 {
            let trials = measured.reconstructed.iter().filter_map(|trial| trial.relief);
            let here = mean(trials.map(|relief| relief[feature]));
            for number in [told.map(|row| row.1[feature]), here] {
                cells.push(number.map_or(NOTHING.into(), |number| format!("{number:.2}")));
            }
        }
        table.row(cells);
    }
    table.text()
}
