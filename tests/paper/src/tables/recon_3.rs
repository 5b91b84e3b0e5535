//! Recon, Table 3: the bug's reconstruction.

use super::{NOT_FOUND, NOTHING, one, paper_name};
use crate::evaluate::Judged;
use crate::markdown::Table;
use crate::measured::{Measured, Reconstructed, mean};
use crate::published::{RECON_3, row};

/// Averages over the trials; `in order` counts them.
pub fn table(measured: &[Measured]) -> String {
    let columns = [
        "rank",
        "relevant",
        "irrelevant",
        "in order",
        "missing",
        "rank with 5 failing",
        "rank with 15",
    ];
    let heads = columns.iter().flat_map(|column| [format!("{column}: paper"), "here".into()]);
    let heads = heads.chain(["first that shows two steps in order".into()]);
    let mut table = Table::new(std::iter::once("bug".to_owned()).chain(heads));
    for measured in measured {
        let told = match row(&RECON_3, &measured.bug, |row| row.bug) {
            None => [NOTHING; 7].map(String::from),
            Some(row) => [
                row.rank.to_string(),
                row.points[0].to_string(),
                row.points[1].to_string(),
                if row.in_order { "yes" } else { "no" }.into(),
                row.missing.to_string(),
                row.fewer[0].to_string(),
                row.fewer[1].to_string(),
            ],
        };
        let cells = told.into_iter().zip(here(&measured.reconstructed));
        let cells = cells.flat_map(|(told, here)| [told, here]);
        let shown = average(measured.reconstructed.iter().map(|trial| trial.shown));
        table.row(std::iter::once(paper_name(&measured.bug)).chain(cells).chain([shown]));
    }
    table.text()
}

fn here(trials: &[Reconstructed]) -> [String; 7] {
    let ranks = trials.iter().map(|trial| trial.best.map(|(rank, _)| rank));
    let judged = |of: fn(&Judged) -> usize| {
        let judged = trials.iter().filter_map(|trial| trial.best.as_ref());
        text(mean(judged.map(|(_, judged)| of(judged) as f64)))
    };
    let fewer = |place: usize| average(trials.iter().map(move |trial| trial.fewer[place]));
    [
        average(ranks),
        judged(|judged| judged.relevant),
        judged(|judged| judged.irrelevant),
        in_order(trials),
        judged(|judged| judged.missing),
        fewer(0),
        fewer(1),
    ]
}

/// The average of ranks; how many trials have one where not all do.
fn average(ranks: impl Iterator<Item = Option<usize>> + Clone) -> String {
    let (found, all) = (ranks.clone().flatten().count(), ranks.clone().count());
    let average = text(mean(ranks.flatten().map(|rank| rank as f64)));
    if found == all || found == 0 { average } else { format!("{average} in {found}/{all}") }
}

fn text(number: Option<f64>) -> String {
    number.map_or(NOT_FOUND.into(), one)
}

/// In how many trials the marks that are shown are in order, of those that show at least two.
fn in_order(trials: &[Reconstructed]) -> String {
    let orders: Vec<bool> = trials
        .iter()
        .filter_map(|trial| trial.best.and_then(|(_, judged)| judged.in_order))
        .collect();
    match (orders.iter().filter(|right| **right).count(), orders.len()) {
        (_, 0) => NOT_FOUND.into(),
        (right, all) if right == all => "yes".into(),
        (0, _) => "no".into(),
        (right, all) => format!("{right}/{all}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(rank: Option<usize>, in_order: Option<bool>) -> Reconstructed {
        let judged = Judged { relevant: 1, irrelevant: 0, in_order, missing: 0 };
        Reconstructed { best: rank.map(|rank| (rank, judged)), ..Reconstructed::default() }
    }

    #[test]
    fn trials_without_the_bug_or_an_order_are_told_apart() {
        let trials = [trial(Some(1), Some(true)), trial(Some(4), None), trial(None, None)];
        let cells = here(&trials);
        assert_eq!((&*cells[0], &*cells[3]), ("2.5 in 2/3", "yes"));
        assert_eq!(in_order(&[trial(Some(1), Some(true)), trial(Some(1), Some(false))]), "1/2");
        assert_eq!(in_order(&[trial(Some(1), None)]), NOT_FOUND);
    }
}
