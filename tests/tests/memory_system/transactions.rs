//! Ephemeral transactions under random traffic: random begins and commits, aborts by whoever comes.

use border::color::Commit;
use config::Update;
use golden::memory::{BusKind, HitKind, RAM};
use units::data_port::{AccessOp, AmoOp};
use units::geometry::Geometry;

use crate::bench::{Run, Schedule, System};
use crate::random::{PERTURBED, RANKED};
use crate::request::Request;
use crate::speculation::TransactionCounts;
use crate::traffic::Traffic;

/// Runs all kinds of traffic with transactions; what happened to these.
fn agree(system: &System, lines: u32, cycles: u64) -> TransactionCounts {
    let (harts, geometry) = (system.parameters.harts, system.parameters.geometry);
    let mut all = TransactionCounts::default();
    for seed in 0..4 {
        let schedule = [Schedule::default(), PERTURBED, Schedule::default(), RANKED][seed as usize];
        let traffic = Traffic::everything(harts, geometry.line, lines);
        // Few begin in some runs, so that others are often outside of transactions.
        let begins = [60, 10, 30, 60][seed as usize];
        let commits = [1, 4, 0, 2][seed as usize];
        let host = [10, 2, 1, 4][seed as usize];
        let withdraws = [5, 0, 1, 1][seed as usize];
        // Those that conflict with nobody leave the bus to the others.
        let (fetches, walks) = (1, 1);
        let mut run = Run::new(system, Traffic { busy: 0, ..traffic.clone() }, schedule, seed);
        if system.bugaboo.is_some() {
            run.traffic.fetches = 0;
            run.traffic.host = 0;
            run.record();
        }
        run.traffic = Traffic { begins, commits, host, withdraws, fetches, walks, ..traffic };
        run.run(cycles).drain();
        println!("{harts} harts, {geometry:?}, seed {seed}: {:?}", run.counts);
        all.add(&run.counts.transactions);
    }
    all
}

fn sees_everything(counts: &TransactionCounts) {
    println!("{counts:?}");
    for cause in Commit::ALL {
        let number = cause.number();
        assert!(counts.committed.contains_key(&number), "no commit by {cause:?}: {counts:?}");
    }
    for kind in [BusKind::Read, BusKind::ReadX, BusKind::Upgrade, BusKind::HostWrite] {
        assert!(counts.aborted.contains_key(&kind), "no abort by {kind:?}: {counts:?}");
    }
    for kind in [BusKind::Fetch, BusKind::HostRead, BusKind::Walk] {
        assert!(counts.hidden.contains_key(&kind), "{kind:?} sees no line: {counts:?}");
    }
    for count in [counts.several, counts.cleans, counts.resumed, counts.commit_met_abort] {
        assert!(count > 0, "{counts:?}");
    }
}

#[test]
fn transactions_of_three_harts_agree_with_the_model() {
    sees_everything(&agree(&System::monitored(3, Update::Miss).colored(), 8, 30_000));
}

#[test]
fn transactions_without_monitors_agree_with_the_model() {
    let geometry = Geometry { ways: 4, sets: 2, line: 16 };
    let counts = agree(&System::new(4, geometry, None).colored(), 12, 30_000);
    assert!(counts.begun > 500 && counts.several > 0, "{counts:?}");
}

/// One way and one set; many ways and long lines; a single hart, which only the host disturbs.
#[test]
fn transactions_in_other_shapes_agree_with_the_model() {
    let system = |harts, geometry| System::new(harts, geometry, None).colored();
    agree(&system(2, Geometry { ways: 1, sets: 1, line: 8 }), 3, 15_000);
    agree(&system(2, Geometry { ways: 8, sets: 2, line: 64 }), 24, 15_000);
    let alone = agree(&system(1, Geometry { ways: 2, sets: 4, line: 32 }), 12, 15_000);
    assert!(alone.aborted.keys().all(|kind| *kind == BusKind::HostWrite), "{alone:?}");
}

/// An abort ends the reservation, also of a line that stays.
#[test]
fn an_abort_ends_the_reservation() {
    const SHAPE: Geometry = Geometry { ways: 2, sets: 2, line: 16 };
    let access = |op, address, machine_mode| {
        let pc = RAM + 0x100;
        Request { address, op, amo: AmoOp::Add, mask: 15, data: 1, pc, machine_mode }
    };
    let (reserved, other) = (RAM, RAM + 16);
    let system = System::new(2, SHAPE, None).colored();
    let traffic = Traffic { busy: 0, resumes: 0, ..Traffic::data_only(2, SHAPE.line, 4) };
    let mut run = Run::new(&system, traffic, Schedule::default(), 1);
    for aborts in [false, true] {
        run.traffic.begins = 100;
        run.traffic.commits = 0;
        run.access(0, access(AccessOp::LoadReserved, reserved, false));
        run.access(0, access(AccessOp::Load, other, false));
        run.traffic.begins = 0;
        if aborts {
            run.access(1, access(AccessOp::Store, other, true));
            assert_eq!(run.counts.transactions.aborted.values().sum::<u64>(), 1);
        }
        run.traffic.commits = 100;
        run.settle();
        run.access(0, access(AccessOp::StoreConditional, reserved, true));
        let failed = run.counts.hits.get(&HitKind::FailingSc).copied().unwrap_or(0);
        assert_eq!(failed, u64::from(aborts));
    }
}

/// Where no transaction begins, the caches do as those without, cycle by cycle.
#[test]
fn idle_transactions_cost_no_cycle() {
    let geometry = Geometry { ways: 2, sets: 2, line: 16 };
    let plain = System::new(3, geometry, None);
    let idle = System::new(3, geometry, None).colored();
    for schedule in [Schedule::default(), PERTURBED, RANKED] {
        let events = |system: &System| {
            let traffic = Traffic::everything(3, geometry.line, 8);
            let mut run = Run::new(system, traffic, schedule, 12);
            run.run(8_000);
            run.events
        };
        assert_eq!(events(&idle), events(&plain), "{schedule:?}");
    }
}
