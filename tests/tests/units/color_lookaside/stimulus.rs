//! What the color lookaside buffer is given: requests, memory that is slow, and random tables.

use proptest::prelude::*;

use super::{BASES, INDICES, TABLES};

/// The words of all tables at these indices; nothing else is ever read.
pub(super) type Tables = Vec<u32>;

/// What can happen in one cycle.
#[derive(Clone, Debug)]
pub(super) struct Cycle {
    pub reset: bool,
    pub flush: bool,
    pub enable: bool,
    /// Where the first table is.
    pub table: u32,
    pub request: bool,
    pub address: u32,
    pub response_ready: bool,
    pub memory_request_ready: bool,
    /// Memory answers if it was asked.
    pub memory_responds: bool,
    /// A word of a table changes.
    pub edit: Option<(usize, u32)>,
    /// The set of hazardous colors becomes that of the colors with an odd number of bits in common with this.
    pub set: Option<u32>,
}

/// An entry of a table: all kinds, in bits that mean nothing too.
fn table_word() -> impl Strategy<Value = u32> + Clone {
    let base =
        prop_oneof![9 => prop::sample::select(&TABLES[..]), 1 => prop::sample::select(&BASES[..])];
    let next = (base, 0..0x400_u32).prop_map(|(base, noise)| base | noise << 2 | 2);
    // A size that is small, or anything.
    let size = prop_oneof![4 => 0..11_u32, 1 => 0..32_u32];
    let color = (any::<u32>(), size).prop_map(|(word, size)| word & !0x7f | size << 2 | 1);
    let other = (any::<u32>(), prop::bool::ANY)
        .prop_map(|(word, reserved)| if reserved { word | 3 } else { word & !3 });
    prop_oneof![5 => next, 4 => color, 2 => other]
}

pub(super) fn tables() -> impl Strategy<Value = Tables> {
    prop::collection::vec(table_word(), TABLES.len() * INDICES.len())
}

fn address() -> impl Strategy<Value = u32> + Clone {
    let index = || prop::sample::select(&INDICES[..]);
    (index(), index(), index(), 0..4_u32)
        .prop_map(|(region, page, word, byte)| region << 22 | page << 12 | word << 2 | byte)
}

/// What differs from case to case: the chances in each cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chances {
    flush: f64,
    edit: f64,
    /// Of memory being ready, and of its answer.
    memory: f64,
    response_ready: f64,
}

pub(super) const CHANCES: [Chances; 4] = [
    Chances { flush: 0.005, edit: 0.02, memory: 0.9, response_ready: 0.9 },
    Chances { flush: 0.02, edit: 0.1, memory: 0.3, response_ready: 0.5 },
    Chances { flush: 0.15, edit: 0.1, memory: 0.6, response_ready: 0.9 },
    Chances { flush: 0.001, edit: 0.001, memory: 1.0, response_ready: 1.0 },
];

pub(super) fn cycle(chances: Chances) -> impl Strategy<Value = Cycle> {
    let chance = prop::bool::weighted;
    let table = prop_oneof![9 => Just(TABLES[1]), 1 => prop::sample::select(&BASES[..])];
    let set = prop::option::weighted(chances.flush, any::<u32>());
    let edit = (0..TABLES.len() * INDICES.len(), table_word());
    let control = (chance(0.004), chance(chances.flush), chance(0.93), table);
    let streams = (
        chance(0.8),
        address(),
        chance(chances.response_ready),
        chance(chances.memory),
        chance(chances.memory),
        prop::option::weighted(chances.edit, edit),
    );
    (control, set, streams).prop_map(|((reset, flush, enable, table), set, streams)| {
        let (request, address, response_ready, memory_request_ready, memory_responds, edit) =
            streams;
        Cycle {
            reset,
            flush,
            enable,
            table,
            request,
            address,
            response_ready,
            memory_request_ready,
            memory_responds,
            edit,
            set,
        }
    })
}
