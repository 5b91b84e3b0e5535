//! The line metadata, sentence by sentence of its contract in `docs/units.md`.

use config::Update;
use hdl::HwEnum;
use units::line_metadata::{LineMetadata, UpdateCause};
use units::metadata::Fields;

use crate::simulators::{Dut, Subject};

const FIELDS: Fields = Fields { pc_bits: 16, events: 2, hart_bits: 3, time_bits: 8 };

struct Bench<'a> {
    dut: &'a mut Dut,
}

/// (pc, ctx, hart, time)
type Meta = (u64, u64, u64, u64);

impl Bench<'_> {
    /// On both simulators.
    fn each(lines: usize, update: Update, contract: impl Fn(&mut Bench<'_>)) {
        let metadata = LineMetadata { lines, fields: FIELDS, update, apart: false };
        Subject::of(metadata).each(|dut| contract(&mut Bench { dut }));
    }

    fn set_update(&mut self, line: u64, cause: UpdateCause, (pc, ctx, hart, time): Meta) {
        for (port, value) in [
            ("valid", 1),
            ("line", line),
            ("cause", cause.code()),
            ("meta_pc", pc),
            ("meta_ctx", ctx),
            ("meta_hart", hart),
            ("meta_time", time),
        ] {
            self.dut.set(&format!("update_{port}"), value);
        }
    }

    fn step(&mut self) {
        self.dut.step();
        self.dut.set("update_valid", 0);
        self.dut.set("lookup_valid", 0);
    }

    fn update(&mut self, line: u64, cause: UpdateCause, meta: Meta) {
        self.set_update(line, cause, meta);
        self.step();
    }

    fn set_lookup(&mut self, line: u64) {
        self.dut.set("lookup_valid", 1);
        self.dut.set("lookup_line", line);
    }

    fn shown(&mut self) -> Meta {
        let [pc, ctx, hart, time] =
            ["pc", "ctx", "hart", "time"].map(|part| self.dut.get(&format!("lookup_meta_{part}")));
        (pc, ctx, hart, time)
    }

    fn lookup(&mut self, line: u64) -> Meta {
        self.set_lookup(line);
        self.step();
        self.shown()
    }
}

const OLD: Meta = (0x1234, 0xa, 5, 0x77);
const NEW: Meta = (0xfedc, 0x3, 2, 0x88);

#[test]
fn each_policy_stores_on_its_causes_and_no_others() {
    use UpdateCause::*;
    for (update, storing) in [
        (Update::Miss, &[Fill, Miss][..]),
        (Update::FirstWrite, &[Fill, Miss, FirstWrite]),
        (Update::EveryWrite, &[Fill, Miss, FirstWrite, WriteHit]),
    ] {
        for cause in [Fill, Miss, FirstWrite, WriteHit] {
            Bench::each(4, update, |bench| {
                bench.update(2, Fill, OLD);
                bench.update(2, cause, NEW);
                let expected = if storing.contains(&cause) { NEW } else { OLD };
                assert_eq!(bench.lookup(2), expected, "{update:?} {cause:?}");
            });
        }
    }
}

#[test]
fn without_update_valid_nothing_is_stored() {
    for update in [Update::Miss, Update::FirstWrite, Update::EveryWrite] {
        Bench::each(4, update, |bench| {
            bench.set_update(1, UpdateCause::Fill, NEW);
            bench.dut.set("update_valid", 0);
            bench.step();
            assert_eq!(bench.lookup(1), (0, 0, 0, 0), "zero at power-up");
        });
    }
}

#[test]
fn a_lookup_during_an_update_of_the_line_sees_what_was_before() {
    Bench::each(4, Update::Miss, |bench| {
        bench.update(3, UpdateCause::Fill, OLD);
        bench.set_lookup(3);
        bench.update(3, UpdateCause::Miss, NEW);
        assert_eq!(bench.shown(), OLD);
        assert_eq!(bench.lookup(3), NEW);
    });
}

#[test]
fn a_lookup_is_held_until_the_next() {
    Bench::each(4, Update::Miss, |bench| {
        bench.update(0, UpdateCause::Fill, OLD);
        assert_eq!(bench.lookup(0), OLD);
        bench.dut.set("lookup_line", 1);
        bench.update(0, UpdateCause::Miss, NEW);
        bench.step();
        assert_eq!(bench.shown(), OLD, "neither an update nor another line without valid shows");
    });
}

#[test]
fn lines_do_not_touch_each_other_and_reset_touches_none() {
    for lines in [1, 2, 3, 5, 8, 33] {
        Bench::each(lines, Update::Miss, |bench| {
            for line in 0..lines as u64 {
                bench.update(line, UpdateCause::Fill, (0x100 + line, 1, 2, line));
            }
            bench.dut.reset();
            for line in 0..lines as u64 {
                assert_eq!(bench.lookup(line), (0x100 + line, 1, 2, line), "of {lines} lines");
            }
        });
    }
}

#[test]
fn a_line_past_the_end_reads_null_and_ignores_updates() {
    Bench::each(5, Update::Miss, |bench| {
        for line in 0..8 {
            bench.update(line, UpdateCause::Fill, NEW);
        }
        for line in 0..8 {
            let expected = if line < 5 { NEW } else { (0, 0, 0, 0) };
            assert_eq!(bench.lookup(line), expected, "line {line}");
        }
    });
}
