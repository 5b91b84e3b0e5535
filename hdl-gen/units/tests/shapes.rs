//! Every shape of the monitor units is a legal circuit without a warning, and all its state is in the
//! storage report.

use config::{Config, Overflow, Preset, Update};
use hdl::{Module, elaborate};
use units::comm_monitor::CommMonitor;
use units::communication_table::CommunicationTable;
use units::context_register::ContextRegister;
use units::line_metadata::LineMetadata;
use units::metadata::Fields;
use units::storage::{Report, Role, Storage, reports};

/// The paper's: 64-bit pcs, five events, nothing else.
const PAPER: Fields = Fields { pc_bits: 64, events: 5, hart_bits: 0, time_bits: 0 };

/// Widths at and around every border.
fn fields() -> impl Iterator<Item = Fields> {
    let pcs = [8, 15, 31, 32, 33, 64].into_iter();
    let pairs = pcs.flat_map(|pc_bits| [1, 5, 16].map(|events| (pc_bits, events)));
    pairs.flat_map(|(pc_bits, events)| {
        [(0, 0), (1, 1), (4, 32), (8, 64), (0, 33)].map(|(hart_bits, time_bits)| Fields {
            pc_bits,
            events,
            hart_bits,
            time_bits,
        })
    })
}

/// Elaborates, wants no warning, and wants every bit in the report.
#[track_caller]
fn is_sound<S: Storage + Clone>(unit: S) -> Report {
    let name = unit.name();
    let design = elaborate(unit.clone()).unwrap_or_else(|findings| panic!("{name}:\n{findings}"));
    assert_eq!(design.warnings, [], "{name}");
    let report = Report::of(unit).expect("it was elaborated above");
    assert_eq!(report.sum(), design.storage_bits(), "{report}");
    report
}

#[test]
fn line_metadata_of_any_shape() {
    for fields in fields() {
        for lines in [1, 2, 3, 5, 128] {
            for update in [Update::Miss, Update::FirstWrite, Update::EveryWrite] {
                let report = is_sound(LineMetadata { lines, fields, update, apart: false });
                let meta = fields.pc_bits + 2 * fields.events + fields.hart_bits + fields.time_bits;
                assert_eq!(report.record_bits(), meta as u64);
                assert_eq!(report.total(Role::Record), (lines * meta) as u64);
            }
        }
    }
}

/// A table as machines have it.
fn table(depth: usize, overflow: Overflow, fields: Fields) -> CommunicationTable {
    CommunicationTable { depth, overflow, fields, lost_bits: 32 }
}

#[test]
fn communication_table_of_any_shape() {
    for fields in fields() {
        for depth in [1, 2, 3, 4, 7, 1000, 65536] {
            for overflow in [Overflow::Discard, Overflow::Stall] {
                let report = is_sound(table(depth, overflow, fields));
                let meta = fields.pc_bits + 2 * fields.events + fields.hart_bits + fields.time_bits;
                assert_eq!(report.record_bits(), 2 * meta as u64);
                assert_eq!(report.total(Role::Extra), 2 * depth as u64);
            }
        }
    }
}

#[test]
fn comm_monitor_of_any_shape() {
    for fields in fields() {
        for core_pc_bits in [20, 32, 40, 64] {
            for (depth, overflow) in
                [(1, Overflow::Stall), (4, Overflow::Discard), (6, Overflow::Stall)]
            {
                let monitor = CommMonitor { core_pc_bits, fields, depth, overflow };
                let report = is_sound(monitor);
                let table = Report::of(table(depth, overflow, fields)).unwrap();
                let context = Report::of(ContextRegister { events: fields.events }).unwrap();
                // Two ends of the range, three bits of the filter, and the word read last.
                let own = 2 * core_pc_bits.max(32) + 3 + 32;
                assert_eq!(report.sum(), table.sum() + context.sum() + own as u64);
            }
        }
    }
}

#[test]
fn different_parameters_have_different_names() {
    let mut names = std::collections::HashSet::new();
    for fields in fields() {
        for lines in [1, 12] {
            for update in [Update::Miss, Update::FirstWrite, Update::EveryWrite] {
                for apart in [false, true] {
                    assert!(names.insert(LineMetadata { lines, fields, update, apart }.name()));
                }
            }
        }
        for depth in [1, 12] {
            for overflow in [Overflow::Discard, Overflow::Stall] {
                assert!(names.insert(table(depth, overflow, fields).name()));
                for core_pc_bits in [32, 64] {
                    let monitor = CommMonitor { core_pc_bits, fields, depth, overflow };
                    assert!(names.insert(monitor.name()));
                }
            }
        }
    }
}

#[test]
fn a_line_has_74_bits_as_in_the_paper() {
    let report =
        is_sound(LineMetadata { lines: 512, fields: PAPER, update: Update::Miss, apart: false });
    assert_eq!(report.record_bits(), 74);
    let rows: Vec<_> =
        report.rows.iter().map(|row| (row.name.as_str(), row.bits, row.entries)).collect();
    assert_eq!(rows, [("writers.pc", 64, 512), ("writers.ctx", 10, 512), ("looked_up", 74, 1)]);
}

#[test]
fn an_entry_has_148_bits_as_in_the_paper_and_two_of_kind_apart() {
    let overflow = Overflow::Discard;
    let report = is_sound(table(16384, overflow, PAPER));
    assert_eq!(report.record_bits(), 148);
    assert_eq!(report.total(Role::Record), 148 * 16384);
    let extra: Vec<_> = report.rows.iter().filter(|row| row.role == Role::Extra).collect();
    let [kind] = extra[..] else { panic!("one row of kind: {extra:?}") };
    assert_eq!((kind.name.as_str(), kind.bits, kind.entries), ("entries.kind", 2, 16384));
    assert_eq!(
        is_sound(CommMonitor { core_pc_bits: 64, fields: PAPER, depth: 7, overflow }).record_bits(),
        148
    );
}

#[test]
fn a_configuration_can_be_the_papers() {
    let config: Config = r#"
        preset = "paper"
        standalone = true
        harts = 1
        pc_bits = 64
        timestamp_bits = 0
    "#
    .parse()
    .unwrap();
    let bits: Vec<_> = reports(&config).unwrap().iter().map(Report::record_bits).collect();
    assert_eq!(bits, [74, 148]);
    assert_eq!(reports(&Preset::Baseline.config()).unwrap(), []);
}

#[test]
fn the_report_is_a_table() {
    let report =
        Report::of(LineMetadata { lines: 4, fields: PAPER, update: Update::Miss, apart: false })
            .unwrap();
    let expected = "\
line_metadata_4_p64e5_miss
  state         bits  entries      total
  writers.pc      64        4        256
  writers.ctx     10        4         40
  looked_up       74        1         74
  records                            296
  extra                                0
  registers                           74
  sum                                370";
    assert_eq!(report.to_string(), expected);
}
