//! Bugaboo, Figures 2 to 5.

use crate::support::{run_of, snooping::Snooping, write_runs};
use crosstalk::analysis::{Analysis, Request};
use crosstalk::bugaboo::Mode;
use crosstalk::code::PointKey;
use crosstalk::graph::{ContextView, EdgeKey, Graph, Node};
use record::{Ctx, Edge, EdgeKind, Pc, Run};

const STR: u64 = 0x100;
const LEN: u64 = 0x200;

/// An access: thread, whether it writes, instruction, address.
type Access = (usize, bool, u64, u64);

fn edges(accesses: &[Access]) -> Vec<Edge> {
    let mut machine = Snooping::new(2);
    accesses
        .iter()
        .filter_map(|(thread, write, pc, at)| machine.access(*thread, *write, *pc, *at))
        .collect()
}

fn graph(accesses: &[Access]) -> Graph {
    edges(accesses).into_iter().collect()
}

fn node(pc: u64, ctx: u32) -> Node {
    Node { pc: Pc(pc), ctx: Ctx(ctx) }
}

#[test]
fn figure_2_an_order_violation_shows_as_a_missing_edge_and_a_read_of_memory() {
    let (write, read) = ((0, true, 1, STR), (1, false, 2, STR));
    let (correct, wrong) = (graph(&[write, read]), graph(&[read, write]));
    let only =
        |a: &Graph, b: &Graph| a.difference(b).edges().map(|(key, _)| *key).collect::<Vec<_>>();
    let raw = EdgeKey { source: node(1, 0), sink: node(2, 0), kind: EdgeKind::Raw };
    assert_eq!(only(&correct, &wrong), [raw]);
    let uninitialized = only(&wrong, &correct);
    assert!(uninitialized.contains(&EdgeKey {
        source: Node::NULL,
        sink: node(2, 0),
        kind: EdgeKind::Memory
    }));
}

#[test]
fn figure_3_an_atomicity_violation_shows_without_context() {
    let (closed, log_bin, read) = ((0, true, 1, STR), (0, true, 2, STR), (1, false, 3, STR));
    let oblivious =
        |accesses: &[Access]| Graph::of_run(&run_of(0, &edges(accesses), false), ContextView::None);
    let correct = oblivious(&[closed, log_bin, read]).union(&oblivious(&[read, closed, log_bin]));
    let wrong = oblivious(&[closed, read, log_bin]);
    let only: Vec<_> = wrong.difference(&correct).edges().map(|(key, _)| *key).collect();
    let dashed = EdgeKey { source: node(1, 0), sink: node(3, 0), kind: EdgeKind::Raw };
    assert!(only.contains(&dashed), "{only:?}");
}

/// Figure 4's string and length: writes are instructions 1 and 2, reads 3 and 4.
const WRITE_STR: Access = (0, true, 1, STR);
const WRITE_LEN: Access = (0, true, 2, LEN);
const READ_STR: Access = (1, false, 3, STR);
const READ_LEN: Access = (1, false, 4, LEN);

const CORRECT: [[Access; 4]; 2] =
    [[WRITE_STR, WRITE_LEN, READ_STR, READ_LEN], [READ_STR, READ_LEN, WRITE_STR, WRITE_LEN]];
const WRONG: [[Access; 4]; 2] =
    [[WRITE_STR, READ_STR, READ_LEN, WRITE_LEN], [READ_STR, WRITE_STR, WRITE_LEN, READ_LEN]];

/// Every sequence of four correct rounds, and each with a wrong one in the middle.
fn executions() -> (Vec<Run>, Vec<Run>) {
    let (mut passing, mut failing) = (Vec::new(), Vec::new());
    for choice in 0..16usize {
        let rounds: Vec<[Access; 4]> = (0..4).map(|round| CORRECT[choice >> round & 1]).collect();
        let seed = choice as u64;
        passing.push(run_of(seed, &edges(&rounds.concat()), false));
        for (place, wrong) in WRONG.into_iter().enumerate() {
            let mut rounds = rounds.clone();
            rounds[2] = wrong;
            failing.push(run_of(100 * (place as u64 + 1) + seed, &edges(&rounds.concat()), true));
        }
    }
    (passing, failing)
}

fn union(runs: &[Run], view: ContextView) -> Graph {
    runs.iter().fold(Graph::default(), |all, run| all.union(&Graph::of_run(run, view)))
}

#[test]
fn figure_4_a_two_variable_bug_is_invisible_without_context() {
    let (passing, failing) = executions();
    let view = ContextView::None;
    assert!(union(&failing, view).difference(&union(&passing, view)).is_empty());
}

#[test]
fn figure_5_with_context_it_is_visible() {
    let (passing, failing) = executions();
    let view = ContextView::Full;
    let bug_only = union(&failing, view).difference(&union(&passing, view));
    assert!(!bug_only.is_empty());
    // Oldest event first: LcWr, RmRd, RmRd before the write of the length.
    let interrupted = node(2, 0b01_10_10);
    let is_dashed =
        |node: Node| node.pc == interrupted.pc && node.ctx.0 & 0x3f == interrupted.ctx.0;
    assert!(bug_only.nodes().into_iter().any(is_dashed), "{:?}", bug_only.nodes());
    let correct = union(&passing, view).nodes();
    assert!(!correct.into_iter().any(is_dashed));
}

#[test]
fn figure_5_contexts_are_those_of_the_figure() {
    let rounds = [CORRECT[0], CORRECT[0]].concat();
    let second: Vec<_> = edges(&rounds).into_iter().filter(|edge| edge.sink.time.0 > 4).collect();
    let sinks: Vec<_> = second.iter().map(|edge| (edge.sink.pc.0, edge.sink.ctx.0)).collect();
    let expected = [
        (1, 0b10_10),    // (RmRd, RmRd)
        (2, 0b10_10_01), // (RmRd, RmRd, LcWr)
        (3, 0b11_11),    // (RmWr, RmWr)
        (4, 0b11_11_00), // (RmWr, RmWr, LcRd)
    ];
    assert_eq!(sinks, expected);
}

#[test]
fn the_ranking_finds_the_two_variable_bug_with_context_only() {
    let (passing, failing) = executions();
    let folder = tempfile::tempdir().unwrap();
    let files = write_runs(folder.path(), passing.iter().chain(&failing));
    let request = |view| Request { files: files.clone(), view, ..Request::default() };
    let with = Analysis::of(&request(ContextView::Full), &|| {}).unwrap();
    assert_eq!(with.mode, Mode::Labeled);
    assert!(matches!(with.ranking[0].point, PointKey::Address(1..=4)));
    let without = Analysis::of(&request(ContextView::None), &|| {}).unwrap();
    assert_eq!(without.ranking, []);
}
