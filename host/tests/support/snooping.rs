//! Two harts whose caches never evict: the events and edges of the design's coherence rules.
//!
//! The software model BB-SW of `golden` has no holders; the figures of the paper show contexts as caches
//! see them.

use golden::{Context, Event};
use record::{Access, Ctx, Edge, EdgeKind, Hart, Pc, Time};
use std::collections::{BTreeSet, HashMap};

#[derive(Default)]
struct Line {
    holders: BTreeSet<usize>,
    modified: bool,
    writer: Option<Access>,
}

/// The machine.
pub struct Snooping {
    contexts: Vec<Context>,
    lines: HashMap<u64, Line>,
    now: u64,
}

impl Snooping {
    pub fn new(harts: usize) -> Self {
        let contexts = vec![Context::new(5); harts];
        Self { contexts, lines: HashMap::new(), now: 0 }
    }

    /// One access; every one is numbered here, so that tests can count.
    pub fn access(&mut self, hart: usize, write: bool, pc: u64, address: u64) -> Option<Edge> {
        self.now += 1;
        let line = self.lines.entry(address).or_default();
        let others: Vec<usize> =
            line.holders.iter().copied().filter(|other| *other != hart).collect();
        let held = line.holders.contains(&hart);
        let ctx = Ctx(self.contexts[hart].to_bits());
        let sink = Access { pc: Pc(pc), ctx, time: Time(self.now), hart: Hart(hart as u8) };
        if held && (!write || (line.modified && others.is_empty())) {
            // As with `metadata.update = every-write`: the figures know no misses.
            if write {
                line.writer = Some(sink);
            }
            return None;
        }
        let source = line.writer.unwrap_or(Access::NULL);
        let edge = match (others.is_empty(), write) {
            (true, true) => None,
            (true, false) => Some(Edge { source: Access::NULL, sink, kind: EdgeKind::Memory }),
            (false, true) => Some(Edge { source, sink, kind: EdgeKind::Waw }),
            (false, false) => Some(Edge { source, sink, kind: EdgeKind::Raw }),
        };
        if write {
            line.holders = BTreeSet::from([hart]);
            line.writer = Some(sink);
        } else {
            line.holders.insert(hart);
        }
        line.modified = write;
        if !others.is_empty() {
            let (local, remote) = match write {
                true => (Event::LocalWrite, Event::RemoteWrite),
                false => (Event::LocalRead, Event::RemoteRead),
            };
            self.contexts[hart].observe(local);
            others.iter().for_each(|other| self.contexts[*other].observe(remote));
        }
        edge
    }
}
