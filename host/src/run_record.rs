//! The record of a run on the machine, as it is kept on disk: each distinct edge once.
//!
//! A program that ends sends its own record. One that was stopped could not: what it sent, what lies in
//! its buffers and what its tables hold are together the edges that the tap showed and no table lost.

use crate::Error;
use border::monitor::{self, Word};
use border::{End, Program};
use cosim::machine::{Outcome, Soc};
use golden::LineMeta;
use golden::memory::Tap;
use kit::file::write_atomic;
use record::{Access, Collected, Ctx, Edge, Ending, Hart, Header, Pc, Run, Time, Total, Totals};
use std::collections::BTreeMap;
use std::path::Path;

/// A run that is over, on any machine that showed its edges.
pub struct Over<'a> {
    /// How it ended.
    pub end: End,
    /// What the firmware sent of a record.
    pub records: &'a [u8],
    /// The edges, as the machine showed them.
    pub taps: &'a [Tap],
    /// The harts of the machine.
    pub harts: usize,
    /// How long it took.
    pub cycles: u64,
    /// Times order nothing, because they wrapped.
    pub wrapped: bool,
}

/// The record of a run on the hardware, however it ended; the edges must have been collected.
///
/// # Errors
/// One sentence, if the program sent none.
pub fn record(outcome: &mut Outcome, program: &Program) -> Result<Run, String> {
    let by_itself = matches!(outcome.end, End::Exit { .. });
    let over = Over {
        end: outcome.end.clone(),
        records: &outcome.sent.records,
        taps: &outcome.edges,
        harts: outcome.soc.harts(),
        cycles: outcome.cycles,
        wrapped: !by_itself && times_wrapped(&mut outcome.soc),
    };
    record_of(&over, program)
}

/// The record of a run, however it ended.
///
/// # Errors
/// One sentence, if the program sent none.
pub fn record_of(over: &Over<'_>, program: &Program) -> Result<Run, String> {
    let none = |why: String| {
        let name = program.path.display();
        format!("`{name}` sent no valid record of its run: {why}; link it with `crosstalk cc`")
    };
    let mut run = match over.end {
        End::Exit { .. } => Run::read(over.records).map_err(|error| none(error.to_string())),
        _ => taken(over, program).map_err(none),
    }?;
    run.header.program =
        program.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(run)
}

/// Writes the record.
pub fn write(path: &Path, run: &Run) -> Result<(), String> {
    let bytes = run.write(Vec::new()).map_err(|error| Error::unwritable(path, &error));
    let written = bytes.and_then(|bytes| Ok(write_atomic(path, &bytes)?));
    written.map_err(|error| error.to_string())
}

/// Whether the times of the machine's edges order nothing, because they wrapped.
pub(crate) fn times_wrapped(soc: &mut Soc) -> bool {
    let wrapped = monitor::address(0, Word::TimeWrapped);
    // If not even the bus answers, nobody knows.
    soc.peek_word(wrapped).map_or(true, |word| Word::WRAPPED.of(word) != 0)
}

/// The record of a run that did not end by itself, as its firmware would have sent it.
fn taken(over: &Over<'_>, program: &Program) -> Result<Run, String> {
    let settings = program.settings().map_err(|error| error.to_string())?;
    let harts = over.harts as u32;
    let used = if settings.harts == 0 { harts } else { settings.harts.min(harts) };
    let header = Header {
        collected: Collected::Tap,
        events: settings.events,
        harts: used as u8,
        pc_bits: settings.pc_bits,
        time_bits: settings.time_bits,
        seed: settings.seed,
        runs: 1,
        config: settings.config_hash,
        elf: settings.elf_hash,
        ..Header::default()
    };
    let (edges, lost) = collected(over.taps);
    let ending = Ending { outcome: over.end.clone(), wrapped: over.wrapped, cycles: over.cycles };
    Ok(Run { header, edges, lost, ending })
}

/// What the tables took, and how much each of them did not.
pub(crate) fn collected(taps: &[Tap]) -> (Vec<Total>, BTreeMap<Hart, u32>) {
    let mut totals = Totals::default();
    let mut lost = BTreeMap::<Hart, u32>::new();
    for tap in taps {
        let edge = edge(&tap.edge);
        if tap.lost {
            let lost = lost.entry(edge.sink.hart).or_default();
            *lost = lost.saturating_add(1);
        } else {
            totals.add(&Total::from(edge));
        }
    }
    (totals.into_sorted(), lost)
}

/// The same edge as records have it.
pub fn edge(edge: &golden::Edge) -> Edge {
    let access = |end: &LineMeta| Access {
        pc: Pc(end.pc.0),
        ctx: Ctx(end.ctx.0),
        time: Time(end.time.0),
        hart: Hart(end.hart.0 as u8),
    };
    Edge { source: access(&edge.source), sink: access(&edge.sink), kind: edge.kind }
}

#[cfg(test)]
mod tests {
    use super::*;
    use golden::{CodePoint, EdgeKind, HartId};

    fn tap(pc: u64, sink_hart: u32, lost: bool) -> Tap {
        let sink = LineMeta { pc: CodePoint(pc), hart: HartId(sink_hart), ..LineMeta::NULL };
        let edge = golden::Edge { source: LineMeta::NULL, sink, kind: EdgeKind::Waw };
        Tap { edge, lost }
    }

    #[test]
    fn what_a_table_lost_counts_for_its_hart_and_is_no_edge() {
        let taps = [tap(4, 1, false), tap(4, 2, true), tap(4, 1, false), tap(8, 2, true)];
        let (edges, lost) = collected(&taps);
        let seen: Vec<_> =
            edges.iter().map(|total| (total.edge.sink.pc, total.edge.kind, total.count)).collect();
        assert_eq!(seen, [(Pc(4), EdgeKind::Waw, 2)]);
        assert_eq!(lost, BTreeMap::from([(Hart(2), 2)]));
    }
}
