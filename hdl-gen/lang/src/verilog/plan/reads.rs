//! Which bits are read by what is written: the others are declared as unused.

use crate::ir::NodeId;

/// Which bits of the declared values the text reads.
pub(crate) struct Reads {
    of: Vec<Read>,
    /// Node, lowest bit, and the one past the highest.
    parts: Vec<(NodeId, u32, u32)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Read {
    Nothing,
    /// What is in the list of parts.
    Parts,
    All,
}

impl Reads {
    /// Of a module with so many nodes, nothing yet.
    pub fn none(nodes: usize) -> Reads {
        Reads { of: vec![Read::Nothing; nodes], parts: Vec::new() }
    }

    /// These bits are read; `all`: they are the whole value.
    pub fn note(&mut self, id: NodeId, lo: u32, width: u32, all: bool) {
        let read = &mut self.of[id.index()];
        if all {
            *read = Read::All;
        } else if *read != Read::All {
            *read = Read::Parts;
            self.parts.push((id, lo, lo + width));
        }
    }

    /// Whether all of the value is read.
    pub fn is_all(&self, id: NodeId) -> bool {
        self.of[id.index()] == Read::All
    }

    /// To be called before [`Reads::unread`].
    pub fn sort(&mut self) {
        self.parts.sort_unstable();
    }

    /// The ranges of a value that nothing reads.
    pub fn unread(&self, id: NodeId, width: u32) -> Vec<(u32, u32)> {
        match self.of[id.index()] {
            Read::All => return Vec::new(),
            Read::Nothing => return vec![(0, width)],
            Read::Parts => {}
        }
        let parts = &self.parts[self.parts.partition_point(|&(node, ..)| node < id)..];
        let mut gaps = Vec::new();
        let mut next = 0;
        for &(_, lo, hi) in parts.iter().take_while(|&&(node, ..)| node == id) {
            if lo > next {
                gaps.push((next, lo));
            }
            next = next.max(hi);
        }
        if next < width {
            gaps.push((next, width));
        }
        gaps
    }
}
