//! Bugaboo, Table 5: what the hardware does, and sizes of graphs.

use super::{NOTHING, paper_name};
use crate::markdown::Table;
use crate::measured::{Measured, Work};
use crate::published::{BUGABOO_5, Bugaboo5, row};

/// The paper's row of a bug, where it has one, and ours.
pub fn table(measured: &[Measured]) -> String {
    let mut table = Table::new([
        "bug",
        "whose",
        "read misses / 10k",
        "write misses / 10k",
        "coherence misses / 10k",
        "metadata writes / 10k",
        "table writes / 10k",
        "traps / 10M",
        "nodes without context",
        "edges",
        "nodes with",
        "edges",
    ]);
    for measured in measured {
        let name = || paper_name(&measured.bug);
        if let Some(told) = row(&BUGABOO_5, &measured.bug, |row| row.bug) {
            table.row([name(), "paper".into()].into_iter().chain(published(told)));
        }
        let sizes = measured.sizes.iter().flat_map(|size| [size.nodes, size.edges]);
        let sizes = sizes.map(|size| size.to_string());
        let rates = rates(measured.work.as_ref());
        table.row([name(), "here".into()].into_iter().chain(rates).chain(sizes));
    }
    table.text()
}

fn published(told: &Bugaboo5) -> Vec<String> {
    let rates = told.rates.iter().map(|rate| format!("{rate:.2}"));
    let sizes = told.without.iter().chain(&told.with).map(ToString::to_string);
    rates.chain([format!("{:.1}", told.traps)]).chain(sizes).collect()
}

fn rates(work: Option<&Work>) -> [String; 6] {
    let Some(work) = work else { return [NOTHING; 6].map(String::from) };
    let Work { reads, read_exclusives, upgrades, edges, traps, .. } = *work;
    let updates = reads + read_exclusives + upgrades;
    let rate = |count: u64| format!("{:.2}", work.rate(count, 1e4));
    let [reads, read_exclusives, upgrades, updates, edges] =
        [reads, read_exclusives, upgrades, updates, edges].map(rate);
    let traps = format!("{:.1}", work.rate(traps, 1e7));
    [reads, read_exclusives, upgrades, updates, edges, traps]
}
