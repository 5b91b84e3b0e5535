//! Communication graphs, as much as the reference model needs.
//!
//! Bugaboo §3.3: a node is an instruction in a context, an edge a pair of nodes that communicated.

use crate::{CodePoint, Ctx, Edge, EdgeKind, LineMeta};
use std::collections::BTreeSet;

/// An instruction in a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node {
    /// The instruction.
    pub pc: CodePoint,
    /// The context in which it executed.
    pub ctx: Ctx,
}

impl From<LineMeta> for Node {
    fn from(LineMeta { pc, ctx, .. }: LineMeta) -> Self {
        Self { pc, ctx }
    }
}

/// Which nodes communicated, each pair once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    edges: BTreeSet<(Node, Node)>,
}

impl Graph {
    /// Adds an edge. Reads from memory are not communication and add nothing.
    pub fn insert(&mut self, edge: &Edge) {
        if edge.kind != EdgeKind::Memory {
            self.edges.insert((edge.source.into(), edge.sink.into()));
        }
    }

    /// All edges, source first.
    pub fn edges(&self) -> &BTreeSet<(Node, Node)> {
        &self.edges
    }

    /// All instructions that communicated.
    pub fn code_points(&self) -> BTreeSet<CodePoint> {
        let ends = self.edges.iter().flat_map(|(source, sink)| [source.pc, sink.pc]);
        ends.filter(|pc| *pc != LineMeta::NULL.pc).collect()
    }

    /// Imprecision of a lossy graph of the same run: the share, from 0 to 1, of this graph's code
    /// points that it lacks (Bugaboo §6.3).
    pub fn imprecision_of(&self, lossy: &Self) -> f64 {
        let exact = self.code_points();
        let found = lossy.code_points();
        if exact.is_empty() {
            return 0.0;
        }
        exact.difference(&found).count() as f64 / exact.len() as f64
    }
}

impl<'a> FromIterator<&'a Edge> for Graph {
    fn from_iter<T: IntoIterator<Item = &'a Edge>>(edges: T) -> Self {
        let mut graph = Self::default();
        edges.into_iter().for_each(|edge| graph.insert(edge));
        graph
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(source: u64, sink: u64, kind: EdgeKind) -> Edge {
        let at = |pc| LineMeta { pc: CodePoint(pc), ..LineMeta::NULL };
        Edge { source: at(source), sink: at(sink), kind }
    }

    #[test]
    fn imprecision_is_the_share_of_code_points_missed() {
        let exact: Graph = [edge(1, 2, EdgeKind::Raw), edge(3, 4, EdgeKind::Waw)].iter().collect();
        let lossy: Graph = [edge(1, 2, EdgeKind::Raw), edge(0, 3, EdgeKind::Raw)].iter().collect();
        assert_eq!(exact.imprecision_of(&lossy), 0.25);
        assert_eq!(exact.imprecision_of(&exact), 0.0);
        assert_eq!(Graph::default().imprecision_of(&exact), 0.0);
    }

    #[test]
    fn reads_from_memory_are_no_communication() {
        let graph: Graph = [edge(0, 2, EdgeKind::Memory)].iter().collect();
        assert_eq!(graph, Graph::default());
    }
}
