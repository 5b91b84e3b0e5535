//! Random traffic on machines of several shapes.

use border::monitor::{self, Word};
use std::collections::HashMap;

use config::{Overflow, Update};
use golden::memory::State::{Exclusive, Invalid, Modified, Shared};
use golden::memory::{BusKind, HitKind};
use units::geometry::Geometry;

use crate::bench::{Run, Schedule, System, monitor};
use crate::coverage::Transition;
use crate::traffic::Traffic;

/// Every way a line can go in one cache.
const TRANSITIONS: [Transition; 27] = [
    (Invalid, "read", Shared),
    (Invalid, "read", Exclusive),
    (Invalid, "write", Modified),
    (Shared, "upgrade", Modified),
    (Shared, "load hit", Shared),
    (Exclusive, "load hit", Exclusive),
    (Modified, "load hit", Modified),
    (Exclusive, "store hit", Modified),
    (Modified, "store hit", Modified),
    (Shared, "read by another", Shared),
    (Exclusive, "read by another", Shared),
    (Modified, "read by another", Shared),
    (Shared, "written by another", Invalid),
    (Exclusive, "written by another", Invalid),
    (Modified, "written by another", Invalid),
    (Shared, "evicted", Invalid),
    (Exclusive, "evicted", Invalid),
    (Modified, "evicted", Invalid),
    (Shared, "written by the host", Invalid),
    (Exclusive, "written by the host", Invalid),
    (Modified, "written by the host", Invalid),
    (Shared, "read by the host", Shared),
    (Exclusive, "read by the host", Exclusive),
    (Modified, "read by the host", Modified),
    (Shared, "fetched", Shared),
    (Exclusive, "fetched", Exclusive),
    (Modified, "fetched", Modified),
];

const NONE: Schedule = Schedule {
    seed: 7,
    chance: 0,
    burst: 0,
    max_stall: 0,
    max_passes: 0,
    rest_chance: 0,
    max_rest: 0,
    max_hold: 0,
    changes: 0,
    change_range: 0,
};
pub const PERTURBED: Schedule =
    Schedule { chance: 64, burst: 128, max_stall: 20, max_passes: 5, ..NONE };
/// Rests, and leaders that give way before the others have waited for long.
pub const RANKED: Schedule = Schedule {
    rest_chance: 600,
    max_rest: 300,
    max_hold: 40,
    changes: 4,
    change_range: 2000,
    ..PERTURBED
};

/// Runs all kinds of traffic, unperturbed and perturbed; gives what happened to lines.
fn agree(system: &System, lines: u32, cycles: u64) -> HashMap<Transition, u64> {
    let (harts, geometry) = (system.parameters.harts, system.parameters.geometry);
    let mut happened = HashMap::new();
    for seed in 0..4 {
        let schedule = [Schedule::default(), PERTURBED, Schedule::default(), RANKED][seed as usize];
        let traffic = match seed {
            0 | 1 => Traffic::everything(harts, geometry.line, lines),
            _ => Traffic::data_only(harts, geometry.line, lines),
        };
        let mut run = Run::new(system, traffic.clone(), schedule, seed);
        // Nothing but the host's writes to the monitors, then all of it.
        run.traffic.busy = 0;
        run.traffic.fetches = 0;
        run.traffic.host = 0;
        run.record();
        // Accesses that are not recorded, or not even selected, in every other run.
        let filtered = seed % 2 == 1;
        if filtered {
            run.set_filter(0, 0x8000_0080, 7);
            run.set_filter(harts as u32 - 1, 0xffff_ffff, 5);
        }
        run.traffic = traffic;
        for hart in (0..harts as u32).cycle() {
            run.run(200).empty_table(hart);
            if run.cycle > cycles {
                break;
            }
        }
        run.drain();
        println!("{harts} harts, {geometry:?}, seed {seed}: {:?}", run.counts);
        assert!(run.counts.responses > cycles / 100, "little happened");
        for kind in HitKind::ALL {
            assert!(run.counts.hits.contains_key(&kind), "no hit of kind {kind:?}");
        }
        let kinds = if seed < 2 { 7 } else { 3 };
        for kind in &BusKind::ALL[..kinds] {
            assert!(run.counts.grants.contains_key(kind), "no grant of kind {kind:?}");
        }
        assert!(run.counts.watched > 0, "nobody wrote the watched word");
        assert_eq!(run.counts.cancelled > 0, seed < 2);
        assert_eq!(run.counts.held > 0, schedule.seed != 0);
        if system.bugaboo.is_some() {
            let (edges, lost) = (run.counts.edges, run.counts.lost);
            assert!(lost > 20, "the tables were hardly ever full");
            let least = if filtered { 100 } else { 200 };
            assert!(edges - lost > least, "the tables hardly ever had room");
        }
        for (transition, count) in run.golden.seen.transitions {
            *happened.entry(transition).or_default() += count;
        }
    }
    happened
}

/// Every transition, and no other, with monitors that replace metadata as `update` says.
fn reaches_every_transition(harts: usize, update: Update) {
    let system = System::monitored(harts, update);
    // The more caches, the rarer is a line that only one of them holds.
    let happened = agree(&system, 8, 20_000 + 4_000 * harts as u64);
    for transition in TRANSITIONS {
        assert!(happened.contains_key(&transition), "{transition:?} never happened");
    }
    assert_eq!(happened.len(), TRANSITIONS.len(), "{happened:?}");
}

#[test]
fn two_caches_agree_with_the_model() {
    reaches_every_transition(2, Update::Miss);
}

#[test]
fn three_caches_agree_with_the_model() {
    reaches_every_transition(3, Update::FirstWrite);
}

#[test]
fn four_caches_agree_with_the_model() {
    reaches_every_transition(4, Update::EveryWrite);
}

#[test]
fn eight_caches_agree_with_the_model() {
    reaches_every_transition(8, Update::Miss);
}

/// One way, one set, many ways, long lines; no monitors.
#[test]
fn other_shapes_agree_with_the_model() {
    let plain = |harts, geometry| System::new(harts, geometry, None);
    agree(&plain(2, Geometry { ways: 1, sets: 1, line: 16 }), 4, 10_000);
    agree(&plain(3, Geometry { ways: 4, sets: 1, line: 8 }), 12, 10_000);
    agree(&plain(2, Geometry { ways: 8, sets: 2, line: 64 }), 40, 10_000);
}

/// A machine of one hart has nobody to talk to, and works.
#[test]
fn a_single_cache_agrees_with_the_model() {
    let system = System::new(1, Geometry { ways: 2, sets: 4, line: 32 }, None);
    let mut run = Run::new(&system, Traffic::everything(1, 32, 24), Schedule::default(), 3);
    run.run(20_000).drain();
    assert!(!run.counts.grants.contains_key(&BusKind::Upgrade), "nobody shares");
}

/// Tables that stall, emptied by the host now and then: nothing is lost, nobody else waits.
#[test]
fn harts_that_wait_for_room_agree_with_the_model() {
    let monitor = monitor(2, 4, Overflow::Stall);
    let geometry = Geometry { ways: 2, sets: 2, line: 16 };
    let system = System::new(2, geometry, Some((monitor, Update::Miss)));
    let traffic = Traffic { host: 0, devices: 0, ..Traffic::everything(2, geometry.line, 8) };
    let mut run = Run::new(&system, Traffic { busy: 0, ..traffic.clone() }, PERTURBED, 5);
    run.record();
    run.traffic = traffic;
    for round in 0..100 {
        run.run(150);
        let hart = round % 2;
        for _ in 0..4 {
            run.host_device_read(monitor::address(hart, Word::KindAndHarts));
        }
    }
    println!("{:?}", run.counts);
    assert!(run.counts.stalled > 1000 && run.counts.edges > 100, "{:?}", run.counts);
    assert_eq!(run.counts.lost, 0);
}
