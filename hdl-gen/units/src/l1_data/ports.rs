//! What passes between a data cache and the bus.
//!
//! A transaction looks at the line in all data caches at once: in one cycle the bus gives its
//! address, in the next every cache finds out what it has, and in the third the answers are there, from
//! registers, and the bus says what becomes of the line. See [`bus`](crate::bus) for the whole course.

use hdl::{Bundle, Enum, HwEnum, Sig, bits, input, output};

use super::way::Mesi;
use crate::geometry::{ADDRESS_BITS, Geometry, WORD_BITS};
use crate::observer::{Each, Observers, Opaque};

/// What the cache wants of the bus. Holds from the first cycle in which `valid` is 1 until the grant,
/// unless the hart gives the access up.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct CacheRequest {
    /// The cache asks for a transaction.
    pub valid: Sig,
    /// What was valid in the cycle of a look still is in the cycle of the verdict.
    pub stands: Sig,
    /// The access is to a device.
    pub device: Sig,
    /// The access writes.
    pub write: Sig,
    /// The byte address of the access.
    pub address: Sig,
    /// The data to write to a device, each byte in its lane of the aligned word.
    pub data: Sig,
}

/// A look at a line, the same for all caches.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Look {
    /// A look may come in the next cycle, or what stores depend on is about to change: no access that
    /// writes is taken.
    pub soon: Sig,
    /// Every cache looks in this cycle.
    pub valid: Sig,
    /// Any address in the line.
    pub address: Sig,
}

/// What a cache has of the line that was looked at, two cycles after the look.
#[derive(Clone, Debug, Bundle)]
pub struct Answer {
    /// The state of the line in this cache.
    pub state: Enum<Mesi>,
    /// The line's bytes, a cycle after the rest; of the cache that asked, those of the line that leaves.
    pub line: Sig,
    /// What travels with the line.
    #[bundle(flat)]
    pub meta: Each<Opaque>,
    /// The way that the cache that asked will put the line in, or has it in.
    pub way: Sig,
    /// The state of the line that is in that way now.
    pub victim_state: Enum<Mesi>,
    /// The address of that line.
    pub victim_address: Sig,
}

/// What becomes of the line that was looked at.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Verdict {
    /// The transaction is this cache's own; from the look to the end.
    pub mine: Sig,
    /// The cycle after the look: the arrays show the line, and are read once more.
    pub answering: Sig,
    /// The cycle after that: the answer is valid, and this is the verdict. The rest counts only here.
    pub deciding: Sig,
    /// The transaction of this cache is granted, which orders its access.
    pub granted: Sig,
    /// The transaction of this cache is refused: it must wait for room in the communication table.
    pub stalled: Sig,
    /// Another cache's transaction is granted: the line becomes Shared, if this cache holds it.
    pub share: Sig,
    /// Another cache's transaction is granted: the line becomes Invalid, if this cache holds it.
    pub invalidate: Sig,
}

/// The line arrives.
#[derive(Clone, Debug, Bundle)]
pub struct Fill {
    /// The line arrives in this cycle.
    pub valid: Sig,
    /// `line` is written; else only the state changes. Valid with `valid`.
    pub with_line: Sig,
    /// The new state; valid with `valid`.
    pub state: Enum<Mesi>,
    /// The bytes of the line, [turned](Geometry::turned) for the way that the cache answered; valid with `with_line`.
    pub line: Sig,
    /// What travels with the line.
    #[bundle(flat)]
    pub meta: Each<Opaque>,
}

/// The bus as a data cache has it.
#[derive(Clone, Debug, Bundle)]
pub struct CacheBus {
    /// What the cache wants.
    pub request: CacheRequest,
    /// A look at a line.
    pub look: Look,
    /// What the cache has of it.
    pub answer: Answer,
    /// What becomes of it.
    pub verdict: Verdict,
    /// The line arrives.
    pub fill: Fill,
    /// The answer of a device arrives in this cycle.
    pub device_valid: Sig,
    /// The word that the device gave; valid with `device_valid`.
    pub device_data: Sig,
    /// The access of this cache's own transaction is complete.
    pub done: Sig,
    /// An access that may write is being looked up: if it hits, it is written in the next cycle, which must
    /// not be that of a look.
    pub storing: Sig,
}

impl CacheBus {
    /// The port as a cache of this shape has it; the bus has it flipped.
    #[track_caller]
    pub(crate) fn of_cache(geometry: Geometry, observers: &Observers) -> CacheBus {
        let meta = observers.line();
        let request = CacheRequest {
            valid: bits(1),
            stands: bits(1),
            device: bits(1),
            write: bits(1),
            address: bits(ADDRESS_BITS),
            data: bits(WORD_BITS),
        };
        let answer = Answer {
            state: Mesi::shape(),
            line: bits(geometry.line_bits()),
            meta: meta.clone(),
            way: bits(geometry.way_width()),
            victim_state: Mesi::shape(),
            victim_address: bits(ADDRESS_BITS),
        };
        let verdict = Verdict {
            mine: bits(1),
            answering: bits(1),
            deciding: bits(1),
            granted: bits(1),
            stalled: bits(1),
            share: bits(1),
            invalidate: bits(1),
        };
        let fill = Fill {
            valid: bits(1),
            with_line: bits(1),
            state: Mesi::shape(),
            line: bits(geometry.line_bits()),
            meta,
        };
        CacheBus {
            request: output(request),
            look: input(Look { soon: bits(1), valid: bits(1), address: bits(ADDRESS_BITS) }),
            answer: output(answer),
            verdict: input(verdict),
            fill: input(fill),
            device_valid: input(1),
            device_data: input(WORD_BITS),
            done: output(1),
            storing: output(1),
        }
    }
}
