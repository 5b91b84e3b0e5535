//! An analysis as plain data with names in it: what `--json` prints and what a report shows.
//!
//! Every field is documented in `docs/host.md`. Nothing in here holds a time of day or an absolute path,
//! so the same runs give the same bytes.

use crate::analysis::Analysis;
use crate::bugaboo::RankedPoint;
use crate::census::{NodeId, RunSummary};
use crate::code::{CodePoint, PointKey};
use crate::evidence::Strength;
use crate::graph::Kind;
use crate::recon::{Part, Reconstruction, Region};
use crate::verdict::{EdgeFinding, Finding, Spot};
use ::evidence::account::{Account, Cause};
use record::Ctx;
use serde::Serialize;
use std::collections::BTreeMap;

/// Which runs there were.
#[derive(Clone, Debug, Serialize)]
pub struct RunsView {
    /// All of them.
    pub total: u32,
    /// Those that failed.
    pub failing: u32,
    /// Those that passed.
    pub passing: u32,
    /// Those without a label.
    pub unlabeled: u32,
    /// Distinct edges of all runs together.
    pub distinct_edges: usize,
    /// Edges of all runs together.
    pub edges: u64,
    /// Edges that the tables lost, in all runs together.
    pub lost_edges: u64,
    /// Events of a context.
    pub context_events: u8,
    /// The program's name.
    pub program: String,
    /// How runs ended, and how many ended so, the commonest first.
    pub outcomes: Vec<OutcomeView>,
}

/// How some runs ended.
#[derive(Clone, Debug, Serialize)]
pub struct OutcomeView {
    /// The outcome in words, such as `exit code 0`.
    pub how: String,
    /// How many runs ended so.
    pub runs: u32,
}

/// One run.
#[derive(Clone, Debug, Serialize)]
pub struct RunView {
    /// Its file, below the folder that was named.
    pub name: String,
    /// The seed of its schedule.
    pub seed: u64,
    /// failing, passing or unknown.
    pub label: &'static str,
    /// How it ended, in words.
    pub outcome: String,
    /// Its distinct edges.
    pub distinct_edges: u64,
    /// Its edges.
    pub edges: u64,
    /// Edges that its tables lost.
    pub lost_edges: u64,
    /// Cycles it took; 0: not known.
    pub cycles: u64,
}

impl From<&RunSummary> for RunView {
    fn from(run: &RunSummary) -> Self {
        Self {
            name: run.file.name.clone(),
            seed: run.about.header.seed,
            label: run.about.label.name(),
            outcome: run.about.ending.outcome.to_string(),
            distinct_edges: run.distinct,
            edges: run.count,
            lost_edges: run.lost(),
            cycles: run.about.ending.cycles,
        }
    }
}

/// A code point with its short name.
#[derive(Clone, Debug, Serialize)]
pub struct PointView {
    /// The shortest name that a person can find it by.
    pub name: String,
    /// All that is known of it.
    #[serde(flatten)]
    pub point: CodePoint,
}

/// A row of the ranking.
#[derive(Clone, Debug, Serialize)]
pub struct RankView {
    /// From 1: how many inspections it takes to get here.
    pub rank: usize,
    /// What to look at.
    pub point: PointView,
    /// The result of the formula.
    pub score: f64,
    /// How often it communicated in the contexts that count.
    pub count: u64,
    /// The contexts that count, the most telling first.
    pub contexts: Vec<ContextView>,
}

/// A context and how many runs have it.
#[derive(Clone, Debug, Serialize)]
pub struct ContextView {
    /// Its events, the newest first. Contexts start out as if full of LcRd.
    pub events: Vec<&'static str>,
    /// The number of runs that count in which it occurs.
    pub runs: u32,
}

/// A member of a region.
#[derive(Clone, Debug, Serialize)]
pub struct MemberView {
    /// The code point.
    pub point: PointView,
    /// In which share of the failing runs it is in this region.
    pub confidence: f64,
}

impl EventView {
    /// What its lane is called.
    pub fn lane(hart: Option<u8>) -> String {
        hart.map_or_else(|| "unknown".to_owned(), |hart| format!("hart {hart}"))
    }
}

/// An access in the example of a reconstruction.
#[derive(Clone, Debug, Serialize)]
pub struct EventView {
    /// The number of its transaction.
    pub time: u64,
    /// Its hart, if that is known: the lane to draw it in.
    pub hart: Option<u8>,
    /// prefix, source, body, sink or suffix.
    pub part: &'static str,
    /// The code point.
    pub point: PointView,
    /// In which share of the failing runs its code point is in this part; source and sink: in which
    /// share they communicate so.
    pub confidence: f64,
}

/// A reconstruction.
#[derive(Clone, Debug, Serialize)]
pub struct ReconstructionView {
    /// From 1.
    pub rank: usize,
    /// What the formula made of the features.
    pub score: f64,
    /// Buggy frequency ratio.
    pub b: f64,
    /// Context variation ratio.
    pub c: f64,
    /// Reconstruction consistency.
    pub r: f64,
    /// Suspicion of its ends.
    pub s: f64,
    /// Failing runs that have the edge.
    pub failing: u32,
    /// Passing runs that have the edge.
    pub passing: u32,
    /// How surely it is not chance that failing runs have it; absent unless there are runs of both labels.
    pub strength: Option<Strength>,
    /// What the sink did with whose value.
    pub kind: Kind,
    /// The code point that wrote; absent if no writer is known.
    pub source: Option<PointView>,
    /// The source's context, newest event first.
    pub source_context: Vec<&'static str>,
    /// The code point that read or overwrote.
    pub sink: PointView,
    /// The sink's context, newest event first.
    pub sink_context: Vec<&'static str>,
    /// What came before the source.
    pub prefix: Vec<MemberView>,
    /// What came between source and sink.
    pub body: Vec<MemberView>,
    /// What came after the sink.
    pub suffix: Vec<MemberView>,
    /// The failing run that the example is from.
    pub example_run: Option<String>,
    /// One failing run's accesses in time order.
    pub example: Vec<EventView>,
    /// Whether the two communicate in passing runs too, but never in these contexts.
    pub out_of_turn: bool,
    /// In which runs, what happened, what ran in between, and whether that may be chance: one sentence.
    pub sentence: String,
}

/// Everything that a report shows.
#[derive(Clone, Debug, Serialize)]
pub struct AnalysisView {
    /// What the runs show, in a sentence.
    pub verdict: String,
    /// The same as data.
    pub finding: Finding,
    /// What was found by trying out orders of accesses: one account for each way of failing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accounts: Vec<Account>,
    /// unlabeled, labeled or deployed.
    pub mode: &'static str,
    /// exception or printed.
    pub formula: &'static str,
    /// Which runs there were.
    pub runs: RunsView,
    /// Code points, the one to inspect first first.
    pub ranking: Vec<RankView>,
    /// How many code points the whole ranking has.
    pub ranked: usize,
    /// Reconstructions, the likeliest first.
    pub reconstructions: Vec<ReconstructionView>,
    /// How many there are in all.
    pub reconstructed: usize,
    /// Edges of failing runs from which the reconstructed ones were chosen.
    pub considered: usize,
}

/// A context's events by name, the newest first.
pub fn events(ctx: Ctx, length: u8) -> Vec<&'static str> {
    let name = |place: u8| ["LcRd", "LcWr", "RmRd", "RmWr"][(ctx.0 >> (2 * place) & 3) as usize];
    (0..length.min(16)).map(name).collect()
}

impl Analysis {
    /// All of it, with the first `top` of each list.
    pub fn view(&self, top: usize) -> AnalysisView {
        let found = &self.findings.reconstructions;
        let finding = self.finding();
        AnalysisView {
            verdict: finding.sentence().to_string(),
            finding,
            accounts: self.accounts.clone(),
            mode: self.mode.name(),
            formula: self.formula.name(),
            runs: self.runs_view(),
            ranking: self.ranking_view(top),
            ranked: self.ranking.len(),
            reconstructions: (0..found.len().min(top)).map(|n| self.reconstruction(n)).collect(),
            reconstructed: found.len(),
            considered: self.findings.considered,
        }
    }

    /// What the runs show, whatever is left out of the lists.
    pub fn finding(&self) -> Finding {
        if let Some(finding) = self.overruled() {
            return finding.clone();
        }
        if let Some(account) =
            self.accounts.first().filter(|account| account.cause != Cause::Unknown)
        {
            return Finding::Exact(Box::new(account.clone()));
        }
        self.by_edges()
    }

    /// What the edges show, without exact evidence.
    pub fn by_edges(&self) -> Finding {
        let (found, runs) = (&self.findings.reconstructions, self.census.labels.into());
        if let Some(place) = self.telling() {
            return Finding::Edge(EdgeFinding::of(&self.reconstruction(place), runs));
        }
        if !found.is_empty() {
            let smallest =
                found.iter().filter_map(|found| Some(found.strength?.p)).reduce(f64::min);
            let candidates = self.findings.considered as u64;
            return Finding::Undecided { candidates, p: smallest, runs };
        }
        match self.ranking_view(1).first() {
            Some(first) => Finding::Point { point: Spot::from(&first.point), runs },
            None => Finding::Nothing { runs },
        }
    }

    /// The place of the first reconstruction with enough evidence to be called a cause.
    pub fn telling(&self) -> Option<usize> {
        let enough = |found: &Reconstruction| found.strength.is_some_and(Strength::is_enough);
        self.findings.reconstructions.iter().position(enough)
    }

    /// Which runs there were.
    pub fn runs_view(&self) -> RunsView {
        let census = &self.census;
        let mut outcomes: BTreeMap<String, u32> = BTreeMap::new();
        for run in &census.runs {
            *outcomes.entry(run.about.ending.outcome.to_string()).or_default() += 1;
        }
        let mut outcomes: Vec<_> =
            outcomes.into_iter().map(|(how, runs)| OutcomeView { how, runs }).collect();
        outcomes.sort_by_key(|outcome| std::cmp::Reverse(outcome.runs));
        let programs = census.runs.iter().map(|run| &run.about.header.program);
        RunsView {
            total: census.labels.all(),
            failing: census.labels.failing,
            passing: census.labels.passing,
            unlabeled: census.labels.unknown,
            distinct_edges: census.edges.len(),
            edges: census.runs.iter().map(|run| run.count).sum(),
            lost_edges: census.runs.iter().map(RunSummary::lost).sum(),
            context_events: self.context_events(),
            program: programs.clone().find(|name| !name.is_empty()).cloned().unwrap_or_default(),
            outcomes,
        }
    }

    /// The first rows of the ranking.
    pub fn ranking_view(&self, top: usize) -> Vec<RankView> {
        let row = |(place, row): (usize, &RankedPoint)| RankView {
            rank: place + 1,
            point: self.point(row.point),
            score: row.score,
            count: row.count,
            contexts: row
                .contexts
                .iter()
                .take(8)
                .map(|context| ContextView { events: self.events(context.ctx), runs: context.runs })
                .collect(),
        };
        self.ranking.iter().take(top).enumerate().map(row).collect()
    }

    /// A reconstruction, by its place from 0.
    pub fn reconstruction(&self, place: usize) -> ReconstructionView {
        let found = &self.findings.reconstructions[place];
        let edge = &self.census.edges[found.edge as usize];
        let source = (!edge.key.source.pc.is_null()).then(|| self.node(edge.source));
        let sink = self.node(edge.sink);
        let region = |region: &Region| -> Vec<MemberView> {
            let member = |member: &crate::recon::Member<PointKey>| MemberView {
                point: self.point(member.what),
                confidence: member.confidence,
            };
            region.points.iter().map(member).collect()
        };
        let run = self.census.runs.get(found.example.run).filter(|_| found.runs > 0);
        let mut view = ReconstructionView {
            rank: place + 1,
            score: found.score,
            b: found.features.b,
            c: found.features.c,
            r: found.features.r,
            s: found.features.s,
            failing: edge.runs.failing,
            passing: edge.runs.passing,
            strength: found.strength,
            kind: edge.key.shown_kind(),
            out_of_turn: found.out_of_turn,
            sentence: String::new(),
            source,
            source_context: self.events(edge.key.source.ctx),
            sink,
            sink_context: self.events(edge.key.sink.ctx),
            prefix: region(&found.prefix),
            body: region(&found.body),
            suffix: region(&found.suffix),
            example_run: run.map(|run| run.file.name.clone()),
            example: self.example(found),
        };
        view.sentence = EdgeFinding::of(&view, self.census.labels.into()).sentence().to_string();
        view
    }

    fn example(&self, found: &Reconstruction) -> Vec<EventView> {
        let edge = &self.census.edges[found.edge as usize];
        let of_edge = f64::from(edge.runs.failing) / f64::from(self.census.labels.failing.max(1));
        let confidence = |part: Part, point: PointKey| match found.region(part) {
            None => of_edge,
            Some(region) => {
                let member = region.points.iter().find(|member| member.what == point);
                member.map_or(0.0, |member| member.confidence)
            }
        };
        let events = found.example.events.iter();
        let view = events.map(|event| {
            let point = self.census.point(event.node);
            EventView {
                time: event.time.0,
                hart: event.hart.known(),
                part: event.part.name(),
                point: self.point(point),
                confidence: confidence(event.part, point),
            }
        });
        // What is not sure enough for the aggregate is not shown in the example either.
        view.filter(|event| event.confidence > 0.0).collect()
    }

    /// A code point with its name.
    pub fn point(&self, point: PointKey) -> PointView {
        let point = self.describe(point);
        PointView { name: point.name.clone(), point }
    }

    fn node(&self, node: NodeId) -> PointView {
        self.point(self.census.point(node))
    }

    fn context_events(&self) -> u8 {
        self.census.runs.first().map_or(0, |run| run.about.header.events)
    }

    fn events(&self, ctx: Ctx) -> Vec<&'static str> {
        events(ctx, self.context_events())
    }
}

impl PointView {
    /// The function to show beside the name: none where the name itself is of a symbol.
    pub fn function_beside(&self) -> Option<&str> {
        self.point.function_beside()
    }

    /// The name, with its function: `bank.c:31 (withdraw)`.
    pub fn titled(&self) -> String {
        match self.function_beside() {
            Some(function) => format!("{} ({function})", self.name),
            None => self.name.clone(),
        }
    }
}
