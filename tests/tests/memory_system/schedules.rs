//! Schedules: the same again by seed, others by other seeds, bounds kept, monitoring free.

use config::{Overflow, Update};
use units::geometry::Geometry;

use crate::bench::{Event, Run, Schedule, System, monitor};
use crate::traffic::Traffic;

const HARTS: usize = 3;
const SHAPE: Geometry = Geometry { ways: 2, sets: 2, line: 16 };

fn traffic() -> Traffic {
    Traffic::everything(HARTS, SHAPE.line, 8)
}

fn perturbed(seed: u64) -> Schedule {
    Schedule { seed, chance: 40, burst: 160, max_stall: 30, max_passes: 6, ..Schedule::default() }
}

/// By ranks and rests alone.
fn ranked(seed: u64) -> Schedule {
    let ranks = Schedule { max_hold: 100, changes: 3, change_range: 500, ..Schedule::default() };
    Schedule { seed, rest_chance: 200, max_rest: 500, ..ranks }
}

fn events(system: &System, schedule: Schedule) -> Vec<(u64, Event)> {
    let mut run = Run::new(system, traffic(), schedule, 99);
    run.run(8_000);
    run.events
}

#[test]
fn a_seed_gives_the_same_run_and_another_seed_another() {
    let system = System::new(HARTS, SHAPE, None);
    let first = events(&system, perturbed(1));
    assert_eq!(first, events(&system, perturbed(1)));
    let others: Vec<_> = (2..8).map(|seed| events(&system, perturbed(seed))).collect();
    let others: Vec<_> =
        others.into_iter().chain([1, 2].map(|seed| events(&system, ranked(seed)))).collect();
    for (place, other) in others.iter().enumerate() {
        assert_ne!(&first, other);
        assert!(others[..place].iter().all(|earlier| earlier != other));
    }
    // Seed 0 perturbs nothing, whatever the bounds.
    assert_eq!(events(&system, perturbed(0)), events(&system, Schedule::default()));
    assert_eq!(events(&system, ranked(0)), events(&system, Schedule::default()));
}

#[test]
fn bounds_are_kept_and_used() {
    let system = System::new(HARTS, SHAPE, None);
    for (max_stall, max_passes) in [(0, 0), (1, 1), (1024, 64), (5, 0), (0, 9)] {
        let delays = Schedule { max_stall, max_passes, ..Schedule::default() };
        let schedule = Schedule { seed: 5, chance: 256, burst: 256, ..delays };
        let mut run = Run::new(&system, Traffic::data_only(HARTS, 16, 8), schedule, 4);
        run.run(15_000).drain();
        assert_eq!(run.counts.held > 0, max_stall > 0, "{schedule:?}");
        // Harts that are held back all the time do not meet on the bus.
        let meet = max_stall < 100;
        assert_eq!(run.counts.passes > 0, max_passes > 0 && meet, "{schedule:?}: {:?}", run.counts);
    }
}

#[test]
fn bursts_delay_more() {
    let system = System::new(HARTS, SHAPE, None);
    let held = |burst| {
        let schedule = Schedule { seed: 5, chance: 8, burst, max_stall: 16, ..Schedule::default() };
        let mut run = Run::new(&system, Traffic::data_only(HARTS, 16, 8), schedule, 4);
        run.run(15_000);
        run.counts.held
    };
    assert!(held(200) > 2 * held(8));
}

/// The same traffic with a monitor that records, one that is off, and none: not a cycle differs.
#[test]
fn monitoring_costs_no_cycle() {
    let none = System::new(HARTS, SHAPE, None);
    let recorded = |system: &System, filter: u32, schedule| {
        let mut run = Run::new(system, traffic(), schedule, 12);
        run.run(100);
        run.drain();
        for hart in 0..HARTS as u32 {
            run.set_filter(hart, 0xffff_ffff, filter);
        }
        run.traffic = traffic();
        run.run(8_000);
        run.events
    };
    for update in [Update::Miss, Update::EveryWrite] {
        let watching =
            System::new(HARTS, SHAPE, Some((monitor(HARTS, 4, Overflow::Discard), update)));
        for schedule in [Schedule::default(), perturbed(3), ranked(3)] {
            let expected = recorded(&none, 7, schedule);
            assert_eq!(recorded(&watching, 7, schedule), expected);
            assert_eq!(recorded(&watching, 0, schedule), expected);
        }
    }
}
