//! The tables of the page. Cells carry what they are sorted by; the script needs nothing else.

use super::Report;
use super::escape::text;
use super::words::{grouped, percent, term};
use crate::view::{PointView, RankView, ReconstructionView, RunView};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A column: its heading as HTML, and whether it holds numbers.
struct Column {
    head: String,
    numbers: bool,
}

fn words(head: impl Into<String>) -> Column {
    Column { head: head.into(), numbers: false }
}

fn numbers(head: impl Into<String>) -> Column {
    Column { head: head.into(), numbers: true }
}

/// A cell: what it shows, as HTML, and what it is sorted by.
struct Cell {
    shown: String,
    key: String,
}

fn number(value: impl Into<u64>) -> Cell {
    let value = value.into();
    Cell { shown: grouped(value), key: value.to_string() }
}

fn fraction(value: f64) -> Cell {
    Cell { shown: format!("{value:.2}"), key: format!("{value:.9}") }
}

fn code(point: &PointView) -> Cell {
    let mut shown = format!("<code class=\"place\">{}</code>", text(&point.name));
    if let Some(function) = &point.point.function {
        let _ = write!(shown, " <span class=\"in\">{}</span>", text(function));
    }
    if let Some(line) = &point.point.text {
        let _ = write!(shown, "<code class=\"line\">{}</code>", text(line));
    }
    Cell { shown, key: sort_key(point) }
}

/// A code point whose line stands further up: what differs is the context.
fn once_more(point: &PointView, context: &[&str]) -> Cell {
    let name = text(&point.name);
    let events = context.join(" ");
    let shown = format!(
        "<code class=\"place again\">{name}</code><span class=\"events below\">{events}</span>"
    );
    Cell { shown, key: sort_key(point) }
}

/// Lines sort by file and then by number.
fn sort_key(point: &PointView) -> String {
    match &point.point.location {
        Some(location) => text(&format!("{}:{:09}", location.file, location.line)),
        None => text(&point.name),
    }
}

/// Whatever it is, a table with a name, a caption and a filter.
fn table(id: &str, caption: &str, columns: &[Column], rows: &[Vec<Cell>]) -> String {
    let mut html = format!(
        "<div class=\"tabled\">\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" \
         aria-labelledby=\"{id}-caption\">\n<table id=\"{id}\" data-sortable=\"\">\n\
         <caption id=\"{id}-caption\">{caption}</caption>\n<thead><tr>"
    );
    for column in columns {
        let class = if column.numbers { " class=\"n\"" } else { "" };
        let _ = write!(html, "<th scope=\"col\"{class}>{}</th>", column.head);
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        html.push_str("<tr>");
        for (cell, column) in row.iter().zip(columns) {
            let class = if column.numbers { " class=\"n\"" } else { "" };
            let _ = write!(html, "<td{class} data-key=\"{}\">{}</td>", cell.key, cell.shown);
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table>\n</div>\n</div>\n");
    html
}

/// Bugaboo's ranking.
pub fn code_points(report: &Report) -> String {
    let view = &report.analysis;
    let (counted, all) = match view.mode {
        "unlabeled" => ("all runs", view.runs.total),
        _ => ("failing runs", view.runs.failing),
    };
    let caption = format!(
        "Lines, ranked by how unusual the {} they ran in were (Bugaboo, {} ranking over {} {counted}). \
         The number of inspections is how many lines you have read when you get there.{}",
        term("context", "contexts"),
        view.mode,
        grouped(all.into()),
        shown(view.ranking.len(), view.ranked)
    );
    let columns = [
        numbers("inspections"),
        words(term("point", "code point")),
        numbers("score"),
        numbers("runs"),
        numbers("times"),
        words("its most telling ".to_owned() + &term("context", "context") + ", newest first"),
    ];
    let row = |row: &RankView| {
        let first = row.contexts.first();
        let events = first.map(|context| context.events.join(" ")).unwrap_or_default();
        vec![
            number(row.rank as u64),
            code(&row.point),
            fraction(row.score),
            number(first.map_or(0, |context| context.runs)),
            number(row.count),
            Cell { shown: format!("<span class=\"events\">{events}</span>"), key: events },
        ]
    };
    let rows: Vec<_> = view.ranking.iter().map(row).collect();
    table("points", &caption, &columns, &rows)
}

/// Recon's ranking.
pub fn reconstructions(report: &Report) -> String {
    let view = &report.analysis;
    let caption = format!(
        "{} of failing runs, ranked (Recon). B: how much commoner in failing runs; C: how \
         unusual the contexts; R: how alike the failing runs are around it; S: how \
         suspicious its ends are by themselves. Where the same two lines come again, their {} are given \
         instead.{}",
        term("edge", "Edges"),
        term("context", "contexts"),
        shown(view.reconstructions.len(), view.reconstructed)
    );
    let columns = [
        numbers("inspections"),
        words("wrote"),
        words("then read or overwrote"),
        words("kind"),
        numbers("score"),
        numbers("B"),
        numbers("C"),
        numbers("R"),
        numbers("S"),
        numbers("failing"),
        numbers("passing"),
    ];
    let memory = || Cell { shown: "memory".into(), key: String::new() };
    let of = |some: u32, all: u32| Cell {
        shown: match all {
            0 => "–".to_owned(),
            _ => percent(f64::from(some) / f64::from(all)),
        },
        key: some.to_string(),
    };
    let mut seen = BTreeSet::new();
    let mut row = |found: &ReconstructionView| {
        let pair = (found.source.as_ref().map(|source| &source.name), &found.sink.name, found.kind);
        let again = !seen.insert((pair.0.cloned(), pair.1.clone(), pair.2));
        let (source, sink) = match again {
            false => (found.source.as_ref().map_or_else(memory, code), code(&found.sink)),
            true => {
                let again = |point| once_more(point, &found.source_context);
                let source = found.source.as_ref().map_or_else(memory, again);
                (source, once_more(&found.sink, &found.sink_context))
            }
        };
        vec![
            number(found.rank as u64),
            source,
            sink,
            Cell { shown: found.kind.name().into(), key: found.kind.name().into() },
            fraction(found.score),
            fraction(found.b),
            fraction(found.c),
            fraction(found.r),
            fraction(found.s),
            of(found.failing, view.runs.failing),
            of(found.passing, view.runs.passing),
        ]
    };
    let rows: Vec<_> = view.reconstructions.iter().map(&mut row).collect();
    table("reconstructions", &caption, &columns, &rows)
}

/// The runs.
pub fn runs(report: &Report) -> String {
    let all = report.analysis.runs.total as usize;
    let caption = format!("Runs, in the order of their seeds.{}", shown(report.runs.len(), all));
    let columns = [
        numbers("seed"),
        words("run"),
        words(term("label", "label")),
        words("how it ended"),
        numbers("distinct edges"),
        numbers("edges"),
        numbers("lost"),
    ];
    let row = |run: &RunView| {
        let plain = |words: &str| Cell { shown: text(words), key: text(words) };
        vec![
            number(run.seed),
            plain(&run.name),
            Cell {
                shown: format!("<span class=\"label {0}\">{0}</span>", run.label),
                key: run.label.to_owned(),
            },
            plain(&run.outcome),
            number(run.distinct_edges),
            number(run.edges),
            number(run.lost_edges),
        ]
    };
    let rows: Vec<_> = report.runs.iter().map(row).collect();
    table("runs", &caption, &columns, &rows)
}

fn shown(some: usize, all: usize) -> String {
    match some < all {
        true => format!(" The first {} of {}.", grouped(some as u64), grouped(all as u64)),
        false => String::new(),
    }
}
