//! The HazardColorSet, sentence by sentence of its contract in `docs/units.md`.

use units::hazard_color_set::HazardColorSet;

use crate::simulators::{Dut, Subject};
use crate::small_hash::{small, small_signature};

struct Bench<'a> {
    dut: &'a mut Dut,
}

impl Bench<'_> {
    /// On both simulators.
    fn each(contract: impl Fn(&mut Bench<'_>)) {
        Subject::of(HazardColorSet { hash: small() }).each(|dut| contract(&mut Bench { dut }));
    }

    /// One cycle: perhaps a row with its hazardous banks, perhaps a commit, perhaps a clear.
    fn cycle(&mut self, row: Option<(u64, u64)>, commit: bool, clear: bool) {
        let (number, hazard) = row.unwrap_or((3, 3));
        self.dut.set("row_valid", row.is_some().into());
        self.dut.set("row", number);
        self.dut.set("row_hazard", hazard);
        self.dut.set("commit", commit.into());
        self.dut.set("clear", clear.into());
        self.dut.step();
    }

    /// The rows of a signature, without a commit.
    fn rows(&mut self, signature: u64) {
        for row in 0..4 {
            let hazard = signature >> row & 1 | (signature >> (4 + row) & 1) << 1;
            self.cycle(Some((row, hazard)), false, false);
        }
    }

    fn value(&mut self) -> u64 {
        self.dut.get("value")
    }

    fn hit(&mut self, color: u64) -> bool {
        self.dut.set("color", color);
        self.dut.get("hit") == 1
    }
}

#[test]
fn colors_enter_with_the_commit_and_not_before() {
    Bench::each(|bench| {
        bench.rows(small_signature(&[1, 4]));
        assert_eq!(bench.value(), 0);
        assert!(!bench.hit(1));
        bench.cycle(None, true, false);
        assert_eq!(bench.value(), small_signature(&[1, 4]));
        assert!(bench.hit(1) && bench.hit(4) && !bench.hit(2));
    });
}

#[test]
fn a_row_that_is_not_valid_is_ignored() {
    Bench::each(|bench| {
        bench.cycle(None, false, false);
        bench.cycle(None, true, false);
        assert_eq!(bench.value(), 0);
    });
}

#[test]
fn the_set_grows_by_each_commit() {
    Bench::each(|bench| {
        for colors in [&[1][..], &[1, 2], &[1, 2, 4]] {
            bench.rows(small_signature(&colors[colors.len() - 1..]));
            bench.cycle(None, true, false);
            assert_eq!(bench.value(), small_signature(colors));
        }
    });
}

#[test]
fn a_candidate_with_an_empty_bank_is_dropped() {
    Bench::each(|bench| {
        for half in [0x0f, 0xf0] {
            bench.rows(half);
            bench.cycle(None, true, false);
            assert_eq!(
                bench.value(),
                0,
                "half {half:x} alone is no color, and leaves nothing behind"
            );
        }
    });
}

#[test]
fn a_row_in_the_cycle_of_a_commit_belongs_to_it() {
    Bench::each(|bench| {
        bench.cycle(Some((1, 0b01)), false, false);
        bench.cycle(Some((2, 0b10)), true, false);
        assert_eq!(bench.value(), 0b0100_0010);
        bench.cycle(None, true, false);
        assert_eq!(bench.value(), 0b0100_0010, "nothing was left for the next commit");
    });
}

#[test]
fn the_hit_is_that_before_the_cycle() {
    Bench::each(|bench| {
        bench.rows(small_signature(&[1]));
        bench.dut.set("commit", 1);
        bench.dut.set("row_valid", 0);
        assert!(!bench.hit(1));
        bench.dut.step();
        bench.dut.set("clear", 1);
        assert!(bench.hit(1));
    });
}

#[test]
fn clear_wins_over_rows_and_commits() {
    Bench::each(|bench| {
        bench.rows(small_signature(&[1]));
        bench.cycle(None, true, false);
        bench.rows(small_signature(&[2]));
        bench.cycle(Some((0, 3)), true, true);
        assert_eq!(bench.value(), 0);
        bench.cycle(None, true, false);
        assert_eq!(bench.value(), 0, "the candidate is empty too");
        bench.cycle(Some((0, 3)), false, true);
        bench.cycle(None, true, false);
        assert_eq!(bench.value(), 0, "the row came with the clear");
    });
}

#[test]
fn color_0_is_never_a_member() {
    Bench::each(|bench| {
        bench.rows(0xff);
        bench.cycle(None, true, false);
        assert!(bench.hit(1) && bench.hit(7) && !bench.hit(0));
    });
}

#[test]
fn reset_forgets_set_and_candidate() {
    Bench::each(|bench| {
        bench.rows(0xff);
        bench.cycle(None, true, false);
        bench.rows(0xff);
        bench.dut.reset();
        assert_eq!(bench.value(), 0);
        bench.cycle(None, true, false);
        assert_eq!(bench.value(), 0);
    });
}

#[test]
fn a_single_color_enters_by_itself_and_every_change_is_told() {
    Bench::each(|bench| {
        let insert = |bench: &mut Bench<'_>, color: u64, commit: bool, clear: bool| {
            bench.dut.set("insert_valid", 1);
            bench.dut.set("insert_color", color);
            bench.dut.set("row_valid", 0);
            bench.dut.set("commit", commit.into());
            bench.dut.set("clear", clear.into());
            let changed = bench.dut.get("changed") == 1;
            bench.cycle(None, commit, clear);
            bench.dut.set("insert_valid", 0);
            changed
        };
        assert!(insert(bench, 3, false, false));
        assert!(!insert(bench, 3, false, false), "it is there already");
        assert_eq!(bench.value(), small_signature(&[3]));
        assert!(!insert(bench, 0, false, false), "color 0 adds nothing");
        bench.rows(small_signature(&[1]));
        assert_eq!(bench.value(), small_signature(&[3]));
        assert!(insert(bench, 4, true, false));
        assert_eq!(bench.value(), small_signature(&[1, 3, 4]), "with a commit too");
        assert!(insert(bench, 2, false, true), "a clear wins");
        assert_eq!(bench.value(), 0);
        assert!(!insert(bench, 2, false, true));
    });
}
