//! Small machines, one access at a time.

mod ages;
mod devices;
mod host;
mod monitoring;
mod reservations;
mod traffic;
mod transitions;

use super::*;
use crate::isa::{AmoOp, DataAccess, DataKind, Done, Size};
use crate::{Fields, Mode};
use border::interrupt::Interrupt;
use border::map::{CLINT, MONITORS, UART};
use border::monitor::{self, Word};
use border::{clint, uart};
use config::{Overflow, Update};

const LINE: u32 = 16;
const SETS: u32 = 2;
/// Addresses a set apart.
const STRIDE: u32 = LINE * SETS;
const A: u32 = RAM + 0x100;

const PARAMETERS: Parameters = Parameters {
    harts: 4,
    reset_vector: RAM,
    ram_last: RAM + 0xffff,
    line: LINE,
    sets: SETS,
    ways: 2,
    time_bits: 32,
    monitor: Some(MonitorSetup {
        fields: Fields { pc_bits: 32, events: 5, hart_bits: 2, time_bits: 32 },
        depth: 4,
        overflow: Overflow::Discard,
        update: Update::Miss,
    }),
    breakpoints: 0,
    counters: false,
    color: None,
};

fn monitor_with(change: impl Fn(&mut MonitorSetup)) -> Parameters {
    let mut setup = PARAMETERS.monitor.unwrap();
    change(&mut setup);
    Parameters { monitor: Some(setup), ..PARAMETERS }
}

/// A word access in U mode by the instruction at `pc`.
fn access(kind: DataKind, address: u32, data: u32, pc: u32) -> DataAccess {
    let (mode, rights) = (Mode::User, Mode::User);
    DataAccess { kind, size: Size::Word, address, data, pc, mode, rights }
}

fn order(memory: &mut Memory, hart: usize, access: &DataAccess) -> Ordered {
    let region = memory.map().answering(access).expect("an access that is allowed");
    memory.order(hart, access, region, 0)
}

fn load(memory: &mut Memory, hart: usize, address: u32) -> Ordered {
    order(memory, hart, &access(DataKind::Load, address, 0, 0x100))
}

fn store(memory: &mut Memory, hart: usize, address: u32, data: u32) -> Ordered {
    order(memory, hart, &access(DataKind::Store, address, data, 0x200))
}

fn done(ordered: &Ordered) -> Done {
    match ordered {
        Ordered::Hit { done, .. }
        | Ordered::Granted { done, .. }
        | Ordered::Device { done, .. } => *done,
        Ordered::Stalled => panic!("a stalled access does nothing"),
    }
}

fn grant(ordered: &Ordered) -> &BusGrant {
    match ordered {
        Ordered::Granted { grant, .. } | Ordered::Device { grant, .. } => grant,
        other => panic!("no grant: {other:?}"),
    }
}

fn hit(ordered: &Ordered) -> &Hit {
    match ordered {
        Ordered::Hit { hit, .. } => hit,
        other => panic!("no hit: {other:?}"),
    }
}

fn tap(ordered: &Ordered) -> Option<Tap> {
    match ordered {
        Ordered::Granted { tap, .. } => *tap,
        _ => None,
    }
}

fn states(memory: &Memory, address: u32) -> Vec<State> {
    (0..PARAMETERS.harts).map(|hart| memory.cache(hart).state(address)).collect()
}

/// A hart drops a line by reading others of its set.
fn evict(memory: &mut Memory, hart: usize, address: u32) {
    let mut other = address;
    while memory.cache(hart).state(address) != State::Invalid {
        other += STRIDE;
        load(memory, hart, other);
    }
}

const AMO_ADD: DataKind = DataKind::Amo(AmoOp::Add);
