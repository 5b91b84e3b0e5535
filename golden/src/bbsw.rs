//! BB-SW: exact communication of the whole memory, the reference for what hardware misses.
//!
//! Bugaboo §4.1 remembers the last writer of every word or line; no cache loses one. Recon
//! §5.4 tracks fewer accesses to be faster; its two variants are here to measure the cost.

use crate::{CodePoint, Context, Edge, EdgeKind, Event, Graph, HartId, LineMeta, Pc, Time};
use std::collections::{BTreeSet, HashMap};

/// Which accesses are tracked, and at which granularity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BbSwOptions {
    /// Number of threads.
    pub threads: usize,
    /// Events in a context; 5 in the paper.
    pub events: usize,
    /// Bytes that share one last writer: 4 for a word, more for a line.
    pub grain: u64,
    /// Recon's first-read: only a thread's first read of a location after a write to it counts.
    pub first_read: bool,
    /// Recon's first-write: a thread that was the last writer already leaves no new record.
    pub first_write: bool,
}

impl BbSwOptions {
    /// The paper's settings: every access to every word counts.
    pub fn words(threads: usize) -> Self {
        Self { threads, events: 5, grain: 4, first_read: false, first_write: false }
    }

    /// The same with lines of `bytes` bytes.
    pub fn lines(threads: usize, bytes: u64) -> Self {
        Self { grain: bytes, ..Self::words(threads) }
    }
}

/// State of a location that was written.
#[derive(Clone, Debug)]
struct Location {
    writer: LineMeta,
    /// The threads whose read of it was tracked since (Recon §5.1: the sharers list).
    readers: BTreeSet<HartId>,
}

/// Tracks the communication of all threads.
#[derive(Clone, Debug)]
pub struct BbSw {
    options: BbSwOptions,
    locations: HashMap<u64, Location>,
    contexts: Vec<Context>,
    graph: Graph,
    now: Time,
}

impl BbSw {
    /// No location written yet.
    pub fn new(options: BbSwOptions) -> Self {
        assert!(options.grain >= 1, "a grain of 0 bytes; allowed: at least 1");
        Self {
            options,
            locations: HashMap::new(),
            contexts: vec![Context::new(options.events); options.threads],
            graph: Graph::default(),
            now: Time(0),
        }
    }

    /// All edges so far, each pair of nodes once.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The context of a thread.
    pub fn context(&self, thread: HartId) -> &Context {
        &self.contexts[thread.0 as usize]
    }

    /// The last writer of an address, if any.
    pub fn last_writer(&self, address: u64) -> Option<LineMeta> {
        self.locations.get(&(address / self.options.grain)).map(|location| location.writer)
    }

    /// A thread reads. Accesses are numbered from 1; there is an edge if another thread wrote last.
    pub fn read(&mut self, thread: HartId, pc: Pc, address: u64) -> Option<Edge> {
        let sink = self.access(thread, pc);
        let location = self.locations.get_mut(&(address / self.options.grain))?;
        let source = location.writer;
        let seen = self.options.first_read && location.readers.contains(&thread);
        if source.hart == thread || seen {
            return None;
        }
        location.readers.insert(thread);
        Some(self.communicate(Edge { source, sink, kind: EdgeKind::Raw }))
    }

    /// A thread writes.
    pub fn write(&mut self, thread: HartId, pc: Pc, address: u64) -> Option<Edge> {
        let sink = self.access(thread, pc);
        let place = address / self.options.grain;
        let source = self.locations.get(&place).map(|location| location.writer);
        let was_last = source.is_some_and(|source| source.hart == thread);
        if !(was_last && self.options.first_write) {
            let written = Location { writer: sink, readers: BTreeSet::new() };
            self.locations.insert(place, written);
        }
        let source = source.filter(|_| !was_last)?;
        Some(self.communicate(Edge { source, sink, kind: EdgeKind::Waw }))
    }

    /// A thread writes outside the monitored code: it becomes the last writer, with its own instruction and
    /// context, without an edge or an event. Such stores stay visible as sources.
    pub fn write_unwatched(&mut self, thread: HartId, pc: Pc, address: u64) {
        let writer = self.access(thread, pc);
        let written = Location { writer, readers: BTreeSet::new() };
        self.locations.insert(address / self.options.grain, written);
    }

    /// An untracked write: the address has no known writer.
    pub fn forget_writer(&mut self, address: u64) {
        self.locations.remove(&(address / self.options.grain));
    }

    /// Numbers an access and describes it, in the context before its own event.
    fn access(&mut self, thread: HartId, pc: Pc) -> LineMeta {
        self.now.0 += 1;
        let ctx = self.context(thread).sample();
        LineMeta { pc: CodePoint(pc.0), ctx, hart: thread, time: self.now }
    }

    /// Adds an event to both ends of an edge.
    fn communicate(&mut self, edge: Edge) -> Edge {
        let (local, remote) = match edge.kind {
            EdgeKind::Waw => (Event::LocalWrite, Event::RemoteWrite),
            EdgeKind::Raw | EdgeKind::Memory => (Event::LocalRead, Event::RemoteRead),
        };
        self.contexts[edge.sink.hart.0 as usize].observe(local);
        self.contexts[edge.source.hart.0 as usize].observe(remote);
        self.graph.insert(&edge);
        edge
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ctx;
    use proptest::prelude::*;

    const A: HartId = HartId(0);
    const B: HartId = HartId(1);
    const C: HartId = HartId(2);

    fn pcs(edge: Option<Edge>) -> Option<(u64, u64)> {
        edge.map(|edge| (edge.source.pc.0, edge.sink.pc.0))
    }

    #[test]
    fn reading_and_overwriting_what_another_wrote_makes_edges() {
        let mut memory = BbSw::new(BbSwOptions::words(3));
        assert_eq!(memory.read(B, Pc(1), 0x100), None, "nobody wrote it");
        assert_eq!(memory.write(A, Pc(2), 0x100), None);
        let raw = memory.read(B, Pc(3), 0x102).unwrap();
        let source = LineMeta { pc: CodePoint(2), ctx: Ctx(0), hart: A, time: Time(2) };
        let sink = LineMeta { pc: CodePoint(3), ctx: Ctx(0), hart: B, time: Time(3) };
        assert_eq!(raw, Edge { source, sink, kind: EdgeKind::Raw });
        let waw = memory.write(C, Pc(4), 0x100).unwrap();
        assert_eq!((waw.source, waw.kind), (source, EdgeKind::Waw));
        let contexts = [A, B, C].map(|thread| memory.context(thread).to_bits());
        assert_eq!(
            contexts,
            [0b10_11, 0b00, 0b01],
            "the last writer sees both, the reader its own"
        );
    }

    #[test]
    fn a_thread_does_not_communicate_with_itself() {
        let mut memory = BbSw::new(BbSwOptions::words(2));
        memory.write(A, Pc(1), 0);
        assert_eq!(memory.write(A, Pc(2), 0), None);
        assert_eq!(memory.read(A, Pc(3), 0), None);
        assert_eq!(pcs(memory.read(B, Pc(4), 0)), Some((2, 4)), "the last of its writes counts");
    }

    #[test]
    fn context_is_sampled_before_the_accesss_own_event() {
        let mut memory = BbSw::new(BbSwOptions::words(2));
        memory.write(A, Pc(1), 0);
        memory.write(A, Pc(2), 4);
        memory.write(B, Pc(3), 0);
        let edge = memory.write(B, Pc(4), 4).unwrap();
        assert_eq!(edge.sink.ctx, Ctx(0b01));
        let back = memory.read(A, Pc(5), 4).unwrap();
        assert_eq!((back.source.ctx, back.sink.ctx), (Ctx(0b01), Ctx(0b11_11)));
    }

    #[test]
    fn lines_communicate_where_words_do_not() {
        let run = |options| {
            let mut memory = BbSw::new(options);
            memory.write(A, Pc(1), 0x20);
            pcs(memory.read(B, Pc(2), 0x3c))
        };
        assert_eq!(run(BbSwOptions::words(2)), None);
        assert_eq!(run(BbSwOptions::lines(2, 32)), Some((1, 2)));
        assert_eq!(run(BbSwOptions::lines(2, 16)), None);
    }

    #[test]
    fn first_read_tracks_again_after_a_write_only() {
        let mut memory = BbSw::new(BbSwOptions { first_read: true, ..BbSwOptions::words(3) });
        memory.write(A, Pc(1), 0);
        assert_eq!(pcs(memory.read(B, Pc(2), 0)), Some((1, 2)));
        assert_eq!(pcs(memory.read(B, Pc(3), 0)), None);
        assert_eq!(memory.context(A).to_bits(), 0b10, "ignored reads make no event");
        assert_eq!(pcs(memory.read(C, Pc(4), 0)), Some((1, 4)), "every thread has its first");
        memory.write(A, Pc(5), 0);
        assert_eq!(pcs(memory.read(B, Pc(6), 0)), Some((5, 6)));
    }

    #[test]
    fn first_write_leaves_the_record_of_the_first() {
        let mut memory = BbSw::new(BbSwOptions { first_write: true, ..BbSwOptions::words(2) });
        memory.write(A, Pc(1), 0);
        memory.write(A, Pc(2), 0);
        assert_eq!(pcs(memory.read(B, Pc(3), 0)), Some((1, 3)), "spurious, as the paper says");
        assert_eq!(pcs(memory.write(B, Pc(4), 0)), Some((1, 4)));
        assert_eq!(memory.last_writer(0).unwrap().pc, CodePoint(4));
    }

    #[test]
    fn an_unwatched_write_is_a_source_and_nothing_else() {
        let mut memory = BbSw::new(BbSwOptions::words(2));
        memory.write(A, Pc(1), 0);
        memory.write_unwatched(B, Pc(2), 0);
        assert_eq!([A, B].map(|thread| memory.context(thread).to_bits()), [0, 0]);
        assert!(memory.graph().edges().is_empty());
        assert_eq!(pcs(memory.read(A, Pc(3), 0)), Some((2, 3)));
    }

    #[test]
    fn what_nobody_is_known_to_have_written_gives_no_edge() {
        let mut memory = BbSw::new(BbSwOptions::words(2));
        memory.write(A, Pc(1), 0);
        memory.forget_writer(2);
        assert_eq!(memory.read(B, Pc(2), 0), None);
    }

    fn any_accesses() -> impl Strategy<Value = Vec<(u32, bool, u64, u64)>> {
        prop::collection::vec((0u32..4, any::<bool>(), 1u64..20, 0u64..24), 0..120)
    }

    fn run(options: BbSwOptions, accesses: &[(u32, bool, u64, u64)]) -> (BbSw, Vec<Edge>) {
        let mut memory = BbSw::new(options);
        let access = |&(thread, write, pc, address): &(u32, bool, u64, u64)| {
            let (thread, pc) = (HartId(thread), Pc(pc));
            if write { memory.write(thread, pc, address) } else { memory.read(thread, pc, address) }
        };
        let edges = accesses.iter().filter_map(access).collect();
        (memory, edges)
    }

    proptest! {
        /// The naive model: look for the last write in the whole past.
        #[test]
        fn an_edge_comes_from_the_last_write_of_another_thread(accesses in any_accesses()) {
            let (_, edges) = run(BbSwOptions::words(4), &accesses);
            let mut expected = Vec::new();
            for (now, &(thread, write, pc, address)) in accesses.iter().enumerate() {
                let past = &accesses[..now];
                let last = past.iter().rposition(|past| past.1 && past.3 / 4 == address / 4);
                if let Some(last) = last.filter(|last| past[*last].0 != thread) {
                    expected.push((past[last].2, last as u64 + 1, pc, now as u64 + 1, write));
                }
            }
            let found: Vec<_> = edges
                .iter()
                .map(|Edge { source, sink, kind }| {
                    let write = *kind == EdgeKind::Waw;
                    (source.pc.0, source.time.0, sink.pc.0, sink.time.0, write)
                })
                .collect();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn first_read_finds_no_edge_that_is_not_there(accesses in any_accesses()) {
            let all = BbSwOptions::words(4);
            let times = |options| -> BTreeSet<_> {
                let (_, edges) = run(options, &accesses);
                edges.iter().map(|edge| (edge.source.time, edge.sink.time)).collect()
            };
            let first = times(BbSwOptions { first_read: true, ..all });
            prop_assert!(first.is_subset(&times(all)));
        }

        #[test]
        fn first_write_communicates_exactly_when_every_write_does(accesses in any_accesses()) {
            let all = BbSwOptions::words(4);
            let sinks = |options| -> Vec<_> {
                let (_, edges) = run(options, &accesses);
                edges.iter().map(|edge| (edge.source.hart, edge.sink, edge.kind)).collect()
            };
            prop_assert_eq!(sinks(BbSwOptions { first_write: true, ..all }), sinks(all));
        }
    }
}
