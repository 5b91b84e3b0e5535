//! Recon, Figures 3 to 5, and its features by hand.

use crate::support::{run_of, write_runs};
use crosstalk::analysis::{Analysis, Request};
use crosstalk::recon::{Options, Part, Reconstruction, Region};
use record::{Access, Ctx, Edge, EdgeKind, Hart, Pc, Run, Time};

/// An access: hart, line of code, context, time.
type At = (u8, u64, u32, u64);

fn edge(source: At, sink: At, kind: EdgeKind) -> Edge {
    let access = |(hart, line, ctx, time): At| Access {
        pc: Pc(line),
        ctx: Ctx(ctx),
        time: Time(time),
        hart: Hart(hart),
    };
    Edge { source: access(source), sink: access(sink), kind }
}

fn raw(source: At, sink: At) -> Edge {
    edge(source, sink, EdgeKind::Raw)
}

fn analysis(runs: &[Run], recon: Options) -> Analysis {
    let folder = tempfile::tempdir().unwrap();
    let files = write_runs(folder.path(), runs);
    Analysis::of(&Request { files, recon, ..Request::default() }, &|| {}).unwrap()
}

/// The reconstruction around the edge between two lines.
fn around(analysis: &Analysis, source: u64, sink: u64) -> &Reconstruction {
    let is_meant = |found: &&Reconstruction| {
        let key = analysis.census.edges[found.edge as usize].key;
        (key.source.pc, key.sink.pc) == (Pc(source), Pc(sink))
    };
    analysis.findings.reconstructions.iter().find(is_meant).expect("such an edge")
}

/// Lines and contexts of a region, with their confidence.
fn members(analysis: &Analysis, region: &Region) -> Vec<(u64, u32, f64)> {
    let mut members: Vec<_> = region
        .nodes
        .iter()
        .map(|member| {
            let node = analysis.census.nodes[member.what as usize].node;
            (node.pc.0, node.ctx.0, member.confidence)
        })
        .collect();
    members.sort_by(|a, b| a.partial_cmp(b).unwrap());
    members
}

/// Figure 3(b): threads 1 and 2 both see one item in the queue; thread 2 takes it, then thread 1 tries.
fn weblech() -> Vec<Edge> {
    let constructed = (0, 47, 0, 1);
    let decremented = (2, 117, 0b00_00_10, 5);
    vec![
        raw(constructed, (1, 133, 0, 2)),
        raw(constructed, (2, 133, 0b10, 3)),
        raw(constructed, (2, 115, 0b00_10, 4)),
        edge(constructed, decremented, EdgeKind::Waw),
        raw(decremented, (1, 115, 0b10_11, 6)),
    ]
}

#[test]
fn figures_3_and_4_the_reconstruction_shows_the_interleaving() {
    let correct = vec![
        raw((0, 47, 0, 1), (1, 133, 0, 2)),
        raw((0, 47, 0, 1), (1, 115, 0b00, 3)),
        edge((0, 47, 0, 1), (1, 117, 0b00_00, 4), EdgeKind::Waw),
        raw((1, 117, 0b00_00, 4), (2, 133, 0b11, 5)),
    ];
    let runs = [run_of(1, &weblech(), true), run_of(2, &correct, false)];
    let analysis = analysis(&runs, Options::default());
    let found = analysis
        .findings
        .reconstructions
        .iter()
        .find(|found| {
            let key = analysis.census.edges[found.edge as usize].key;
            (key.source.pc, key.sink.pc, key.sink.ctx) == (Pc(47), Pc(117), Ctx(0b00_00_10))
        })
        .expect("the edge from 47 to 117");
    assert_eq!(members(&analysis, &found.prefix), []);
    let body = [(115, 0b00_10, 1.0), (133, 0, 1.0), (133, 0b10, 1.0)];
    assert_eq!(members(&analysis, &found.body), body);
    assert_eq!(members(&analysis, &found.suffix), [(115, 0b10_11, 1.0)]);
    let order: Vec<_> = found
        .example
        .events
        .iter()
        .map(|event| {
            (event.part, analysis.census.nodes[event.node as usize].node.pc.0, event.hart.0)
        })
        .collect();
    let expected = [
        (Part::Source, 47, 0),
        (Part::Body, 133, 1),
        (Part::Body, 133, 2),
        (Part::Body, 115, 2),
        (Part::Sink, 117, 2),
        (Part::Suffix, 115, 1),
    ];
    assert_eq!(order, expected);
}

/// Figure 5: around the edge 1 → 2, A (10) is before or within, C (12) always within.
fn figure_5() -> Vec<Run> {
    // What else communicates does so around 50, far away.
    let other = |line: u64, time: u64| raw((3, 50, 0, 90), (2, line, 0, time));
    let (first, second) = ([other(10, 5), other(12, 15)], [other(10, 13), other(12, 15)]);
    let run = |seed, others: &[Edge]| {
        let edges = [others, &[raw((0, 1, 0, 10), (1, 2, 0, 20))]].concat();
        run_of(seed, &edges, true)
    };
    vec![run(1, &first), run(2, &first), run(3, &second), run(4, &second)]
}

#[test]
fn figure_5_confidence_is_the_share_of_runs() {
    let analysis = analysis(&figure_5(), Options::default());
    let found = around(&analysis, 1, 2);
    assert_eq!(found.runs, 4);
    assert_eq!(members(&analysis, &found.prefix), [(10, 0, 0.5)]);
    assert_eq!(members(&analysis, &found.body), [(10, 0, 0.5), (12, 0, 1.0)]);
    // R: (0.5 + 0.5 + 1 + 1) / 4; the suffix has line 50 in every run.
    assert_eq!(members(&analysis, &found.suffix), [(50, 0, 1.0)]);
    assert_eq!(found.features.r, 0.75);
}

#[test]
fn failing_runs_without_the_edge_lower_the_confidence() {
    let mut runs = figure_5();
    runs.extend((5..9).map(|seed| run_of(seed, &[], true)));
    runs.push(run_of(9, &[], false));
    let analysis = analysis(&runs, Options::default());
    let found = around(&analysis, 1, 2);
    assert_eq!((found.runs, analysis.census.labels.failing), (4, 8));
    assert_eq!(members(&analysis, &found.body), [(10, 0, 0.25), (12, 0, 0.5)]);
}

#[test]
fn what_is_below_half_of_the_regions_maximum_is_left_out() {
    let mut runs = figure_5();
    runs.truncate(2);
    runs.extend((5..8).map(|seed| {
        let edges = [raw((3, 50, 0, 90), (2, 12, 0, 15)), raw((0, 1, 0, 10), (1, 2, 0, 20))];
        run_of(seed, &edges, true)
    }));
    // A is in the prefix of 2 of 5: all there is in that region. C is in all bodies.
    runs.push(run_of(
        9,
        &[raw((3, 50, 0, 90), (2, 13, 0, 15)), raw((0, 1, 0, 10), (1, 2, 0, 20))],
        true,
    ));
    let analysis = analysis(&runs, Options::default());
    let found = around(&analysis, 1, 2);
    assert_eq!(members(&analysis, &found.prefix), [(10, 0, 2.0 / 6.0)]);
    assert_eq!(members(&analysis, &found.body), [(12, 0, 5.0 / 6.0)], "13 is in 1 of 6");
}

#[test]
fn features_by_hand() {
    // Edge 1 → 2 in context 5: in 3 of 4 failing and 1 of 2 passing runs; in context 6: failing only.
    let plain = raw((0, 1, 0, 10), (1, 2, 5, 20));
    let other = raw((0, 1, 0, 30), (1, 2, 6, 40));
    let third = raw((0, 1, 0, 50), (1, 2, 7, 60));
    let runs = [
        run_of(1, &[plain, other], true),
        run_of(2, &[plain], true),
        run_of(3, &[plain, third], true),
        run_of(4, &[other], true),
        run_of(5, &[plain], false),
        run_of(6, &[], false),
    ];
    let analysis = analysis(&runs, Options::default());
    let features: Vec<_> = analysis
        .findings
        .reconstructions
        .iter()
        .map(|found| {
            let ctx = analysis.census.edges[found.edge as usize].key.sink.ctx.0;
            (ctx, found.features.b, found.features.c)
        })
        .collect();
    let of = |ctx: u32| features.iter().find(|row| row.0 == ctx).copied().unwrap();
    // C: contexts 5, 6, 7 in failing runs, 5 in passing ones: (3 - 1) / (3 + 1).
    assert_eq!(of(5), (5, (3.0 / 4.0) / (1.0 / 2.0), 0.5));
    assert_eq!(of(6), (6, (2.0 / 4.0) / (1.0 / 3.0), 0.5));
    assert_eq!(of(7), (7, (1.0 / 4.0) / (1.0 / 3.0), 0.5));
    let scores: Vec<f64> =
        analysis.findings.reconstructions.iter().map(|found| found.score).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
}

/// Source and context of the sink of reconstructions, the first first.
fn ranked(analysis: &Analysis) -> Vec<(u64, u32)> {
    let key = |found: &Reconstruction| analysis.census.edges[found.edge as usize].key;
    let found = analysis.findings.reconstructions.iter();
    found.map(|found| (key(found).source.pc.0, key(found).sink.ctx.0)).collect()
}

#[test]
fn what_failing_runs_alone_do_comes_first_however_many_of_them_there_are() {
    let everywhere = raw((0, 5, 0, 50), (1, 6, 0, 60));
    let bug = raw((0, 1, 0, 10), (1, 2, 0, 20));
    // B of the bug's edge is 10/40 over 1/3, below 1.
    let failing = (1..=40).map(|seed| match seed % 4 {
        0 => run_of(seed, &[bug, everywhere], true),
        _ => run_of(seed, &[everywhere], true),
    });
    let passing = (41..=42).map(|seed| run_of(seed, &[everywhere], false));
    let runs: Vec<Run> = failing.chain(passing).collect();
    let found = analysis(&runs, Options::default());
    assert_eq!(ranked(&found), [(1, 0), (5, 0)]);
    assert!(around(&found, 1, 2).features.b < 1.0 && around(&found, 1, 2).features.s == 1.0);
    let only = analysis(&runs, Options { candidates: 1, ..Options::default() });
    assert_eq!(ranked(&only), [(1, 0)], "it is not left out, either");
}

#[test]
fn as_many_contexts_in_passing_runs_are_no_reason_to_come_first() {
    // 1 → 2 in context 5 is the bug's, among contexts that other runs have too: C is (3 - 2) / 5.
    let usual = [raw((0, 1, 0, 10), (1, 2, 6, 20)), raw((0, 1, 0, 30), (1, 2, 7, 40))];
    let bug = raw((0, 1, 0, 50), (1, 2, 5, 60));
    // 3 → 2 is in one context everywhere, though more often in failing runs: C is zero.
    let shared = raw((0, 3, 0, 70), (1, 2, 9, 80));
    let with = |seed, edges: &[Edge], failed| run_of(seed, &[&usual, edges].concat(), failed);
    let runs = [
        with(1, &[bug, shared], true),
        with(2, &[bug, shared], true),
        with(3, &[bug, shared], true),
        with(4, &[shared], true),
        with(5, &[shared], false),
        with(6, &[shared], false),
        with(7, &[], false),
        with(8, &[], false),
    ];
    let found = analysis(&runs, Options::default());
    assert_eq!(around(&found, 3, 2).features.c, 0.0);
    assert_eq!(ranked(&found)[..2], [(1, 5), (3, 9)]);
}

#[test]
fn only_the_edges_with_the_highest_b_are_reconstructed() {
    let always = raw((0, 1, 0, 10), (1, 2, 0, 20));
    let sometimes = raw((0, 3, 0, 30), (1, 4, 0, 40));
    let everywhere = raw((0, 5, 0, 50), (1, 6, 0, 60));
    let runs = [
        run_of(1, &[always, sometimes, everywhere], true),
        run_of(2, &[always, everywhere], true),
        run_of(3, &[everywhere], false),
        run_of(4, &[everywhere], false),
        run_of(5, &[everywhere], false),
    ];
    let chosen = |candidates| {
        let analysis = analysis(&runs, Options { candidates, ..Options::default() });
        let found = &analysis.findings.reconstructions;
        assert_eq!(analysis.findings.considered, 3);
        found
            .iter()
            .map(|r| analysis.census.edges[r.edge as usize].key.source.pc.0)
            .collect::<Vec<_>>()
    };
    assert_eq!(chosen(1), [1]);
    let mut two = chosen(2);
    two.sort_unstable();
    assert_eq!(two, [1, 3], "B is 4, 2 and 1");
}

#[test]
fn the_most_recent_pair_of_times_counts() {
    // The edge happens twice; what lay between the first pair is forgotten (§3.1).
    let early = raw((0, 1, 0, 10), (1, 2, 0, 20));
    let late = raw((0, 1, 0, 70), (1, 2, 0, 80));
    let between = raw((3, 50, 0, 1), (2, 10, 0, 15));
    let then = raw((3, 50, 0, 1), (2, 11, 0, 75));
    let analysis = analysis(&[run_of(1, &[late, early, between, then], true)], Options::default());
    let found = around(&analysis, 1, 2);
    assert_eq!(members(&analysis, &found.body), [(11, 0, 1.0)]);
    assert_eq!(members(&analysis, &found.prefix), [(10, 0, 1.0), (50, 0, 1.0)]);
}

#[test]
fn a_read_of_memory_has_no_body() {
    let memory = edge((0, 0, 0, 0), (1, 2, 0, 20), EdgeKind::Memory);
    let others = [raw((3, 50, 0, 5), (2, 10, 0, 15)), raw((0, 3, 0, 30), (1, 4, 0, 40))];
    let analysis =
        analysis(&[run_of(1, &[&[memory][..], &others].concat(), true)], Options::default());
    let found = around(&analysis, 0, 2);
    assert_eq!(members(&analysis, &found.prefix), [(10, 0, 1.0), (50, 0, 1.0)]);
    assert_eq!(members(&analysis, &found.body), []);
    assert_eq!(members(&analysis, &found.suffix), [(3, 0, 1.0), (4, 0, 1.0)]);
}

#[test]
fn long_bodies_are_looked_at_from_both_ends() {
    let mut edges = vec![raw((0, 1, 0, 10), (1, 2, 0, 1000))];
    edges.extend((0..50).map(|n| raw((3, 50, 0, 5), (2, 100 + n, 0, 20 + n))));
    let analysis = analysis(&[run_of(1, &edges, true)], Options { body: 4, ..Options::default() });
    let body: Vec<_> =
        members(&analysis, &around(&analysis, 1, 2).body).iter().map(|member| member.0).collect();
    assert_eq!(body, [100, 101, 148, 149]);
}
