//! Random traffic on machines of several shapes.

use std::collections::{HashMap, HashSet};

use units::geometry::Geometry;

use crate::bench::{Run, Schedule, System};
use crate::reference::State::{Exclusive, Invalid, Modified, Shared};
use crate::reference::{Pattern, READ, READ_X, Transition, UPGRADE};
use crate::traffic::Traffic;

/// Every way a line can go in one cache.
const TRANSITIONS: [Transition; 19] = [
    (Invalid, "read", Shared),
    (Invalid, "read", Exclusive),
    (Invalid, "write", Modified),
    (Shared, "load hit", Shared),
    (Exclusive, "load hit", Exclusive),
    (Modified, "load hit", Modified),
    (Exclusive, "store hit", Modified),
    (Modified, "store hit", Modified),
    (Shared, "upgrade", Modified),
    (Shared, "read by another", Shared),
    (Exclusive, "read by another", Shared),
    (Modified, "read by another", Shared),
    (Shared, "written by another", Invalid),
    (Exclusive, "written by another", Invalid),
    (Modified, "written by another", Invalid),
    (Shared, "evicted", Invalid),
    (Exclusive, "evicted", Invalid),
    (Modified, "evicted", Invalid),
    (Modified, "written by the host", Invalid),
];

const PERTURBED: Schedule =
    Schedule { seed: 7, chance: 64, burst: 128, max_stall: 20, max_passes: 5 };

/// What happened to lines, and who asked for lines that were held how.
#[derive(Default)]
struct Happened {
    transitions: HashMap<Transition, u64>,
    patterns: HashSet<Pattern>,
}

/// Runs all kinds of traffic, unperturbed and perturbed.
fn agree(harts: usize, geometry: Geometry, lines: u32, cycles: u64) -> Happened {
    let system = System::new(harts, geometry, None);
    let mut happened = Happened::default();
    for seed in 0..4 {
        let schedule = if seed % 2 == 0 { Schedule::default() } else { PERTURBED };
        let traffic = match seed {
            0 | 1 => Traffic::everything(harts, geometry.line, lines),
            _ => Traffic::data_only(harts, geometry.line, lines),
        };
        let mut run = Run::new(&system, traffic, schedule, seed);
        run.run(cycles).drain();
        println!("{harts} harts, {geometry:?}, seed {seed}: {:?}", run.counts);
        assert!(run.counts.responses > cycles / 100, "little happened");
        for kind in 0..6 {
            assert!(run.counts.hits.contains_key(&kind), "no hit of kind {kind}");
        }
        let kinds = if seed < 2 { 7 } else { 3 };
        for kind in 0..kinds {
            assert!(run.counts.grants.contains_key(&kind), "no grant of kind {kind}");
        }
        assert!(run.counts.watched > 0, "nobody wrote the watched word");
        assert_eq!(run.counts.held > 0, schedule.seed != 0);
        for (transition, count) in run.reference.transitions {
            *happened.transitions.entry(transition).or_default() += count;
        }
        happened.patterns.extend(run.reference.patterns);
    }
    happened
}

fn reaches_every_transition(harts: usize) {
    let happened = agree(harts, Geometry { ways: 2, sets: 2, line: 8 }, 8, 25_000);
    for transition in TRANSITIONS {
        assert!(happened.transitions.contains_key(&transition), "{transition:?} never happened");
    }
    // Up to four caches every pattern; beyond, whoever asks and holds: up to five holders.
    let of = |pattern: Pattern| if harts <= 4 { pattern } else { by_number(pattern) };
    let seen: HashSet<Pattern> = happened.patterns.into_iter().map(of).collect();
    let few = |holders: u64| harts <= 4 || holders.count_ones() <= 5;
    let wanted: HashSet<_> = patterns(harts).filter(|p| few(p.2)).map(of).collect();
    let missing: Vec<_> = wanted.difference(&seen).collect();
    assert!(missing.is_empty(), "{} patterns never happened: {missing:?}", missing.len());
}

/// The pattern without who is who: how many hold the line.
fn by_number((kind, _, holders, state): Pattern) -> Pattern {
    (kind, 0, u64::from(holders.count_ones()), state)
}

/// Every kind of grant to every data cache, with every pattern of other holders.
fn patterns(harts: usize) -> impl Iterator<Item = Pattern> {
    let all = (1_u64 << harts) - 1;
    let asked = (0..harts).flat_map(|hart| [READ, READ_X, UPGRADE].map(|kind| (kind, hart)));
    asked.flat_map(move |(kind, hart)| {
        let others = all & !(1 << hart);
        let held = (0..=all).filter(move |holders| holders & !others == 0);
        held.flat_map(move |holders| {
            let states: &[_] = match (holders.count_ones(), kind) {
                (0, _) => &[Invalid],
                // A line that is shared here is not owned elsewhere.
                (1, READ | READ_X) => &[Shared, Exclusive, Modified],
                _ => &[Shared],
            };
            states.iter().map(move |state| (kind, hart, holders, *state))
        })
    })
}

#[test]
fn two_caches_agree_with_the_plain_map() {
    reaches_every_transition(2);
}

#[test]
fn three_caches_agree_with_the_plain_map() {
    reaches_every_transition(3);
}

#[test]
fn four_caches_agree_with_the_plain_map() {
    reaches_every_transition(4);
}

#[test]
fn eight_caches_agree_with_the_plain_map() {
    reaches_every_transition(8);
}

/// One way, one set, many ways, long lines.
#[test]
fn other_shapes_agree_with_the_plain_map() {
    agree(2, Geometry { ways: 1, sets: 1, line: 16 }, 4, 10_000);
    agree(3, Geometry { ways: 4, sets: 1, line: 8 }, 12, 10_000);
    agree(2, Geometry { ways: 8, sets: 2, line: 64 }, 40, 10_000);
}

/// A machine of one hart has nobody to talk to, and works.
#[test]
fn a_single_cache_agrees_with_the_plain_map() {
    let system = System::new(1, Geometry { ways: 2, sets: 4, line: 32 }, None);
    let mut run = Run::new(&system, Traffic::everything(1, 32, 24), Schedule::default(), 3);
    run.run(20_000).drain();
    assert!(!run.counts.grants.contains_key(&2), "nobody shares");
}
