//! What exact evidence says, as tables: who did what to which variable, in the order that fails.

use super::super::out::{Out, Paint, Table, left, point};
use crate::verdict::account::{came_from, sentence, values};
use crate::verdict::telling::{deed, evidence, heading, share};
use ::evidence::account::{Account, CallersTold, Cause, Spot, Step, Waiting, Want, callers_told};

/// A cell for each column: thread, deed, variable, value, line, text.
type Row = Vec<(Paint, String)>;

/// Writes each account. The first is the verdict if `said`, and its sentence is not repeated; others say theirs where
/// they have no table.
pub fn write(out: &mut Out, accounts: &[Account], said: bool) {
    let several = accounts.len() > 1;
    for (place, account) in accounts.iter().enumerate() {
        out.line("");
        if several {
            let heading = heading(account).words(", in ").then(share(account)).words(":");
            out.phrase(Paint::Bold, &heading);
        }
        let rows = rows(account);
        if rows.is_empty() && (place > 0 || !said) {
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
            if let Some(pointer) = &account.failure.pointer {
                out.phrase(Paint::Plain, &came_from(pointer));
            }
        }
        out.phrase(Paint::Dim, &evidence(account));
    }
}

fn rows(account: &Account) -> Vec<Row> {
    match account.cause.shown() {
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
        Cause::Deadlock { wants, .. } => {
            let told = callers_told(wants);
            wants.iter().zip(told).flat_map(|(want, told)| wanted(want, told)).collect()
        }
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

fn wanted(want: &Want, told: CallersTold) -> Vec<Row> {
    let asks = row(Paint::Red, [&want.thread, "wants", &want.object, ""], Some(&want.at));
    let has = want
        .taken
        .as_ref()
        .map(|taken| row(Paint::Plain, [&want.holder, "has", &want.object, "since"], Some(taken)));
    let from = |calls: &[Spot], told: usize| -> Vec<Row> {
        let calls = calls.iter().take(told);
        calls.map(|call| row(Paint::Plain, ["", "called", "", "from"], Some(call))).collect()
    };
    let asks = std::iter::once(asks).chain(from(&want.stack, told.at));
    asks.chain(has).chain(from(&want.taken_stack, told.taken)).collect()
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
        wait.holds
            .iter()
            .flat_map(|want| wanted(want, CallersTold::default()))
            .for_each(|row| add(1, row));
        if let Some((who, at)) = &wait.signal {
            add(2, row(Paint::Plain, [who, "signaled", &wait.object, "nobody waited"], Some(at)));
        }
        add(3, row(Paint::Red, [&wait.thread, "waits", &wait.object, "for ever"], Some(&wait.at)));
    }
    rows.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::out::Color;
    use ::evidence::account::{Failure, Link, Tested};
    use ::evidence::cause::flips::Deed;
    use ::evidence::cause::story::Tried;
    use ::evidence::event::Function;

    fn spot(line: &str) -> Spot {
        let text = Some(format!("text  of   {line};"));
        Spot { line: line.into(), function: Some("f".into()), text }
    }

    fn account(cause: Cause) -> Account {
        let at = Some(spot("a.c:9"));
        let (how, thread) = ("exited with 3".into(), Some("main".into()));
        let failure = Failure { how, thread, at, pointer: None };
        Account { failure, runs: 2, of_runs: 3, cause, trials: 7, threads: Vec::new() }
    }

    fn access(thread: &str, did: Deed, line: &str, too_late: bool) -> Step {
        Step {
            thread: thread.into(),
            did,
            call: false,
            variable: "total".into(),
            before: Some(4),
            after: Some(5),
            at: spot(line),
            stack: Vec::new(),
            too_late,
        }
    }

    fn written(accounts: &[Account], said: bool) -> Vec<String> {
        let mut out = Out::with_width(Color::Never, 100);
        write(&mut out, accounts, said);
        out.text()
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect()
    }

    #[test]
    fn an_order_is_told_row_by_row_up_to_the_failure() {
        let steps = vec![
            access("a 1", Deed::Write, "a.c:1", false),
            access("b 1", Deed::Read, "a.c:2", false),
            access("a 1", Deed::Free, "a.c:3", true),
        ];
        let link = |first, second| Link { first, second, tried: Tried::Swapped };
        let decisive = vec![link(0, 1), link(1, 2)];
        let order = Cause::Order { variables: Vec::new(), steps, decisive };
        let lines = written(&[account(order)], true);
        assert_eq!(
            lines[1..7],
            [
                "thread did to value line",
                "a 1 wrote total 4 → 5 a.c:1 text of a.c:1;",
                "b 1 read total 5 a.c:2 text of a.c:2;",
                "main then exited with 3 a.c:9 text of a.c:9;",
                "a 1 freed total too late a.c:3 text of a.c:3;",
                "Found by 7 trial runs: in this order it fails, with either pair the other way round it does not;",
            ]
        );
    }

    #[test]
    fn a_deadlock_is_told_as_who_wants_and_who_has() {
        let want = |thread: &str, object: &str, holder: &str| Want {
            thread: thread.into(),
            object: object.into(),
            at: spot("a.c:1"),
            stack: Vec::new(),
            holder: holder.into(),
            taken: Some(spot("a.c:2")),
            taken_stack: Vec::new(),
        };
        let wants = vec![want("a 1", "left", "b 1"), want("b 1", "right", "a 1")];
        let lines = written(&[account(Cause::Deadlock { wants, cycle: true })], true);
        assert_eq!(
            lines[2..6],
            [
                "a 1 wants left a.c:1 text of a.c:1;",
                "b 1 has left since a.c:2 text of a.c:2;",
                "b 1 wants right a.c:1 text of a.c:1;",
                "a 1 has right since a.c:2 text of a.c:2;",
            ]
        );
    }

    #[test]
    fn what_several_waits_share_is_told_once() {
        let wait = |thread: &str| Waiting {
            thread: thread.into(),
            function: Function::CondWait,
            object: "ready".into(),
            at: spot("a.c:1"),
            stack: Vec::new(),
            signal: Some(("main".into(), spot("a.c:2"))),
            holds: Vec::new(),
            tested: vec![Tested {
                variable: "flag".into(),
                read: spot("a.c:3"),
                locked: false,
                written: Some(("main".into(), spot("a.c:4"))),
                written_locked: true,
            }],
        };
        let (variables, steps, decisive) = Default::default();
        let waits = vec![wait("a 1"), wait("a 2")];
        let lines = written(&[account(Cause::Missed { waits, variables, steps, decisive })], true);
        let told: Vec<&str> =
            lines[2..8].iter().map(|line| line.split(" a.c:").next().unwrap_or_default()).collect();
        assert_eq!(
            told,
            [
                "a 1 tested flag without the lock",
                "a 2 tested flag without the lock",
                "main wrote flag with the lock",
                "main signaled ready nobody waited",
                "a 1 waits ready for ever",
                "a 2 waits ready for ever",
            ]
        );
    }

    #[test]
    fn several_accounts_have_headings_and_those_without_a_table_their_sentence() {
        let always = || account(Cause::AnyOrder { schedules: 64, stands_still: None });
        let lines = written(&[always(), always()], true);
        let count = |begin: &str| lines.iter().filter(|line| line.starts_with(begin)).count();
        assert_eq!(count("main exited with 3 at a.c:9, in 2 of 3 failing runs:"), 2, "{lines:?}");
        assert_eq!(count("The schedule does not matter: in all 64 schedules"), 1, "{lines:?}");
        let alone = written(&[always()], false);
        assert!(alone[1].starts_with("The schedule does not matter"), "{alone:?}");
    }
}
