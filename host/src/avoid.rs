//! Avoidance, measured: a program under fresh schedules with and without ephemeral transactions (ColorSafe §6.2).
//!
//! First some schedules in deployment mode learn which colors are hazardous; no other schedule counts what they learned
//! from. Then the same fresh schedules are run without colors, and with those colors in every hart's set from the start, as a
//! deployed image would.

use crate::hunt::{Coloring, FailIf, Golden, HuntError, Transactions};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The first schedule: far above what hunts use up.
const FIRST: u64 = 1 << 33;

/// What is measured.
pub struct Measure<'a> {
    /// The program on its machine.
    pub golden: &'a Golden,
    /// What counts as failing.
    pub rule: &'a FailIf,
    /// Schedules that are run in each arm.
    pub schedules: u64,
    /// Instructions of a transaction; 0: the usual number.
    pub length: u32,
    /// Told of each schedule.
    pub progress: &'a (dyn Fn() + Sync),
}

/// One arm.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Arm {
    /// Schedules.
    pub runs: u64,
    /// Those that failed.
    pub failed: u64,
    /// Instructions of all harts in all of them, void ones too.
    pub instructions: u64,
    /// Their transactions.
    pub transactions: Transactions,
    /// Colors that were hazardous at the end of some run.
    #[serde(skip)]
    pub hazards: BTreeSet<u32>,
}

/// The colors that a deployed image starts with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hazards {
    schema: String,
    /// The program that they are of.
    pub program: String,
    /// The colors.
    pub colors: BTreeSet<u32>,
}

impl Hazards {
    const SCHEMA: &'static str = "crosstalk.hazards/1";

    /// Of a program.
    pub fn new(program: &str, colors: BTreeSet<u32>) -> Self {
        Self { schema: Self::SCHEMA.into(), program: program.into(), colors }
    }

    /// What a file says.
    ///
    /// # Errors
    /// A sentence, if it is another file, or has a color that a machine with this many bits does not have.
    pub fn parse(text: &str, color_bits: u32) -> Result<Self, String> {
        let found: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if found.schema != Self::SCHEMA {
            return Err(format!("the schema is `{}`; expected `{}`", found.schema, Self::SCHEMA));
        }
        let last = (1 << color_bits) - 1;
        match found.colors.iter().find(|color| !(1..=last).contains(*color)) {
            Some(color) => Err(format!("unknown color {color}; expected 1 to {last}")),
            None => Ok(found),
        }
    }
}

impl Measure<'_> {
    /// The colors that so many schedules find hazardous.
    ///
    /// # Errors
    /// If a run cannot be made.
    pub fn learn(&self, schedules: u64) -> Result<Arm, HuntError> {
        let control = Coloring::DEPLOYMENT;
        let coloring = Coloring { control, length: self.length, ..Coloring::default() };
        self.arm(FIRST, schedules, &coloring)
    }

    /// Fresh schedules without colors.
    ///
    /// # Errors
    /// If a run cannot be made.
    pub fn without(&self, learned: u64) -> Result<Arm, HuntError> {
        self.arm(FIRST + learned, self.schedules, &Coloring::default())
    }

    /// The same ones with these hazardous colors.
    ///
    /// # Errors
    /// If a run cannot be made.
    pub fn with(&self, learned: u64, hazards: &BTreeSet<u32>) -> Result<Arm, HuntError> {
        let (control, hazards) = (Coloring::DEPLOYMENT, hazards.clone());
        let coloring = Coloring { control, length: self.length, hazards };
        self.arm(FIRST + learned, self.schedules, &coloring)
    }

    fn arm(&self, first: u64, runs: u64, coloring: &Coloring) -> Result<Arm, HuntError> {
        let one = |seed| {
            let run = self.golden.colored(seed, coloring)?;
            (self.progress)();
            Ok(Arm {
                runs: 1,
                failed: run.fails(self.rule).into(),
                instructions: run.instructions,
                transactions: run.transactions,
                hazards: run.hazards,
            })
        };
        let add = |mut sum: Arm, one: Arm| {
            sum.runs += one.runs;
            sum.failed += one.failed;
            sum.instructions += one.instructions;
            sum.transactions += one.transactions;
            sum.hazards.extend(one.hazards);
            Ok(sum)
        };
        let seeds = (first..first + runs).into_par_iter();
        seeds.map(one).try_reduce(Arm::default, add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hazard_file_is_read_as_it_was_written_and_others_are_refused() {
        let hazards = Hazards::new("bank", [3, 7].into());
        let text = serde_json::to_string(&hazards).unwrap();
        assert_eq!(Hazards::parse(&text, 12), Ok(hazards));
        let refused = |text: &str| Hazards::parse(text, 2).unwrap_err();
        assert_eq!(refused(&text), "unknown color 7; expected 1 to 3");
        assert!(refused(&text.replace("hazards/1", "hazards/2")).contains("hazards/2`; expected"));
        assert!(refused("{}").contains("missing field `schema`"));
    }
}
