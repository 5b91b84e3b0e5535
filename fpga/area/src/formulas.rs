//! The papers' storage formulas, beside what the circuit holds and what synthesis made of it.

use crate::cost::Cost;
use crate::tree::Row;
use config::Config;
use serde::Serialize;
use units::storage::{Report, Role};

/// One kind of storage of one hart's monitor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Storage {
    /// Its name, such as `communication table`.
    pub what: &'static str,
    /// The paper's formula.
    pub formula: &'static str,
    /// The formula, for this configuration.
    pub paper_bits: u64,
    /// What the circuit holds of such records: ours also have times, harts and kinds.
    pub record_bits: u64,
    /// Pointers, counters and registers beside them.
    pub register_bits: u64,
    /// What synthesis made of the unit, for one hart.
    pub synthesized: Cost,
}

/// The storage of one hart's monitor; nothing without a monitor.
pub fn storage(config: &Config, rows: &[Row]) -> Vec<Storage> {
    if config.context.events == 0 {
        return Vec::new();
    }
    // Bugaboo §4.2: a writer is a pc and a context; a line has one, an edge two.
    let writer = u64::from(config.pc_bits + config.context.bits());
    let data = config.l1.data;
    let lines = u64::from(data.sets(config.l1.line) * data.ways);
    let reports = units::storage::reports(config).unwrap_or_default();
    let named = |name: &str| reports.iter().find(|report| report.unit.starts_with(name));
    let records = |report: &Report| report.total(Role::Record) + report.total(Role::Extra);
    let line = |what, formula, paper_bits, report: Option<&Report>, unit: &str| Storage {
        what,
        formula,
        paper_bits,
        record_bits: report.map_or(0, records),
        register_bits: report.map_or(0, |report| report.total(Role::Register)),
        synthesized: of_one_hart(rows, unit, config.harts),
    };
    vec![
        line(
            "line metadata",
            "lines × (pc + 2 × events)",
            lines * writer,
            named("line_metadata"),
            "line_metadata",
        ),
        line(
            "communication table",
            "depth × 2 × (pc + 2 × events)",
            u64::from(config.ct.depth) * 2 * writer,
            named("comm_monitor"),
            "comm_monitor",
        ),
    ]
}

/// What a unit and all inside it costs in one hart. A unit that is the top by itself has one.
fn of_one_hart(rows: &[Row], unit: &str, harts: u32) -> Cost {
    let those: Vec<&Row> = rows.iter().filter(|row| row.unit == unit).collect();
    let sum: Cost = those.iter().map(|row| row.total).sum();
    let instances: u64 = those.iter().map(|row| row.instances).sum();
    let share = if instances < u64::from(harts) { 1 } else { u64::from(harts) };
    Cost {
        luts: sum.luts / share,
        ffs: sum.ffs / share,
        brams: sum.brams / share,
        dsps: sum.dsps / share,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formulas_give_the_papers_figures() {
        // Bugaboo §4.2: 74 bits a line, 148 bits an entry, with 64-bit pcs.
        let paper: Config = "preset = \"paper\"\nstandalone = true\npc_bits = 64".parse().unwrap();
        let found = storage(&paper, &[]);
        let bits: Vec<u64> = found.iter().map(|line| line.paper_bits).collect();
        assert_eq!(bits, [74 * 512, 148 * 16384]);
        assert!(found.iter().all(|line| line.record_bits > line.paper_bits), "ours hold more");
        assert_eq!(storage(&config::Preset::Baseline.config(), &[]), []);
    }

    #[test]
    fn the_cost_of_one_hart_is_its_share() {
        let cost = Cost { luts: 80, ffs: 8, brams: 4, dsps: 0 };
        let row = Row {
            depth: 1,
            unit: "comm_monitor".into(),
            module: "comm_monitor_x".into(),
            instances: 4,
            own: cost,
            total: cost,
        };
        assert_eq!(of_one_hart(&[row], "comm_monitor", 4).luts, 20);
    }
}
