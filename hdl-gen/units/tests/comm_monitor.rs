//! The communication monitor, sentence by sentence of its contract in `docs/units.md`.

use config::Overflow;
use hdl::Simulator;
use units::comm_monitor::{AccessKind, CommMonitor, CommMonitorIo, word};
use units::communication_table::word as table;
use units::context_register::Event;
use units::metadata::{EdgeKind, Fields, Metadata};

const FIELDS: Fields = Fields { pc_bits: 64, events: 4, hart_bits: 2, time_bits: 16 };
const MONITOR: CommMonitor =
    CommMonitor { core_pc_bits: 64, fields: FIELDS, depth: 4, overflow: Overflow::Discard };
const HART: u64 = 2;

/// Bits of the filter.
const ENABLE: u64 = 1;
const SELECT_U: u64 = 2;
const SELECT_M: u64 = 4;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Meta {
    pc: u64,
    ctx: u64,
    hart: u64,
    time: u64,
}

const NULL: Meta = Meta { pc: 0, ctx: 0, hart: 0, time: 0 };

#[derive(Clone, Copy, Debug, PartialEq)]
struct Edge {
    source: Meta,
    sink: Meta,
    kind: EdgeKind,
}

/// An access as a test varies it.
#[derive(Clone, Copy, Debug)]
struct Access {
    kind: AccessKind,
    pc: u64,
    machine_mode: bool,
    communicating: bool,
    from_memory: bool,
    meta: Meta,
    time: u64,
}

/// A communicating Read in U mode, inside the range that [`Bench::monitoring`] sets.
const READ: Access = Access {
    kind: AccessKind::Read,
    pc: 0x1_0000_0104,
    machine_mode: false,
    communicating: true,
    from_memory: false,
    meta: Meta { pc: 0x1_0000_0abc, ctx: 0x5a, hart: 1, time: 0x1234 },
    time: 0x4321,
};
const UPGRADE: Access = Access { kind: AccessKind::Upgrade, ..READ };
const READ_X: Access = Access { kind: AccessKind::ReadX, ..READ };
const FROM_MEMORY: Access = Access { communicating: false, from_memory: true, ..READ };

struct Bench {
    sim: Simulator,
    io: CommMonitorIo,
}

impl Bench {
    fn with(monitor: CommMonitor) -> Bench {
        let (mut sim, io) = Simulator::of(monitor).expect("a legal circuit");
        if let Some(hart) = io.hart {
            sim.set(hart, HART);
        }
        sim.reset();
        Bench { sim, io }
    }

    /// With U mode selected and a range around the pc of [`READ`].
    fn monitoring(monitor: CommMonitor) -> Bench {
        let mut bench = Bench::with(monitor);
        bench.write(word::FILTER, ENABLE | SELECT_U);
        bench.set_range(0x1_0000_0100, 0x1_0000_0200);
        bench
    }

    fn set_range(&mut self, low: u64, high: u64) {
        self.write(word::RANGE_LOW, low & 0xffff_ffff);
        self.write(word::RANGE_HIGH, high & 0xffff_ffff);
        self.write(word::RANGE_LOW_UPPER, low >> 32);
        self.write(word::RANGE_HIGH_UPPER, high >> 32);
    }

    /// Presents an access without making it valid.
    fn present(&mut self, access: Access) {
        let io = self.io.access;
        self.sim.set_variant(io.kind, access.kind);
        self.sim.set(io.pc, access.pc);
        self.sim.set(io.machine_mode, access.machine_mode.into());
        self.sim.set(io.communicating, access.communicating.into());
        self.sim.set(io.from_memory, access.from_memory.into());
        self.sim.set(io.meta.pc, access.meta.pc);
        self.sim.set(io.meta.ctx, access.meta.ctx);
        self.sim.set(io.meta.hart.expect("hart bits"), access.meta.hart);
        self.sim.set(io.meta.time.expect("time bits"), access.meta.time);
        self.sim.set(io.time.expect("time bits"), access.time);
    }

    /// One cycle; then nothing is asked any more.
    fn step(&mut self) {
        self.sim.step();
        let io = self.io;
        for valid in [io.access.valid, io.snoop.valid, io.read_valid, io.write_valid] {
            self.sim.set(valid, 0);
        }
    }

    /// Makes an access; gives the edge it pushes.
    fn access(&mut self, access: Access) -> Option<Edge> {
        self.present(access);
        self.sim.set(self.io.access.valid, 1);
        let edge = self.tap();
        self.step();
        edge
    }

    fn snoop(&mut self, write: bool) {
        self.sim.set(self.io.snoop.valid, 1);
        self.sim.set(self.io.snoop.write, write.into());
        self.step();
    }

    fn write(&mut self, address: u64, data: u64) {
        self.sim.set(self.io.write_valid, 1);
        self.sim.set(self.io.address, address);
        self.sim.set(self.io.write_data, data);
        self.step();
    }

    fn read(&mut self, address: u64) -> u64 {
        self.sim.set(self.io.read_valid, 1);
        self.sim.set(self.io.address, address);
        self.step();
        self.sim.get(self.io.read_data)
    }

    fn meta(&mut self, meta: Metadata) -> Meta {
        Meta {
            pc: self.sim.get(meta.pc),
            ctx: self.sim.get(meta.ctx),
            hart: meta.hart.map_or(0, |hart| self.sim.get(hart)),
            time: meta.time.map_or(0, |time| self.sim.get(time)),
        }
    }

    fn store_meta(&mut self) -> Meta {
        self.meta(self.io.store_meta)
    }

    fn monitored(&mut self) -> bool {
        self.sim.get(self.io.monitored) == 1
    }

    fn stall(&mut self) -> bool {
        self.sim.get(self.io.stall.expect("a monitor that stalls")) == 1
    }

    fn tap(&mut self) -> Option<Edge> {
        let edge = self.io.tap_edge;
        let kinds = [EdgeKind::Raw, EdgeKind::Waw, EdgeKind::Memory];
        (self.sim.get(self.io.tap_valid) == 1).then(|| Edge {
            source: self.meta(edge.source),
            sink: self.meta(edge.sink),
            kind: kinds[self.sim.get(edge.kind) as usize],
        })
    }

    fn ctx(&mut self) -> u64 {
        self.read(word::CONTEXT)
    }
}

fn context(events: &[Event]) -> u64 {
    use hdl::HwEnum;
    events.iter().fold(0, |ctx, event| ctx << 2 | event.code()) & 0xff
}

fn sink(access: Access, ctx: u64) -> Meta {
    Meta { pc: access.pc, ctx, hart: HART, time: access.time }
}

#[test]
fn a_communicating_read_is_a_raw_edge_with_the_context_before_its_event() {
    let mut bench = Bench::monitoring(MONITOR);
    bench.snoop(true);
    let before = context(&[Event::RmWr]);
    let edge = Edge { source: READ.meta, sink: sink(READ, before), kind: EdgeKind::Raw };
    assert_eq!(bench.access(READ), Some(edge));
    assert_eq!(bench.ctx(), context(&[Event::RmWr, Event::LcRd]));
}

#[test]
fn a_communicating_write_is_a_waw_edge() {
    for write in [READ_X, UPGRADE] {
        let mut bench = Bench::monitoring(MONITOR);
        let edge = Edge { source: write.meta, sink: sink(write, 0), kind: EdgeKind::Waw };
        assert_eq!(bench.access(write), Some(edge));
        assert_eq!(bench.ctx(), context(&[Event::LcWr]));
    }
}

#[test]
fn a_read_from_memory_has_no_source_and_is_no_event() {
    let mut bench = Bench::monitoring(MONITOR);
    bench.snoop(true);
    let ctx = context(&[Event::RmWr]);
    let edge = Edge { source: NULL, sink: sink(FROM_MEMORY, ctx), kind: EdgeKind::Memory };
    assert_eq!(bench.access(FROM_MEMORY), Some(edge));
    assert_eq!(bench.ctx(), ctx);
}

#[test]
fn other_accesses_leave_no_trace() {
    let silent = Access { communicating: false, ..READ };
    let kinds = [AccessKind::Read, AccessKind::ReadX, AccessKind::Upgrade];
    let mut bench = Bench::monitoring(MONITOR);
    for kind in kinds {
        assert_eq!(bench.access(Access { kind, ..silent }), None, "{kind:?}");
    }
    for kind in [AccessKind::ReadX, AccessKind::Upgrade] {
        assert_eq!(bench.access(Access { kind, ..FROM_MEMORY }), None, "{kind:?} from memory");
    }
    for unmonitored in [Access { machine_mode: true, ..READ }, Access { pc: 0x104, ..READ }] {
        assert_eq!(bench.access(unmonitored), None);
        let from_memory = Access { communicating: false, from_memory: true, ..unmonitored };
        assert_eq!(bench.access(from_memory), None);
    }
    bench.present(READ);
    assert_eq!(bench.tap(), None, "not valid");
    bench.step();
    assert_eq!(bench.ctx(), 0);
    assert_eq!(bench.read(table::COUNT), 0);
}

#[test]
fn snoops_shift_in_what_others_did_whatever_is_monitored() {
    let mut bench = Bench::with(MONITOR);
    bench.snoop(false);
    bench.snoop(true);
    bench.snoop(false);
    assert_eq!(bench.ctx(), context(&[Event::RmRd, Event::RmWr, Event::RmRd]));
    bench.sim.set(bench.io.snoop.write, 1);
    bench.step();
    assert_eq!(bench.ctx(), context(&[Event::RmRd, Event::RmWr, Event::RmRd]), "not valid");
}

#[test]
fn selection_is_by_mode_and_range_both_ends_of_which_are_exact() {
    let mut bench = Bench::with(MONITOR);
    let (low, high) = (0x1_0000_0100, 0x1_0000_0200);
    bench.set_range(low, high);
    for filter in 0..8 {
        bench.write(word::FILTER, filter);
        for machine_mode in [false, true] {
            let mode = if machine_mode { SELECT_M } else { SELECT_U };
            let selected = filter & ENABLE != 0 && filter & mode != 0;
            let inside = [(low - 1, false), (low, true), (high - 1, true), (high, false)];
            let wrapped = [(low & 0xffff_ffff, false), (low | 1 << 63, false)];
            for (pc, inside) in inside.into_iter().chain(wrapped) {
                bench.present(Access { pc, machine_mode, ..READ });
                assert_eq!(bench.monitored(), selected && inside, "{filter:#b} {pc:#x}");
                let stored = sink(Access { pc, ..READ }, 0);
                let expected = if selected { stored } else { NULL };
                assert_eq!(bench.store_meta(), expected, "whatever the range: {filter:#b} {pc:#x}");
            }
        }
    }
}

#[test]
fn the_registers_read_back_and_are_zero_after_reset() {
    let mut bench = Bench::with(MONITOR);
    let registers = [
        (word::FILTER, 7),
        (word::RANGE_LOW, 0xffff_ffff),
        (word::RANGE_HIGH, 0xffff_ffff),
        (word::RANGE_LOW_UPPER, 0xffff_ffff),
        (word::RANGE_HIGH_UPPER, 0xffff_ffff),
        (word::CONTEXT, 0xff),
    ];
    for (number, &(address, mask)) in registers.iter().enumerate() {
        assert_eq!(bench.read(address), 0, "word {address}");
        bench.write(address, 0xffff_ffff);
        bench.write(address + 64, 0xffff_ffff);
        for (other, &(address, mask)) in registers.iter().enumerate() {
            let expected = if other <= number { mask } else { 0 };
            assert_eq!(bench.read(address), expected, "word {address}");
        }
        assert_eq!(bench.read(address + 64), 0);
        let held = bench.read(address);
        bench.write(address, 0x0102_0304);
        assert_eq!(bench.sim.get(bench.io.read_data), held, "held until the next read");
        assert_eq!(bench.read(address), 0x0102_0304 & mask);
        bench.write(address, 0xffff_ffff);
    }
    bench.sim.reset();
    for (address, _) in registers {
        assert_eq!(bench.read(address), 0, "word {address}");
    }
}

#[test]
fn the_range_of_a_core_with_narrow_pcs_has_32_bits() {
    for core_pc_bits in [20, 32] {
        let mut bench = Bench::with(CommMonitor { core_pc_bits, ..MONITOR });
        bench.set_range(0xffff_ffff_0000_0000, 0xffff_ffff_ffff_ffff);
        bench.write(word::FILTER, ENABLE | SELECT_U);
        assert_eq!(bench.read(word::RANGE_HIGH), 0xffff_ffff);
        assert_eq!(bench.read(word::RANGE_HIGH_UPPER), 0);
        bench.present(Access { pc: 0xf_ffff, ..READ });
        assert!(bench.monitored());
    }
}

#[test]
fn a_context_that_software_writes_comes_before_the_event_of_the_cycle() {
    let mut bench = Bench::monitoring(MONITOR);
    bench.snoop(false);
    bench.sim.set(bench.io.snoop.valid, 1);
    bench.sim.set(bench.io.snoop.write, 1);
    bench.write(word::CONTEXT, 0x1b);
    assert_eq!(bench.ctx(), (0x1b << 2 | 3) & 0xff);
    bench.present(READ);
    assert_eq!(bench.store_meta().ctx, (0x1b << 2 | 3) & 0xff);
}

#[test]
fn pcs_are_stored_hashed_and_compared_as_they_are() {
    let fields = Fields { pc_bits: 16, ..FIELDS };
    let mut bench = Bench::monitoring(CommMonitor { fields, ..MONITOR });
    let access = Access { meta: Meta { pc: 0xfeed, ..READ.meta }, ..READ };
    let edge = bench.access(access).expect("the pc is in the range");
    // 0x1_0000_0104 >> 1 is 0x8000_0082.
    assert_eq!(edge.sink.pc, 0x8000 ^ 0x0082);
    assert_eq!(edge.source.pc, 0xfeed, "the supplier has hashed it already");
    assert_eq!(bench.store_meta().pc, 0x8000 ^ 0x0082);
}

#[test]
fn edges_wait_in_the_table_behind_the_same_registers() {
    let mut bench = Bench::monitoring(MONITOR);
    bench.write(table::WATERMARK, 2);
    bench.access(READ);
    assert_eq!(bench.sim.get(bench.io.irq), 0);
    bench.access(UPGRADE);
    assert_eq!(bench.sim.get(bench.io.irq), 1);
    assert_eq!(bench.read(table::COUNT), 2);
    assert_eq!(bench.read(table::SOURCE_PC), READ.meta.pc & 0xffff_ffff);
    assert_eq!(bench.read(table::SOURCE_PC_UPPER), READ.meta.pc >> 32);
    assert_eq!(bench.read(table::SINK_TIME), READ.time);
    assert_eq!(bench.read(table::KIND_AND_HARTS), 1 << 8 | HART);
    assert_eq!(bench.read(table::SINK_CTX), context(&[Event::LcRd]));
    assert_eq!(bench.read(table::KIND_AND_HARTS), 1 << 16 | 1 << 8 | HART);
    bench.access(READ);
    bench.write(table::CONTROL, 1);
    assert_eq!(bench.read(table::COUNT), 0);
}

#[test]
fn discard_drops_and_counts_the_edge_but_not_the_event() {
    let mut bench = Bench::monitoring(CommMonitor { depth: 1, ..MONITOR });
    assert!(bench.io.stall.is_none(), "there is no such port");
    bench.access(READ);
    assert!(bench.access(READ).is_some(), "the tap shows what finds no room, too");
    assert_eq!(bench.read(table::LOST), 1);
    assert_eq!(bench.ctx(), context(&[Event::LcRd, Event::LcRd]));
}

#[test]
fn a_stalled_access_has_no_effect() {
    let mut bench =
        Bench::monitoring(CommMonitor { depth: 1, overflow: Overflow::Stall, ..MONITOR });
    bench.present(READ);
    assert!(!bench.stall(), "there is room");
    assert!(bench.access(READ).is_some());
    bench.present(UPGRADE);
    assert!(bench.stall(), "valid or not");
    for access in [READ, UPGRADE, FROM_MEMORY] {
        assert_eq!(bench.access(access), None, "{access:?}");
    }
    assert_eq!(bench.ctx(), context(&[Event::LcRd]));
    assert_eq!((bench.read(table::COUNT), bench.read(table::LOST)), (1, 0));
    for silent in [
        Access { machine_mode: true, ..READ },
        Access { pc: 0, ..READ },
        Access { communicating: false, ..READ },
        Access { communicating: false, from_memory: true, ..UPGRADE },
    ] {
        bench.present(silent);
        assert!(!bench.stall(), "pushes nothing: {silent:?}");
    }
    bench.read(table::KIND_AND_HARTS);
    bench.present(READ);
    assert!(!bench.stall());
    assert!(bench.access(READ).is_some());
}

#[test]
fn what_the_environment_must_not_do_is_noticed() {
    let mut bench = Bench::monitoring(MONITOR);
    bench.sim.collect_failures();
    bench.sim.set(bench.io.snoop.valid, 1);
    bench.access(READ);
    bench.access(Access { from_memory: true, ..READ });
    bench.present(READ);
    bench.sim.set(bench.io.access.kind, 3);
    bench.sim.set(bench.io.access.valid, 1);
    bench.step();
    let labels: Vec<_> = bench.sim.failures().iter().map(|failure| &failure.label).collect();
    assert_eq!(labels, ["apart_from_snoop", "no_holder", "has_a_kind"]);
}
