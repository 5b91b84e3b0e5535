//! From failing and passing schedules of a program to accounts of why it fails: one for each way of failing.

pub use crate::account::stuck;
use crate::account::{Account, Found, Teller, merged};
use crate::cause::{Examiner, Explained, Finding, story};
use crate::names::Names;
use crate::run::{Lab, Order, RunError, Trial};
use crate::signature::Signature;
use golden::machine::Turn;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Ways of failing that are accounted for, the commonest first.
const MOST_GROUPS: usize = 3;
/// Failing runs of each that are examined.
const EXAMINED: usize = 4;
/// Passing runs that are tried where the uninterrupted run fails.
const TRIED: usize = 8;

/// What tells two failures apart.
type Group = (Signature, Vec<u32>);

/// A failing run.
struct Failing {
    order: Order,
    trial: Trial,
}

/// Examines a program.
pub struct Examination<'a> {
    /// The program on its machine.
    pub lab: &'a Lab,
    /// Its names.
    pub names: &'a Names,
    /// Whether a run fails.
    pub fails: &'a (dyn Fn(&Trial) -> bool + Sync),
    /// Schedules of runs that fail.
    pub failing: Vec<Order>,
    /// Schedules of runs that pass.
    pub passing: Vec<Order>,
    /// All schedules that were run, whether they count or not.
    pub schedules: u64,
}

impl Examination<'_> {
    /// The accounts, those of the commonest failures first.
    ///
    /// # Errors
    /// If a run cannot be made.
    pub fn accounts(&self) -> Result<Vec<Account>, RunError> {
        let failing: Vec<(Group, Failing)> =
            self.failing.par_iter().map(|order| self.grouped(order)).collect::<Result<_, _>>()?;
        let passing = self.passing.par_iter().map(|order| self.lab.run(order, true));
        let passing: Vec<Trial> = passing.collect::<Result<_, _>>()?;
        let known = passing.iter().chain(failing.iter().map(|(_, run)| &run.trial));
        let lab = &self.lab.bounded(known);
        let mut passing: Vec<Vec<Turn>> = passing.into_iter().map(|trial| trial.turns).collect();
        passing.sort_by_key(Vec::len);
        passing.truncate(TRIED);
        let all = failing.len() as u32;
        let mut groups = BTreeMap::<Group, Vec<Failing>>::new();
        for (group, run) in failing {
            groups.entry(group).or_default().push(run);
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_by_key(|(_, runs)| std::cmp::Reverse(runs.len()));
        groups.truncate(MOST_GROUPS);
        let accounts = groups.into_iter().map(|((signature, _), mut runs)| {
            let count = runs.len() as u32;
            runs.sort_by_key(|run| run.trial.turns.len());
            runs.truncate(EXAMINED);
            self.account(lab, signature, &runs, &passing, [count, all])
        });
        accounts.collect::<Result<_, _>>().map(merged)
    }

    fn grouped(&self, order: &Order) -> Result<(Group, Failing), RunError> {
        let trial = self.lab.run(order, true)?;
        let signature = trial.signature;
        let stuck = match signature {
            Signature::Deadlock | Signature::Limit => stuck(&self.lab.log(order)?),
            _ => Vec::new(),
        };
        Ok(((signature, stuck), Failing { order: order.clone(), trial }))
    }

    fn account(
        &self,
        lab: &Lab,
        signature: Signature,
        runs: &[Failing],
        passing: &[Vec<Turn>],
        counts: [u32; 2],
    ) -> Result<Account, RunError> {
        let fails = |trial: &Trial| (self.fails)(trial) && is_same(trial.signature, signature);
        let findings: Vec<Finding> = runs
            .par_iter()
            .map(|run| Examiner::new(lab, &fails).examine(&run.trial.turns, passing))
            .collect::<Result<_, _>>()?;
        let mut explained: Vec<&Explained> = findings
            .iter()
            .filter_map(|finding| match finding {
                Finding::Explained(explained) => Some(&**explained),
                Finding::AnyOrder { .. } | Finding::NotRepeated => None,
            })
            .collect();
        // What is shown should be clear, then short.
        let clear = |one: &Explained| story::clarity(one);
        explained
            .sort_by(|a, b| clear(b).total_cmp(&clear(a)).then(a.turns.len().cmp(&b.turns.len())));
        let trials = findings.iter().map(Finding::trials).sum();
        let teller = Teller { names: self.names };
        if let Some(shown) = explained.first() {
            return Ok(teller.account(&shown.log, &Found::Explained(&explained), counts, trials));
        }
        let found = match passing.is_empty() {
            true => Found::AnyOrder(self.schedules),
            false => Found::Unknown,
        };
        let log = lab.log(&runs[0].order)?;
        Ok(teller.account(&log, &found, counts, trials))
    }
}

/// Whether a failure is of the same kind as another.
fn is_same(one: Signature, other: Signature) -> bool {
    match (one, other) {
        (Signature::Exit { code }, Signature::Exit { code: other }) => code == other,
        (Signature::Assertion { line, .. }, Signature::Assertion { line: other, .. }) => {
            line == other
        }
        (Signature::Fault { .. }, Signature::Fault { .. }) => true,
        (one, other) => one == other,
    }
}
