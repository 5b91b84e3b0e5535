//! From what a machine showed of a run to the run as it is kept.

use super::{Collect, Finished, HuntError, Loaded, Schedule, Tail};
use config::Config;
use cosim::machine::Counts;
use golden::machine::Accessed;
use golden::memory::Tap;
use record::{
    Access, Collected, Ctx, Edge, EdgeKind, Ending, Hart, Header, Outcome, Pc, Run, Time, Total,
    Totals,
};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// How a machine stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stopped {
    /// The firmware said so, and has sent everything.
    Exit,
    /// It took too long.
    Limit,
    /// Nothing moves any more.
    Stuck,
}

/// What a machine showed.
pub(super) struct Shown {
    pub stopped: Stopped,
    pub cycles: u64,
    /// The record stream, without edges.
    pub records: Vec<u8>,
    /// The edges that were drained.
    pub bare_edges: Vec<u8>,
    /// Every edge, in order.
    pub taps: Vec<Tap>,
    pub console: Tail,
    pub errors: Vec<u8>,
    /// Every access, and what the hardware did, if wanted.
    pub accesses: Vec<Accessed>,
    pub counts: Option<Counts>,
}

impl Loaded {
    /// The machine of a schedule.
    pub(super) fn config_of(&self, schedule: Schedule) -> Config {
        let mut config = self.config.clone();
        config.simulation.seed = schedule.seed;
        config.simulation.perturbation = schedule.perturbation;
        config
    }

    /// The run that was shown.
    pub(super) fn finished(&self, schedule: Schedule, shown: Shown) -> Result<Finished, HuntError> {
        let firmware = |what: String| HuntError::Firmware { seed: schedule.seed, what };
        let (ending, reported) = match shown.stopped {
            Stopped::Exit => {
                let told = Run::read(shown.records.as_slice())
                    .map_err(|error| firmware(format!("the record stream: {error}")))?;
                (told.ending, told.lost)
            }
            stopped => {
                let outcome = match stopped {
                    Stopped::Limit => Outcome::CycleLimit,
                    _ => Outcome::Deadlock,
                };
                (Ending { outcome, cycles: shown.cycles, ..Ending::default() }, BTreeMap::new())
            }
        };
        let mut header = Header {
            seed: schedule.seed,
            config: Sha256::digest(self.config_of(schedule).canonical()).into(),
            ..self.header.clone()
        };
        let mut totals = Totals::default();
        let mut lost = BTreeMap::new();
        match (self.collect, shown.stopped) {
            (Collect::Firmware, Stopped::Exit) => {
                let drained = record::bare_edges(&shown.bare_edges)
                    .map_err(|error| firmware(format!("the drained edges: {error}")))?;
                drained.iter().for_each(|total| totals.add(total));
                lost = reported;
            }
            (Collect::Firmware, _) => {
                // Part of it is still in buffers and tables; the tap showed the same edges.
                header.collected = Collected::Tap;
                for tap in &shown.taps {
                    let edge = recorded(&tap.edge);
                    match tap.lost {
                        true => *lost.entry(edge.sink.hart).or_default() += 1,
                        false => totals.add(&Total { edge, count: 1 }),
                    }
                }
            }
            // Full tables, which nobody drains, lose nothing here.
            (Collect::Tap, _) => {
                shown.taps.iter().for_each(|tap| totals.add(&recorded(&tap.edge).into()));
            }
        }
        let run = Run { header, edges: totals.into_sorted(), lost, ending };
        Ok(Finished {
            run,
            console: shown.console,
            errors: Tail::from(shown.errors),
            accesses: shown.accesses,
            counts: shown.counts,
        })
    }
}

/// An edge of a machine or model, as it is recorded.
pub fn recorded(edge: &golden::Edge) -> Edge {
    let golden::Edge { source, sink, kind } = *edge;
    let access = |end: golden::LineMeta| Access {
        pc: Pc(end.pc.0),
        ctx: Ctx(end.ctx.0),
        time: Time(end.time.0),
        hart: Hart(end.hart.0 as u8),
    };
    let kind = match kind {
        golden::EdgeKind::Raw => EdgeKind::Raw,
        golden::EdgeKind::Waw => EdgeKind::Waw,
        golden::EdgeKind::Memory => EdgeKind::Memory,
    };
    Edge { source: access(source), sink: access(sink), kind }
}
