//! Schedules on the simulated hardware.

use super::finish::Shown;
use super::{Executor, Finished, HuntError, Loaded, Schedule, Tail};
use crate::kept;
use border::End;
use config::Perturbation;
use cosim::Library;
use cosim::machine::{Machines, Options, Outcome, Run};

/// The machine's hardware, with a program: one compiled model, shared by all threads.
pub struct Rtl {
    loaded: Loaded,
    library: Library,
}

impl Rtl {
    /// Builds the machine, unless it is there already.
    ///
    /// # Errors
    /// If it cannot be built.
    pub fn new(machines: &Machines, loaded: Loaded) -> Result<Self, HuntError> {
        let library = machines.library(&loaded.config, false)?;
        Ok(Self { loaded, library })
    }
}

impl Executor for Rtl {
    fn execute(&self, schedule: Schedule) -> Result<Finished, HuntError> {
        let config = self.loaded.config_of(schedule);
        let limit = Some(self.loaded.max_cycles);
        let accesses = self.loaded.accesses;
        let options =
            Options { limit, collect: true, accesses, stats: accesses, ..Options::default() };
        let mut console = Tail::default();
        let run = Run::new(&self.library, &config, &self.loaded.program, options, &mut console)?;
        let Outcome { end, cycles, stats, edges, accesses, sent, mut soc, .. } = run.finish()?;
        let wrapped = !matches!(end, End::Exit { .. }) && kept::times_wrapped(&mut soc);
        let shown = Shown {
            end,
            wrapped,
            cycles,
            records: sent.records,
            bare_edges: sent.bare_edges,
            taps: edges,
            console,
            errors: Tail::from(sent.errors),
            accesses,
            counts: stats.map(|stats| stats.total()),
        };
        self.loaded.finished(schedule, shown)
    }

    fn perturbation(&self) -> Option<Perturbation> {
        Some(self.loaded.config.simulation.perturbation)
    }
}
