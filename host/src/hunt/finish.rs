//! From what a machine showed of a run to the run as it is kept.

use super::{Collect, DataAccess, Finished, HuntError, Loaded, Tail, Work};
use crate::run_record;
use config::{Config, Perturbation};
use golden::memory::Tap;
use kit::cache::sha256;
use record::{Collected, End, Ending, Header, Run, Total, Totals};
use std::collections::BTreeMap;

/// What a machine showed.
pub(super) struct Shown {
    /// How it ended. After an exit the firmware has sent everything, and knows better how.
    pub end: End,
    /// Its times had wrapped when it was stopped.
    pub wrapped: bool,
    pub cycles: u64,
    /// The record stream, without edges.
    pub records: Vec<u8>,
    /// The edges that were drained.
    pub bare_edges: Vec<u8>,
    /// Every edge, in order.
    pub taps: Vec<Tap>,
    pub console: Tail,
    pub errors: Tail,
    /// Every access, and what the hardware did, if wanted.
    pub accesses: Vec<DataAccess>,
    pub work: Option<Work>,
}

impl Loaded {
    /// The machine of a schedule.
    pub(super) fn config_of(&self, seed: u64, perturbation: Perturbation) -> Config {
        let mut config = self.config.clone();
        config.simulation.seed = seed;
        config.simulation.perturbation = perturbation;
        config
    }

    /// The run that was shown, on the machine of its schedule.
    pub(super) fn finished(&self, config: &Config, shown: Shown) -> Result<Finished, HuntError> {
        let seed = config.simulation.seed;
        let firmware = |what: String| HuntError::Firmware { seed, what };
        let exited = matches!(shown.end, End::Exit { .. });
        let (ending, reported) = match shown.end.clone() {
            End::Exit { .. } => {
                let told = Run::read(shown.records.as_slice())
                    .map_err(|error| firmware(format!("the record stream is damaged: {error}")))?;
                (told.ending, told.lost)
            }
            outcome => {
                let Shown { wrapped, cycles, .. } = shown;
                (Ending { outcome, wrapped, cycles }, BTreeMap::new())
            }
        };
        let mut header = Header { seed, config: sha256(config.canonical()), ..self.header.clone() };
        let (edges, lost) = match (self.collect, exited) {
            (Collect::Firmware, true) => {
                let drained = record::bare_edges(&shown.bare_edges)
                    .map_err(|error| firmware(format!("the drained edges are damaged: {error}")))?;
                (Totals::from_iter(drained).into_sorted(), reported)
            }
            (Collect::Firmware, false) => {
                // Part of it is still in buffers and tables; the tap showed the same edges.
                header.collected = Collected::Tap;
                run_record::collected(&shown.taps)
            }
            // Full tables, which nobody drains, lose nothing here.
            (Collect::Tap, _) => {
                let edges = shown.taps.iter().map(|tap| Total::from(run_record::edge(&tap.edge)));
                (edges.collect::<Totals>().into_sorted(), BTreeMap::new())
            }
        };
        let run = Run { header, edges, lost, ending };
        Ok(Finished {
            run,
            console: shown.console,
            errors: shown.errors,
            accesses: shown.accesses,
            work: shown.work,
        })
    }
}
