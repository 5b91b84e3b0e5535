//! Where to stop: breakpoints and watchpoints.

use crate::tape::Commit;
use std::ops::Range;

/// Which accesses a watchpoint stops at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WatchKind {
    /// Those that write.
    Write,
    /// Those that read.
    Read,
    /// All.
    Access,
}

/// A watchpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    /// The bytes.
    pub range: Range<u64>,
    /// Which accesses.
    pub kind: WatchKind,
}

/// Breakpoints and watchpoints. The same one can be set more than once, and is removed as often.
#[derive(Clone, Debug, Default)]
pub struct Stops {
    /// Sorted.
    breaks: Vec<u32>,
    watches: Vec<Watch>,
}

impl Stops {
    /// Stops before instructions at an address.
    pub fn add_break(&mut self, pc: u32) {
        let place = self.breaks.partition_point(|known| *known < pc);
        self.breaks.insert(place, pc);
    }

    /// False if there is none.
    pub fn remove_break(&mut self, pc: u32) -> bool {
        let found = self.breaks.binary_search(&pc);
        found.map(|place| self.breaks.remove(place)).is_ok()
    }

    /// Stops at accesses.
    pub fn add_watch(&mut self, watch: Watch) {
        self.watches.push(watch);
    }

    /// False if there is none.
    pub fn remove_watch(&mut self, watch: &Watch) -> bool {
        let found = self.watches.iter().position(|known| known == watch);
        found.map(|place| self.watches.remove(place)).is_some()
    }

    /// Whether a breakpoint is at an instruction.
    #[inline]
    pub fn breaks_at(&self, commit: &Commit) -> bool {
        !self.breaks.is_empty()
            && !commit.is_by_host()
            && self.breaks.binary_search(&commit.pc).is_ok()
    }

    /// The first watchpoint that a commit touches, and the first byte of it.
    #[inline]
    pub fn touched(&self, commit: &Commit) -> Option<(WatchKind, u32)> {
        self.watches.iter().find_map(|watch| {
            let lanes = match watch.kind {
                WatchKind::Write => commit.written(),
                WatchKind::Read => commit.read(),
                WatchKind::Access => commit.written() | commit.read(),
            };
            Some((watch.kind, commit.touched(lanes, &watch.range)?))
        })
    }
}
