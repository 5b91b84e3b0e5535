//! Each bug at a glance, and where it falls short of what the project promises.

use super::{NOT_FOUND, one, paper_name, points};
use crate::markdown::Table;
use crate::measured::{Measured, mean};
use crate::published::{BUGABOO_2, row};
use firmware::bugs::{Kind, named};

/// Schedules, inspections and rank of each bug.
pub fn table(measured: &[Measured]) -> String {
    let mut table = Table::new([
        "bug",
        "kind",
        "schedules",
        "failed",
        "cycles a run",
        "edges lost",
        "inspections, labeled",
        "rank by Recon",
    ]);
    for measured in measured {
        let kind = named(&measured.bug).map_or("", |bug| match bug.kind {
            Kind::Atomicity => "atomicity",
            Kind::Order => "order",
            Kind::MultiVariable => "several variables",
        });
        let share = 100.0 * measured.failed as f64 / measured.schedules.max(1) as f64;
        table.row([
            paper_name(&measured.bug),
            kind.into(),
            measured.schedules.to_string(),
            format!("{} ({share:.0} %)", measured.failed),
            format!("{:.0}", measured.cycles),
            measured.lost.to_string(),
            points(&measured.hw.labeled.exception),
            rank(measured).map_or(NOT_FOUND.into(), one),
        ]);
    }
    table.text()
}

fn rank(measured: &Measured) -> Option<f64> {
    let ranks = measured.reconstructed.iter().filter_map(|trial| trial.best);
    mean(ranks.map(|(rank, _)| rank as f64))
}

/// A bug that is not found as soon as the project promises, and what it needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Shortfall {
    /// The bug.
    pub bug: String,
    /// What is short, in a sentence.
    pub what: String,
}

/// Every promise that does not hold: rank 1 by Recon, no more inspections than the paper's BB-HW, and
/// bugs of several variables found with contexts only.
pub fn shortfalls(measured: &[Measured]) -> Vec<Shortfall> {
    let mut short = Vec::new();
    for measured in measured {
        let mut say = |what: String| short.push(Shortfall { bug: measured.bug.clone(), what });
        let trials = &measured.reconstructed;
        let is_first = |rank: Option<usize>| rank == Some(1);
        let ranks = trials.iter().map(|trial| trial.best.map(|(rank, _)| rank));
        let first = ranks.filter(|rank| is_first(*rank)).count();
        if first < trials.len() {
            let all = trials.len();
            let where_else = match rank(measured) {
                None => "no reconstruction touches it".into(),
                Some(rank) => format!("its average rank is {rank:.1}"),
            };
            say(format!("Recon puts it first in {first} of {all} trials; {where_else}."));
        }
        let needed = &measured.hw.labeled.exception;
        if !needed.always() {
            let (found, all) = (needed.found().count(), needed.0.len());
            say(format!("The labeled ranking has it in {found} of {all} trials only."));
        }
        let told = row(&BUGABOO_2, &measured.bug, |row| row.bug).map(|row| row.hw[0].points);
        if let (Some(here), Some(paper)) = (needed.points(), told)
            && here > paper
        {
            say(format!(
                "It takes {here:.1} labeled inspections; the paper's BB-HW takes {paper:.1}."
            ));
        }
        let several = named(&measured.bug).is_some_and(|bug| bug.kind == Kind::MultiVariable);
        let without = measured.hw.contexts[0].found().count();
        if several && without > 0 {
            let all = measured.hw.contexts[0].0.len();
            say(format!("It is found without contexts too, in {without} of {all} trials."));
        }
    }
    short
}

#[cfg(test)]
mod tests {
    use super::super::tests::found_at_once;
    use super::*;
    use crate::evaluate::Inspected;
    use crate::measured::Needed;

    fn needed(points: usize) -> Needed {
        Needed(vec![Some(Inspected { points, functions: 1 })])
    }

    #[test]
    fn what_is_found_at_once_falls_short_of_nothing() {
        let all: Vec<_> = firmware::bugs::ALL.iter().map(|bug| found_at_once(bug.name)).collect();
        assert_eq!(shortfalls(&all), []);
    }

    #[test]
    fn every_promise_is_looked_at() {
        let short = |change: &dyn Fn(&mut Measured)| {
            let mut measured = found_at_once("moz-jsstr");
            change(&mut measured);
            shortfalls(&[measured]).into_iter().map(|short| short.what).collect::<Vec<_>>()
        };
        // The paper has 1.8.
        assert_eq!(short(&|m| m.hw.labeled.exception = needed(1)), Vec::<String>::new());
        assert_eq!(short(&|m| m.hw.labeled.exception = needed(2)).len(), 1);
        assert_eq!(short(&|m| m.hw.labeled.exception = Needed(vec![None])).len(), 1);
        assert_eq!(short(&|m| m.hw.contexts[0] = needed(9)).len(), 1);
        assert_eq!(short(&|m| m.reconstructed[0].best = None).len(), 1);
        let mut vector = found_at_once("vector");
        vector.hw.contexts[0] = needed(9);
        assert_eq!(shortfalls(&[vector]).len(), 1, "though Bugaboo does not have it");
        let second = short(&|m| m.reconstructed[0].best.as_mut().unwrap().0 = 2);
        assert_eq!(second, ["Recon puts it first in 0 of 1 trials; its average rank is 2.0."]);
    }
}
