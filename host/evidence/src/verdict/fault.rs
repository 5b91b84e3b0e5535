//! The pointer behind a fault, and who gave it that value.

use super::inputs::{Role, reads_of_failure};
use super::{Observed, Place};
use crate::event::Access;
use crate::log::{Ending, Log};
use crate::state::Block;
use serde::Serialize;

/// How far from a pointer an instruction reaches: its 12-bit offset.
const REACH: u32 = 2048;

/// A block of the heap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BlockFacts {
    /// Its first byte.
    pub address: u32,
    /// The bytes that were asked for.
    pub bytes: u32,
    /// Where it was allocated.
    pub allocated: Place,
    /// Where it was freed.
    pub freed: Option<Place>,
}

impl BlockFacts {
    /// Whether an address is in it.
    pub fn holds(&self, address: u32) -> bool {
        address.checked_sub(self.address).is_some_and(|offset| offset < self.bytes.max(1))
    }
}

/// An instruction that could not be executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The statement of the program.
    pub place: Place,
    /// The instruction itself, which may be the library's.
    pub pc: u32,
    /// The address it used, or jumped to.
    pub address: u32,
    /// The exception's code in `mcause`.
    pub cause: u32,
    /// The load that brought the pointer.
    pub pointer: Option<Observed>,
    /// The last write of the pointer before that. None with a pointer: nobody had written it yet.
    pub writer: Option<Observed>,
    /// The freed block that the pointer was read from, or that it pointed into; of a null pointer, before it became one.
    pub freed: Option<BlockFacts>,
}

/// The fault that a log ends with.
pub fn fault(log: &Log) -> Option<Fault> {
    let Ending::Fault { pc, address, cause, pointer } = log.ending() else { return None };
    let failure = log.failure.as_ref()?;
    let loads = pointer.loads().iter().rev();
    let loads = loads.filter_map(|number| Some((*number, log.access(*number)?)));
    let mut loads: Vec<_> = loads.collect();
    // What was added to a pointer may have been loaded too; the pointer is the one that is near.
    let is_near = |value: u32| address.wrapping_sub(value).wrapping_add(REACH) < 2 * REACH;
    loads.sort_by_key(|(_, access)| !is_near(access.after));
    let load = loads.first().copied();
    let writer = load.and_then(|(number, access)| log.writer_before(number, access));
    let read_from = load.and_then(|(number, access)| freed_before(log, number, access.address));
    let in_use = |address: u32| log.state.heap.live(address).is_some();
    let freed_at = |address: u32| log.state.heap.freed_at(address).filter(|_| !in_use(address));
    let emptied = || writer.and_then(|(number, write)| freed_beside(log, number, write));
    let freed = read_from.or_else(|| freed_at(*address)).or_else(emptied);
    let observed = |(number, access)| Observed::of(log, number, access);
    Some(Fault {
        place: Place::of(log, failure.place),
        pc: *pc,
        address: *address,
        cause: *cause,
        pointer: load.map(observed),
        writer: writer.map(observed),
        freed: freed.map(|block| facts(log, block)),
    })
}

/// The freed block that an address was in at an event.
fn freed_before(log: &Log, number: u64, address: u32) -> Option<&Block> {
    let heap = &log.state.heap;
    let again = heap.live(address).is_some_and(|again| again.since < number);
    let was_free = |block: &&Block| !again && block.freed.is_some_and(|(_, at)| at < number);
    heap.freed_at(address).filter(was_free)
}

/// The block that a null pointer pointed to before, if the thread that emptied the pointer had just freed it: `free(p); p = NULL;`.
fn freed_beside<'a>(log: &'a Log, number: u64, write: &Access) -> Option<&'a Block> {
    let before = write.before.filter(|before| write.after == 0 && *before != 0)?;
    let block = log.state.heap.freed_at(before)?;
    block.freed.filter(|(place, at)| place.thread == write.thread && *at < number).map(|_| block)
}

/// Where what the failing statement used came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// The read that brought it.
    pub read: Observed,
    /// The last write before that; none: nobody had written it yet.
    pub writer: Option<Observed>,
    /// The freed block that it was read from, or that it pointed into.
    pub freed: Option<BlockFacts>,
}

/// Where the pointer of a fault came from; of another failure, the first value that its statement read in a block that had
/// been freed.
pub fn provenance(log: &Log) -> Option<Provenance> {
    if let Some(Fault { pointer, writer, freed, .. }) = fault(log) {
        return Some(Provenance { read: pointer?, writer, freed });
    }
    let mut reads = reads_of_failure(log).into_iter().filter(|(role, _)| *role < Role::Earlier);
    reads.find_map(|(_, number)| {
        let access = log.access(number)?;
        let block = freed_before(log, number, access.address)?;
        let observed = |(number, access)| Observed::of(log, number, access);
        Some(Provenance {
            read: observed((number, access)),
            writer: log.writer_before(number, access).map(observed),
            freed: Some(facts(log, block)),
        })
    })
}

fn facts(log: &Log, block: &Block) -> BlockFacts {
    BlockFacts {
        address: block.address,
        bytes: block.bytes,
        allocated: Place::of(log, block.allocated),
        freed: block.freed.map(|(place, _)| Place::of(log, place)),
    }
}
