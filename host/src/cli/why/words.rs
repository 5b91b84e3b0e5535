//! The answer of `why` for people.

use super::super::out::{Out, Paint, Table, grouped, left, plural, point, right};
use super::Document;
use crate::why::{About, Elsewhere, Read, number, shown};
use ::evidence::account::Spot;
use ::evidence::verdict::Role;
use ::evidence::why::{Freed, Part, Writer};

/// The most groups of passing runs that are shown.
const MOST_GROUPS: usize = 4;

/// Writes an answer, with the run that it is about.
pub fn write(out: &mut Out, document: &Document, machine: &str) {
    let run = &document.run;
    let paint = if run.label == "failing" { Paint::Red } else { Paint::Green };
    let heading = format!(
        "{}, schedule {} on {machine}: {}",
        out.paint(Paint::Bold, &run.program),
        run.seed,
        out.paint(paint, &run.outcome)
    );
    out.line(&heading);
    if let Some(about) = &document.about {
        out.line("");
        expression(out, about, document);
    }
    for read in &document.reads {
        out.line("");
        failing_read(out, read, document);
    }
}

/// Writes what is known of an expression.
pub fn expression(out: &mut Out, about: &About, document: &Document) {
    let told = &about.told;
    let bytes = plural(told.bytes.len() as u64, "byte");
    let called = match told.variable == told.expression || told.variable.is_empty() {
        true => String::new(),
        false => format!(", {}", told.variable),
    };
    let place = format!("({bytes} at {:#x}{called})", told.address);
    let line = format!(
        "{} {} {} {}",
        out.paint(Paint::Bold, &told.expression),
        out.paint(Paint::Dim, &place),
        is(&told.bytes),
        document.when
    );
    out.line(&line);
    if let Some(freed) = &told.freed {
        freed_block(out, freed, told.last());
    }
    let history = &told.history;
    match &told.parts[..] {
        [part] => {
            match &part.writer {
                Some(writer) => last_writer(out, "last written by", writer),
                None => nobody(out, "written by nobody"),
            };
        }
        parts => {
            out.line("last writers, byte by byte:");
            byte_writers(out, parts);
        }
    }
    let before = history.len().saturating_sub(1);
    if before > 0 {
        out.line("");
        out.line("written before that, the newest first:");
        writes(out, &history[1..]);
    }
    let more = match (told.older, told.incomplete) {
        (0, false) => None,
        (0, true) => Some("older writes are not known: the run is too long".to_owned()),
        (older, false) => Some(format!("{} before those", plural(older, "write"))),
        (older, true) => Some(format!("at least {} before those", plural(older, "write"))),
    };
    if let Some(more) = more {
        out.painted(Paint::Dim, &more);
    }
    passing(out, &about.passing, document, "have there at their end");
}

fn failing_read(out: &mut Out, read: &Read, document: &Document) {
    let seen = &read.seen;
    let variable = seen.read.variable.as_deref().unwrap_or("?");
    let role = match seen.role {
        Role::Pointer => "the bad pointer came from",
        Role::Code => "the exit code came from",
        Role::Condition => "the failed condition read",
        Role::Predicate => "before it waited, it read",
        Role::Earlier => "an earlier condition read",
        Role::Nearby => "the failing function read",
    };
    let line = format!(
        "{role} {} {} {}",
        out.paint(Paint::Bold, variable),
        out.paint(
            Paint::Dim,
            &format!("({} at {:#x})", plural(seen.bytes.into(), "byte"), seen.address)
        ),
        is(&read.bytes()),
    );
    out.line(&line);
    last_writer(out, "read by", &seen.read);
    if let Some(freed) = &seen.freed {
        freed_block(out, freed, None);
    }
    match &seen.writer {
        Some(writer) => last_writer(out, "last written by", writer),
        None => nobody(out, "written by nobody before"),
    }
    passing(out, &read.passing, document, "read there, when they last did");
}

fn nobody(out: &mut Out, what: &str) {
    out.line(&format!("  {what}: it is as the program was loaded"));
}

fn last_writer(out: &mut Out, what: &str, writer: &Writer) {
    let who = out.paint(Paint::Yellow, &writer.thread);
    let line = format!(
        "  {what} {who} at {}{}{}, event {}",
        writer.at.line,
        function(&writer.at),
        within(writer),
        grouped(writer.event)
    );
    out.line(&line);
    if let Some(text) = &writer.at.text {
        out.painted(Paint::Cyan, &format!("    {}", squeezed(text)));
    }
    if let (Some(before), Some(after)) = (writer.before, writer.after)
        && before != after
    {
        out.line(&format!("    {} → {}", number(before), number(after)));
    }
    for call in &writer.stack {
        out.painted(Paint::Dim, &format!("    called from {}{}", call.line, function(call)));
    }
}

fn freed_block(out: &mut Out, freed: &Freed, last: Option<&Writer>) {
    let when = match last {
        Some(last) if last.event > freed.event => ", before it was written",
        _ => "",
    };
    let line = format!(
        "  in a block allocated at {} that {} freed at {}{}, event {}{when}",
        freed.allocated.line,
        freed.thread,
        freed.at.line,
        function(&freed.at),
        grouped(freed.event),
    );
    let line = out.paint(Paint::Red, &line);
    out.line(&line);
}

fn byte_writers(out: &mut Out, parts: &[Part]) {
    let mut table = Table::new(vec![
        right("from"),
        right("to"),
        left("holds", 24),
        left("thread", 18),
        right("event"),
        point("line", 24),
        left("", 50).optional(1),
    ]);
    for part in parts {
        let last = u64::from(part.offset) + part.bytes.len() as u64 - 1;
        let (thread, event, line, text) = match &part.writer {
            Some(writer) => (
                writer.thread.clone(),
                grouped(writer.event),
                writer.at.line.clone(),
                squeezed(writer.at.text.as_deref().unwrap_or_default()),
            ),
            None => ("nobody".to_owned(), String::new(), String::new(), String::new()),
        };
        table.row(vec![
            (Paint::Plain, part.offset.to_string()),
            (Paint::Plain, last.to_string()),
            (Paint::Plain, shown(&part.bytes)),
            (Paint::Yellow, thread),
            (Paint::Plain, event),
            (Paint::Plain, line),
            (Paint::Cyan, text),
        ]);
    }
    out.table(&table);
}

fn writes(out: &mut Out, history: &[Writer]) {
    let mut table = Table::new(vec![
        right("event"),
        left("thread", 18),
        left("value", 26),
        point("line", 24),
        left("", 50).optional(1),
    ]);
    for writer in history {
        let value = match (writer.before, writer.after) {
            (Some(before), Some(after)) => format!("{} → {}", number(before), number(after)),
            (None, Some(after)) => number(after),
            _ => String::new(),
        };
        table.row(vec![
            (Paint::Plain, grouped(writer.event)),
            (Paint::Yellow, writer.thread.clone()),
            (Paint::Plain, value),
            (Paint::Plain, writer.at.line.clone()),
            (Paint::Cyan, squeezed(writer.at.text.as_deref().unwrap_or_default())),
        ]);
    }
    out.table(&table);
}

fn passing(out: &mut Out, groups: &[Elsewhere], document: &Document, what: &str) {
    if document.compared == 0 {
        return;
    }
    out.line("");
    out.line(&format!("what {} {what}:", plural(document.compared as u64, "passing run")));
    let mut table = Table::new(vec![
        right("runs"),
        left("value", 24),
        left("written by", 18),
        point("line", 24),
        left("", 50).optional(1),
    ]);
    for group in groups.iter().take(MOST_GROUPS) {
        let value = group.bytes.as_deref().map_or_else(|| "not there".to_owned(), shown);
        let (who, line, text) = match (&group.bytes, &group.writer) {
            (None, _) => Default::default(),
            (Some(_), None) => ("nobody".to_owned(), String::new(), String::new()),
            (Some(_), Some(writer)) => (
                writer.thread.clone(),
                writer.at.line.clone(),
                squeezed(writer.at.text.as_deref().unwrap_or_default()),
            ),
        };
        table.row(vec![
            (Paint::Plain, group.runs.to_string()),
            (Paint::Plain, value),
            (Paint::Yellow, who),
            (Paint::Plain, line),
            (Paint::Cyan, text),
        ]);
    }
    out.table(&table);
    if groups.len() > MOST_GROUPS {
        let rest: usize = groups[MOST_GROUPS..].iter().map(|group| group.runs).sum();
        out.painted(Paint::Dim, &format!("and others in {}", plural(rest as u64, "run")));
    }
}

fn function(spot: &Spot) -> String {
    spot.function.as_ref().map_or_else(String::new, |function| format!(" in {function}"))
}

fn within(writer: &Writer) -> String {
    writer.library.as_ref().map_or_else(String::new, |library| format!(", through {library}"))
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `= 7` of a number; of more bytes, what they hold.
fn is(bytes: &[u8]) -> String {
    match bytes.len() {
        1 | 2 | 4 => format!("is {}", shown(bytes)),
        _ => format!("holds {}", shown(bytes)),
    }
}
