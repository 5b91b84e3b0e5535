//! The answer of a hunt, for people and for scripts.

use super::super::common::headline;
use super::super::out::{Out, Paint, Table, grouped, left, plural};
use super::super::rank;
use super::folder::Folder;
use super::stages::Ground;
use crate::hunt::{Collection, Ended, Scope, Stop, Tail};
use crate::view::{AnalysisView, PointView};
use record::Label;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;

/// Rows of each ranking.
const TOP: usize = 5;
/// Ways in which runs failed that are told of.
const ENDINGS: usize = 3;
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
    monitor: &'static str,
    notes: Vec<String>,
    #[serde(flatten)]
    analysis: AnalysisView,
}

/// All of it as data.
pub fn document(program: &str, ground: &Ground) -> Document {
    Document {
        schema: "crosstalk.hunt/1",
        program: program.to_owned(),
        schedules: ground.collection.entries.len(),
        failing: ground.collection.failing(),
        passing: ground.collection.passing(),
        monitor: ground.scope.name(),
        notes: ground.notes.clone(),
        analysis: ground.analysis.view(10),
    }
}

/// What a reader should know of the runs, a sentence each.
pub fn notes(collection: &Collection) -> Vec<String> {
    let mut notes = Vec::new();
    let schedules = plural(collection.entries.len() as u64, "schedule");
    let goal = collection.goal;
    if collection.passing() == 0 && goal.passing > 0 {
        notes.push(format!(
            "All of {schedules} failed: without passing runs the ranking is unlabeled, and shows what is \
             unusual instead of what is wrong."
        ));
    } else if collection.stop == Stop::Limit {
        for (found, wanted, label) in [
            (collection.failing(), goal.failing as usize, "failing"),
            (collection.passing(), goal.passing as usize, "passing"),
        ] {
            if found < wanted {
                notes.push(format!(
                    "Only {found} of {wanted} {label} runs were found in {schedules}; more come with \
                     --resume and a higher --max-runs."
                ));
            }
        }
    }
    let stopped =
        collection.chosen().iter().filter(|entry| entry.ended == Ended::CycleLimit).count();
    if stopped > 0 {
        notes.push(format!(
            "{} reached the cycle limit and counted as failing, with what was communicated until then.",
            plural(stopped as u64, "run")
        ));
    }
    if let Some(entry) = collection.entries.iter().max_by_key(|entry| entry.printed)
        && entry.printed > Tail::KEPT as u64
    {
        notes.push(format!(
            "Schedule {} printed {} bytes; of such texts only the last {} are kept.",
            entry.seed,
            grouped(entry.printed),
            grouped(Tail::KEPT as u64)
        ));
    }
    notes
}

/// The answer for people.
pub fn tell(out: &mut Out, ground: &Ground, folder: &Folder, report: &Path) {
    let view = ground.analysis.view(10 * TOP);
    headline(out, &view.runs);
    let collection = &ground.collection;
    let tried = grouped(collection.entries.len() as u64);
    let failed = plural(collection.failing() as u64, "schedule");
    out.paragraph(Paint::Plain, &format!("{failed} of {tried} failed: {}.", endings(collection)));
    ground.notes.iter().for_each(|note| out.paragraph(Paint::Yellow, note));
    out.line("");
    out.paragraph(Paint::Bold, &view.verdict);
    lines(out, &view);
    out.line("");
    rank::code_points(out, &view, TOP);
    if !view.reconstructions.is_empty() {
        out.line("");
        rank::reconstructions(out, &view, TOP);
    }
    out.line("");
    out.line(&format!("report: {}", report.display()));
    let (runs, elf) = (collection.folder.join("runs"), folder.program());
    let library = if ground.scope == Scope::All { " --library" } else { "" };
    let (runs, elf) = (runs.display(), elf.display());
    out.line(&format!("more:   {} explain {runs} --elf {elf}{library}", command()));
    let (kept, chosen) = (collection.entries.len(), collection.chosen().len());
    if kept > chosen {
        let all =
            format!("(of all {} runs; this answer is of {} of them)", grouped(kept as u64), chosen);
        out.line(&format!("        {}", out.paint(Paint::Dim, &all)));
    }
}

/// How failing runs ended, and how often, the commonest first.
fn endings(collection: &Collection) -> String {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for entry in collection.entries.iter().filter(|entry| entry.label() == Label::Failing) {
        *counts.entry(&entry.outcome).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| Reverse(*count));
    let (told, others) = counts.split_at(counts.len().min(ENDINGS));
    let told = told.iter().map(|(how, count)| format!("{} {how}", grouped(*count)));
    let others: u64 = others.iter().map(|(_, count)| count).sum();
    let others = (others > 0).then(|| format!("{} in other ways", grouped(others)));
    told.chain(others).collect::<Vec<_>>().join(", ")
}

/// What a person types to call this program: whoever starts it in another way says so.
fn command() -> String {
    std::env::var("CROSSTALK_COMMAND").unwrap_or_else(|_| "crosstalk".into())
}

/// The lines of the verdict with their text, in the order in which they ran.
fn lines(out: &mut Out, view: &AnalysisView) {
    let Some(found) = view.reconstructions.first() else { return };
    let mut table =
        Table::new(vec![left("", 9), left("code point", 34), left("function", 18), left("", 60)]);
    let mut row = |role: &str, paint: Paint, point: &PointView| {
        table.row(vec![
            (Paint::Dim, role.to_owned()),
            (paint, point.name.clone()),
            (Paint::Plain, point.point.function.clone().unwrap_or_default()),
            (Paint::Cyan, point.point.text.clone().unwrap_or_default()),
        ]);
    };
    if let Some(source) = &found.source {
        row("wrote", Paint::Bold, source);
    }
    found.body.iter().take(BETWEEN).for_each(|member| row("between", Paint::Plain, &member.point));
    let role = if found.kind == "WAW" { "overwrote" } else { "read" };
    row(role, Paint::Bold, &found.sink);
    out.line("");
    out.table(&table);
}
