//! Communication graphs: which instructions communicated, in which contexts.
//!
//! A graph is a value: small enough to hold, with the algebra of sets (Bugaboo §3.3, §5). For statistics
//! over thousands of runs there is [`Census`](crate::census::Census), which never holds a run's graph.

mod kind;

pub use kind::Kind;

use record::{Access, Ctx, Edge, EdgeKind, Hart, Pc, Run, Time, Total};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// An instruction in a context.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node {
    /// The instruction.
    pub pc: Pc,
    /// The context in which it executed.
    pub ctx: Ctx,
}

impl Node {
    /// The source of an edge without a known writer.
    pub const NULL: Self = Self { pc: Pc::NULL, ctx: Ctx(0) };
}

/// What makes an edge this edge and no other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EdgeKey {
    /// The access that wrote.
    pub source: Node,
    /// The access that read or overwrote.
    pub sink: Node,
    /// How the data came from one to the other, as recorded.
    pub kind: EdgeKind,
}

/// How much of a context is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContextView {
    /// All events that were recorded: the context-aware graph.
    #[default]
    Full,
    /// The most recent events only.
    Events(u8),
    /// None: the context-oblivious graph of Bugaboo §3.2.
    None,
}

impl ContextView {
    /// The part of a context that is looked at. The newest event is in the lowest bits.
    pub fn of(self, ctx: Ctx) -> Ctx {
        match self {
            Self::Full => ctx,
            Self::Events(events) if events >= 16 => ctx,
            Self::Events(events) => Ctx(ctx.0 & ((1 << (2 * events)) - 1)),
            Self::None => Ctx(0),
        }
    }

    /// How many events are looked at where contexts have so many.
    pub fn events_of(self, recorded: u8) -> u8 {
        match self {
            Self::Full => recorded,
            Self::Events(events) => events.min(recorded),
            Self::None => 0,
        }
    }

    /// The edge as this view sees it.
    pub fn key(self, edge: &Edge) -> EdgeKey {
        let node = |end: &Access| Node { pc: end.pc, ctx: self.of(end.ctx) };
        EdgeKey { source: node(&edge.source), sink: node(&edge.sink), kind: edge.kind }
    }
}

/// What is known about an edge of a graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// How often it happened.
    pub count: u64,
    /// The most recent occurrence (Recon §3.1). Times of different runs cannot be compared, so a union
    /// has none.
    pub last: Option<Last>,
}

/// When and where an edge happened last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Last {
    /// When the sink executed.
    pub sink_time: Time,
    /// When the source executed.
    pub source_time: Time,
    /// The sink's hart.
    pub sink_hart: Hart,
    /// The source's hart.
    pub source_hart: Hart,
}

impl From<&Edge> for Last {
    fn from(edge: &Edge) -> Self {
        let (source, sink) = (edge.source, edge.sink);
        Self {
            sink_time: sink.time,
            source_time: source.time,
            sink_hart: sink.hart,
            source_hart: source.hart,
        }
    }
}

/// A set of edges, each with how often it happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    edges: BTreeMap<EdgeKey, Seen>,
}

impl Graph {
    /// The graph of one run.
    pub fn of_run(run: &Run, view: ContextView) -> Self {
        let mut graph = Self::default();
        run.edges.iter().for_each(|total| graph.add(total, view));
        graph
    }

    /// Adds what happened in the same run.
    pub fn add(&mut self, total: &Total, view: ContextView) {
        let last = Last::from(&total.edge);
        let seen = self.edges.entry(view.key(&total.edge)).or_default();
        seen.count += u64::from(total.count);
        seen.last = seen.last.max(Some(last));
    }

    /// Adds all edges of another run's graph. Edges that are in both lose their times.
    pub fn unite(&mut self, other: &Self) {
        for (key, seen) in &other.edges {
            match self.edges.entry(*key) {
                Entry::Vacant(place) => drop(place.insert(*seen)),
                Entry::Occupied(mut place) => {
                    let count = place.get().count + seen.count;
                    place.insert(Seen { count, last: None });
                }
            }
        }
    }

    /// The union with another run's graph.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let mut all = self.clone();
        all.unite(other);
        all
    }

    /// The edges that `other` does not have.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        let only = self.edges.iter().filter(|(key, _)| !other.contains(key));
        Self { edges: only.map(|(key, seen)| (*key, *seen)).collect() }
    }

    /// Whether an edge is there.
    pub fn contains(&self, key: &EdgeKey) -> bool {
        self.edges.contains_key(key)
    }

    /// All edges, in order.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = (&EdgeKey, &Seen)> {
        self.edges.iter()
    }

    /// All instructions in their contexts, without [`Node::NULL`].
    pub fn nodes(&self) -> std::collections::BTreeSet<Node> {
        let ends = self.edges.keys().flat_map(|key| [key.source, key.sink]);
        ends.filter(|node| !node.pc.is_null()).collect()
    }

    /// How many edges there are.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// The edges as records, for a file. Times that are not known are zero.
    pub fn to_totals(&self) -> Vec<Total> {
        let total = |(key, seen): (&EdgeKey, &Seen)| {
            let last = seen.last.unwrap_or_default();
            let end = |node: Node, time, hart| Access { pc: node.pc, ctx: node.ctx, time, hart };
            let edge = Edge {
                source: end(key.source, last.source_time, last.source_hart),
                sink: end(key.sink, last.sink_time, last.sink_hart),
                kind: key.kind,
            };
            Total { edge, count: u32::try_from(seen.count).unwrap_or(u32::MAX) }
        };
        self.edges.iter().map(total).collect()
    }
}

impl FromIterator<Edge> for Graph {
    fn from_iter<T: IntoIterator<Item = Edge>>(edges: T) -> Self {
        let mut graph = Self::default();
        edges.into_iter().for_each(|edge| graph.add(&Total::from(edge), ContextView::Full));
        graph
    }
}
