//! Where every hart stands when nothing moves any more.

use std::fmt;

use border::Program;

use super::Soc;
use super::lines::SourceLines;

/// Each hart's place, and what it waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hang {
    harts: Vec<String>,
}

impl Hang {
    /// Looks at every hart.
    pub fn of(soc: &Soc, program: &Program) -> Self {
        let lines = SourceLines::of(program);
        let hart = |number| {
            let wait = soc.wait(number);
            format!("hart {number}: {}, {}", lines.describe(wait.pc), wait.words())
        };
        Self { harts: (0..soc.harts()).map(hart).collect() }
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
