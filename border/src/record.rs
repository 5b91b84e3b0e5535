//! Codes and sizes of the record stream, which firmware writes in C and the host reads.

use crate::layout::Part;
use crate::monitor::EDGE_WORDS;

/// First bytes of every frame.
pub const SYNC: [u8; 2] = [0xc7, 0x5a];
/// First bytes of a header's payload.
pub const MAGIC: [u8; 8] = *b"XTALKRUN";
/// The version of the format.
pub const VERSION: u16 = 1;
/// Bytes of a frame before its payload.
pub const HEAD_BYTES: u32 = head::COMPLEMENT.end();
/// Bytes of a frame after its payload.
pub const TAIL_BYTES: u32 = 4;
/// Bytes of the longest payload: 72 edges or 63 totals, exactly.
pub const MAX_PAYLOAD: u32 = 2016;
/// Bytes of an edge.
pub const EDGE_BYTES: u32 = 4 * EDGE_WORDS;
/// Edges of the longest frame.
pub const MAX_EDGES: u32 = MAX_PAYLOAD / EDGE_BYTES;
/// Bytes of a header's payload before the program's name.
pub const HEADER_BYTES: u32 = header::ELF.end();
/// Bytes of a lost count's payload.
pub const LOST_BYTES: u32 = lost::COUNT.end();
/// Bytes of an end frame's payload before its text.
pub const END_BYTES: u32 = end::C.end();
/// Bytes of the longest text in a frame.
pub const MAX_TEXT: u32 = 1024;
/// In place of a hart's number: nobody knows which.
pub const UNKNOWN_HART: u8 = 255;

layout! {
    /// A frame before its payload.
    pub mod head {
        /// sync: `c7 5a`
        SYNC = 0, 2;
        /// kind, see below
        KIND = 2, 1;
        /// number of the frame in its run, from 0, modulo 256
        SEQUENCE = 3, 1;
        /// n, the length of the payload: at most 2016
        LENGTH = 4, 2;
        /// bitwise complement of n
        COMPLEMENT = 6, 2;
    }
}

layout! {
    /// The payload of a header, before the program's name.
    pub mod header {
        /// `XTALKRUN`
        MAGIC = 0, 8;
        /// version of the format: 1
        VERSION = 8, 2;
        /// label, see below
        LABEL = 10, 1;
        /// how the edges were collected, see below
        COLLECTED = 11, 1;
        /// events of a context
        EVENTS = 12, 1;
        /// number of harts; 0: unknown
        HARTS = 13, 1;
        /// bits stored of a pc; 0: unknown
        PC_BITS = 14, 1;
        /// bits of a timestamp; 0: no timestamps
        TIME_BITS = 15, 1;
        /// seed of the schedule
        SEED = 16, 8;
        /// number of runs that the edges come from: 1, or more for a union
        RUNS = 24, 4;
        /// m, the length of the program's name: at most 1024
        NAME_LENGTH = 28, 4;
        /// SHA-256 of the configuration's canonical text; zeros: unknown
        CONFIG = 32, 32;
        /// SHA-256 of the program's ELF file; zeros: unknown
        ELF = 64, 32;
    }
}

layout! {
    /// The payload of a lost count.
    pub mod lost {
        /// hart
        HART = 0, 1;
        /// 0
        RESERVED = 1, 3;
        /// number of edges this hart has lost since the run began
        COUNT = 4, 4;
    }
}

layout! {
    /// The payload of an end frame, before its text.
    pub mod end {
        /// outcome, see below
        OUTCOME = 0, 1;
        /// 1 if timestamps wrapped around, else 0
        WRAPPED = 1, 1;
        /// m, the length of the text: at most 1024
        TEXT_LENGTH = 2, 2;
        /// CRC-32 of the checksums (4 bytes each, in order) of all frames of the run before this one
        CHAIN = 4, 4;
        /// number of records in the run
        RECORDS = 8, 8;
        /// cycles the run took; 0: unknown
        CYCLES = 16, 8;
        /// a: exit code (low 32 bits, signed), line of the assertion, or pc of the fault; else 0
        A = 24, 8;
        /// b: address of the fault (`mtval`); else 0
        B = 32, 8;
        /// c: cause of the fault (`mcause`); else 0
        C = 40, 4;
    }
}

/// The layouts, by name.
pub const LAYOUTS: [(&str, &[Part]); 4] =
    [("head", head::PARTS), ("header", header::PARTS), ("lost", lost::PARTS), ("end", end::PARTS)];

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
    fn each_part_begins_where_the_one_before_ends() {
        for (name, parts) in LAYOUTS {
            let mut end = 0;
            for part in parts {
                assert_eq!(part.offset, end, "{name}: {}", part.name);
                end = part.end();
            }
        }
        assert_eq!((HEAD_BYTES, HEADER_BYTES, LOST_BYTES, END_BYTES), (8, 96, 8, 44));
    }

    #[test]
    fn the_longest_payload_is_whole_edges_and_whole_totals() {
        assert_eq!(
            (MAX_EDGES, MAX_PAYLOAD % EDGE_BYTES, MAX_PAYLOAD % (EDGE_BYTES + 4)),
            (72, 0, 0)
        );
    }
}
