//! What a failure needs: the few accesses whose order decides between failing and passing.

pub mod flips;
mod link;
pub mod reduce;
pub mod sections;
pub mod story;
pub mod swap;

use crate::log::Log;
use crate::run::{Lab, Order, RunError, Trial};
use crate::verdict::{Distance, deadlock, slice};
use flips::{Acts, Pair, flipped};
use golden::machine::Turn;
use reduce::{Needed, extend, reduce};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use story::Lives;
use swap::{Candidate, Course, Sequence, candidates, sequences, unfinished};

/// Pairs of one run that are tried at most.
const MOST_CANDIDATES: usize = 200;
/// Pairs of the same two instructions that are tried at most.
const MOST_TIMES: usize = 16;
/// Sequences of one run that are tried at most.
const MOST_SEQUENCES: usize = 60;

/// What was found out about one failing run.
pub struct Explained {
    /// A failing run in which nothing happens that the failure does not need.
    pub log: Log,
    /// The turns that it needs.
    pub turns: Vec<Needed>,
    /// Orders that do not fail.
    pub passing: Vec<Passing>,
    /// Runs that were made.
    pub trials: u64,
}

/// An order that does not fail, and differs little from one that does.
pub struct Passing {
    /// How it was made.
    pub by: By,
    /// The pairs that come the other way round in it.
    pub flips: Vec<Pair>,
}

/// How a failing order was changed.
pub enum By {
    /// A turn was made one access shorter or longer.
    Turn,
    /// Two accesses were turned round, and the rest left as it was, as far as possible.
    Swap {
        /// The two.
        candidate: Candidate,
        /// Points that changed places with it.
        moved: usize,
    },
    /// Nobody came between two accesses of a thread, whenever a thread performed them.
    Whole {
        /// The accesses, and one that came between them.
        sequence: Sequence,
        /// Points from the first to the last.
        points: usize,
    },
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

/// The same with the first of each two instructions before the second of any, and no more than some of each.
fn in_rounds(candidates: impl Iterator<Item = Candidate>) -> Vec<Candidate> {
    let mut times = HashMap::new();
    let mut rounds: Vec<(usize, Candidate)> = candidates
        .map(|candidate| {
            let time = times.entry(story::key(&candidate.pair)).or_insert(0);
            *time += 1;
            (*time, candidate)
        })
        .filter(|(time, _)| *time <= MOST_TIMES)
        .collect();
    rounds.sort_by_key(|(time, _)| *time);
    rounds.into_iter().map(|(_, candidate)| candidate).collect()
}

/// Whether a write that a failing run did not come to is one to what its read was of: memory that a passing run allocates only
/// later, or for something else, is not what the failing run missed.
fn is_same_block(failing: &Log, other: &Log, pair: &Pair) -> bool {
    let block = |log: &Log| log.state.heap.block(pair.second.address).map(|block| block.address);
    block(failing) == block(other)
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
        let mut passing = Vec::new();
        let mut missing = Vec::new();
        for (index, one) in needed.iter().enumerate() {
            let mut ends = vec![one.turn.until - 1];
            ends.extend(one.latest.map(|latest| latest + 1));
            for until in ends {
                let mut other = turns.clone();
                other[index].until = until;
                passing.push(self.passing(&log, &other, &mut missing)?);
            }
        }
        self.explained(log, needed, passing, missing)
    }

    /// The run in which nobody is interrupted fails: what does it take to pass?
    fn examine_natural(&mut self, passing: &[Vec<Turn>]) -> Result<Finding, RunError> {
        for turns in passing {
            if self.fails(turns)? {
                continue;
            }
            let mut passes = |turns: &[Turn]| self.fails(turns).map(|fails| !fails);
            let turns = reduce(turns.clone(), &mut passes)?;
            // The last turn is the one whose lack shows.
            let Some(last) = turns.len().checked_sub(1) else { continue };
            let mut short = turns.clone();
            short[last].until -= 1;
            let log = self.log(&short)?;
            let mut missing = Vec::new();
            let passing = vec![self.passing(&log, &turns, &mut missing)?];
            let needed = short.iter().map(|turn| Needed { turn: *turn, latest: None }).collect();
            return self.explained(log, needed, passing, missing);
        }
        Ok(Finding::AnyOrder { trials: self.trials })
    }

    /// Tries each pair of a failing run by itself.
    fn explained(
        &mut self,
        log: Log,
        turns: Vec<Needed>,
        mut passing: Vec<Passing>,
        missing: Vec<Candidate>,
    ) -> Result<Finding, RunError> {
        if deadlock(&log).is_none() {
            let acts = Acts::of(&log);
            let (lives, needed) = (Lives::of(&log), slice(&log));
            let course = Course::of(&log, self.lab.parameters.harts);
            let victims = link::victims(&log);
            let missed = |one: &Candidate| {
                victims.contains(&one.pair.first.place.thread)
                    && needed.get(&(one.pair.first.address >> 2)) == Some(&Distance::Read)
            };
            let mut all = candidates(&log, &acts);
            all.retain(|one| !lives.order(&one.pair));
            // What is nearer to the failure is tried first, and of every two instructions once before any is tried again.
            let nearest_first = missing.into_iter().filter(missed).chain(all.into_iter().rev());
            for candidate in in_rounds(nearest_first).into_iter().take(MOST_CANDIDATES) {
                passing.extend(self.swapped(candidate, &acts, &course)?);
            }
            passing.extend(self.whole(&log, &acts, &course)?);
        }
        let trials = self.trials;
        Ok(Finding::Explained(Box::new(Explained { log, turns, passing, trials })))
    }

    /// The gentlest order that has the two accesses of a pair the other way round, if it does not fail.
    fn swapped(
        &mut self,
        candidate: Candidate,
        acts: &Acts,
        course: &Course,
    ) -> Result<Option<Passing>, RunError> {
        for (turns, moved) in candidate.swapped(course) {
            if self.fails(&turns)? {
                continue;
            }
            let other = Acts::of(&self.log(&turns)?);
            if acts.is_reversed(&other, &candidate.pair) {
                let flips = flipped(acts, &other);
                return Ok(Some(Passing { by: By::Swap { candidate, moved }, flips }));
            }
        }
        Ok(None)
    }

    /// The sequences that nobody interrupts in an order that does not fail and is the same otherwise.
    fn whole(&mut self, log: &Log, acts: &Acts, course: &Course) -> Result<Vec<Passing>, RunError> {
        let turns: Arc<[Turn]> = log.turns().into();
        let mut found = Vec::new();
        let mut tried = BTreeSet::new();
        for sequence in sequences(acts).into_iter().rev() {
            let Some((whole, points)) = sequence.uninterrupted(course) else { continue };
            if !tried.insert((whole.first, whole.last)) || tried.len() > MOST_SEQUENCES {
                continue;
            }
            self.trials += 1;
            let trial = self.lab.run(&Order::Whole(turns.clone(), whole), false)?;
            if !(self.fails)(&trial) {
                let by = By::Whole { sequence, points };
                found.push(Passing { by, flips: Vec::new() });
            }
        }
        Ok(found)
    }

    /// An order that passes, compared with the failing run; `missing` gets the pairs of which the failing run has only the
    /// first access.
    fn passing(
        &mut self,
        failing: &Log,
        other: &[Turn],
        missing: &mut Vec<Candidate>,
    ) -> Result<Passing, RunError> {
        let other = self.log(other)?;
        let course = Course::of(&other, self.lab.parameters.harts);
        let mut flips = flipped(&Acts::of(failing), &Acts::of(&other));
        flips.retain(|pair| !pair.unfinished || is_same_block(failing, &other, pair));
        for pair in flips.iter().filter(|pair| pair.unfinished && !pair.first.inside) {
            let known = missing.iter().any(|one| story::key(&one.pair) == story::key(pair));
            if let Some(reach) = course.reached(pair.second.number).filter(|_| !known) {
                missing.push(unfinished(failing, *pair, reach));
            }
        }
        Ok(Passing { by: By::Turn, flips })
    }

    fn log(&mut self, turns: &[Turn]) -> Result<Log, RunError> {
        self.trials += 1;
        self.lab.log(&Order::Script(turns.into()))
    }
}
