//! Every kind of grant to every data cache, with every pattern of other holders, one by one.

use config::Update;
use golden::memory::State::{self, Exclusive, Invalid, Modified, Shared};
use golden::memory::{BusKind, RAM};
use units::data_port::{AccessOp, AmoOp};

use crate::bench::{Run, SMALL, Schedule, System};
use crate::coverage::Pattern;
use crate::request::Request;
use crate::traffic::{HostRequest, Traffic};

/// The line that is asked for.
const LINE: u32 = RAM + 64;

/// All of them.
fn patterns(harts: usize) -> impl Iterator<Item = Pattern> {
    let all = (1_u32 << harts) - 1;
    let kinds = [BusKind::Read, BusKind::ReadX, BusKind::Upgrade];
    let asked = (0..harts).flat_map(move |hart| kinds.map(|kind| (kind, hart)));
    asked.flat_map(move |(kind, hart)| {
        let others = all & !(1 << hart);
        let held = (0..=all).filter(move |holders| holders & !others == 0);
        held.flat_map(move |holders| {
            let states: &[State] = match (holders.count_ones(), kind) {
                (0, _) => &[Invalid],
                // A line that is shared here is not owned elsewhere.
                (1, BusKind::Read | BusKind::ReadX) => &[Shared, Exclusive, Modified],
                _ => &[Shared],
            };
            states.iter().map(move |state| (kind, hart, holders, *state))
        })
    })
}

fn access(op: AccessOp, address: u32, data: u32) -> Request {
    let pc = RAM + 4 * data;
    Request { address, op, amo: AmoOp::Add, mask: 15, data, pc, machine_mode: false }
}

/// Has harts load the line, all at once.
fn load(run: &mut Run, harts: impl Iterator<Item = usize>) {
    harts.for_each(|hart| run.offer(hart, access(AccessOp::Load, LINE, 1)));
    run.settle();
}

/// Has a hart use other lines of the set until this one is gone.
fn evict(run: &mut Run, hart: usize) {
    let set = (SMALL.sets * SMALL.line) as u32;
    for other in (1..4).map(|number| LINE + number * set).cycle().take(8) {
        if run.golden.state(hart, LINE) == Invalid {
            return;
        }
        run.access(hart, access(AccessOp::Load, other, 2));
    }
    panic!("hart {hart} never gives the line up");
}

/// Has the line held as the pattern says, and then asked for.
fn play(run: &mut Run, (kind, hart, holders, state): Pattern) {
    let data = vec![0xa5; SMALL.line];
    run.host_access(HostRequest { write: true, address: LINE, data, mask: 0x0f });
    let upgrades = kind == BusKind::Upgrade;
    let holding = (0..run.harts).filter(|other| holders >> other & 1 != 0);
    let sharers = holding.clone().chain(upgrades.then_some(hart));
    match (sharers.clone().count(), state) {
        (0, _) => {}
        (1, Exclusive) => load(run, sharers),
        (1, Modified) => {
            let owner = holders.trailing_zeros() as usize;
            run.access(owner, access(AccessOp::Store, LINE, 3));
        }
        // One alone has a line in S when another had it too.
        (1, _) => {
            let sharer = if upgrades { hart } else { holders.trailing_zeros() as usize };
            let other = if sharer == 0 { 1 } else { 0 };
            load(run, [sharer, other].into_iter());
            evict(run, other);
        }
        _ => load(run, sharers),
    }
    let op = if kind == BusKind::Read { AccessOp::Load } else { AccessOp::Store };
    run.access(hart, access(op, LINE + 4, 5));
}

fn every_pattern(harts: usize, update: Update) {
    let system = System::monitored(harts, update);
    let traffic = Traffic { busy: 0, ..Traffic::data_only(harts, SMALL.line, 8) };
    let mut run = Run::new(&system, traffic, Schedule::default(), 1);
    run.record();
    let mut played = 0;
    for pattern in patterns(harts) {
        run.golden.seen.patterns.remove(&pattern);
        play(&mut run, pattern);
        assert!(run.golden.seen.patterns.contains(&pattern), "{pattern:?} did not happen");
        played += 1;
    }
    run.drain();
    println!("{harts} caches: {played} patterns in {} cycles", run.cycle);
}

#[test]
fn two_caches_meet_in_every_pattern() {
    every_pattern(2, Update::Miss);
}

#[test]
fn three_caches_meet_in_every_pattern() {
    every_pattern(3, Update::FirstWrite);
}

#[test]
fn four_caches_meet_in_every_pattern() {
    every_pattern(4, Update::EveryWrite);
}

#[test]
fn eight_caches_meet_in_every_pattern() {
    every_pattern(8, Update::Miss);
}
