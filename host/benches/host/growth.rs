//! Ten times the runs should take ten times the processor time, and no more memory than their edges need.

use crate::synthetic::{self, Size};
use crate::worker::{self, median};
use measure::report::{Limit, Report, Row, time};

const EDGES: u64 = 8_000;
const RUNS: [u64; 3] = [10, 100, 1000];

/// Measures the time for each run as runs become many.
pub fn measure(report: &mut Report) {
    report.section(format!("Growth with the number of runs ({EDGES} edges each)"));
    let mut first: Option<f64> = None;
    for runs in RUNS {
        let folder = tempfile::tempdir().expect("a folder for the runs");
        synthetic::write(folder.path(), &Size { runs, edges: EDGES }).expect("room for the runs");
        let measured = median((0..3).map(|_| worker::measure("analyze", folder.path())).collect());
        let each = measured.processor / runs as f64;
        let base = *first.get_or_insert(each);
        let memory = measured.peak_kib.map_or("?".into(), |kib| format!("{} MB", kib / 1000));
        report.row(Row {
            what: format!(
                "{runs} runs, {} distinct edges: {}, {memory}; each run, beside with {}",
                measured.distinct,
                time(measured.processor),
                RUNS[0]
            ),
            ours: time(each),
            peer: time(base),
            ratio: Some(each / base),
            limit: (runs == RUNS[RUNS.len() - 1]).then_some(Limit::AtMost(1.5)),
        });
    }
}
