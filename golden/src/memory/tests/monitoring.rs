//! Events, edges, metadata and time: DESIGN §4.1, row by row.

use super::*;
use crate::{CodePoint, Ctx, Edge, EdgeKind, HartId, LineMeta, Time};

/// Code that is monitored, and code that is not.
const INSIDE: u32 = 0x1000;
const OUTSIDE: u32 = 0x3000;

/// A machine whose monitors all watch U mode in 0x1000..0x2000.
fn watching(parameters: &Parameters) -> Memory {
    let mut memory = Memory::new(parameters);
    for hart in 0..4 {
        for (register, value) in
            [(Word::RangeLow, 0x1000), (Word::RangeHigh, 0x2000), (Word::Control, 0b011)]
        {
            memory.host_device(monitor::address(hart, register), Some(value), 0).unwrap();
        }
    }
    memory
}

fn read(memory: &mut Memory, hart: usize, pc: u32) -> Ordered {
    order(memory, hart, &access(DataKind::Load, A, 0, pc))
}

fn write(memory: &mut Memory, hart: usize, pc: u32) -> Ordered {
    order(memory, hart, &access(DataKind::Store, A, 0, pc))
}

fn contexts(memory: &Memory) -> Vec<u32> {
    (0..4).map(|hart| memory.monitor(hart).unwrap().context().to_bits()).collect()
}

fn meta(pc: u32, ctx: u32, hart: u32, time: u64) -> LineMeta {
    LineMeta { pc: CodePoint(pc.into()), ctx: Ctx(ctx), hart: HartId(hart), time: Time(time) }
}

fn stored(memory: &Memory, hart: usize) -> LineMeta {
    memory.cache(hart).line_meta(A).unwrap()
}

const LCRD: u32 = 0b00;
const LCWR: u32 = 0b01;
const RMRD: u32 = 0b10;
const RMWR: u32 = 0b11;

#[test]
fn a_read_served_by_memory_makes_an_edge_and_no_event() {
    let mut memory = watching(&PARAMETERS);
    let ordered = read(&mut memory, 1, INSIDE);
    let sink = meta(INSIDE, 0, 1, 1);
    let edge = Edge { source: LineMeta::NULL, sink, kind: EdgeKind::Memory };
    assert_eq!(tap(&ordered), Some(Tap { edge, lost: false }));
    assert!(grant(&ordered).monitored);
    assert_eq!((contexts(&memory), stored(&memory, 1)), (vec![0; 4], LineMeta::NULL));
}

#[test]
fn a_write_served_by_memory_makes_neither() {
    let mut memory = watching(&PARAMETERS);
    let ordered = write(&mut memory, 1, INSIDE);
    assert_eq!(tap(&ordered), None);
    assert_eq!((contexts(&memory), stored(&memory, 1)), (vec![0; 4], meta(INSIDE, 0, 1, 1)));
}

#[test]
fn an_upgrade_without_holders_makes_neither() {
    let mut memory = watching(&PARAMETERS);
    read(&mut memory, 1, OUTSIDE);
    read(&mut memory, 2, OUTSIDE);
    evict(&mut memory, 2, A);
    let before = memory.time();
    let ordered = write(&mut memory, 1, INSIDE);
    assert_eq!((grant(&ordered).kind, grant(&ordered).holders), (BusKind::Upgrade, 0));
    assert_eq!((tap(&ordered), contexts(&memory)), (None, vec![0; 4]));
    assert_eq!(stored(&memory, 1), meta(INSIDE, 0, 1, before + 1));
}

#[test]
fn a_communicating_read_is_an_event_for_all_and_an_edge_from_the_writer() {
    let mut memory = watching(&PARAMETERS);
    write(&mut memory, 0, INSIDE);
    read(&mut memory, 2, OUTSIDE);
    let ordered = read(&mut memory, 1, INSIDE + 8);
    let edge = Edge {
        source: meta(INSIDE, 0, 0, 1),
        sink: meta(INSIDE + 8, 0, 1, 3),
        kind: EdgeKind::Raw,
    };
    assert_eq!(tap(&ordered), Some(Tap { edge, lost: false }));
    assert_eq!(grant(&ordered).meta, edge.source);
    assert_eq!((grant(&ordered).holders, grant(&ordered).supplier), (0b101, 0));
    assert_eq!(contexts(&memory), [RMRD, LCRD, RMRD, 0]);
    for hart in 0..3 {
        assert_eq!(stored(&memory, hart), edge.source, "all copies agree");
    }
}

#[test]
fn communicating_writes_are_events_for_all_and_replace_the_metadata() {
    for upgrade in [false, true] {
        let mut memory = watching(&PARAMETERS);
        write(&mut memory, 0, INSIDE);
        read(&mut memory, 2, OUTSIDE);
        if upgrade {
            read(&mut memory, 1, OUTSIDE);
        }
        let time = memory.time() + 1;
        let ordered = write(&mut memory, 1, INSIDE + 8);
        let kind = if upgrade { BusKind::Upgrade } else { BusKind::ReadX };
        assert_eq!((grant(&ordered).kind, grant(&ordered).holders), (kind, 0b101));
        let sink = meta(INSIDE + 8, 0, 1, time);
        let edge = Edge { source: meta(INSIDE, 0, 0, 1), sink, kind: EdgeKind::Waw };
        assert_eq!(tap(&ordered), Some(Tap { edge, lost: false }));
        assert_eq!(contexts(&memory), [RMWR, LCWR, RMWR, 0]);
        assert_eq!(stored(&memory, 1), sink);
    }
}

#[test]
fn atomics_and_conditional_stores_are_writes_and_reserving_loads_reads() {
    for (kind, reserves, edge) in [
        (AMO_ADD, false, EdgeKind::Waw),
        (DataKind::StoreConditional, true, EdgeKind::Waw),
        (DataKind::LoadReserved, false, EdgeKind::Raw),
    ] {
        let mut memory = watching(&PARAMETERS);
        write(&mut memory, 0, INSIDE);
        if reserves {
            order(&mut memory, 1, &access(DataKind::LoadReserved, A, 0, OUTSIDE));
        }
        let ordered = order(&mut memory, 1, &access(kind, A, 0, INSIDE));
        assert_eq!(tap(&ordered).unwrap().edge.kind, edge);
        let event = if edge == EdgeKind::Waw { (RMWR, LCWR) } else { (RMRD, LCRD) };
        assert_eq!(contexts(&memory)[..2], [event.0, event.1]);
    }
}

#[test]
fn the_context_is_sampled_before_its_own_event() {
    let mut memory = watching(&PARAMETERS);
    write(&mut memory, 0, INSIDE);
    write(&mut memory, 1, INSIDE);
    let ordered = write(&mut memory, 0, INSIDE + 4);
    let edge = tap(&ordered).unwrap().edge;
    assert_eq!((edge.source, edge.sink.ctx), (meta(INSIDE, 0, 1, 2), Ctx(RMWR)));
    assert_eq!(stored(&memory, 0), meta(INSIDE + 4, RMWR, 0, 3));
    assert_eq!(contexts(&memory)[..2], [RMWR << 2 | LCWR, LCWR << 2 | RMWR]);
}

#[test]
fn unmonitored_accesses_move_lines_but_leave_no_trace() {
    let mut memory = watching(&PARAMETERS);
    write(&mut memory, 0, OUTSIDE);
    assert_eq!(stored(&memory, 0), meta(OUTSIDE, 0, 0, 1), "outside the range a write is a source");
    let ordered = read(&mut memory, 1, OUTSIDE);
    assert_eq!((tap(&ordered), grant(&ordered).monitored), (None, false));
    let ordered = write(&mut memory, 2, OUTSIDE);
    assert_eq!((tap(&ordered), contexts(&memory)), (None, vec![0; 4]));
    let ordered = read(&mut memory, 3, INSIDE);
    assert_eq!(tap(&ordered).unwrap().edge.source, meta(OUTSIDE, 0, 2, 3));
}

#[test]
fn a_write_in_a_mode_not_selected_is_nobodys() {
    let mut memory = watching(&PARAMETERS);
    let mut store = access(DataKind::Store, A, 0, INSIDE);
    store.mode = Mode::Machine;
    let ordered = order(&mut memory, 0, &store);
    assert!(!grant(&ordered).monitored);
    assert_eq!(stored(&memory, 0), LineMeta::NULL);
    let edge = tap(&read(&mut memory, 1, INSIDE)).unwrap().edge;
    assert_eq!((edge.source, edge.kind), (LineMeta::NULL, EdgeKind::Raw), "still communication");
}

#[test]
fn rights_do_not_select_the_mode_does() {
    let mut memory = watching(&PARAMETERS);
    let mut load = access(DataKind::Load, A, 0, INSIDE);
    (load.mode, load.rights) = (Mode::Machine, Mode::User);
    assert_eq!(tap(&order(&mut memory, 0, &load)), None, "M mode under MPRV");
}

#[test]
fn an_edge_to_oneself_is_kept() {
    let mut memory = watching(&PARAMETERS);
    write(&mut memory, 0, INSIDE);
    read(&mut memory, 1, OUTSIDE);
    let edge = tap(&write(&mut memory, 0, INSIDE)).unwrap().edge;
    assert_eq!((edge.source.hart, edge.sink.hart), (HartId(0), HartId(0)));
}

/// (policy, metadata's time after a store hit in E, after a further one in M)
#[test]
fn hits_update_metadata_as_the_policy_says() {
    let cases = [(Update::Miss, 0, 0), (Update::FirstWrite, 5, 5), (Update::EveryWrite, 5, 6)];
    for (update, after_first, after_second) in cases {
        let mut memory = watching(&monitor_with(|setup| setup.update = update));
        let pass_time = |memory: &mut Memory, count| {
            for _ in 0..count {
                let next = A + LINE + 0x200 * (memory.time() as u32 + 1);
                load(memory, 3, next);
            }
        };
        read(&mut memory, 0, INSIDE);
        pass_time(&mut memory, 4);
        assert!(matches!(write(&mut memory, 0, INSIDE + 4), Ordered::Hit { .. }));
        assert_eq!(stored(&memory, 0).time, Time(after_first), "{update:?}: the counter's value");
        pass_time(&mut memory, 1);
        write(&mut memory, 0, INSIDE + 8);
        assert_eq!(stored(&memory, 0).time, Time(after_second), "{update:?}");
    }
}

#[test]
fn a_line_filled_from_memory_has_forgotten_its_writer() {
    let mut memory = watching(&PARAMETERS);
    write(&mut memory, 0, INSIDE);
    evict(&mut memory, 0, A);
    let edge = tap(&read(&mut memory, 1, INSIDE)).unwrap().edge;
    assert_eq!((edge.source, edge.kind), (LineMeta::NULL, EdgeKind::Memory));
}

#[test]
fn transactions_are_numbered_from_one_monitored_or_not() {
    let mut memory = Memory::new(&PARAMETERS);
    assert_eq!(grant(&read(&mut memory, 0, INSIDE)).time, 1);
    assert_eq!(grant(&read(&mut memory, 1, OUTSIDE)).time, 2);
    write(&mut memory, 0, INSIDE);
    memory.host_device(monitor::window(0), None, 0);
    memory.host_write(A, &[0; LINE as usize], |_| true);
    assert_eq!(memory.time(), 3, "hits, devices and the host have no number");
    assert!(matches!(write(&mut memory, 0, INSIDE), Ordered::Granted { .. }));
    assert!(matches!(write(&mut memory, 0, INSIDE), Ordered::Hit { .. }));
    assert_eq!(memory.time(), 4);
}

#[test]
fn a_wrapped_time_is_told_in_every_window_until_its_table_is_cleared() {
    let mut memory = Memory::new(&Parameters { time_bits: 2, ..PARAMETERS });
    let wrapped = |memory: &mut Memory, hart: u32| {
        let ordered =
            memory.host_device(monitor::address(hart, Word::TimeWrapped), None, 0).unwrap();
        done(&ordered).before
    };
    let times: Vec<_> = (0..5).map(|n| grant(&load(&mut memory, 0, A + LINE * n)).time).collect();
    assert_eq!(times, [1, 2, 3, 0, 1]);
    assert_eq!((wrapped(&mut memory, 0), wrapped(&mut memory, 3)), (1, 1));
    memory.host_device(monitor::address(0, Word::TimeWrapped), Some(0), 0);
    assert_eq!(wrapped(&mut memory, 0), 1, "read-only");
    memory.host_device(monitor::address(0, Word::TableControl), Some(1), 0);
    assert_eq!((wrapped(&mut memory, 0), wrapped(&mut memory, 3)), (0, 1));
}

#[test]
fn a_full_table_loses_edges_and_tells() {
    let mut memory = watching(&PARAMETERS);
    let lost: Vec<_> = (0..6)
        .map(|n| {
            let ordered = order(&mut memory, 0, &access(DataKind::Load, A + LINE * n, 0, INSIDE));
            tap(&ordered).unwrap().lost
        })
        .collect();
    assert_eq!(lost, [false, false, false, false, true, true]);
    assert_eq!(memory.monitor(0).unwrap().table().lost(), 2);
    assert!(memory.table_interrupts(0) && !memory.table_interrupts(1));
    assert_eq!(memory.pending(0, 0), Interrupt::Table.bit());
}

#[test]
fn a_stalled_access_has_no_effect_and_comes_again() {
    let mut memory = watching(&monitor_with(|setup| setup.overflow = Overflow::Stall));
    for n in 0..4 {
        order(&mut memory, 0, &access(DataKind::Load, A + LINE * n, 0, INSIDE));
    }
    let far = A + 0x800;
    let stalled = access(DataKind::Load, far, 0, INSIDE);
    assert_eq!(order(&mut memory, 0, &stalled), Ordered::Stalled);
    assert_eq!((memory.time(), memory.cache(0).state(far)), (4, State::Invalid));
    let unmonitored = access(DataKind::Load, far, 0, OUTSIDE);
    assert!(matches!(order(&mut memory, 0, &unmonitored), Ordered::Granted { .. }));
    let no_edge = access(DataKind::Store, far + 0x100, 0, INSIDE);
    assert!(matches!(order(&mut memory, 0, &no_edge), Ordered::Granted { .. }));
    memory.host_device(monitor::address(0, Word::KindAndHarts), None, 0);
    let again = access(DataKind::Load, far + 0x200, 0, INSIDE);
    assert!(tap(&order(&mut memory, 0, &again)).is_some(), "reading word 6 made room");
}

#[test]
fn a_stalled_conditional_store_keeps_its_reservation() {
    let mut memory = watching(&monitor_with(|setup| setup.overflow = Overflow::Stall));
    write(&mut memory, 1, OUTSIDE);
    order(&mut memory, 0, &access(DataKind::LoadReserved, A, 0, OUTSIDE));
    for n in 1..5 {
        order(&mut memory, 0, &access(DataKind::Load, A + LINE + STRIDE * n, 0, INSIDE));
    }
    let conditional = access(DataKind::StoreConditional, A, 9, INSIDE);
    assert_eq!(order(&mut memory, 0, &conditional), Ordered::Stalled);
    memory.host_device(monitor::address(0, Word::KindAndHarts), None, 0);
    assert!(done(&order(&mut memory, 0, &conditional)).wrote);
}

#[test]
fn software_sees_context_and_edges_in_its_window() {
    let mut memory = watching(&PARAMETERS);
    write(&mut memory, 1, INSIDE);
    read(&mut memory, 0, INSIDE + 4);
    let mut load = access(DataKind::Load, monitor::address(1, Word::Context), 0, 0);
    load.rights = Mode::Machine;
    assert_eq!(done(&order(&mut memory, 3, &load)).before, RMRD, "any hart may look");
    let words: Vec<_> = Word::ALL[..monitor::EDGE_WORDS as usize]
        .iter()
        .map(|word| {
            load.address = monitor::address(0, *word);
            done(&order(&mut memory, 0, &load)).before
        })
        .collect();
    assert_eq!(words, [INSIDE, INSIDE + 4, 0, 0, 1, 2, 0x0000_0100]);
    assert_eq!(memory.monitor(0).unwrap().table().count(), 0, "reading the last word pops");
}

#[test]
fn without_a_monitor_windows_read_zero_and_nothing_is_traced() {
    let mut memory = Memory::new(&Parameters { monitor: None, ..PARAMETERS });
    memory.host_device(monitor::address(0, Word::Control), Some(7), 0);
    let ordered = memory.host_device(monitor::address(0, Word::Control), None, 0).unwrap();
    assert_eq!(done(&ordered).before, 0);
    write(&mut memory, 0, INSIDE);
    let ordered = read(&mut memory, 1, INSIDE);
    assert_eq!((tap(&ordered), grant(&ordered).monitored), (None, false));
    assert_eq!((grant(&ordered).meta, grant(&ordered).time), (LineMeta::NULL, 0));
}
