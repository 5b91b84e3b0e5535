//! 50 runs as large as x264's in Bugaboo's Table 5, beside networkx and beside just reading them.

use crate::synthetic::{self, Size};
use crate::worker::{self, Measured, median};
use measure::report::{Limit, Report, Row, time};
use std::path::Path;
use tools::Tool;

const SIZE: Size = Size { runs: 50, edges: 137_000 };
/// Scores are computed in the same way; only the order of additions differs.
const CLOSE: f64 = 1e-9;

/// Measures loading, ranking and reconstructing.
pub fn measure(report: &mut Report) {
    let megabytes = SIZE.bytes() / 1_000_000;
    report.section(format!(
        "Analysis of {} runs of {} edges each ({megabytes} MB): loaded, ranked, reconstructed",
        SIZE.runs, SIZE.edges
    ));
    let folder = tempfile::tempdir().expect("a folder for the runs");
    synthetic::write(folder.path(), &SIZE).expect("room for the runs");
    let read = median((0..3).map(|_| worker::measure("read", folder.path())).collect());
    let ours = median((0..3).map(|_| worker::measure("analyze", folder.path())).collect());
    let limit = Some(Limit::AtLeast(50.0));
    match networkx(folder.path()) {
        Ok(peer) => {
            report.row(Row {
                what: "processor time, beside Python with networkx".into(),
                ours: time(ours.processor),
                peer: time(peer.processor),
                ratio: Some(peer.processor / ours.processor),
                limit,
            });
            report.row(Row {
                what: "time, beside the same".into(),
                ours: time(ours.seconds),
                peer: time(peer.seconds),
                ratio: Some(peer.seconds / ours.seconds),
                limit: None,
            });
            if let (Some(mine), Some(theirs)) = (ours.peak_kib, peer.peak_kib) {
                report.row(Row {
                    what: "peak memory, beside the same".into(),
                    ours: format!("{} MB", mine / 1000),
                    peer: format!("{} MB", theirs / 1000),
                    ratio: Some(theirs as f64 / mine as f64),
                    limit: None,
                });
            }
            let answer = if agree(&ours, &peer) { "the same" } else { "DIFFERENT" };
            report.row(Row {
                what: "first ten code points and reconstructions".into(),
                ours: answer.into(),
                peer: answer.into(),
                ratio: None,
                limit: None,
            });
        }
        Err(why) => report.missing("Python with networkx", &why, limit),
    }
    report.row(Row {
        what: "processor time, beside just reading the bytes".into(),
        ours: time(ours.processor),
        peer: time(read.processor),
        ratio: Some(ours.processor / read.processor),
        limit: None,
    });
}

fn networkx(folder: &Path) -> Result<Measured, String> {
    let python = tools::locate(Tool::Networkx).map_err(|missing| missing.to_string())?;
    let mut command = python.command();
    command.arg("-c").arg(include_str!("peer.py")).arg(folder);
    worker::run(command)
}

/// Whether both came to the same answers.
fn agree(ours: &Measured, peer: &Measured) -> bool {
    let close = |a: f64, b: f64| (a - b).abs() <= CLOSE * a.abs().max(b.abs());
    ours.distinct == peer.distinct
        && ours.ranking.len() == peer.ranking.len()
        && ours.ranking.iter().zip(&peer.ranking).all(|(a, b)| a.0 == b.0 && close(a.1, b.1))
        && ours.reconstructions.len() == peer.reconstructions.len()
        && ours
            .reconstructions
            .iter()
            .zip(&peer.reconstructions)
            .all(|(a, b)| (a.0, a.1) == (b.0, b.1) && close(a.2, b.2))
}
