//! State of every hart in a run that the program did not end.

use std::fmt;

use border::{Program, Target};

use super::lines::SourceLines;
use super::{MachineError, Simulation};

/// Each hart's PC, and what it is waiting for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hang {
    harts: Vec<String>,
}

impl Hang {
    /// Reads the state of every hart.
    pub(super) fn of(simulation: &Simulation, program: &Program) -> Result<Self, MachineError> {
        let lines = SourceLines::of(program);
        let hart = |number| {
            let at = simulation.whereabouts(number)?;
            Ok(format!("hart {number}: {}, {}", lines.describe(at.pc), at.doing))
        };
        let harts = (0..simulation.harts()).map(hart).collect::<Result<_, MachineError>>()?;
        Ok(Self { harts })
    }
}

impl fmt::Display for Hang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for hart in &self.harts {
            let gap = if first { "" } else { "\n" };
            first = false;
            write!(f, "{gap}  {hart}")?;
        }
        Ok(())
    }
}
