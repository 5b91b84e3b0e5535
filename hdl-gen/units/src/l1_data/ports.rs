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
    /// The cache requests a bus transaction.
    pub valid: Sig,
    /// In the cycle of the verdict: the request still stands. 0 if the access was withdrawn, or is
    /// an SC whose reservation was lost.
    pub stands: Sig,
    /// The access is to a device.
    pub device: Sig,
    /// The access writes, or may write: a store, SC or AMO. 0 for a load or LR.
    pub write: Sig,
    /// The byte address of the access.
    pub address: Sig,
    /// The data to write to a device, each byte in its lane of the aligned word.
    pub data: Sig,
}

/// A look at a line, the same for all caches.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Look {
    /// The cache takes no access that writes in this cycle: a look may come in the next cycle, or a
    /// device access is about to change state that stores depend on.
    pub soon: Sig,
    /// Every data cache looks up the line at `address` in this cycle.
    pub valid: Sig,
    /// An address in the line to look up; valid with `valid`.
    pub address: Sig,
}

/// What a cache has of the line that was looked at, two cycles after the look.
#[derive(Clone, Debug, Bundle)]
pub struct Answer {
    /// The state of the line in this cache: Invalid (0), Shared (1), Exclusive (2), Modified (3).
    /// Valid two cycles after the look.
    pub state: Enum<Mesi>,
    /// The bytes of the line, valid one cycle after `state`. From the requester's cache: the bytes
    /// of the line to be evicted.
    pub line: Sig,
    /// What travels with the line.
    #[bundle(flat)]
    pub meta: Each<Opaque>,
    /// In the requester's cache: the way that holds the line, or else the way to put it in.
    pub way: Sig,
    /// The state of the line now in `way`: Invalid (0), Shared (1), Exclusive (2), Modified (3).
    pub victim_state: Enum<Mesi>,
    /// The address of the line now in `way`.
    pub victim_address: Sig,
}

/// What becomes of the line that was looked at.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Verdict {
    /// The transaction under way is this cache's own. 1 from the look to the end of the
    /// transaction.
    pub mine: Sig,
    /// The cycle after the look: the arrays show the set that was looked up, and are read again.
    pub answering: Sig,
    /// The cycle of the verdict, two cycles after the look. `granted`, `stalled`, `share` and
    /// `invalidate` are valid in it.
    pub deciding: Sig,
    /// This cache's own transaction is granted, which orders its access.
    pub granted: Sig,
    /// This cache's own transaction is refused: there is no room in the communication table.
    pub stalled: Sig,
    /// Another cache's transaction is granted: the line becomes Shared, if this cache holds it.
    pub share: Sig,
    /// Another cache's transaction is granted: the line becomes Invalid, if this cache holds it.
    pub invalidate: Sig,
}

/// The line arrives.
#[derive(Clone, Debug, Bundle)]
pub struct Fill {
    /// The transaction delivers in this cycle: a line, or, for an Upgrade, only a new state.
    pub valid: Sig,
    /// 1: `line` is written to the cache. 0 (Upgrade): only the state changes. Valid with `valid`.
    pub with_line: Sig,
    /// The new state of the line: Shared (1), Exclusive (2) or Modified (3). Valid with `valid`.
    pub state: Enum<Mesi>,
    /// The bytes of the line, in the order of the banks of the way that the cache answered:
    /// position k has word k ^ way (of the way, only the bits that a word number has). Valid with
    /// `with_line`.
    pub line: Sig,
    /// What travels with the line.
    #[bundle(flat)]
    pub meta: Each<Opaque>,
}

/// The bus as a data cache has it.
#[derive(Clone, Debug, Bundle)]
pub struct CacheBus {
    /// The cache's request to the bus, held until the grant or until the hart withdraws the access.
    pub request: CacheRequest,
    /// A look: all data caches look up the same line at once.
    pub look: Look,
    /// The answer to the look: what this cache has of the line.
    pub answer: Answer,
    /// The bus's verdict on the transaction.
    pub verdict: Verdict,
    /// What the transaction brings to the cache that requested it.
    pub fill: Fill,
    /// The answer of a device arrives in this cycle.
    pub device_valid: Sig,
    /// The word that the device gave; valid with `device_valid`.
    pub device_data: Sig,
    /// The access of this cache's own transaction completes in this cycle.
    pub done: Sig,
    /// An access that may write is looked up in this cycle. If it hits, it is written in the next
    /// cycle, which must not be the cycle of a look.
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
