//! The history buffer, sentence by sentence of its contract in `docs/units.md`.

use hdl::HwEnum;
use units::history_buffer::HistoryFile::{LocR, LocW, RemR, RemW};
use units::history_buffer::{HistoryBuffer, HistoryFile};

use crate::simulators::{Dut, Subject};
use crate::small_hash::{SMALL, row, small};

/// What is offered in a cycle.
#[derive(Clone, Copy, Debug, Default)]
struct Offer {
    insert: Option<(HistoryFile, u32)>,
    /// Another insert, into a file of the other stream.
    also: Option<(HistoryFile, u32)>,
    test: Option<u32>,
    epoch_end: bool,
}

/// Rows of a bank of the small hash.
const ROWS: usize = 4;

/// A buffer of three items.
struct Bench<'a> {
    dut: &'a mut Dut,
}

impl Bench<'_> {
    /// On both simulators, as reset leaves it.
    fn in_reset(contract: impl Fn(&mut Bench<'_>)) {
        let buffer = HistoryBuffer { items: 3, hash: small() };
        Subject::of(buffer).each(|dut| {
            dut.set("items_used", 3);
            contract(&mut Bench { dut });
        });
    }

    /// On both simulators, past its first clearing.
    fn ready(contract: impl Fn(&mut Bench<'_>)) {
        Bench::in_reset(|bench| {
            bench.dut.steps(ROWS);
            contract(bench);
        });
    }

    fn offer(&mut self, offer: Offer) {
        for (stream, files) in [("local", [LocR, LocW]), ("remote", [RemR, RemW])] {
            let mut inserts = [offer.insert, offer.also].into_iter().flatten();
            let insert = inserts.find(|(file, _)| files.contains(file));
            let (file, color) = insert.unwrap_or((files[1], 1));
            self.dut.set(&format!("{stream}_valid"), insert.is_some().into());
            self.dut.set(&format!("{stream}_payload_write"), (file == files[1]).into());
            self.dut.set(&format!("{stream}_payload_color"), color.into());
        }
        self.dut.set("test_valid", offer.test.is_some().into());
        self.dut.set("test_payload", offer.test.unwrap_or(1).into());
        self.dut.set("epoch_end_valid", offer.epoch_end.into());
    }

    fn cycle(&mut self, offer: Offer) {
        self.offer(offer);
        self.dut.step();
        self.offer(Offer::default());
    }

    fn insert(&mut self, file: HistoryFile, color: u32) {
        self.cycle(Offer { insert: Some((file, color)), ..Offer::default() });
    }

    /// Ends the epoch; gives the scanned rows of LocR, by bank.
    fn end_epoch(&mut self) -> Vec<Vec<u64>> {
        self.cycle(Offer { epoch_end: true, ..Offer::default() });
        let mut scanned = vec![Vec::new(); SMALL.len()];
        for row in 0..ROWS as u64 {
            assert_eq!((self.dut.get("scan_valid"), self.dut.get("scan_row")), (1, row));
            for (bank, rows) in scanned.iter_mut().enumerate() {
                rows.push(self.dut.get(&format!("scan_bank_{bank}_loc_r")));
            }
            self.dut.step();
        }
        scanned
    }

    /// The answer of this cycle.
    fn answer(&mut self) -> [u64; 4] {
        ["loc_r", "loc_w", "rem_r", "rem_w"].map(|file| self.dut.get(&format!("answer_{file}")))
    }

    /// The answer to a test.
    fn test(&mut self, color: u32) -> [u64; 4] {
        self.cycle(Offer { test: Some(color), ..Offer::default() });
        assert_eq!(self.dut.get("answer_valid"), 1);
        self.answer()
    }

    fn ready_bits(&mut self) -> [u64; 4] {
        ["local", "remote", "test", "epoch_end"]
            .map(|stream| self.dut.get(&format!("{stream}_ready")))
    }
}

#[test]
fn the_codes_are_those_of_the_contract() {
    assert_eq!([LocR, LocW, RemR, RemW].map(HwEnum::code), [0, 1, 2, 3]);
}

#[test]
fn after_reset_it_clears_for_as_many_cycles_as_there_are_rows() {
    Bench::in_reset(|bench| {
        for _ in 0..4 {
            assert_eq!(bench.ready_bits(), [0; 4]);
            assert_eq!(bench.dut.get("scan_valid"), 0);
            bench.dut.step();
        }
        assert_eq!(bench.ready_bits(), [1; 4]);
        assert_eq!(bench.dut.get("scan_done"), 0);
    });
}

#[test]
fn reset_empties_every_item_also_in_mid_scan() {
    for cycles in 0..6 {
        Bench::ready(|bench| {
            for color in 1..8 {
                bench.insert(LocW, color);
            }
            bench.end_epoch();
            bench.insert(RemR, 3);
            bench.cycle(Offer { epoch_end: true, ..Offer::default() });
            bench.dut.steps(cycles);
            bench.dut.reset();
            assert_eq!(bench.dut.get("answer_valid"), 0);
            bench.dut.steps(4);
            for color in 1..8 {
                assert_eq!(bench.test(color), [0; 4]);
            }
        });
    }
}

#[test]
fn an_insert_goes_to_the_current_item_of_its_file() {
    for (place, file) in HistoryFile::ALL.into_iter().enumerate() {
        Bench::ready(|bench| {
            bench.insert(file, 2);
            let mut expected = [0; 4];
            expected[place] = 0b100;
            assert_eq!(bench.test(2), expected);
            assert_eq!(bench.test(1), [0; 4]);
        });
    }
}

#[test]
fn a_test_sees_the_insert_of_the_cycle_before_but_not_its_own() {
    Bench::ready(|bench| {
        let both = Offer { insert: Some((LocR, 5)), test: Some(5), ..Offer::default() };
        bench.cycle(both);
        assert_eq!(bench.answer(), [0; 4]);
        bench.cycle(Offer { insert: Some((LocW, 1)), ..both });
        assert_eq!(bench.answer(), [0b100, 0, 0, 0]);
        assert_eq!(bench.test(1), [0, 0b100, 0, 0], "insert and test had different colors");
    });
}

#[test]
fn the_answer_is_valid_for_one_cycle() {
    Bench::ready(|bench| {
        bench.test(1);
        bench.dut.step();
        assert_eq!(bench.dut.get("answer_valid"), 0);
    });
}

#[test]
fn a_column_needs_its_bit_in_every_bank() {
    Bench::ready(|bench| {
        let collides = |bank: usize| row(&SMALL[bank], 1) == row(&SMALL[bank], 6);
        assert_eq!([0, 1].map(collides), [true, false]);
        bench.insert(LocR, 1);
        assert_eq!(bench.test(6), [0; 4]);
        // Color 3 has in bank 1 what color 6 lacks.
        assert_eq!(row(&SMALL[1], 3), row(&SMALL[1], 6));
        bench.insert(LocR, 3);
        assert_eq!(bench.test(6), [0b100, 0, 0, 0], "a false positive, as the paper has them");
    });
}

#[test]
fn items_age_and_expire() {
    Bench::ready(|bench| {
        bench.insert(LocR, 1);
        for age in [0b010, 0b001, 0] {
            bench.end_epoch();
            assert_eq!(bench.test(1)[0], age);
        }
        bench.insert(LocR, 1);
        assert_eq!(bench.test(1)[0], 0b100, "the column is used again");
    });
}

#[test]
fn the_scan_shows_all_rows_in_order_before_clearing() {
    Bench::ready(|bench| {
        bench.insert(LocR, 1);
        bench.end_epoch();
        bench.end_epoch();
        bench.insert(LocR, 2);
        let scanned = bench.end_epoch();
        for (bank, rows) in scanned.iter().enumerate() {
            let mut expected = [0; 4];
            expected[row(&SMALL[bank], 1) as usize] |= 0b001;
            expected[row(&SMALL[bank], 2) as usize] |= 0b100;
            assert_eq!(rows[..], expected, "bank {bank}");
        }
        assert_eq!(bench.test(1)[0], 0, "expired");
    });
}

#[test]
fn two_inserts_of_one_cycle_go_to_their_own_files() {
    Bench::ready(|bench| {
        for (local, remote) in [(LocR, RemW), (LocW, RemR)] {
            let (insert, also) = (Some((local, 1)), Some((remote, 2)));
            bench.cycle(Offer { insert, also, ..Offer::default() });
        }
        assert_eq!(bench.test(1), [0b100, 0b100, 0, 0]);
        assert_eq!(bench.test(2), [0, 0, 0b100, 0b100]);
    });
}

#[test]
fn while_scanning_only_the_next_end_has_to_wait_and_the_end_is_marked() {
    Bench::ready(|bench| {
        bench.cycle(Offer { epoch_end: true, ..Offer::default() });
        let insert = Offer { insert: Some((LocR, 1)), epoch_end: true, ..Offer::default() };
        for row in 0..4 {
            bench.offer(insert);
            assert_eq!(bench.ready_bits(), [1, 1, 1, 0]);
            assert_eq!((bench.dut.get("scan_valid"), bench.dut.get("scan_row")), (1, row));
            assert_eq!(bench.dut.get("scan_bank_0_loc_r"), 0, "the insert is of the new item");
            assert_eq!(bench.dut.get("scan_done"), 0);
            bench.cycle(insert);
        }
        assert_eq!((bench.dut.get("scan_valid"), bench.dut.get("scan_done")), (0, 1));
        assert_eq!(bench.ready_bits(), [1; 4]);
        assert_eq!(bench.test(1), [0b100, 0, 0, 0]);
        assert_eq!(bench.dut.get("scan_done"), 0);
    });
}

#[test]
fn a_test_pauses_the_scan_and_is_answered_in_the_new_ages_wherever_the_scan_is() {
    for color in 1..8 {
        for passed in 0..4 {
            Bench::ready(|bench| {
                bench.insert(RemW, color);
                bench.cycle(Offer { epoch_end: true, ..Offer::default() });
                bench.dut.steps(passed);
                bench.offer(Offer { test: Some(color), ..Offer::default() });
                assert_eq!(bench.dut.get("scan_valid"), 0);
                assert_eq!(bench.test(color), [0, 0, 0, 0b010], "color {color}, {passed} rows");
                assert_eq!(bench.dut.get("scan_row"), passed as u64);
                bench.dut.steps(4 - passed);
                assert_eq!(bench.dut.get("scan_done"), 1);
                assert_eq!(bench.test(color), [0, 0, 0, 0b010]);
            });
        }
    }
}

#[test]
fn only_items_in_use_are_shown_and_the_others_stay() {
    Bench::ready(|bench| {
        for _ in 0..2 {
            bench.insert(LocW, 5);
            bench.end_epoch();
        }
        bench.insert(LocW, 5);
        for (used, shown) in [(0, 0), (1, 0b100), (2, 0b110), (3, 0b111)] {
            bench.dut.set("items_used", used);
            assert_eq!(bench.test(5)[1], shown);
        }
        bench.dut.set("items_used", 1);
        bench.insert(LocR, 5);
        bench.cycle(Offer { epoch_end: true, ..Offer::default() });
        let hashed = row(&SMALL[0], 5) as usize;
        bench.dut.steps(hashed);
        assert_eq!(bench.dut.get("scan_bank_0_loc_w"), 0b100);
        bench.dut.set("items_used", 3);
        assert_eq!(bench.dut.get("scan_bank_0_loc_w"), 0b111);
    });
}

#[test]
fn what_comes_with_the_end_of_the_epoch_still_belongs_to_it() {
    for color in 1..8 {
        Bench::ready(|bench| {
            let insert = Some((RemW, color));
            let test = Some(color);
            bench.cycle(Offer { insert, test, epoch_end: true, ..Offer::default() });
            assert_eq!(bench.answer(), [0; 4]);
            for number in 0..4 {
                for (bank, masks) in SMALL.iter().enumerate() {
                    let hashed = row(masks, color) == number;
                    let shown = bench.dut.get(&format!("scan_bank_{bank}_rem_w"));
                    assert_eq!(
                        shown,
                        u64::from(hashed) << 2,
                        "color {color}, bank {bank}, row {number}"
                    );
                }
                bench.dut.step();
            }
            assert_eq!(bench.test(color), [0, 0, 0, 0b010]);
        });
    }
}

#[test]
fn color_0_is_never_inserted_and_never_a_member() {
    Bench::ready(|bench| {
        bench.insert(LocR, 0);
        let scanned = bench.end_epoch();
        assert!(scanned.iter().flatten().all(|&row| row == 0));
        for color in 0..8 {
            bench.insert(LocR, color);
        }
        assert_eq!(bench.test(0), [0; 4]);
        assert_eq!(bench.test(1), [0b100, 0, 0, 0]);
    });
}
