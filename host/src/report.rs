//! One self-contained HTML page for a person who has never heard of a communication graph.
//!
//! ```text
//! Analysis ──► Report (plain data) ──► page ◄── story   what exact evidence tells, in lanes of threads
//!                │                      │  ◄── why     what the failing statement read
//!                │                      ▲  ◄── lanes   one failing run as the hardware saw it, drawn
//!                │                      │  ◄── arcs    who communicated with whom, drawn
//!                └── graph              │  ◄── tables  rankings and runs
//!                                       └── words   glossary; verdict and advice come from `verdict`
//! ```
//!
//! The page needs no network, holds no time of day and no absolute path: the same runs give the same
//! bytes. Everything can be read without scripts, which only sort, filter and zoom. Names and source
//! lines are hostile until [`escape`] has seen them.

mod arcs;
mod escape;
mod graph;
mod lanes;
mod page;
mod policy;
mod story;
mod tables;
mod why;
mod words;

pub use graph::{GraphEdge, GraphView};

use crate::analysis::Analysis;
use crate::evidence::Strength;
use crate::verdict::Note;
use crate::view::{AnalysisView, ReconstructionView, RunView};
use crate::why::Read;
use record::Label;
use serde::Serialize;
use std::collections::BTreeSet;

/// How much of everything a page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Rows of each ranking.
    pub rows: usize,
    /// Reconstructions that are drawn.
    pub pictures: usize,
    /// Code points of the graph.
    pub nodes: usize,
    /// Edges of the graph.
    pub edges: usize,
    /// Runs that are listed.
    pub runs: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { rows: 50, pictures: 3, nodes: 40, edges: 120, runs: 200 }
    }
}

/// Everything that is on the page. The page holds it as JSON too, for other programs.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The name and version of this form.
    pub schema: &'static str,
    /// What was found. Only reconstructions that are drawn have an example.
    pub analysis: AnalysisView,
    /// What a reader should know of the hunt that made the runs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// What the failing statement read, in one failing run and in passing ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<Read>,
    /// How many different schedules the runs had.
    pub schedules: usize,
    /// How many schedules some run failed under.
    pub failing_schedules: usize,
    /// Code points of all runs together.
    pub code_points: usize,
    /// Which of the reconstructions are drawn, by place from 0: one for each pair of code points.
    pub pictures: Vec<usize>,
    /// Who communicated with whom.
    pub graph: GraphView,
    /// The first runs, in the order of their seeds.
    pub runs: Vec<RunView>,
}

impl Report {
    /// Chooses what to show of an analysis.
    pub fn of(analysis: &Analysis, limits: Limits) -> Self {
        // The edge that the verdict names is drawn, however low it ranks.
        let rows = analysis.telling().map_or(1, |place| place + 1).max(limits.rows);
        let mut view = analysis.view(rows);
        let pictures = pictures(&view, limits.pictures);
        for (place, found) in view.reconstructions.iter_mut().enumerate() {
            shorten(found, pictures.contains(&place));
        }
        let runs = &analysis.census.runs;
        let seeds = |wanted: &dyn Fn(Label) -> bool| {
            let chosen = runs.iter().filter(|run| wanted(run.about.label));
            chosen.map(|run| run.about.header.seed).collect::<BTreeSet<_>>().len()
        };
        Self {
            schema: "crosstalk.report/1",
            notes: Vec::new(),
            reads: Vec::new(),
            schedules: seeds(&|_| true),
            failing_schedules: seeds(&|label| label == Label::Failing),
            code_points: analysis.census.points.len(),
            pictures,
            graph: graph::of(analysis, limits),
            runs: runs.iter().take(limits.runs).map(RunView::from).collect(),
            analysis: view,
        }
    }

    /// The same report, with notes of a hunt.
    pub fn with_notes(self, notes: Vec<Note>) -> Self {
        Self { notes, ..self }
    }

    /// The same report, with what the failing statement read.
    pub fn with_reads(self, reads: Vec<Read>) -> Self {
        Self { reads, ..self }
    }

    /// The page.
    pub fn html(&self) -> String {
        page::html(self)
    }
}

/// Cuts regions, which may hold a thousand lines: what is not drawn would only make the page large.
fn shorten(found: &mut ReconstructionView, drawn: bool) {
    let most = if drawn { 64 } else { 8 };
    for region in [&mut found.prefix, &mut found.body, &mut found.suffix] {
        region.truncate(most);
    }
    if !drawn {
        found.example.clear();
    }
}

/// The first reconstruction of each pair of code points, of those that are not chance: the same two lines in other
/// contexts look the same in a picture.
fn pictures(view: &AnalysisView, most: usize) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    let is_new = |place: &usize| {
        let found = &view.reconstructions[*place];
        if !found.strength.is_some_and(Strength::is_enough) {
            return false;
        }
        let source = found.source.as_ref().map(|point| point.name.clone());
        seen.insert((source, found.sink.name.clone(), found.kind))
    };
    (0..view.reconstructions.len()).filter(is_new).take(most).collect()
}
