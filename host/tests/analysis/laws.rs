//! What must hold for all runs.

use crate::samples::any_edge;
use crate::support::run_of;
use crosstalk::analysis::{Analysis, Request};
use crosstalk::bugaboo::{Formula, Mode};
use crosstalk::graph::{ContextView, Graph};
use crosstalk::recon;
use crosstalk::runs::RunFile;
use proptest::prelude::*;
use record::{Edge, Limits, RunWriter};
use std::collections::BTreeSet;
use std::path::Path;

/// Writes runs edge by edge, in the order given.
fn write(folder: &Path, runs: &[(Vec<Edge>, bool)], order: &[usize]) -> Vec<RunFile> {
    let write = |place: &usize| {
        let (edges, failed) = &runs[*place];
        let run = run_of(*place as u64, &[], *failed);
        let name = format!("{place}.run");
        let path = folder.join(&name);
        let mut writer = RunWriter::new(Vec::new(), &run.header).unwrap();
        edges.iter().for_each(|edge| writer.edge(edge).unwrap());
        std::fs::write(&path, writer.finish(&run.ending).unwrap()).unwrap();
        RunFile { path, name, label: None }
    };
    order.iter().map(write).collect()
}

fn answer(files: Vec<RunFile>, formula: Formula, mode: Option<Mode>) -> String {
    answer_to(&Request { files, formula, mode, ..Request::default() })
}

fn answer_to(request: &Request) -> String {
    match Analysis::of(request, &|| {}) {
        Ok(analysis) => serde_json::to_string(&analysis.view(usize::MAX)).unwrap(),
        Err(error) => error.to_string(),
    }
}

fn any_runs() -> impl Strategy<Value = Vec<(Vec<Edge>, bool)>> {
    let limits = Limits::from(&run_of(0, &[], false).header);
    let edge = any_edge().prop_map(move |edge| limits.cut(edge));
    let run = (prop::collection::vec(edge, 0..25), any::<bool>());
    prop::collection::vec(run, 1..7)
}

fn any_graph() -> impl Strategy<Value = Graph> {
    prop::collection::vec(any_edge(), 0..40).prop_map(|edges| edges.into_iter().collect())
}

/// The edges alone.
fn keys(graph: &Graph) -> BTreeSet<crosstalk::graph::EdgeKey> {
    graph.edges().map(|(key, _)| *key).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn answers_do_not_depend_on_the_order_of_runs_or_edges(
        runs in any_runs(),
        formula in prop_oneof![Just(Formula::Exception), Just(Formula::Printed)],
        mode in prop_oneof![Just(None), Just(Some(Mode::Unlabeled))],
    ) {
        let folder = tempfile::tempdir().unwrap();
        let order: Vec<usize> = (0..runs.len()).collect();
        let one = answer(write(folder.path(), &runs, &order), formula, mode);
        let turned: Vec<_> = runs
            .iter()
            .map(|(edges, failed)| (edges.iter().rev().copied().collect(), *failed))
            .collect();
        let reverse: Vec<usize> = order.iter().rev().copied().collect();
        let other = answer(write(folder.path(), &turned, &reverse), formula, mode);
        prop_assert_eq!(one, other);
    }

    #[test]
    fn answers_do_not_depend_on_how_much_is_counted_at_a_time(
        runs in any_runs(),
        counts in 0..40_usize,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let order: Vec<usize> = (0..runs.len()).collect();
        let files = write(folder.path(), &runs, &order);
        let with = |recon: recon::Options| {
            answer_to(&Request { files: files.clone(), recon, ..Request::default() })
        };
        let default = recon::Options::default();
        prop_assert_eq!(with(recon::Options { counts, ..default }), with(default));
    }

    #[test]
    fn union_and_difference_are_those_of_sets(a in any_graph(), b in any_graph(), c in any_graph()) {
        let (ka, kb) = (keys(&a), keys(&b));
        prop_assert_eq!(keys(&a.union(&b)), &ka | &kb);
        prop_assert_eq!(keys(&a.difference(&b)), &ka - &kb);
        prop_assert_eq!(a.union(&b), b.union(&a));
        prop_assert_eq!(a.union(&b).union(&c), a.union(&b.union(&c)));
        prop_assert_eq!(keys(&a.union(&a)), ka);
        prop_assert!(a.difference(&a).is_empty());
        prop_assert_eq!(a.difference(&Graph::default()), a.clone());
        let without_both = keys(&c.difference(&a.union(&b)));
        prop_assert_eq!(without_both, keys(&c.difference(&a).difference(&b)));
    }

    #[test]
    fn a_graph_survives_its_records(edges in prop::collection::vec(any_edge(), 0..40)) {
        let run = run_of(1, &edges, false);
        let graph: Graph = edges.into_iter().collect();
        prop_assert_eq!(&Graph::of_run(&run, ContextView::Full), &graph);
        prop_assert_eq!(graph.to_totals(), run.edges);
    }

    #[test]
    fn shorter_contexts_never_add_edges(edges in prop::collection::vec(any_edge(), 0..40)) {
        let run = run_of(1, &edges, false);
        let sizes: Vec<_> = [ContextView::None, ContextView::Events(1), ContextView::Full]
            .into_iter()
            .map(|view| Graph::of_run(&run, view).len())
            .collect();
        prop_assert!(sizes.is_sorted(), "{sizes:?}");
    }

    #[test]
    fn bug_only_is_what_no_passing_run_has(runs in any_runs()) {
        let folder = tempfile::tempdir().unwrap();
        let order: Vec<usize> = (0..runs.len()).collect();
        let request = Request { files: write(folder.path(), &runs, &order), mode: Some(Mode::Unlabeled), ..Request::default() };
        let analysis = Analysis::of(&request, &|| {}).unwrap();
        let union = |label: bool| {
            let of_label = runs.iter().filter(|(_, failed)| *failed == label);
            of_label.fold(Graph::default(), |all, (edges, _)| all.union(&edges.iter().copied().collect()))
        };
        let expected = keys(&union(true).difference(&union(false)));
        let census = &analysis.census;
        let found: BTreeSet<_> = (0..census.edges.len() as u32)
            .filter(|edge| census.bug_only(*edge))
            .map(|edge| census.edges[edge as usize].key)
            .collect();
        prop_assert_eq!(found, expected);
        let occurrences: u64 = census.edges.iter().map(|edge| edge.count).sum();
        prop_assert_eq!(occurrences as usize, runs.iter().map(|(edges, _)| edges.len()).sum::<usize>());
    }
}
