//! Who communicated with whom: code points, and what went between them, whatever the contexts.

use super::Limits;
use crate::analysis::Analysis;
use crate::code::PointKey;
use crate::graph::Kind;
use crate::view::PointView;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The part of the communication graph that is shown.
#[derive(Clone, Debug, Default, Serialize)]
pub struct GraphView {
    /// Code points, in the order of the source.
    pub nodes: Vec<PointView>,
    /// Edges between them, the one with the best rank first.
    pub edges: Vec<GraphEdge>,
    /// How many code points communicated in all.
    pub all_nodes: usize,
    /// How many pairs of them communicated in all.
    pub all_edges: usize,
}

/// What went from one code point to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct GraphEdge {
    /// The code point that wrote, by its index in `nodes`.
    pub source: usize,
    /// The code point that read or overwrote, by its index in `nodes`.
    pub sink: usize,
    /// What the sink did; where edges of several kinds lead from one to the other, the first in the order of
    /// [`Kind`].
    pub kind: Kind,
    /// Failing runs with the commonest edge between the two.
    pub failing: u32,
    /// Passing runs with it.
    pub passing: u32,
    /// Failing runs with the commonest edge between the two that no passing run has; 0: there is none.
    pub bug_only: u32,
    /// How often, in all runs together.
    pub count: u64,
    /// The best rank of a reconstruction around such an edge; without reconstructions, of its ends.
    pub rank: Option<usize>,
}

/// An edge between code points in the making.
#[derive(Clone, Copy)]
struct Tally {
    kind: Kind,
    failing: u32,
    passing: u32,
    bug_only: u32,
    count: u64,
    rank: usize,
}

const UNRANKED: usize = usize::MAX;

/// The edges with the best ranks, then the most frequent, as far as the limits let them.
pub fn of(analysis: &Analysis, limits: Limits) -> GraphView {
    let tallies = tallies(analysis);
    let mut points: BTreeSet<PointKey> = BTreeSet::new();
    for (source, sink) in tallies.keys() {
        points.extend([source, sink]);
    }
    let mut order: Vec<_> = tallies.iter().collect();
    order.sort_by_key(|(pair, tally)| {
        (tally.rank, u32::MAX - tally.bug_only, u64::MAX - tally.count, **pair)
    });
    let mut chosen: BTreeSet<PointKey> = BTreeSet::new();
    let mut kept = Vec::new();
    for (pair, tally) in order {
        let new = [pair.0, pair.1].into_iter().filter(|end| !chosen.contains(end));
        let new: BTreeSet<_> = new.collect();
        if chosen.len() + new.len() <= limits.nodes && kept.len() < limits.edges {
            chosen.extend(new);
            kept.push((*pair, *tally));
        }
    }
    let chosen: Vec<PointKey> = chosen.into_iter().collect();
    let place = |point: PointKey| chosen.binary_search(&point).unwrap_or(0);
    let edge = |((source, sink), tally): ((PointKey, PointKey), Tally)| GraphEdge {
        source: place(source),
        sink: place(sink),
        kind: tally.kind,
        failing: tally.failing,
        passing: tally.passing,
        bug_only: tally.bug_only,
        count: tally.count,
        rank: (tally.rank != UNRANKED).then_some(tally.rank),
    };
    GraphView {
        edges: kept.into_iter().map(edge).collect(),
        nodes: chosen.iter().map(|point| analysis.point(*point)).collect(),
        all_nodes: points.len(),
        all_edges: tallies.len(),
    }
}

fn tallies(analysis: &Analysis) -> BTreeMap<(PointKey, PointKey), Tally> {
    let census = &analysis.census;
    let shown = shown(analysis);
    let ranks = analysis.ranking.iter().enumerate().map(|(place, row)| (row.point, place + 1));
    let point_ranks: BTreeMap<PointKey, usize> = ranks.collect();
    let mut tallies: BTreeMap<(PointKey, PointKey), Tally> = BTreeMap::new();
    for (id, edge) in census.edges.iter().enumerate() {
        let ends = (census.point(edge.source), census.point(edge.sink));
        if !shown.contains(&ends.0) || !shown.contains(&ends.1) {
            continue;
        }
        let first = Tally {
            kind: edge.key.shown_kind(),
            failing: 0,
            passing: 0,
            bug_only: 0,
            count: 0,
            rank: UNRANKED,
        };
        let tally = tallies.entry(ends).or_insert(first);
        tally.kind = tally.kind.min(edge.key.shown_kind());
        tally.failing = tally.failing.max(edge.runs.failing);
        tally.passing = tally.passing.max(edge.runs.passing);
        if census.labels.passing > 0 && census.bug_only(id as u32) {
            tally.bug_only = tally.bug_only.max(edge.runs.failing);
        }
        tally.count = tally.count.saturating_add(edge.count);
    }
    if analysis.findings.reconstructions.is_empty() {
        for ((source, sink), tally) in &mut tallies {
            let best = [source, sink].into_iter().filter_map(|end| point_ranks.get(end)).min();
            tally.rank = best.copied().unwrap_or(UNRANKED);
        }
    }
    for (place, found) in analysis.findings.reconstructions.iter().enumerate() {
        let edge = &census.edges[found.edge as usize];
        let ends = (census.point(edge.source), census.point(edge.sink));
        if let Some(tally) = tallies.get_mut(&ends) {
            tally.rank = tally.rank.min(place + 1);
        }
    }
    tallies
}

/// Instructions of the program; those of the thread library only where the ranking has some too.
fn shown(analysis: &Analysis) -> BTreeSet<PointKey> {
    let points = analysis.census.points.iter().filter(|point| **point != PointKey::Nothing);
    let is_library = |point: &PointKey| analysis.describe(*point).library;
    let all: BTreeSet<PointKey> = points.copied().collect();
    match analysis.ranking.iter().any(|row| is_library(&row.point)) {
        true => all,
        false => all.into_iter().filter(|point| !is_library(point)).collect(),
    }
}
