//! Both ranking formulas on the same runs of the machine.

use super::{one, paper_name, points};
use crate::markdown::Table;
use crate::measured::{Measured, Needed};

/// How many inspections each formula needs, and the sums over the bugs that both find.
pub fn table(measured: &[Measured]) -> String {
    let mut table =
        Table::new(["bug", "labeled: exception", "printed", "unlabeled: exception", "printed"]);
    let needs = |measured: &Measured| -> [Needed; 4] {
        let (labeled, unlabeled) = (&measured.hw.labeled, &measured.hw.unlabeled);
        [&labeled.exception, &labeled.printed, &unlabeled.exception, &unlabeled.printed]
            .map(Clone::clone)
    };
    for measured in measured {
        let cells = needs(measured).map(|needed| points(&needed));
        table.row([paper_name(&measured.bug)].into_iter().chain(cells));
    }
    let mut sums = [0.0; 4];
    for pair in [0, 2] {
        for needs in measured.iter().map(needs) {
            if let (Some(a), Some(b)) = (needs[pair].points(), needs[pair + 1].points()) {
                sums[pair] += a;
                sums[pair + 1] += b;
            }
        }
    }
    table.row(["sum where both find it".to_owned()].into_iter().chain(sums.map(one)));
    table.text()
}
