//! Codes and sizes of the record stream, which firmware writes in C and the host reads.

use crate::monitor::EDGE_WORDS;

/// First bytes of every frame.
pub const SYNC: [u8; 2] = [0xc7, 0x5a];
/// First bytes of a header's payload.
pub const MAGIC: [u8; 8] = *b"XTALKRUN";
/// The version of the format.
pub const VERSION: u16 = 1;
/// Bytes of a frame before its payload.
pub const HEAD_BYTES: u32 = 8;
/// Bytes of a frame after its payload.
pub const TAIL_BYTES: u32 = 4;
/// Bytes of the longest payload: 72 edges or 63 totals, exactly.
pub const MAX_PAYLOAD: u32 = 2016;
/// Bytes of an edge.
pub const EDGE_BYTES: u32 = 4 * EDGE_WORDS;
/// Edges of the longest frame.
pub const MAX_EDGES: u32 = MAX_PAYLOAD / EDGE_BYTES;
/// Bytes of a header's payload before the program's name.
pub const HEADER_BYTES: u32 = 96;
/// Bytes of a lost count's payload.
pub const LOST_BYTES: u32 = 8;
/// Bytes of an end frame's payload before its text.
pub const END_BYTES: u32 = 44;
/// Bytes of the longest text in a frame.
pub const MAX_TEXT: u32 = 1024;

numbered! {
    /// What a frame holds.
    pub enum FrameKind {
        /// header: what ran, and how
        Header = 1,
        /// edges, 28 bytes each
        Edges = 2,
        /// edges with wide pcs and times, 44 bytes each
        WideEdges = 3,
        /// counted edges, 32 bytes each
        Totals = 4,
        /// counted edges with wide pcs and times, 48 bytes each
        WideTotals = 5,
        /// number of edges a hart lost so far
        Lost = 6,
        /// end: how the run ended
        End = 7,
    }
}

numbered! {
    /// Whether a run showed the bug.
    pub enum Label {
        /// not labeled: the outcome decides
        Unknown = 0,
        /// the bug did not show
        Passing = 1,
        /// the bug showed
        Failing = 2,
    }
}

numbered! {
    /// How the edges of a run were collected.
    pub enum Collected {
        /// not recorded
        Unknown = 0,
        /// firmware drained the communication tables
        Firmware = 1,
        /// the simulation's tap showed every edge
        Tap = 2,
        /// a software model made them
        Model = 3,
        /// union of several runs
        Union = 4,
    }
}

#[allow(clippy::derivable_impls, reason = "the enum is made by a macro")]
impl Default for Label {
    fn default() -> Self {
        Self::Unknown
    }
}

#[allow(clippy::derivable_impls, reason = "the enum is made by a macro")]
impl Default for Collected {
    fn default() -> Self {
        Self::Unknown
    }
}

numbered! {
    /// How a run ended.
    pub enum OutcomeCode {
        /// not recorded
        Unknown = 0,
        /// the program exited
        Exit = 1,
        /// an assertion failed
        Assertion = 2,
        /// an exception that the program did not expect
        Fault = 3,
        /// all threads wait for each other
        Deadlock = 4,
        /// stopped at the limit of cycles
        CycleLimit = 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_payload_is_whole_edges_and_whole_totals() {
        assert_eq!(
            (MAX_EDGES, MAX_PAYLOAD % EDGE_BYTES, MAX_PAYLOAD % (EDGE_BYTES + 4)),
            (72, 0, 0)
        );
    }
}
