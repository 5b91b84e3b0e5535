//! The first pass: reads every run once and counts its edges, in parallel.

use super::{ByLabel, Census, EdgeTally, Guess, Index, NodeEntry, PlaceTally, RunSummary};
use crate::Error;
use crate::code::{CodeMap, PointKey};
use crate::graph::{ContextView, EdgeKey, Node};
use crate::runs::{About, Family, RunFile};
use hashbrown::HashMap;
use rayon::prelude::*;
use record::{Ctx, Total};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is counted of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The number of newest events of each context to compare.
    pub view: ContextView,
    /// Leave out edges from memory (Bugaboo §4.2.3 has them).
    pub without_memory: bool,
}

/// Counts all runs. `progress` is called after each.
pub fn take(
    files: &[RunFile],
    code: &CodeMap,
    options: Options,
    progress: &(dyn Fn() + Sync),
) -> Result<Census, Error> {
    let next = AtomicUsize::new(0);
    let counted = rayon::broadcast(|_| {
        let mut counter = Counter::default();
        let mut runs = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = files.get(number) else { return (counter, runs) };
            runs.push((number, counter.count(file, code, options)));
            progress();
        }
    });
    let mut all = Counter::default();
    let mut summaries = Vec::new();
    for (counter, runs) in counted {
        all = if all.edges.len() < counter.edges.len() {
            counter.merge(all)
        } else {
            all.merge(counter)
        };
        summaries.extend(runs);
    }
    // The same error, whichever thread was first.
    summaries.sort_by_key(|(number, _)| *number);
    let runs = summaries.into_iter().map(|(_, summary)| summary);
    let runs = in_seed_order(runs.collect::<Result<_, _>>()?)?;
    Ok(all.finish(runs))
}

/// Sorts runs; an error if they are of different programs or configurations.
fn in_seed_order(mut runs: Vec<RunSummary>) -> Result<Vec<RunSummary>, Error> {
    runs.sort_by(|a, b| {
        let key = |run: &RunSummary| (run.about.header.seed, run.file.name.clone());
        key(a).cmp(&key(b))
    });
    let mut family = Family::default();
    for run in &runs {
        family.admit(&run.file.path.display().to_string(), &run.about.header)?;
    }
    Ok(runs)
}

/// What one thread counted.
#[derive(Default)]
struct Counter {
    index: Index,
    guess: Guess,
    edges: Vec<EdgeTally>,
    /// Indices of each edge's source and sink. Apart from the edges, because every record needs them.
    edge_places: Vec<[u32; 2]>,
    nodes: Interned<Node, NodeEntry>,
    places: Interned<(PointKey, Ctx), PlaceTally>,
    /// The last run that each edge and place was seen in.
    edge_run: Vec<u32>,
    place_run: Vec<u32>,
    run: u32,
}

/// Values with an index by key.
struct Interned<K, V> {
    indices: HashMap<K, u32>,
    values: Vec<V>,
}

impl<K, V> Default for Interned<K, V> {
    fn default() -> Self {
        Self { indices: HashMap::new(), values: Vec::new() }
    }
}

impl<K: std::hash::Hash + Eq, V> Interned<K, V> {
    fn index_of(&mut self, key: K, value: impl FnOnce() -> V) -> u32 {
        *self.indices.entry(key).or_insert_with(|| {
            self.values.push(value());
            self.values.len() as u32 - 1
        })
    }
}

/// Edges and nodes of the run being read. They are counted at its end, when its label is known.
#[derive(Default)]
struct Touched {
    edges: Vec<u32>,
    places: Vec<u32>,
    count: u64,
}

impl Counter {
    fn count(
        &mut self,
        file: &RunFile,
        code: &CodeMap,
        options: Options,
    ) -> Result<RunSummary, Error> {
        self.run += 1;
        let mut touched = Touched::default();
        let about: About = file.read(|records| {
            for total in records {
                self.add(total, code, options, &mut touched);
            }
        })?;
        touched.edges.iter().for_each(|e| self.edges[*e as usize].runs.count(about.label));
        let places = &mut self.places.values;
        touched.places.iter().for_each(|p| places[*p as usize].runs.count(about.label));
        let distinct = touched.edges.len() as u64;
        Ok(RunSummary { file: file.clone(), about, distinct, count: touched.count })
    }

    #[inline]
    fn add(&mut self, total: &Total, code: &CodeMap, options: Options, touched: &mut Touched) {
        let key = options.view.key(&total.edge);
        if options.without_memory && key.kind == record::EdgeKind::Memory {
            return;
        }
        let edge = self.edge(key, code);
        let count = u64::from(total.count);
        touched.count += count;
        self.edges[edge as usize].count += count;
        if std::mem::replace(&mut self.edge_run[edge as usize], self.run) == self.run {
            return;
        }
        touched.edges.push(edge);
        for place in self.edge_places[edge as usize] {
            let seen = &mut self.place_run[place as usize];
            if *seen != self.run {
                *seen = self.run;
                touched.places.push(place);
            }
        }
    }

    fn edge(&mut self, key: EdgeKey, code: &CodeMap) -> u32 {
        if let Some(edge) = self.guess.find(&key, &self.edges) {
            self.guess.learn(edge);
            return edge;
        }
        let (edge, new) = self.index.find_or_next(&key, &self.edges);
        self.guess.learn(edge);
        if new {
            let [source, sink] = [key.source, key.sink].map(|node| self.node(node, code));
            let runs = ByLabel::default();
            self.edges.push(EdgeTally { key, source, sink, runs, count: 0 });
            self.edge_places
                .push([source, sink].map(|node| self.nodes.values[node as usize].place));
            self.edge_run.push(0);
        }
        edge
    }

    fn node(&mut self, node: Node, code: &CodeMap) -> u32 {
        let Self { nodes, places, place_run, .. } = self;
        nodes.index_of(node, || {
            let point = code.key(node.pc);
            let place = places.index_of((point, node.ctx), || {
                place_run.push(0);
                PlaceTally { point, ctx: node.ctx, runs: ByLabel::default(), count: 0 }
            });
            NodeEntry { node, place }
        })
    }

    /// Adds another thread's counts. Runs are never split between counters, so sums are exact.
    fn merge(mut self, other: Self) -> Self {
        for node in &other.nodes.values {
            let PlaceTally { point, ctx, .. } = other.places.values[node.place as usize];
            let Self { nodes, places, place_run, .. } = &mut self;
            nodes.index_of(node.node, || {
                let place = places.index_of((point, ctx), || {
                    place_run.push(0);
                    PlaceTally { point, ctx, runs: ByLabel::default(), count: 0 }
                });
                NodeEntry { node: node.node, place }
            });
        }
        for place in &other.places.values {
            let here = self.places.indices[&(place.point, place.ctx)];
            let tally = &mut self.places.values[here as usize];
            tally.runs.add(place.runs);
        }
        for edge in &other.edges {
            let (at, new) = self.index.find_or_next(&edge.key, &self.edges);
            if new {
                let [source, sink] =
                    [edge.key.source, edge.key.sink].map(|node| self.nodes.indices[&node]);
                self.edges.push(EdgeTally { source, sink, ..*edge });
                let places = [source, sink].map(|node| self.nodes.values[node as usize].place);
                self.edge_places.push(places);
                self.edge_run.push(0);
            } else {
                let tally = &mut self.edges[at as usize];
                tally.runs.add(edge.runs);
                tally.count += edge.count;
            }
        }
        self
    }

    /// The census, in an order that depends on the edges alone.
    fn finish(self, runs: Vec<RunSummary>) -> Census {
        let Self { mut edges, edge_places, nodes, mut places, index, .. } = self;
        drop(index);
        for (edge, ends) in edges.iter().zip(edge_places) {
            ends.iter().for_each(|place| places.values[*place as usize].count += edge.count);
        }
        let (places, place_of) = sorted(places.values, |place| (place.point, place.ctx));
        let (mut nodes, node_of) = sorted(nodes.values, |entry| entry.node);
        nodes.iter_mut().for_each(|entry| entry.place = place_of[entry.place as usize]);
        edges.par_sort_unstable_by_key(|edge| edge.key);
        edges.par_iter_mut().for_each(|edge| {
            edge.source = node_of[edge.source as usize];
            edge.sink = node_of[edge.sink as usize];
        });
        let mut labels = ByLabel::default();
        runs.iter().for_each(|run| labels.count(run.about.label));
        let index = Index::of(&edges);
        let mut points: Vec<PointKey> = places.iter().map(|place| place.point).collect();
        points.dedup();
        let point = |entry: &NodeEntry| {
            let point = places[entry.place as usize].point;
            points.partition_point(|other| *other < point) as u32
        };
        let node_points = nodes.iter().map(point).collect();
        Census { runs, labels, edges, nodes, places, points, node_points, index }
    }
}

/// The values in order, and the new index of each.
fn sorted<T: Copy + Send + Sync, K: Ord + Send>(
    values: Vec<T>,
    key: impl Fn(&T) -> K + Sync,
) -> (Vec<T>, Vec<u32>) {
    let mut order: Vec<u32> = (0..values.len() as u32).collect();
    order.par_sort_unstable_by_key(|old| key(&values[*old as usize]));
    let mut moved = vec![0; values.len()];
    for (to, from) in order.iter().enumerate() {
        moved[*from as usize] = to as u32;
    }
    (order.iter().map(|old| values[*old as usize]).collect(), moved)
}
