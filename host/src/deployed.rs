//! Bugaboo in the field (§5): runs beside the testing graph.

use crate::bugaboo::{self, Formula, PlaceCount, RankedPoint};
use crate::code::{CodeMap, PointKey};
use crate::graph::{ContextView, Graph};
use record::{Ctx, Pc, Total};
use std::collections::{BTreeMap, BTreeSet};

/// What testing showed, and what the field showed beyond that so far.
#[derive(Debug)]
pub struct Watch {
    testing: Graph,
    formula: Formula,
    runs: u32,
    /// Code points in contexts that are new: in how many field runs, and how often.
    new: BTreeMap<(PointKey, Ctx), (u32, u64)>,
}

/// What one run shows.
#[derive(Clone, Debug, Default)]
pub struct Finding {
    /// Distinct edges that testing never showed.
    pub new_edges: usize,
    /// Code points of this run's new edges whose score reaches the threshold.
    pub suspicious: Vec<RankedPoint>,
    /// The instructions of the code points of its new edges.
    pub instructions: BTreeMap<PointKey, Vec<Pc>>,
}

impl Watch {
    /// Nothing came from the field yet.
    pub fn new(testing: Graph, formula: Formula) -> Self {
        Self { testing, formula, runs: 0, new: BTreeMap::new() }
    }

    /// Looks at one run. With the printed formula small scores are suspicious, with the default large
    /// ones: the share of field runs that have the same new context.
    pub fn observe(&mut self, edges: &[Total], code: &CodeMap, threshold: f64) -> Finding {
        self.runs += 1;
        let mut found = Finding::default();
        let mut here = BTreeSet::new();
        for total in edges {
            let key = ContextView::Full.key(&total.edge);
            if self.testing.contains(&key) {
                continue;
            }
            found.new_edges += 1;
            for node in [key.source, key.sink].into_iter().filter(|node| !node.pc.is_null()) {
                let point = code.key(node.pc);
                found.instructions.entry(point).or_default().push(node.pc);
                let (runs, count) = self.new.entry((point, node.ctx)).or_default();
                *count += u64::from(total.count);
                if here.insert((point, node.ctx)) {
                    *runs += 1;
                }
            }
        }
        let places: Vec<PlaceCount> = self
            .new
            .iter()
            .map(|((point, ctx), (runs, count))| PlaceCount {
                point: *point,
                ctx: *ctx,
                runs: *runs,
                failing: 0,
                passing: 0,
                count: *count,
            })
            .collect();
        let ranked = bugaboo::deployed(&places, self.runs.into(), self.formula);
        let over = |row: &RankedPoint| match self.formula.ascends() {
            true => row.score <= threshold,
            false => row.score >= threshold,
        };
        let in_run = |row: &RankedPoint| found.instructions.contains_key(&row.point);
        found.suspicious = ranked.into_iter().filter(|row| over(row) && in_run(row)).collect();
        found
    }
}
