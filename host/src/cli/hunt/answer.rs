//! The answer of a hunt, for people and for scripts.

use super::super::common::headline;
use super::super::out::{Out, Paint, Table, grouped, left, plural, point};
use super::super::rank;
use super::{command, story};
use crate::graph::Kind;
use crate::hunt::{Answer, Collection, On, Scope};
use crate::verdict::{Finding, Note};
use crate::view::{AnalysisView, PointView, ReconstructionView};
use record::Label;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Rows of each ranking.
const TOP: usize = 5;
/// Ways in which runs failed that are listed one by one.
const OUTCOMES: usize = 3;
/// Lines shown between source and sink.
const BETWEEN: usize = 3;

/// The answer for scripts.
#[derive(Serialize)]
pub struct Document {
    schema: &'static str,
    program: String,
    schedules: usize,
    failing: usize,
    passing: usize,
    /// The same for each source; the runs of the first count.
    sources: Vec<OfSource>,
    monitor: &'static str,
    /// What a reader should know besides, a sentence each.
    notes: Vec<String>,
    /// The notes as data.
    facts: Vec<Note>,
    #[serde(flatten)]
    analysis: AnalysisView,
}

/// What was run on a source.
#[derive(Serialize)]
struct OfSource {
    on: &'static str,
    schedules: usize,
    failing: usize,
    passing: usize,
}

impl From<&Collection> for OfSource {
    fn from(collection: &Collection) -> Self {
        Self {
            on: collection.source,
            schedules: collection.entries.len(),
            failing: collection.failing(),
            passing: collection.passing(),
        }
    }
}

/// All of it as data.
pub fn document(program: &str, answer: &Answer) -> Document {
    let all = [&answer.collection].into_iter().chain(&answer.others);
    let sources: Vec<OfSource> = all.map(OfSource::from).collect();
    Document {
        schema: "crosstalk.hunt/1",
        program: program.to_owned(),
        schedules: sources.iter().map(|one| one.schedules).sum(),
        failing: sources.iter().map(|one| one.failing).sum(),
        passing: sources.iter().map(|one| one.passing).sum(),
        sources,
        monitor: answer.scope.name(),
        notes: answer.notes.iter().map(|note| note.words().to_string()).collect(),
        facts: answer.notes.clone(),
        analysis: answer.analysis.view(10),
    }
}

/// Writes the answer for people.
pub fn write(out: &mut Out, answer: &Answer) {
    let view = answer.analysis.view(10 * TOP);
    headline(out, &view.runs);
    let collection = &answer.collection;
    summary(out, answer);
    answer.notes.iter().for_each(|note| out.phrase(Paint::Yellow, &note.words()));
    out.line("");
    rank::verdict(out, &view);
    let said = matches!(view.finding, Finding::Exact(_) | Finding::Always { .. });
    story::write(out, &view.accounts, said);
    if let (Finding::Edge(_), Some(place)) = (&view.finding, answer.analysis.telling()) {
        lines(out, &answer.analysis.reconstruction(place));
    }
    out.line("");
    rank::code_points(out, &view, TOP);
    if !view.reconstructions.is_empty() {
        out.line("");
        rank::reconstructions(out, &view, TOP);
    }
    out.line("");
    out.line(&format!("report: {}", answer.report.display()));
    let runs = collection.folder.join("runs");
    let library = if answer.scope == Scope::All { " --library" } else { "" };
    let (runs, elf) = (runs.display(), answer.program.display());
    out.line(&format!("more:   {} explain {runs} --elf {elf}{library}", command()));
    let (kept, counted) = (collection.kept, collection.chosen().len());
    if kept > counted {
        let which = if kept == collection.entries.len() { "all" } else { "the first" };
        let kept = grouped(kept as u64);
        let note = format!("(of {which} {kept} runs; this answer uses {counted} of them)");
        out.line(&format!("        {}", out.paint(Paint::Dim, &note)));
    }
}

/// How many schedules failed, on each source if there were several.
fn summary(out: &mut Out, answer: &Answer) {
    let all = [&answer.collection].into_iter().chain(&answer.others);
    for collection in all.filter(|collection| !collection.entries.is_empty()) {
        let tried = grouped(collection.entries.len() as u64);
        let failed = plural(collection.failing() as u64, "schedule");
        let place = match answer.others.is_empty() {
            true => String::new(),
            false => format!(" on {}", On::named(collection.source).map_or("?", On::called)),
        };
        let how = match collection.failing() {
            0 => String::new(),
            _ => format!(": {}", outcomes(collection)),
        };
        out.paragraph(Paint::Plain, &format!("{failed} of {tried}{place} failed{how}."));
    }
}

/// How failing runs ended, and how often, the commonest first.
fn outcomes(collection: &Collection) -> String {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for entry in collection.entries.iter().filter(|entry| entry.label() == Label::Failing) {
        *counts.entry(&entry.outcome).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| Reverse(*count));
    let (listed, others) = counts.split_at(counts.len().min(OUTCOMES));
    let listed = listed.iter().map(|(how, count)| format!("{} {how}", grouped(*count)));
    let others: u64 = others.iter().map(|(_, count)| count).sum();
    let others = (others > 0).then(|| format!("{} in other ways", grouped(others)));
    listed.chain(others).collect::<Vec<_>>().join(", ")
}

/// The lines of the verdict with their text, in the order in which they ran.
fn lines(out: &mut Out, found: &ReconstructionView) {
    let mut table =
        Table::new(vec![left("", 9), point("code point", 34), left("function", 18), left("", 60)]);
    let mut row = |role: &str, paint: Paint, point: &PointView| {
        table.row(vec![
            (Paint::Dim, role.to_owned()),
            (paint, point.name.clone()),
            (Paint::Plain, point.function_beside().unwrap_or_default().to_owned()),
            (Paint::Cyan, point.point.text_or_reason().to_owned()),
        ]);
    };
    if let Some(source) = &found.source {
        row("wrote", Paint::Bold, source);
    }
    found.body.iter().take(BETWEEN).for_each(|member| row("between", Paint::Plain, &member.point));
    let role = match found.kind {
        Kind::Raw | Kind::Memory => "read",
        Kind::Waw => "overwrote",
        Kind::FirstWrite => "wrote",
    };
    row(role, Paint::Bold, &found.sink);
    out.line("");
    out.table(&table);
}
