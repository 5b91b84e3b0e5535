//! The history buffer against its model.

mod contract;

use cosim::Bench;
use cosim::testing::property;
use golden::{ColorId, File, History, HistoryTaken, ItemVectors, ScanRow};
use proptest::prelude::*;
use std::collections::VecDeque;
use units::history_buffer::HistoryBuffer;

use crate::palette::{Palette, bits_of};
use crate::simulators::{NativeSubject, Simulator, Subject};
use crate::tally::Tally;

/// What is offered in one cycle, whether the buffer is ready or not.
#[derive(Clone, Debug, Default)]
struct Cycle {
    reset: bool,
    offered: HistoryTaken,
}

/// What can be seen in one cycle.
#[derive(Debug, PartialEq)]
struct Outputs {
    insert_ready: bool,
    test_ready: bool,
    epoch_end_ready: bool,
    answer: Option<ItemVectors>,
    scan: Option<ScanRow>,
    scan_done: bool,
}

/// The model beside the hardware, and when the contract has it show what.
struct HistoryBench<'a> {
    palette: &'a Palette,
    items: usize,
    model: History,
    /// Cycles of clearing to come.
    clearing: usize,
    /// Rows to be shown.
    scan: VecDeque<ScanRow>,
    scan_done: bool,
    answer: Option<ItemVectors>,
}

impl<'a> HistoryBench<'a> {
    fn new(palette: &'a Palette, items: usize) -> Self {
        Self {
            palette,
            items,
            model: History::new(items, palette.hashes.clone()),
            clearing: palette.hashes.bank_bits(),
            scan: VecDeque::new(),
            scan_done: false,
            answer: None,
        }
    }

    fn vectors<D: Simulator>(&self, dut: &D, of: &str) -> ItemVectors {
        let [loc_r, loc_w, rem_r, rem_w] = ["loc_r", "loc_w", "rem_r", "rem_w"]
            .map(|file| bits_of(&dut.peek_wide(&format!("{of}_{file}")), self.items));
        ItemVectors { loc_r, loc_w, rem_r, rem_w }
    }
}

impl<D: Simulator> Bench<D> for HistoryBench<'_> {
    type Stimulus = Cycle;
    type Outputs = Outputs;

    fn drive(&mut self, dut: &mut D, cycle: &Cycle) {
        let HistoryTaken { test, insert, epoch_end } = cycle.offered;
        dut.poke("rst", cycle.reset);
        dut.poke("test_valid", test.is_some());
        dut.poke("insert_valid", insert.is_some());
        // What is not valid is driven too: it must not be looked at.
        let (file, color) = insert.unwrap_or((File::LocalWrite, test.unwrap_or(ColorId(1))));
        dut.poke("insert_payload_file", file as u64);
        dut.poke("insert_payload_color", color.0);
        dut.poke("test_payload", test.unwrap_or(color).0);
        dut.poke("epoch_end_valid", epoch_end);
    }

    fn sample(&self, dut: &D) -> Outputs {
        let flag = |name: &str| dut.peek(name) != 0;
        let banks = 0..self.palette.hashes.banks();
        Outputs {
            insert_ready: flag("insert_ready"),
            test_ready: flag("test_ready"),
            epoch_end_ready: flag("epoch_end_ready"),
            answer: flag("answer_valid").then(|| self.vectors(dut, "answer")),
            scan: flag("scan_valid").then(|| ScanRow {
                row: dut.peek("scan_row") as usize,
                banks: banks.map(|bank| self.vectors(dut, &format!("scan_bank_{bank}"))).collect(),
            }),
            scan_done: flag("scan_done"),
        }
    }

    fn expect(&mut self, cycle: &Cycle, _: &Outputs) -> Outputs {
        let ready = self.clearing == 0 && self.scan.is_empty();
        let scan = self.scan.pop_front();
        let outputs = Outputs {
            insert_ready: ready,
            test_ready: ready,
            epoch_end_ready: ready,
            answer: self.answer.take(),
            scan_done: self.scan_done,
            scan,
        };
        self.scan_done = outputs.scan.is_some() && self.scan.is_empty();
        self.clearing = self.clearing.saturating_sub(1);
        if cycle.reset {
            *self = Self::new(self.palette, self.items);
        } else if ready {
            let followed = self.model.step(&cycle.offered);
            self.answer = followed.answer;
            self.scan = followed.scan.into();
        }
        outputs
    }
}

/// A test and an insert, often of the same color.
fn accesses(
    palette: &Palette,
) -> impl Strategy<Value = (Option<ColorId>, Option<(File, ColorId)>)> + use<> {
    let test = prop::option::weighted(0.6, palette.color());
    let insert = (prop::sample::select(&File::ALL[..]), palette.color());
    (test, prop::option::weighted(0.7, insert), any::<bool>()).prop_map(|(test, insert, same)| {
        let insert = match (insert, test) {
            (Some((file, _)), Some(tested)) if same => Some((file, tested)),
            _ => insert,
        };
        (test, insert)
    })
}

/// Cycles in which epochs end as often as said.
fn cycles(palette: &Palette, ends: f64, resets: f64) -> impl Strategy<Value = Vec<Cycle>> + use<> {
    let end = prop::bool::weighted(ends);
    let cycle = (prop::bool::weighted(resets), accesses(palette), end).prop_map(
        |(reset, (test, insert), epoch_end)| Cycle {
            reset,
            offered: HistoryTaken { test, insert, epoch_end },
        },
    );
    let rows = palette.hashes.bank_bits();
    prop::collection::vec(cycle, 1..900 + 20 * rows)
}

fn unit(palette: &Palette, items: usize) -> Subject {
    let buffer = HistoryBuffer { items, hash: palette.hash.clone() };
    Subject::of(buffer)
}

#[test]
fn every_size_agrees_with_the_model() {
    let sizes = [
        (1, 2, 1, 1, 50),
        (1, 16, 2, 4, 50),
        (2, 4, 3, 2, 50),
        (3, 8, 2, 12, 50),
        (5, 16, 3, 9, 50),
        (8, 32, 1, 16, 50),
        (30, 256, 2, 12, 16),
        (64, 16, 8, 16, 50),
        (2, 1024, 1, 10, 6),
    ];
    let mut tally = Tally::of("history_buffer");
    for (items, rows, banks, color_bits, cases) in sizes {
        let palette = Palette::new(rows, banks, color_bits);
        let unit = unit(&palette, items);
        let rarely = 0.5 / f64::from(rows);
        let kinds = prop_oneof![
            4 => cycles(&palette, rarely, 0.2 * rarely),
            1 => cycles(&palette, 0.9, 0.2 * rarely),
        ];
        let cycles = property(4 * cases, kinds, |cycles| {
            unit.check_case(|| HistoryBench::new(&palette, items), cycles)
        });
        tally.add(unit.top(), cycles);
    }
    tally.finish();
}

/// Every number of items with every kind of signature, without a model to build for each.
#[test]
fn items_and_signatures_of_all_sizes_agree_with_the_model_in_the_native_simulator() {
    for (rows, banks, color_bits) in [(2, 1, 1), (2, 3, 12), (4, 2, 3), (16, 8, 16), (8, 1, 2)] {
        let palette = Palette::new(rows, banks, color_bits);
        for items in [1, 2, 3, 5, 30, 64] {
            let native = NativeSubject::of(HistoryBuffer { items, hash: palette.hash.clone() });
            property(3, cycles(&palette, 0.2, 0.003), |cycles| {
                Ok(native.check(&mut HistoryBench::new(&palette, items), &cycles))
            });
        }
    }
}

/// An insert and a test of one color, and the end of the epoch, all in one cycle; then as many
/// cycles as said in which only the test is offered.
fn epoch(color: ColorId, file: File, tests: usize) -> impl Iterator<Item = Cycle> {
    let all = HistoryTaken { test: Some(color), insert: Some((file, color)), epoch_end: true };
    let test = HistoryTaken { test: Some(color), ..HistoryTaken::default() };
    let cycle = |offered| Cycle { reset: false, offered };
    std::iter::once(cycle(all)).chain(std::iter::repeat_n(cycle(test), tests))
}

#[test]
fn epochs_that_end_back_to_back_age_every_item_until_it_expires() {
    let palette = Palette::new(16, 3, 9);
    let rows = palette.hashes.bank_bits();
    let clearing = std::iter::repeat_n(Cycle::default(), rows);
    let epochs = (0..12)
        .flat_map(|number| epoch(ColorId(1 + number % 3), File::ALL[number as usize % 4], rows));
    unit(&palette, 5).check(|| HistoryBench::new(&palette, 5), clearing.chain(epochs)).unwrap();
}

#[test]
fn a_reset_at_every_moment_of_a_scan_leaves_nothing_behind() {
    let palette = Palette::new(8, 2, 12);
    let rows = palette.hashes.bank_bits();
    let unit = unit(&palette, 3);
    let clearing = || std::iter::repeat_n(Cycle::default(), rows);
    for moment in 0..rows + 3 {
        let red = ColorId(7);
        let before = epoch(red, File::LocalRead, rows).chain(epoch(red, File::RemoteWrite, moment));
        let reset = Cycle { reset: true, offered: HistoryTaken::default() };
        let after = epoch(red, File::LocalWrite, rows + 2);
        let cycles = clearing().chain(before).chain([reset]).chain(clearing()).chain(after);
        unit.check(|| HistoryBench::new(&palette, 3), cycles).unwrap();
    }
}

#[test]
fn a_color_of_a_single_bit_is_a_color() {
    let palette = Palette::new(8, 2, 12);
    let rows = palette.hashes.bank_bits();
    let unit = unit(&palette, 3);
    for color in (0..12).map(|bit| ColorId(1 << bit)) {
        let clearing = std::iter::repeat_n(Cycle::default(), rows);
        let cycles = clearing.chain(epoch(color, File::LocalWrite, rows + 2));
        unit.check(|| HistoryBench::new(&palette, 3), cycles).unwrap();
    }
}
