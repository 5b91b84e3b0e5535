//! What exact evidence says of each way of failing: the story in lanes of threads, the deadlock as a picture.

mod deadlock;
mod lanes;
mod missed;
pub(super) mod spot;

use super::words::html as in_html;
use crate::verdict::account::sentence;
use crate::verdict::telling::{evidence, heading, share};
use crate::view::AnalysisView;
use ::evidence::account::{Account, Cause};
use lanes::{Lanes, Row};
use std::fmt::Write as _;

/// The accounts, in the order in which they were found.
pub fn all(analysis: &AnalysisView) -> String {
    let headline = in_html(&analysis.finding.sentence());
    let one = |(place, account)| told(account, place + 1, &headline);
    analysis.accounts.iter().enumerate().map(one).collect()
}

/// The account of a failure that no order explains, in words, unless the page begins with them.
fn no_order(account: &Account, headline: &str) -> String {
    let said = match in_html(&sentence(account)) {
        said if said != headline => said,
        _ => "The schedule does not matter, so there is no order of accesses to show.".to_owned(),
    };
    format!("<p class=\"said\">{said}</p>\n")
}

fn told(account: &Account, number: usize, headline: &str) -> String {
    let mut html = format!(
        "<article class=\"account\" id=\"account-{number}\">\n<h3>{} <span class=\"rank\">in {}</span></h3>\n",
        in_html(&heading(account)),
        in_html(&share(account))
    );
    if let Cause::AnyOrder { .. } = account.cause {
        html.push_str(&no_order(account, headline));
    }
    match account.cause.shown() {
        Cause::Order { steps, decisive, .. } => {
            let mut rows: Vec<Row<'_>> = steps.iter().map(Row::Did).collect();
            rows.push(Row::Failed(&account.failure));
            html.push_str(&Lanes::of(account, rows, decisive).draw());
        }
        Cause::Deadlock { wants, cycle } => html.push_str(&deadlock::of(wants, *cycle, number)),
        Cause::Missed { waits, steps, decisive, .. } => {
            html.push_str(&missed::of(account, waits, steps, decisive));
        }
        Cause::AnyOrder { .. } => {}
        Cause::Unknown => html.push_str(&no_order(account, headline)),
    }
    let _ = writeln!(html, "<p class=\"evidence\">{}</p>\n</article>", in_html(&evidence(account)));
    html
}
