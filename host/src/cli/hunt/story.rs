//! What exact evidence says, as tables: who did what to which variable, in the order that fails.

use super::super::out::{Out, Paint, Table, left, point};
use crate::verdict::Finding;
use crate::verdict::account::{sentence, values};
use crate::verdict::telling::{deed, evidence, heading, share};
use crate::view::AnalysisView;
use ::evidence::account::{Account, Cause, Spot, Step, Waiting, Want};

/// A cell for each column: thread, deed, variable, value, line, text.
type Row = Vec<(Paint, String)>;

/// Writes each account. The first is the verdict, whose sentence has been said; others say theirs where they have
/// no table.
pub fn write(out: &mut Out, view: &AnalysisView) {
    let is_verdict = matches!(view.finding, Finding::Exact(_));
    let several = view.accounts.len() > 1;
    for (place, account) in view.accounts.iter().enumerate() {
        out.line("");
        if several {
            let heading = heading(account).words(", in ").then(share(account)).words(":");
            out.phrase(Paint::Bold, &heading);
        }
        let rows = rows(account);
        if rows.is_empty() && (place > 0 || !is_verdict) {
            out.phrase(Paint::Plain, &sentence(account));
        }
        if !rows.is_empty() {
            let is_order = matches!(account.cause, Cause::Order { .. });
            let mut table = Table::new(vec![
                left("thread", 18),
                left("did", 10),
                left("to", 30),
                left(if is_order { "value" } else { "" }, 23),
                point("line", 24),
                left("", 60).optional(1),
            ]);
            rows.into_iter().for_each(|row| table.row(row));
            out.table(&table);
        }
        out.phrase(Paint::Dim, &evidence(account));
    }
}

fn rows(account: &Account) -> Vec<Row> {
    match &account.cause {
        Cause::Order { steps, .. } => {
            let (late, before): (Vec<_>, Vec<_>) = steps.iter().partition(|step| step.too_late);
            let mut rows: Vec<Row> = before.into_iter().map(step).collect();
            let who = account.failure.thread.as_deref().unwrap_or("the program");
            let at = account.failure.at.as_ref();
            rows.push(row(Paint::Red, [who, "then", &account.failure.how, ""], at));
            rows.extend(late.into_iter().map(|step| {
                let cells = [&step.thread, deed(step), &step.variable, "too late"];
                row(Paint::Dim, cells, Some(&step.at))
            }));
            rows
        }
        Cause::Deadlock { wants, .. } => wants.iter().flat_map(wanted).collect(),
        Cause::Missed { waits, steps, .. } => steps.iter().map(step).chain(waited(waits)).collect(),
        Cause::AnyOrder { .. } | Cause::Unknown => Vec::new(),
    }
}

fn row(paint: Paint, cells: [&str; 4], at: Option<&Spot>) -> Row {
    let [thread, did, what, value] = cells.map(|cell| (paint, cell.to_owned()));
    let code = if paint == Paint::Dim { Paint::Dim } else { Paint::Cyan };
    let line = at.map_or_else(String::new, |spot| spot.line.clone());
    // Comments are often pushed far to the right, where they would leave no room for code.
    let words = at.and_then(|spot| spot.text.as_deref()).unwrap_or_default().split_whitespace();
    let text = words.collect::<Vec<_>>().join(" ");
    vec![thread, did, what, value, (paint, line), (code, text)]
}

fn step(step: &Step) -> Row {
    let values = values(step).unwrap_or_default();
    row(Paint::Plain, [&step.thread, deed(step), &step.variable, &values], Some(&step.at))
}

fn wanted(want: &Want) -> Vec<Row> {
    let asks = row(Paint::Red, [&want.thread, "wants", &want.object, ""], Some(&want.at));
    let has = want
        .taken
        .as_ref()
        .map(|taken| row(Paint::Plain, [&want.holder, "has", &want.object, "since"], Some(taken)));
    std::iter::once(asks).chain(has).collect()
}

/// What was tested, who changed it, the signals that came too early, the waits; what several waits share, once.
fn waited(waits: &[Waiting]) -> Vec<Row> {
    let lock = |held: bool| if held { "with the lock" } else { "without the lock" };
    let mut rows: [Vec<Row>; 4] = Default::default();
    let mut add = |part: usize, row: Row| {
        if !rows[part].contains(&row) {
            rows[part].push(row);
        }
    };
    for wait in waits {
        for tested in &wait.tested {
            let cells = [&wait.thread, "tested", &tested.variable, lock(tested.locked)];
            add(0, row(Paint::Plain, cells, Some(&tested.read)));
            if let Some((who, at)) = &tested.written {
                let cells = [who, "wrote", &tested.variable, lock(tested.written_locked)];
                add(1, row(Paint::Plain, cells, Some(at)));
            }
        }
        if let Some((who, at)) = &wait.signal {
            add(2, row(Paint::Plain, [who, "signaled", &wait.object, "nobody waited"], Some(at)));
        }
        add(3, row(Paint::Red, [&wait.thread, "waits", &wait.object, "for ever"], Some(&wait.at)));
    }
    rows.into_iter().flatten().collect()
}
