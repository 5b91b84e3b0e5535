//! What failing runs show of the order that they need: pairs of accesses, and threads that wait.

use super::hunted::Hunted;
use crate::hunt::{HuntError, Replay, Schedule};
use ::evidence::cause::flips::Pair;
use ::evidence::cause::{By, Examiner, Explained, Finding, story};
use ::evidence::log::Log;
use ::evidence::run::{RunError, Trial};
use ::evidence::signature::Signature;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Failing runs that are examined for a proof.
pub const EXAMINED: usize = 4;
/// Passing runs that are compared.
const COMPARED: usize = 6;

/// What is known of the failure.
pub struct Evidence {
    /// Failing runs, reduced to what the failure needs where that was found.
    pub failing: Vec<Log>,
    /// Passing runs.
    pub passing: Vec<Log>,
    /// Pairs whose order decides, in the failing order, the weightiest first; of the first failing run.
    pub pairs: Vec<Pair>,
}

impl Evidence {
    /// Of a hunt, from so many of its failing runs.
    ///
    /// # Errors
    /// If a run cannot be made again.
    pub fn of(hunted: &Hunted<'_>, examined: usize) -> Result<Self, HuntError> {
        let failing = replays(hunted, &hunted.failing, examined)?;
        let passing = replays(hunted, &hunted.passing, COMPARED)?;
        let trial = |replay: &Replay| replay.lab.run(&replay.order, true);
        let trials = |replays: &[Replay]| {
            replays.par_iter().map(trial).collect::<Result<Vec<_>, _>>().map_err(wrong)
        };
        let (failed, passed) = (trials(&failing)?, trials(&passing)?);
        let turned: Vec<_> = passed.iter().map(|trial| trial.turns.clone()).collect();
        let examined = failing.par_iter().zip(&failed).map(|(replay, trial)| {
            let fails = |other: &Trial| is_same(other, trial);
            let lab = replay.lab.bounded(failed.iter().chain(&passed));
            Examiner::new(&lab, &fails).examine(&trial.turns, &turned)
        });
        let findings: Vec<Finding> = examined.collect::<Result<_, _>>().map_err(wrong)?;
        let mut explained: Vec<Explained> = findings
            .into_iter()
            .filter_map(|finding| match finding {
                Finding::Explained(explained) => Some(*explained),
                Finding::AnyOrder { .. } | Finding::NotRepeated => None,
            })
            .collect();
        explained.sort_by(|a, b| {
            let clear = story::clarity(b).total_cmp(&story::clarity(a));
            clear.then(a.turns.len().cmp(&b.turns.len()))
        });
        let pairs = deciding(&explained.iter().collect::<Vec<_>>());
        let log = |replay: &Replay| replay.lab.log(&replay.order);
        let passing = passing.par_iter().map(log).collect::<Result<_, _>>().map_err(wrong)?;
        let failing = match explained.is_empty() {
            true => failing.par_iter().map(log).collect::<Result<_, _>>().map_err(wrong)?,
            false => explained.into_iter().map(|explained| explained.log).collect(),
        };
        Ok(Self { failing, passing, pairs })
    }
}

/// The pairs that a person would be told of, then all others of the first run that were turned round and decided, the last first.
fn deciding(runs: &[&Explained]) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = story::told(runs).into_iter().map(|(pair, _)| pair).collect();
    if let Some(first) = runs.first() {
        for passing in &first.passing {
            match &passing.by {
                By::Swap { candidate, .. } => pairs.push(candidate.pair),
                By::Whole { sequence, .. } => pairs.extend(sequence.pairs().into_iter().rev()),
                By::Turn if passing.flips.len() <= 2 => pairs.extend(&passing.flips),
                By::Turn => {}
            }
        }
    }
    let mut known = BTreeSet::new();
    pairs.retain(|pair| known.insert((pair.first.place.pc, pair.second.place.pc)));
    pairs
}

fn replays(
    hunted: &Hunted<'_>,
    schedules: &[Schedule],
    most: usize,
) -> Result<Vec<Replay>, HuntError> {
    let source = hunted.source;
    let most = source.replay_limits().map_or(most, |limits| most.min(limits.failing));
    let some = schedules.iter().take(most);
    some.filter_map(|schedule| source.replay(*schedule)).collect()
}

fn wrong(error: RunError) -> HuntError {
    HuntError::Refused(error.to_string())
}

/// Whether two trials failed in the same way.
fn is_same(one: &Trial, other: &Trial) -> bool {
    match (one.signature, other.signature) {
        (Signature::Assertion { line, .. }, Signature::Assertion { line: other, .. }) => {
            line == other
        }
        (Signature::Fault { .. }, Signature::Fault { .. }) => true,
        (Signature::Exit { code: 0 }, Signature::Exit { code: 0 }) => one.printed == other.printed,
        (one, other) => one == other,
    }
}
