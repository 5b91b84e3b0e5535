//! State of every hart in a run that the program did not end.

use std::fmt;

use border::{Program, Target};

use super::lines::SourceLines;

/// Each hart's PC, and what it is waiting for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hang {
    harts: Vec<String>,
}

impl Hang {
    /// Reads the state of every hart.
    ///
    /// # Errors
    /// If the target cannot say.
    pub fn of<T: Target>(target: &T, program: &Program) -> Result<Self, T::Error> {
        let lines = SourceLines::of(program);
        let hart = |number| {
            let at = target.whereabouts(number)?;
            Ok(format!("hart {number}: {}, {}", lines.describe(at.pc), at.doing))
        };
        let harts = (0..target.harts()).map(hart).collect::<Result<_, T::Error>>()?;
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
