//! What looks at every cycle of a run.

use golden::machine::Disagreement;
use golden::memory::{Tap, Watched};

use super::accesses::Accesses;
use super::lockstep::Lockstep;
use super::run::Observer;
use super::stats::Stats;
use super::trace::Trace;
use super::{MachineError, Soc};

/// The optional observers of a run.
#[derive(Default)]
pub(super) struct Instruments {
    pub stats: Option<Stats>,
    pub trace: Option<Trace>,
    pub lockstep: Option<Lockstep>,
    pub edges: Option<Vec<Tap>>,
    pub accesses: Option<Accesses>,
    pub observer: Option<Observer>,
}

impl Instruments {
    /// Whether there is none.
    pub(super) fn is_idle(&self) -> bool {
        self.stats.is_none()
            && self.trace.is_none()
            && self.lockstep.is_none()
            && self.edges.is_none()
            && self.accesses.is_none()
            && self.observer.is_none()
    }

    /// Shows a cycle to all of them, and what was written to the watched word in it.
    pub(super) fn cycle(
        &mut self,
        soc: &Soc,
        watched: Option<Watched>,
    ) -> Result<(), MachineError> {
        let (cycle, observed) = (soc.cycle() - 1, soc.observe());
        if let Some(trace) = &mut self.trace {
            trace.cycle(cycle, &observed).map_err(MachineError::Output)?;
        }
        if let Some(stats) = &mut self.stats {
            stats.count(&observed);
        }
        if let Some(edges) = &mut self.edges {
            edges.extend(observed.tap());
        }
        if let Some(accesses) = &mut self.accesses {
            accesses.cycle(&observed);
        }
        if let Some(observer) = &mut self.observer {
            observer(cycle, &observed);
        }
        if let Some(lockstep) = &mut self.lockstep {
            lockstep.cycle(cycle - 1, &observed, watched).map_err(|d| mismatch(&d))?;
        }
        Ok(())
    }
}

/// Converts a disagreement; the golden machine counts cycles from the first after reset, the model from reset.
pub(super) fn mismatch(disagreement: &Disagreement) -> MachineError {
    let disagreement = Disagreement { cycle: disagreement.cycle + 1, ..*disagreement };
    MachineError::Mismatch { cycle: disagreement.cycle, report: disagreement.to_string() }
}
