//! The communication monitor, sentence by sentence of its contract in `docs/units.md`.

use border::monitor::{EdgeKind, Index, Word};
use config::Overflow;
use units::comm_monitor::{AccessKind, CommMonitor};
use units::context_register::Event;
use units::metadata::Fields;

use super::driver::{
    Access, Bench, ENABLE, Edge, FIELDS, FROM_MEMORY, HART, MONITOR, Meta, NULL, READ, READ_X,
    SELECT_M, SELECT_U, UPGRADE, context, sink,
};

#[test]
fn a_communicating_read_is_a_raw_edge_with_the_context_before_its_event() {
    Bench::monitoring(MONITOR, |bench| {
        bench.snoop(true);
        let before = context(&[Event::RmWr]);
        let edge = Edge { source: READ.meta, sink: sink(READ, before), kind: EdgeKind::Raw };
        assert_eq!(bench.access(READ), Some(edge));
        assert_eq!(bench.ctx(), context(&[Event::RmWr, Event::LcRd]));
    });
}

#[test]
fn a_communicating_write_is_a_waw_edge() {
    for write in [READ_X, UPGRADE] {
        Bench::monitoring(MONITOR, |bench| {
            let edge = Edge { source: write.meta, sink: sink(write, 0), kind: EdgeKind::Waw };
            assert_eq!(bench.access(write), Some(edge));
            assert_eq!(bench.ctx(), context(&[Event::LcWr]));
        });
    }
}

#[test]
fn a_read_from_memory_has_no_source_and_is_no_event() {
    Bench::monitoring(MONITOR, |bench| {
        bench.snoop(true);
        let ctx = context(&[Event::RmWr]);
        let edge = Edge { source: NULL, sink: sink(FROM_MEMORY, ctx), kind: EdgeKind::Memory };
        assert_eq!(bench.access(FROM_MEMORY), Some(edge));
        assert_eq!(bench.ctx(), ctx);
    });
}

#[test]
fn other_accesses_leave_no_trace() {
    let silent = Access { communicating: false, ..READ };
    let kinds = [AccessKind::Read, AccessKind::ReadX, AccessKind::Upgrade];
    Bench::monitoring(MONITOR, |bench| {
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
        assert_eq!(bench.read(Word::TableCount), 0);
    });
}

#[test]
fn snoops_shift_in_what_others_did_whatever_is_monitored() {
    Bench::with(MONITOR, |bench| {
        bench.snoop(false);
        bench.snoop(true);
        bench.snoop(false);
        assert_eq!(bench.ctx(), context(&[Event::RmRd, Event::RmWr, Event::RmRd]));
        bench.dut.set("snoop_write", 1);
        bench.step();
        assert_eq!(bench.ctx(), context(&[Event::RmRd, Event::RmWr, Event::RmRd]), "not valid");
    });
}

#[test]
fn selection_is_by_mode_and_range_both_ends_of_which_are_exact() {
    Bench::with(MONITOR, |bench| {
        let (low, high) = (0x1_0000_0100, 0x1_0000_0200);
        bench.set_range(low, high);
        for filter in 0..8 {
            bench.write(Word::Control, filter);
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
                    assert_eq!(
                        bench.store_meta(),
                        expected,
                        "whatever the range: {filter:#b} {pc:#x}"
                    );
                }
            }
        }
    });
}

#[test]
fn the_registers_read_back_and_are_zero_after_reset() {
    Bench::with(MONITOR, |bench| {
        let registers = [
            (Word::Control, 7),
            (Word::RangeLow, 0xffff_ffff),
            (Word::RangeHigh, 0xffff_ffff),
            (Word::RangeLowUpper, 0xffff_ffff),
            (Word::RangeHighUpper, 0xffff_ffff),
            (Word::Context, 0xff),
        ];
        for (number, &(word, mask)) in registers.iter().enumerate() {
            let far = Index::numbered(word.number() + 64).unwrap();
            assert_eq!(bench.read(word), 0, "{word:?}");
            bench.write(word, 0xffff_ffff);
            bench.write(far, 0xffff_ffff);
            for (other, &(word, mask)) in registers.iter().enumerate() {
                let expected = if other <= number { mask } else { 0 };
                assert_eq!(bench.read(word), expected, "{word:?}");
            }
            assert_eq!(bench.read(far), 0);
            let held = bench.read(word);
            bench.write(word, 0x0102_0304);
            assert_eq!(bench.dut.get("read_data"), held, "held until the next read");
            assert_eq!(bench.read(word), 0x0102_0304 & mask);
            bench.write(word, 0xffff_ffff);
        }
        bench.dut.reset();
        for (word, _) in registers {
            assert_eq!(bench.read(word), 0, "{word:?}");
        }
    });
}

#[test]
fn the_range_of_a_core_with_narrow_pcs_has_32_bits() {
    for core_pc_bits in [20, 32] {
        Bench::with(CommMonitor { core_pc_bits, ..MONITOR }, |bench| {
            bench.set_range(0xffff_ffff_0000_0000, 0xffff_ffff_ffff_ffff);
            bench.write(Word::Control, ENABLE | SELECT_U);
            assert_eq!(bench.read(Word::RangeHigh), 0xffff_ffff);
            assert_eq!(bench.read(Word::RangeHighUpper), 0);
            bench.present(Access { pc: 0xf_ffff, ..READ });
            assert!(bench.monitored());
        });
    }
}

#[test]
fn a_context_that_software_writes_comes_before_the_event_of_the_cycle() {
    Bench::monitoring(MONITOR, |bench| {
        bench.snoop(false);
        bench.dut.set("snoop_valid", 1);
        bench.dut.set("snoop_write", 1);
        bench.write(Word::Context, 0x1b);
        assert_eq!(bench.ctx(), (0x1b << 2 | 3) & 0xff);
        bench.present(READ);
        assert_eq!(bench.store_meta().ctx, (0x1b << 2 | 3) & 0xff);
    });
}

#[test]
fn pcs_are_stored_hashed_and_compared_as_they_are() {
    let fields = Fields { pc_bits: 16, ..FIELDS };
    Bench::monitoring(CommMonitor { fields, ..MONITOR }, |bench| {
        let access = Access { meta: Meta { pc: 0xfeed, ..READ.meta }, ..READ };
        let edge = bench.access(access).expect("the pc is in the range");
        // 0x1_0000_0104 >> 1 is 0x8000_0082.
        assert_eq!(edge.sink.pc, 0x8000 ^ 0x0082);
        assert_eq!(edge.source.pc, 0xfeed, "the supplier has hashed it already");
        assert_eq!(bench.store_meta().pc, 0x8000 ^ 0x0082);
    });
}

#[test]
fn edges_wait_in_the_table_behind_the_same_registers() {
    Bench::monitoring(MONITOR, |bench| {
        bench.write(Word::TableWatermark, 2);
        bench.access(READ);
        assert_eq!(bench.dut.get("irq"), 0);
        bench.access(UPGRADE);
        assert_eq!(bench.dut.get("irq"), 1);
        assert_eq!(bench.read(Word::TableCount), 2);
        assert_eq!(bench.read(Word::SourcePc), READ.meta.pc & 0xffff_ffff);
        assert_eq!(bench.read(Word::SourcePcUpper), READ.meta.pc >> 32);
        assert_eq!(bench.read(Word::SinkTime), READ.time);
        assert_eq!(bench.read(Word::KindAndHarts), 1 << 8 | HART);
        assert_eq!(bench.read(Word::SinkContext), context(&[Event::LcRd]));
        assert_eq!(bench.read(Word::KindAndHarts), 1 << 16 | 1 << 8 | HART);
        bench.access(READ);
        bench.write(Word::TableControl, 1);
        assert_eq!(bench.read(Word::TableCount), 0);
    });
}

#[test]
fn discard_drops_and_counts_the_edge_but_not_the_event() {
    Bench::monitoring(CommMonitor { depth: 1, ..MONITOR }, |bench| {
        assert!(!bench.dut.has("stall"), "there is no such port");
        bench.access(READ);
        assert!(bench.access(READ).is_some(), "the tap shows what finds no room, too");
        assert_eq!(bench.read(Word::TableLost), 1);
        assert_eq!(bench.ctx(), context(&[Event::LcRd, Event::LcRd]));
    });
}

#[test]
fn a_stalled_access_has_no_effect() {
    let monitor = CommMonitor { depth: 1, overflow: Overflow::Stall, ..MONITOR };
    Bench::monitoring(monitor, |bench| {
        bench.present(READ);
        assert!(!bench.stall(), "there is room");
        assert!(bench.access(READ).is_some());
        bench.present(UPGRADE);
        assert!(bench.stall(), "valid or not");
        for access in [READ, UPGRADE, FROM_MEMORY] {
            assert_eq!(bench.access(access), None, "{access:?}");
        }
        assert_eq!(bench.ctx(), context(&[Event::LcRd]));
        assert_eq!((bench.read(Word::TableCount), bench.read(Word::TableLost)), (1, 0));
        for silent in [
            Access { machine_mode: true, ..READ },
            Access { pc: 0, ..READ },
            Access { communicating: false, ..READ },
            Access { communicating: false, from_memory: true, ..UPGRADE },
        ] {
            bench.present(silent);
            assert!(!bench.stall(), "pushes nothing: {silent:?}");
        }
        bench.read(Word::KindAndHarts);
        bench.present(READ);
        assert!(!bench.stall());
        assert!(bench.access(READ).is_some());
    });
}

#[test]
fn what_the_environment_must_not_do_is_noticed() {
    Bench::monitoring(MONITOR, |bench| {
        bench.dut.set("snoop_valid", 1);
        bench.access(READ);
        bench.access(Access { from_memory: true, ..READ });
        bench.present(READ);
        bench.dut.set("access_kind", 3);
        bench.dut.set("access_valid", 1);
        bench.step();
        assert_eq!(bench.dut.take_broken(), ["apart_from_snoop", "no_holder", "has_a_kind"]);
    });
}
