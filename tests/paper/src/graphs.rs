//! What can be said of graphs without knowing the bug: how large they are, how soon they are complete, and
//! what lossy tracking leaves out.

use crate::measured::{CONTEXTS, Missed, Size};
use crosstalk::code::{CodeMap, PointKey};
use crosstalk::graph::{ContextView, Node};
use record::{EdgeKind, Run};
use std::collections::{BTreeSet, HashSet};

/// A context of this many events.
pub fn view(events: usize) -> ContextView {
    match events {
        0 => ContextView::None,
        some => ContextView::Events(some as u8),
    }
}

/// The size of the union of all runs' graphs; what came from memory is no communication.
pub fn size(runs: &[Run], view: ContextView) -> Size {
    let mut nodes: BTreeSet<Node> = BTreeSet::new();
    let mut edges = HashSet::new();
    for total in runs.iter().flat_map(|run| &run.edges) {
        let key = view.key(&total.edge);
        if key.kind != EdgeKind::Memory {
            edges.insert((key.source, key.sink));
            nodes.extend([key.source, key.sink].into_iter().filter(|node| !node.pc.is_null()));
        }
    }
    Size { nodes: nodes.len(), edges: edges.len() }
}

/// For contexts of 0 to 5 events: how many edges each run after the first added, in percent of those that
/// all runs before it have together (Bugaboo, Figure 7).
pub fn convergence(runs: &[Run]) -> [Vec<f64>; CONTEXTS] {
    std::array::from_fn(|events| {
        let mut known = HashSet::new();
        let mut added = Vec::new();
        for run in runs {
            let before = known.len();
            known.extend(run.edges.iter().map(|total| view(events).key(&total.edge)));
            if before > 0 {
                added.push(100.0 * (known.len() - before) as f64 / before as f64);
            }
        }
        added
    })
}

/// The code points that communicated in a run.
fn points(run: &Run, code: &CodeMap) -> BTreeSet<PointKey> {
    let edges = run.edges.iter().map(|total| total.edge);
    let edges = edges.filter(|edge| edge.kind != EdgeKind::Memory);
    let points = edges.flat_map(|edge| [edge.source.pc, edge.sink.pc]).map(|pc| code.key(pc));
    points.filter(|point| *point != PointKey::Nothing).collect()
}

/// What `lossy` runs miss of the code points in the same runs tracked exactly (Bugaboo §6.3).
pub fn missed(exact: &[Run], lossy: &[Run], code: &CodeMap) -> Missed {
    let share = |exact: &BTreeSet<PointKey>, lossy: &BTreeSet<PointKey>| {
        exact.difference(lossy).count() as f64 / exact.len().max(1) as f64
    };
    let of = |runs: &[Run]| runs.iter().map(|run| points(run, code)).collect::<Vec<_>>();
    let (exact, lossy) = (of(exact), of(lossy));
    let shares = exact.iter().zip(&lossy).map(|(exact, lossy)| share(exact, lossy));
    let union = |runs: &[BTreeSet<PointKey>]| runs.iter().flatten().copied().collect();
    Missed {
        of_one_run: crate::measured::mean(shares).unwrap_or(0.0),
        of_all_runs: share(&union(&exact), &union(&lossy)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Access, Ctx, Edge, Pc, Total};

    fn run(edges: &[(u64, u64, u32)]) -> Run {
        let access = |pc, ctx| Access { pc: Pc(pc), ctx: Ctx(ctx), ..Access::NULL };
        let edge = |&(source, sink, ctx): &(u64, u64, u32)| Edge {
            source: access(source, 0),
            sink: access(sink, ctx),
            kind: if source == 0 { EdgeKind::Memory } else { EdgeKind::Raw },
        };
        Run { edges: edges.iter().map(|e| Total::from(edge(e))).collect(), ..Run::default() }
    }

    #[test]
    fn sizes_are_of_the_union_without_memory() {
        let runs = [run(&[(1, 2, 0), (1, 2, 1), (0, 9, 0)]), run(&[(1, 2, 1), (3, 2, 2)])];
        assert_eq!(size(&runs, view(0)), Size { nodes: 3, edges: 2 });
        assert_eq!(size(&runs, view(1)), Size { nodes: 5, edges: 3 });
    }

    #[test]
    fn each_run_adds_what_none_before_had() {
        let runs =
            [run(&[(1, 2, 0), (3, 4, 0)]), run(&[(1, 2, 0), (1, 2, 0b0100)]), run(&[(5, 6, 0)])];
        let added = convergence(&runs);
        assert_eq!(added[0], [0.0, 50.0]);
        assert_eq!(added[1], [0.0, 50.0], "the second event is not looked at");
        assert_eq!(added[2], [50.0, 100.0 / 3.0]);
    }

    #[test]
    fn missed_are_code_points_that_only_exact_tracking_has() {
        let exact = [run(&[(1, 2, 0), (3, 4, 0)]), run(&[(1, 2, 0)])];
        let lossy = [run(&[(1, 2, 0), (0, 3, 0)]), run(&[(3, 4, 0)])];
        let missed = missed(&exact, &lossy, &CodeMap::addresses());
        assert_eq!(missed, Missed { of_one_run: 0.75, of_all_runs: 0.0 });
    }
}
