//! Small threaded programs with known bugs, run under a seeded scheduler and watched by BB-SW.

pub mod kernels;
pub mod machine;
pub mod snooping;

use crosstalk::runs::RunFile;
use record::{
    Access, Collected, Ctx, Edge, EdgeKind, End, Ending, Hart, Header, Pc, Run, Time, Total, Totals,
};
use std::path::Path;

/// An edge of the software model as a record.
pub fn recorded(edge: &golden::Edge) -> Edge {
    let access = |meta: &golden::LineMeta| Access {
        pc: Pc(meta.pc.0),
        ctx: Ctx(meta.ctx.0),
        time: Time(meta.time.0),
        hart: Hart(meta.hart.0 as u8),
    };
    let kind = match edge.kind {
        golden::EdgeKind::Raw => EdgeKind::Raw,
        golden::EdgeKind::Waw => EdgeKind::Waw,
        golden::EdgeKind::Memory => EdgeKind::Memory,
    };
    Edge { source: access(&edge.source), sink: access(&edge.sink), kind }
}

/// A run with these edges.
pub fn run_of(seed: u64, edges: &[Edge], failed: bool) -> Run {
    let mut totals = Totals::default();
    edges.iter().for_each(|edge| totals.add(&Total::from(*edge)));
    let header = Header {
        collected: Collected::Model,
        events: 5,
        harts: 8,
        pc_bits: 32,
        time_bits: 32,
        seed,
        runs: 1,
        ..Header::default()
    };
    let outcome = End::Exit { code: i32::from(failed) };
    Run {
        header,
        edges: totals.into_sorted(),
        ending: Ending { outcome, ..Ending::default() },
        ..Run::default()
    }
}

/// Writes runs into a folder, each named after its place.
pub fn write_runs<'a>(folder: &Path, runs: impl IntoIterator<Item = &'a Run>) -> Vec<RunFile> {
    let mut files = Vec::new();
    for (place, run) in runs.into_iter().enumerate() {
        let name = format!("{place:04}.run");
        let path = folder.join(&name);
        std::fs::write(&path, run.write(Vec::new()).unwrap()).unwrap();
        files.push(RunFile { path, name, label: None });
    }
    files
}
