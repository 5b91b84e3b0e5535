//! The history buffer against its model.

mod contract;

use cosim::Bench;
use cosim::testing::property;
use golden::{ColorId, History, HistoryTaken, Insertion, ItemVectors, ScanRow};
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
    /// Items to be shown; `None`: all.
    used: Option<usize>,
}

/// What can be seen in one cycle.
#[derive(Debug, PartialEq)]
struct Outputs {
    local_ready: bool,
    remote_ready: bool,
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
        let HistoryTaken { test, local, remote, epoch_end } = cycle.offered;
        dut.poke("rst", cycle.reset);
        dut.poke("test_valid", test.is_some());
        // What is not valid is driven too: it must not be looked at.
        let any = Insertion { write: true, color: test.unwrap_or(ColorId(1)) };
        for (stream, insertion) in [("local", local), ("remote", remote)] {
            let Insertion { write, color } = insertion.unwrap_or(any);
            dut.poke(&format!("{stream}_valid"), insertion.is_some());
            dut.poke(&format!("{stream}_payload_write"), write);
            dut.poke(&format!("{stream}_payload_color"), color.0);
        }
        dut.poke("test_payload", test.unwrap_or(local.unwrap_or(any).color).0);
        dut.poke("items_used", cycle.used.unwrap_or(self.items) as u64);
        dut.poke("epoch_end_valid", epoch_end);
    }

    fn sample(&self, dut: &D) -> Outputs {
        let flag = |name: &str| dut.peek(name) != 0;
        let banks = 0..self.palette.hashes.banks();
        Outputs {
            local_ready: flag("local_ready"),
            remote_ready: flag("remote_ready"),
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
        let ready = self.clearing == 0;
        let epoch_end_ready = ready && self.scan.is_empty();
        // A test pauses the scan.
        let paused = cycle.offered.test.is_some();
        let scan = if paused { None } else { self.scan.pop_front() };
        let used = cycle.used.unwrap_or(self.items);
        let outputs = Outputs {
            local_ready: ready,
            remote_ready: ready,
            test_ready: ready,
            epoch_end_ready,
            answer: self.answer.take().map(|answer| answer.newest(used)),
            scan_done: self.scan_done,
            scan: scan.map(|ScanRow { row, banks }| ScanRow {
                row,
                banks: banks.into_iter().map(|bank| bank.newest(used)).collect(),
            }),
        };
        self.scan_done = outputs.scan.is_some() && self.scan.is_empty();
        self.clearing = self.clearing.saturating_sub(1);
        if cycle.reset {
            *self = Self::new(self.palette, self.items);
        } else if ready {
            let epoch_end = cycle.offered.epoch_end && epoch_end_ready;
            let followed = self.model.step(&HistoryTaken { epoch_end, ..cycle.offered });
            self.answer = followed.answer;
            if epoch_end {
                self.scan = followed.scan.into();
            }
        }
        outputs
    }
}

/// A test and inserts, often of the same color.
fn accesses(palette: &Palette) -> impl Strategy<Value = HistoryTaken> + use<> {
    let insertion = |palette: &Palette| {
        let insertion = (any::<bool>(), palette.color());
        let insertion = insertion.prop_map(|(write, color)| Insertion { write, color });
        prop::option::weighted(0.6, insertion)
    };
    let (local, remote) = (insertion(palette), insertion(palette));
    let test = prop::option::weighted(0.5, palette.color());
    (test, local, remote, any::<bool>()).prop_map(|(test, local, remote, same)| {
        let like = |insertion: Insertion| match test.filter(|_| same) {
            Some(color) => Insertion { color, ..insertion },
            None => insertion,
        };
        let (local, remote) = (local.map(like), remote.map(like));
        HistoryTaken { test, local, remote, epoch_end: false }
    })
}

/// Cycles in which epochs end as often as said.
fn cycles(
    palette: &Palette,
    items: usize,
    ends: f64,
    resets: f64,
) -> impl Strategy<Value = Vec<Cycle>> + use<> {
    let end = prop::bool::weighted(ends);
    let used = prop::option::weighted(0.3, 0..=items);
    let cycle = (prop::bool::weighted(resets), accesses(palette), end, used).prop_map(
        |(reset, accesses, epoch_end, used)| Cycle {
            reset,
            offered: HistoryTaken { epoch_end, ..accesses },
            used,
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
            4 => cycles(&palette, items, rarely, 0.2 * rarely),
            1 => cycles(&palette, items, 0.9, 0.2 * rarely),
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
            property(3, cycles(&palette, items, 0.2, 0.003), |cycles| {
                Ok(native.check(&mut HistoryBench::new(&palette, items), &cycles))
            });
        }
    }
}

/// The four kinds of access: of this hart or another, a write or a read.
const KINDS: [(bool, bool); 4] = [(false, false), (false, true), (true, false), (true, true)];

/// An insert and a test of one color, and the end of the epoch, all in one cycle; then as many
/// cycles as said in which only the test is offered, every other cycle, so that a scan goes on.
fn epoch(
    color: ColorId,
    (is_remote, write): (bool, bool),
    cycles: usize,
) -> impl Iterator<Item = Cycle> {
    let insertion = Some(Insertion { write, color });
    let (local, remote) = if is_remote { (None, insertion) } else { (insertion, None) };
    let all = HistoryTaken { test: Some(color), local, remote, epoch_end: true };
    let then = move |number: usize| {
        let test = (number.is_multiple_of(2)).then_some(color);
        HistoryTaken { test, ..HistoryTaken::default() }
    };
    let offered = std::iter::once(all).chain((0..cycles).map(then));
    offered.map(|offered| Cycle { offered, ..Cycle::default() })
}

#[test]
fn epochs_that_end_back_to_back_age_every_item_until_it_expires() {
    let palette = Palette::new(16, 3, 9);
    let rows = palette.hashes.bank_bits();
    let clearing = std::iter::repeat_n(Cycle::default(), rows);
    let epochs = (0..12).flat_map(|number| {
        epoch(ColorId(1 + number % 3), KINDS[number as usize % 4], 2 * rows + 1)
    });
    unit(&palette, 5).check(|| HistoryBench::new(&palette, 5), clearing.chain(epochs)).unwrap();
}

#[test]
fn a_reset_at_every_moment_of_a_scan_leaves_nothing_behind() {
    let palette = Palette::new(8, 2, 12);
    let rows = palette.hashes.bank_bits();
    let unit = unit(&palette, 3);
    let clearing = || std::iter::repeat_n(Cycle::default(), rows);
    for moment in 0..2 * rows + 3 {
        let red = ColorId(7);
        let before = epoch(red, KINDS[0], 2 * rows + 1).chain(epoch(red, KINDS[3], moment));
        let reset = Cycle { reset: true, ..Cycle::default() };
        let after = epoch(red, KINDS[1], 2 * rows + 2);
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
        let cycles = clearing.chain(epoch(color, KINDS[1], 2 * rows + 2));
        unit.check(|| HistoryBench::new(&palette, 3), cycles).unwrap();
    }
}

/// A test and an insert of one color at every moment of a scan: each test pauses it, and is answered
/// in the new ages, of rows that were passed and of rows that were not.
#[test]
fn at_every_moment_of_a_scan_a_test_and_an_insert_are_of_the_new_item() {
    let palette = Palette::new(8, 2, 12);
    let rows = palette.hashes.bank_bits();
    let unit = unit(&palette, 3);
    for color in (1..40).map(ColorId) {
        for moment in 0..rows + 2 {
            let clearing = std::iter::repeat_n(Cycle::default(), rows);
            let old = epoch(color, KINDS[0], 2 * rows + 1).chain(epoch(color, KINDS[3], 0));
            let quiet = std::iter::repeat_n(Cycle::default(), moment);
            let insertion = Some(Insertion { write: true, color });
            let all = HistoryTaken {
                test: Some(color),
                local: insertion,
                remote: insertion,
                epoch_end: true,
            };
            let all = std::iter::repeat_n(Cycle { offered: all, ..Cycle::default() }, 2);
            let after = epoch(color, KINDS[2], 2 * rows + 2);
            let rest = std::iter::repeat_n(Cycle::default(), rows);
            let cycles = clearing.chain(old).chain(quiet).chain(all).chain(rest).chain(after);
            unit.check(|| HistoryBench::new(&palette, 3), cycles).unwrap();
        }
    }
}
