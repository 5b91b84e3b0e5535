//! Small stories: devices, reservations, edges, a full table, numbers that start again.

use border::monitor::{self, Word};
use border::{clint, map};
use config::{Overflow, Update};
use golden::memory::HitKind;
use kit::Dice;
use units::data_port::{AccessOp, AmoOp};
use units::geometry::Geometry;

use crate::bench::{Run, SMALL, Schedule, System, monitor};
use crate::request::Request;
use crate::traffic::{HostRequest, Traffic, UART};

const SHAPE: Geometry = Geometry { ways: 2, sets: 2, line: 16 };
const RAM: u32 = map::RAM.base;
/// The words that show the oldest edge.
const EDGE: &[Word] = Word::ALL.split_at(monitor::EDGE_WORDS as usize).0;

fn quiet(harts: usize) -> Traffic {
    let all = Traffic::data_only(harts, SHAPE.line, 4);
    Traffic { busy: 0, ..all }
}

fn request(op: AccessOp, address: u32, data: u32) -> Request {
    let pc = RAM + 0x100;
    Request { address, op, amo: AmoOp::Add, mask: 15, data, pc, machine_mode: true }
}

fn load(address: u32) -> Request {
    request(AccessOp::Load, address, 0)
}

fn store(address: u32, data: u32) -> Request {
    request(AccessOp::Store, address, data)
}

fn start(system: &System) -> Run {
    Run::new(system, quiet(system.parameters.harts), Schedule::default(), 1)
}

#[test]
fn a_reservation_ends_when_its_line_leaves() {
    let system = System::new(2, SHAPE, None);
    let mut run = start(&system);
    let lr = request(AccessOp::LoadReserved, RAM, 0);
    let sc = request(AccessOp::StoreConditional, RAM, 5);
    // The model says what must happen; these say that it was what the story is about.
    let failing = |run: &Run| run.counts.hits.get(&HitKind::FailingSc).copied().unwrap_or(0);
    run.access(0, lr);
    run.access(0, sc);
    assert_eq!(failing(&run), 0);
    run.access(0, sc);
    assert_eq!(failing(&run), 1, "an SC ends the reservation");
    run.access(0, lr);
    run.access(1, store(RAM + 4, 9));
    run.access(0, sc);
    assert_eq!(failing(&run), 2, "another hart's store ends it");
    run.access(0, lr);
    run.access(1, load(RAM));
    run.access(0, sc);
    assert_eq!(failing(&run), 2, "another hart's load does not");
    run.access(0, lr);
    for line in 1..4 {
        run.access(0, load(RAM + line * 32));
    }
    run.access(0, sc);
    assert_eq!(failing(&run), 3, "eviction ends it");
}

#[test]
fn bytes_go_through_the_uart() {
    let system = System::new(1, SHAPE, None);
    let mut run = start(&system);
    let byte = |op, offset: u32, data: u32| {
        let lane = 8 * (offset & 3);
        Request { mask: 1 << (offset & 3), ..request(op, UART + offset, data << lane) }
    };
    assert_eq!(run.access(0, load(UART + 5)) >> 8 & 0xff, 0x60, "room, nothing received");
    run.access(0, byte(AccessOp::Store, 0, u32::from(b'x')));
    run.run(2);
    assert_eq!(run.transmitted, b"x");
    run.received.extend(b"ok");
    assert_eq!(run.access(0, byte(AccessOp::Load, 5, 0)) >> 8 & 0xff, 0x61);
    assert_eq!(run.access(0, load(UART)), u64::from(b'o'));
    assert_eq!(run.access(0, load(UART)), u64::from(b'k'));
    assert_eq!(run.access(0, load(UART)), 0, "nothing more");
    run.access(0, byte(AccessOp::Store, 3, 0x80));
    run.received.extend(b"!");
    assert_eq!(run.access(0, load(UART)), 0, "the divisor is not there");
    run.access(0, byte(AccessOp::Store, 0, u32::from(b'y')));
    run.access(0, byte(AccessOp::Store, 3, 0x03));
    assert_eq!(run.access(0, load(UART)), u64::from(b'!'));
    assert_eq!(run.transmitted, b"x");
    // Without anybody to take them, bytes beyond the first are dropped.
    run.transmitter_ready = false;
    for data in *b"abc" {
        run.access(0, byte(AccessOp::Store, 0, data.into()));
    }
    assert_eq!(run.access(0, load(UART + 5)) >> 8 & 0xff, 0, "no room");
    run.transmitter_ready = true;
    run.run(5);
    assert_eq!(run.transmitted, b"xa");
}

#[test]
fn interrupts_follow_the_clint() {
    let system = System::new(2, SHAPE, None);
    let mut run = start(&system);
    run.run(3);
    let pending = |run: &mut Run, name: &str| {
        run.run(1);
        run.peek(name)
    };
    assert_eq!(pending(&mut run, "interrupts_software_1"), 0);
    run.access(0, store(clint::Word::Msip.address(1), 1));
    assert_eq!(pending(&mut run, "interrupts_software_1"), 1);
    assert_eq!(pending(&mut run, "interrupts_software_0"), 0);
    assert_eq!(pending(&mut run, "interrupts_timer_0"), 0);
    run.access(1, store(clint::Word::MtimecmpHigh.address(0), 0));
    run.access(1, store(clint::Word::Mtimecmp.address(0), 200));
    let rises = (0..400).find(|_| pending(&mut run, "interrupts_timer_0") == 1);
    assert!(rises.is_some());
    assert_eq!(run.peek("interrupts_mtime"), 200);
    assert_eq!(pending(&mut run, "interrupts_timer_1"), 0);
}

/// Every hart writes words of the timers, and another hart and the host read them: each bit is once 0 and once 1 beside
/// any other.
#[test]
fn three_caches_write_and_read_a_device() {
    let system = System::monitored(3, Update::FirstWrite);
    let traffic = Traffic { busy: 0, ..Traffic::data_only(3, SMALL.line, 4) };
    let mut run = Run::new(&system, traffic, Schedule::default(), 1);
    let mut dice = Dice::new(1);
    for round in 0..60 {
        let hart = round % 3;
        let word = clint::Word::Mtimecmp.address(0) + 4 * dice.below(6);
        run.access(hart, store(word, dice.word()));
        run.access((hart + 1) % 3, load(word));
        run.host_device_write(word, dice.word());
        run.access((hart + 2) % 3, load(word));
        run.access(hart, store(word, dice.word()));
        run.host_device_read(word);
    }
}

#[test]
fn edges_are_recorded_and_read_through_the_window() {
    let monitor = monitor(2, 4, Overflow::Discard);
    let system = System::new(2, SHAPE, Some((monitor, Update::Miss)));
    let mut run = start(&system);
    run.record();
    let at = |pc: u32, request: Request| Request { pc, ..request };
    run.access(0, at(RAM + 0x10, store(RAM, 1)));
    assert_eq!(
        run.host_device_read(monitor::address(0, Word::TableCount)),
        0,
        "a ReadX from memory is no edge"
    );
    run.access(1, at(RAM + 0x20, load(RAM)));
    assert_eq!(run.host_device_read(monitor::address(1, Word::TableCount)), 1);
    let entry: Vec<u32> =
        EDGE.iter().map(|word| run.host_device_read(monitor::address(1, *word))).collect();
    // Source: hart 0's store, number 1. Sink: hart 1's load, number 2. Kind RAW.
    assert_eq!(entry, [RAM + 0x10, RAM + 0x20, 0, 0, 1, 2, 1]);
    assert_eq!(
        run.host_device_read(monitor::address(1, Word::TableCount)),
        0,
        "reading the last word takes it"
    );
    // Hart 0 saw RmRd (2), hart 1 LcRd (0).
    run.access(0, at(RAM + 0x30, store(RAM, 2)));
    let entry: Vec<u32> =
        EDGE.iter().map(|word| run.host_device_read(monitor::address(0, *word))).collect();
    assert_eq!(entry, [RAM + 0x10, RAM + 0x30, 0, 2, 1, 3, 1 << 16]);
    for line in 2..12 {
        run.access(1, load(RAM + 16 * line));
    }
    assert_eq!(run.host_device_read(monitor::address(1, Word::TableCount)), 4);
    assert_eq!(run.host_device_read(monitor::address(1, Word::TableLost)), 6);
}

#[test]
fn a_full_table_stalls_its_hart_and_nobody_else() {
    let monitor = monitor(2, 4, Overflow::Stall);
    let system = System::new(2, SHAPE, Some((monitor, Update::Miss)));
    let mut run = start(&system);
    run.record();
    for line in 0..4 {
        run.access(0, load(RAM + 16 * line));
    }
    let fifth = load(RAM + 16 * 9);
    run.offer(0, fifth);
    let grants = run.counts.grants.clone();
    run.run(50);
    assert!(run.waits_for_room(0));
    assert_eq!(run.counts.grants, grants, "a stalled access has no effect");
    run.access(1, store(RAM, 3));
    run.access(1, request(AccessOp::Amo, RAM, 3));
    assert!(!run.is_idle(0));
    assert_eq!(run.host_device_read(monitor::address(0, Word::TableCount)), 4);
    // A hit of that hart would go on; here it waits with the miss, and can be given up.
    run.traffic.withdraws = 100;
    run.run(20);
    run.traffic.withdraws = 0;
    assert!(run.is_idle(0));
    run.offer(0, fifth);
    run.run(20);
    assert!(run.waits_for_room(0));
    assert_eq!(
        run.host_device_read(monitor::address(0, Word::KindAndHarts)),
        2 << 16,
        "one entry leaves"
    );
    run.drain();
    assert_eq!(run.host_device_read(monitor::address(0, Word::TableCount)), 4);
    assert_eq!(run.host_device_read(monitor::address(0, Word::TableLost)), 0);
}

#[test]
fn numbers_that_start_again_are_told_until_the_table_is_cleared() {
    let mut monitor = monitor(2, 4, Overflow::Discard);
    monitor.fields.time_bits = 4;
    let system = System::new(2, SHAPE, Some((monitor, Update::Miss)));
    let mut run = start(&system);
    let wrapped =
        |run: &mut Run, hart| run.host_device_read(monitor::address(hart, Word::TimeWrapped));
    for line in 0..15 {
        run.access(0, load(RAM + 16 * line));
    }
    assert_eq!([wrapped(&mut run, 0), wrapped(&mut run, 1)], [0, 0]);
    run.access(0, load(RAM + 16 * 20));
    assert_eq!([wrapped(&mut run, 0), wrapped(&mut run, 1)], [1, 1]);
    run.host_device_write(monitor::address(0, Word::TimeWrapped), 0);
    run.host_device_write(monitor::address(0, Word::TableControl), 1);
    assert_eq!([wrapped(&mut run, 0), wrapped(&mut run, 1)], [0, 1]);
}

/// The host changes a filter around a store that hits. Whose place in the order comes first counts, as another hart
/// finds when it reads the line.
#[test]
fn a_store_is_marked_by_the_filter_as_it_is_at_its_place_in_the_order() {
    for update in [Update::FirstWrite, Update::EveryWrite] {
        let system = System::new(2, SHAPE, Some((monitor(2, 4, Overflow::Discard), update)));
        let mut run = start(&system);
        run.record();
        for control in [0, 7] {
            for delay in 0..16 {
                run.set_filter(0, 0xffff_ffff, (7 - control).into());
                let data = vec![0; SHAPE.line];
                run.host_access(HostRequest { write: true, address: RAM, data, mask: 0xffff });
                run.access(0, load(RAM));
                let mut data = vec![0; SHAPE.line];
                data[0] = control;
                let address = monitor::address(0, Word::Control);
                run.ask_as_host(HostRequest { write: true, address, data, mask: 0 });
                run.run(delay);
                run.access(0, store(RAM, 1));
                run.settle();
                run.access(1, load(RAM));
            }
        }
    }
}
