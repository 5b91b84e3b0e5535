//! From an analysis to the data of [`view`](super).

use super::{
    AnalysisView, ContextView, EventView, MemberView, OutcomeView, PointView, RankView,
    ReconstructionView, RunsView,
};
use crate::analysis::Analysis;
use crate::bugaboo::RankedPoint;
use crate::census::{NodeId, RunSummary};
use crate::code::PointKey;
use crate::evidence::Strength;
use crate::recon::{Part, Reconstruction, Region};
use crate::verdict::{EdgeFinding, Finding, Spot};
use ::evidence::account::Cause;
use record::Ctx;
use std::collections::BTreeMap;

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
