//! What a failure needs: the few accesses whose order decides between failing and passing.

pub mod flips;
pub mod reduce;
pub mod story;

use crate::log::Log;
use crate::run::{Lab, Order, RunError, Trial};
use flips::{Acts, Pair, flipped};
use golden::machine::Turn;
use reduce::{Needed, extend, reduce};
use std::collections::HashMap;

/// What was found out about one failing run.
pub struct Explained {
    /// A failing run in which nothing happens that the failure does not need.
    pub log: Log,
    /// The turns that it needs.
    pub turns: Vec<Needed>,
    /// Orders that decide: for each the pairs that come the other way round in a run that does not fail and
    /// whose schedule differs in the place of one access.
    pub decisive: Vec<Vec<Pair>>,
    /// Runs that were made.
    pub trials: u64,
}

/// What trying out came to.
pub enum Finding {
    /// The order that fails.
    Explained(Box<Explained>),
    /// It fails however harts take turns, as far as was tried.
    AnyOrder {
        /// Runs that were made.
        trials: u64,
    },
    /// The run does not fail again when its order is prescribed.
    NotRepeated,
}

impl Finding {
    /// Runs that were made.
    pub fn trials(&self) -> u64 {
        match self {
            Self::Explained(explained) => explained.trials,
            Self::AnyOrder { trials } => *trials,
            Self::NotRepeated => 1,
        }
    }
}

/// Tries orders of a program.
pub struct Examiner<'a> {
    lab: &'a Lab,
    /// Whether a run fails, in the way that is examined.
    fails: &'a (dyn Fn(&Trial) -> bool + 'a),
    known: HashMap<Vec<Turn>, bool>,
    trials: u64,
}

impl<'a> Examiner<'a> {
    /// For failures of one kind.
    pub fn new(lab: &'a Lab, fails: &'a (dyn Fn(&Trial) -> bool + 'a)) -> Self {
        Self { lab, fails, known: HashMap::new(), trials: 0 }
    }

    fn fails(&mut self, turns: &[Turn]) -> Result<bool, RunError> {
        if let Some(known) = self.known.get(turns) {
            return Ok(*known);
        }
        self.trials += 1;
        let trial = self.lab.run(&Order::Script(turns.into()), false)?;
        let fails = (self.fails)(&trial);
        self.known.insert(turns.to_vec(), fails);
        Ok(fails)
    }

    /// What the failure of these turns needs. `passing` are turns of runs that pass.
    ///
    /// # Errors
    /// If a run cannot be made.
    pub fn examine(
        &mut self,
        failing: &[Turn],
        passing: &[Vec<Turn>],
    ) -> Result<Finding, RunError> {
        if self.fails(&[])? {
            return self.examine_natural(passing);
        }
        if !self.fails(failing)? {
            return Ok(Finding::NotRepeated);
        }
        let turns = reduce(failing.to_vec(), &mut |turns| self.fails(turns))?;
        let log = self.log(&turns)?;
        let needed = extend(&turns, |hart| log.points(hart), &mut |turns| self.fails(turns))?;
        let mut decisive = Vec::new();
        for (index, one) in needed.iter().enumerate() {
            let mut ends = vec![one.turn.until - 1];
            ends.extend(one.latest.map(|latest| latest + 1));
            for until in ends {
                let mut other = turns.clone();
                other[index].until = until;
                decisive.push(self.decisive(&log, &other)?);
            }
        }
        let trials = self.trials;
        Ok(Finding::Explained(Box::new(Explained { log, turns: needed, decisive, trials })))
    }

    /// The run in which nobody is interrupted fails: what does it take to pass?
    fn examine_natural(&mut self, passing: &[Vec<Turn>]) -> Result<Finding, RunError> {
        for turns in passing {
            if self.fails(turns)? {
                continue;
            }
            let mut passes = |turns: &[Turn]| self.fails(turns).map(|fails| !fails);
            let turns = reduce(turns.clone(), &mut passes)?;
            let mut decisive = Vec::new();
            let mut shown = None;
            for index in 0..turns.len() {
                let mut short = turns.clone();
                short[index].until -= 1;
                let log = self.log(&short)?;
                decisive.push(self.decisive(&log, &turns)?);
                shown = Some((log, short));
            }
            // The last turn is the one whose lack shows in the run that is shown.
            let Some((log, short)) = shown else { continue };
            let needed = short.iter().map(|turn| Needed { turn: *turn, latest: None }).collect();
            let decisive = decisive.split_off(decisive.len() - 1);
            let trials = self.trials;
            let explained = Explained { log, turns: needed, decisive, trials };
            return Ok(Finding::Explained(Box::new(explained)));
        }
        Ok(Finding::AnyOrder { trials: self.trials })
    }

    fn decisive(&mut self, failing: &Log, other: &[Turn]) -> Result<Vec<Pair>, RunError> {
        Ok(flipped(&Acts::of(failing), &Acts::of(&self.log(other)?)))
    }

    fn log(&mut self, turns: &[Turn]) -> Result<Log, RunError> {
        self.trials += 1;
        self.lab.log(&Order::Script(turns.into()))
    }
}
