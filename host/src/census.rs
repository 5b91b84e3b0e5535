//! Counts over all runs: every distinct edge, with the number of runs of each label that have it.
//!
//! One streaming pass. Memory grows with the number of distinct edges, not with the length or the number of
//! runs.

mod counter;
mod second;

pub use counter::{Options, take};
pub use second::{Occurrence, Revisit, revisit};

use crate::code::PointKey;
use crate::graph::{EdgeKey, Node};
use crate::runs::{About, RunFile};
use hashbrown::{DefaultHashBuilder, HashTable};
use record::{Ctx, Label, Pc};
use std::hash::BuildHasher;

/// The index of an edge in [`Census::edges`].
pub type EdgeId = u32;
/// The index of a node in [`Census::nodes`].
pub type NodeId = u32;
/// The index of a code point in a context in [`Census::places`].
pub type PlaceId = u32;

/// A count for each label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByLabel {
    /// For failing runs.
    pub failing: u32,
    /// For passing runs.
    pub passing: u32,
    /// For runs without a label.
    pub unknown: u32,
}

impl ByLabel {
    /// Counts one run.
    pub fn count(&mut self, label: Label) {
        match label {
            Label::Failing => self.failing += 1,
            Label::Passing => self.passing += 1,
            Label::Unknown => self.unknown += 1,
        }
    }

    /// The sum over all labels.
    pub fn all(&self) -> u32 {
        self.failing + self.passing + self.unknown
    }

    fn add(&mut self, other: Self) {
        self.failing += other.failing;
        self.passing += other.passing;
        self.unknown += other.unknown;
    }
}

/// An edge, with the number of runs that have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeTally {
    /// The edge.
    pub key: EdgeKey,
    /// Its source.
    pub source: NodeId,
    /// Its sink.
    pub sink: NodeId,
    /// The number of runs that have it.
    pub runs: ByLabel,
    /// How often it happened, in all runs together.
    pub count: u64,
}

/// An instruction in a context, and the code point it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeEntry {
    /// The instruction in its context.
    pub node: Node,
    /// Its code point in that context.
    pub place: PlaceId,
}

/// A code point in a context and how common it is: Bugaboo's F_{CP,x} (§5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceTally {
    /// The code point.
    pub point: PointKey,
    /// The context.
    pub ctx: Ctx,
    /// The number of runs in which it communicated.
    pub runs: ByLabel,
    /// How often it communicated, in all runs together.
    pub count: u64,
}

/// A summary of one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSummary {
    /// The file.
    pub file: RunFile,
    /// Its header, label and outcome.
    pub about: About,
    /// The number of its distinct edges.
    pub distinct: u64,
    /// The number of its edges.
    pub count: u64,
}

impl RunSummary {
    /// How many edges its tables lost.
    pub fn lost(&self) -> u64 {
        self.about.lost.values().map(|lost| u64::from(*lost)).sum()
    }
}

/// The counts over all runs.
#[derive(Clone, Debug, Default)]
pub struct Census {
    /// The runs, in the order of their seeds, then names.
    pub runs: Vec<RunSummary>,
    /// The number of runs of each label.
    pub labels: ByLabel,
    /// Every distinct edge, in the order of their keys.
    pub edges: Vec<EdgeTally>,
    /// Every instruction in its contexts, in order; [`Node::NULL`] may be among them.
    pub nodes: Vec<NodeEntry>,
    /// Every code point in its contexts, in order.
    pub places: Vec<PlaceTally>,
    /// Every code point, in order.
    pub points: Vec<PointKey>,
    /// For each node, the index of its code point in `points`.
    node_points: Vec<u32>,
    index: Index,
}

impl Census {
    /// The index of an edge.
    pub fn find(&self, key: &EdgeKey) -> Option<EdgeId> {
        self.index.find(key, &self.edges)
    }

    /// Whether some failing run has an edge and no passing run has it.
    pub fn bug_only(&self, edge: EdgeId) -> bool {
        let runs = self.edges[edge as usize].runs;
        runs.failing > 0 && runs.passing == 0
    }

    /// The code point of a node.
    pub fn point(&self, node: NodeId) -> PointKey {
        self.points[self.point_id(node) as usize]
    }

    /// The index of a node's code point in [`Self::points`].
    pub fn point_id(&self, node: NodeId) -> u32 {
        self.node_points[node as usize]
    }

    /// The instructions of every code point, in the order of [`Self::points`].
    pub fn instructions(&self) -> Vec<Vec<Pc>> {
        let mut pcs = vec![Vec::new(); self.points.len()];
        for (entry, point) in self.nodes.iter().zip(&self.node_points) {
            let pcs: &mut Vec<Pc> = &mut pcs[*point as usize];
            // Nodes are sorted by their pc.
            if pcs.last() != Some(&entry.node.pc) {
                pcs.push(entry.node.pc);
            }
        }
        pcs
    }
}

/// Maps keys to indices into a list of edges that the caller owns.
#[derive(Clone, Debug, Default)]
struct Index {
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Index {
    fn of(edges: &[EdgeTally]) -> Self {
        let mut index = Self { table: HashTable::with_capacity(edges.len()), ..Self::default() };
        for (at, edge) in edges.iter().enumerate() {
            let hash = index.hash(&edge.key);
            let Self { table, hasher } = &mut index;
            table.insert_unique(hash, at as u32, |other| {
                hash_of(hasher, &edges[*other as usize].key)
            });
        }
        index
    }

    fn hash(&self, key: &EdgeKey) -> u64 {
        hash_of(&self.hasher, key)
    }

    fn find(&self, key: &EdgeKey, edges: &[EdgeTally]) -> Option<u32> {
        self.table.find(self.hash(key), |at| edges[*at as usize].key == *key).copied()
    }

    /// The index of a key, and whether the key is new; a new key gets the next index.
    fn find_or_next(&mut self, key: &EdgeKey, edges: &[EdgeTally]) -> (u32, bool) {
        let hash = self.hash(key);
        let Self { table, hasher } = self;
        let entry = table.entry(
            hash,
            |at| edges[*at as usize].key == *key,
            |at| hash_of(hasher, &edges[*at as usize].key),
        );
        match entry {
            hashbrown::hash_table::Entry::Occupied(at) => (*at.get(), false),
            hashbrown::hash_table::Entry::Vacant(free) => {
                let at = edges.len() as u32;
                free.insert(at);
                (at, true)
            }
        }
    }
}

/// Predicts the index of an edge: runs list their edges in the same order, so the edge that followed another
/// in one run usually follows it in the next, and need not be looked up.
#[derive(Clone, Debug, Default)]
struct Guess {
    following: Vec<u32>,
    last: u32,
}

impl Guess {
    /// The index of a known edge, if the prediction is right.
    #[inline]
    fn find(&self, key: &EdgeKey, edges: &[EdgeTally]) -> Option<u32> {
        let guess = *self.following.get(self.last as usize)?;
        edges.get(guess as usize).filter(|edge| edge.key == *key).map(|_| guess)
    }

    /// Records the index at which the edge was found.
    #[inline]
    fn learn(&mut self, edge: u32) {
        if self.following.len() <= self.last as usize {
            self.following.resize(self.last as usize + 1, u32::MAX);
        }
        self.following[self.last as usize] = edge;
        self.last = edge;
    }
}

/// Five words and a kind, packed before hashing: every analysis spends most of its time here.
fn hash_of(hasher: &DefaultHashBuilder, key: &EdgeKey) -> u64 {
    let EdgeKey { source, sink, kind } = key;
    let ends = u128::from(source.pc.0) << 64 | u128::from(sink.pc.0);
    let contexts = u64::from(source.ctx.0) << 32 | u64::from(sink.ctx.0);
    hasher.hash_one((ends, contexts ^ (*kind as u64) << 62))
}
