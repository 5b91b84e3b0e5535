//! Bugaboo in the field (§5): runs beside the testing graph.

use crate::Error;
use crate::bugaboo::{self, Formula, PlaceCount, RankedPoint};
use crate::code::{CodeMap, PointKey};
use crate::graph::{ContextView, Graph};
use crate::runs::Family;
use record::{Ctx, Header, Pc, Run, Total};
use std::collections::{BTreeMap, BTreeSet};

/// What testing showed, and what the field showed beyond that so far.
#[derive(Debug)]
pub struct Watch {
    testing: Graph,
    header: Header,
    /// The testing graph as errors call it.
    name: String,
    formula: Formula,
    runs: u32,
    /// Code points in contexts that are new: in how many field runs, and how often.
    new: BTreeMap<(PointKey, Ctx), (u32, u64)>,
}

/// What one field run shows.
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
    /// Starts without field runs. `name` is the testing graph's in errors.
    pub fn new(name: &str, testing: &Run, formula: Formula) -> Self {
        Self {
            testing: Graph::of_run(testing, ContextView::Full),
            header: testing.header.clone(),
            name: name.into(),
            formula,
            runs: 0,
            new: BTreeMap::new(),
        }
    }

    /// What of a context the testing graph knows: it may have been made of fewer events than runs have.
    fn view(&self) -> ContextView {
        ContextView::Events(self.header.events)
    }

    /// Refuses a run that cannot be compared with the testing graph.
    ///
    /// # Errors
    /// If they are of different programs, or the run has less of each context or pc than the graph.
    pub fn check(&self, name: &str, header: &Header) -> Result<(), Error> {
        let mut family = Family::default();
        family.admit(&self.name, &self.header)?;
        let seen = Header { events: self.view().events_of(header.events), ..header.clone() };
        family.admit(name, &seen)
    }

    /// Looks at one run. With the printed formula small scores are suspicious, with the default large
    /// ones: the share of field runs that have the same new context.
    pub fn observe(&mut self, edges: &[Total], code: &CodeMap, threshold: f64) -> Finding {
        self.runs += 1;
        let mut found = Finding::default();
        let mut here = BTreeSet::new();
        let mut run = Graph::default();
        edges.iter().for_each(|total| run.add(total, self.view()));
        for (key, seen) in run.edges().filter(|(key, _)| !self.testing.contains(key)) {
            found.new_edges += 1;
            for node in [key.source, key.sink].into_iter().filter(|node| !node.pc.is_null()) {
                let point = code.key(node.pc);
                found.instructions.entry(point).or_default().push(node.pc);
                let (runs, count) = self.new.entry((point, node.ctx)).or_default();
                *count += seen.count;
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
