//! A wait that nothing ends: the order in lanes, and for each wait the signal that came too early and the
//! test that let the thread wait.

use super::super::escape::text;
use super::lanes::{Lanes, Row};
use super::spot;
use crate::verdict::telling::listed;
use ::evidence::account::{Account, Link, Step, Tested, Waiting};
use std::fmt::Write as _;

/// Lanes and list.
pub fn of(account: &Account, waits: &[Waiting], steps: &[Step], decisive: &[Link]) -> String {
    let mut rows: Vec<Row<'_>> = steps.iter().map(Row::Did).collect();
    // Among accesses the signal's place is not known; before the waits it is.
    if steps.is_empty() {
        let mut seen = Vec::new();
        for wait in waits {
            if let Some((who, at)) = wait.signal.as_ref().filter(|sent| !seen.contains(sent)) {
                rows.push(Row::Sent(who, at, &wait.object));
            }
            seen.extend(&wait.signal);
        }
    }
    rows.extend(waits.iter().map(Row::Waits));
    let mut html = Lanes::of(account, rows, decisive).draw();
    html.push_str("<dl class=\"facts-of\">\n");
    for (threads, wait) in alike(waits) {
        html.push_str(&facts(&threads, wait));
    }
    html.push_str("</dl>\n");
    html
}

/// Waits of which the same is known but for the thread, with their threads.
fn alike(waits: &[Waiting]) -> Vec<(Vec<&str>, &Waiting)> {
    let known = |wait: &Waiting| Waiting { thread: String::new(), ..wait.clone() };
    let mut groups: Vec<(Vec<&str>, &Waiting)> = Vec::new();
    for wait in waits {
        match groups.iter_mut().find(|(_, first)| known(first) == known(wait)) {
            Some((threads, _)) => threads.push(&wait.thread),
            None => groups.push((vec![&wait.thread], wait)),
        }
    }
    groups
}

/// What is known of a wait.
fn facts(threads: &[&str], wait: &Waiting) -> String {
    let object = text(&wait.object);
    let wait_or_waits = if threads.len() == 1 { "waits" } else { "wait" };
    let mut html = format!(
        "<div><dt>{} {wait_or_waits} at</dt><dd>{}</dd></div>\n",
        text(&listed(threads)),
        spot::source(&wait.at)
    );
    let _ = match &wait.signal {
        Some((who, at)) => writeln!(
            html,
            "<div><dt>the last signal</dt><dd>by {}, when nobody waited on <code>{object}</code>{}</dd></div>",
            text(who),
            spot::source(at)
        ),
        None => writeln!(
            html,
            "<div><dt>the last signal</dt><dd>no signal on <code>{object}</code> came too early</dd></div>"
        ),
    };
    for want in &wait.holds {
        let _ = writeln!(
            html,
            "<div><dt>it has</dt><dd><code>{}</code>, which {} wants{}</dd></div>",
            text(&want.object),
            text(&want.thread),
            spot::source(&want.at)
        );
    }
    for tested in &wait.tested {
        html.push_str(&test(tested));
    }
    html
}

fn test(tested: &Tested) -> String {
    let lock = |held: bool| match held {
        true => "with the lock",
        false => "<strong class=\"failing\">without the lock</strong>",
    };
    let mut html = format!(
        "<div><dt>tested before</dt><dd><code>{}</code> {}{}",
        text(&tested.variable),
        lock(tested.locked),
        spot::source(&tested.read)
    );
    if let Some((who, at)) = &tested.written {
        let how = lock(tested.written_locked);
        let _ = write!(
            html,
            "<span class=\"also\">written by {} {how}</span>{}",
            text(who),
            spot::source(at)
        );
    }
    html.push_str("</dd></div>\n");
    html
}
