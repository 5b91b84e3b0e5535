//! `edges.c`, a program whose edges can be counted by hand.

use crate::common::{self, symbol};
use golden::{Edge, EdgeKind, LineMeta};

/// How often the program does all of it.
pub const PASSES: usize = 2;

/// How many rounds a pass has, and how many turns the sender lingers in each.
#[derive(Clone, Copy)]
pub struct Pace {
    pub rounds: usize,
    pub turns: usize,
}

/// Kind, source and sink of an edge; of each end its pc and context.
type Counted = (EdgeKind, (u32, u32), (u32, u32));

/// The edges, counted by hand from the rules: in each round the sender stores and the receiver loads.
/// The first store finds nobody; every later one takes the line from the receiver (WAW), and every load
/// gets it from the sender (RAW). Each end's context has the events before it, in its own thread.
fn by_hand(put: u32, get: u32, rounds: usize) -> Vec<Counted> {
    const LOCAL_READ: u32 = 0;
    const LOCAL_WRITE: u32 = 1;
    const REMOTE_READ: u32 = 2;
    const REMOTE_WRITE: u32 = 3;
    let shift = |ctx: u32, event: u32| (ctx << 2 | event) & 0x3ff;
    let (mut sender, mut receiver) = (0, 0);
    let mut edges = Vec::new();
    let mut written = None;
    for round in 0..PASSES * rounds {
        if round % rounds == 0 {
            receiver = 0; // a new thread
        }
        let store = (put, sender);
        if let Some(source) = written {
            edges.push((EdgeKind::Waw, source, store));
            sender = shift(sender, LOCAL_WRITE);
            receiver = shift(receiver, REMOTE_WRITE);
        }
        written = Some(store);
        edges.push((EdgeKind::Raw, store, (get, receiver)));
        receiver = shift(receiver, LOCAL_READ);
        sender = shift(sender, REMOTE_READ);
    }
    edges
}

/// The linked program, with only its two instructions monitored.
pub fn program(pace: Pace, change: impl FnOnce(&mut border::Settings)) -> border::Program {
    let file = common::link(&common::test_source("edges"));
    let range = symbol(&file, "measured_start")..symbol(&file, "measured_end");
    common::with(file, |settings| {
        settings.range = range;
        let arguments = ["edges".to_owned(), pace.rounds.to_string(), pace.turns.to_string()];
        settings.arguments = arguments.map(String::into_bytes).to_vec();
        change(settings);
    })
}

/// Exactly the edges counted by hand were received.
#[track_caller]
pub fn check(received: &[Edge], file: &border::Program, pace: Pace, what: &str) {
    let (put, get) = (symbol(file, "measured_put"), symbol(file, "measured_get"));
    let mut expected = by_hand(put, get, pace.rounds);
    let end = |access: LineMeta| (access.pc.0 as u32, access.ctx.0);
    let mut received: Vec<_> =
        received.iter().map(|edge| (edge.kind, end(edge.source), end(edge.sink))).collect();
    expected.sort();
    received.sort();
    assert_eq!(received, expected, "{what}");
}
