//! The contract of `history_buffer`: sentence by sentence, and at random against a naive buffer.

use crate::{SMALL, configured, row, small};
use hdl::{HwEnum, Simulator};
use proptest::prelude::*;
use std::collections::VecDeque;
use units::color_hash::ColorHash;
use units::history_buffer::HistoryFile::{LocR, LocW, RemR, RemW};
use units::history_buffer::{HistoryBuffer, HistoryBufferIo, HistoryFile, ItemVectors};

/// What is offered in a cycle.
#[derive(Clone, Copy, Debug, Default)]
struct Offer {
    insert: Option<(HistoryFile, u32)>,
    test: Option<u32>,
    epoch_end: bool,
}

struct Bench {
    sim: Simulator,
    io: HistoryBufferIo,
    rows: u64,
}

impl Bench {
    fn in_reset(items: usize, hash: ColorHash) -> Bench {
        let rows = hash.rows() as u64;
        let (mut sim, io) = Simulator::of(HistoryBuffer { items, hash }).expect("a legal circuit");
        sim.reset();
        Bench { sim, io, rows }
    }

    /// Of three items, past its first clearing.
    fn ready() -> Bench {
        let mut bench = Bench::in_reset(3, small());
        bench.sim.steps(4);
        bench
    }

    fn offer(&mut self, offer: Offer) {
        let (file, color) = offer.insert.unwrap_or((RemW, 1));
        self.sim.set(self.io.insert.valid, offer.insert.is_some().into());
        self.sim.set_variant(self.io.insert.payload.file, file);
        self.sim.set(self.io.insert.payload.color, color.into());
        self.sim.set(self.io.test.valid, offer.test.is_some().into());
        self.sim.set(self.io.test.payload, offer.test.unwrap_or(1).into());
        self.sim.set(self.io.epoch_end.valid, offer.epoch_end.into());
    }

    fn cycle(&mut self, offer: Offer) {
        self.offer(offer);
        self.sim.step();
        self.offer(Offer::default());
    }

    fn insert(&mut self, file: HistoryFile, color: u32) {
        self.cycle(Offer { insert: Some((file, color)), ..Offer::default() });
    }

    /// Ends the epoch; gives the scanned rows of LocR, by bank.
    fn end_epoch(&mut self) -> Vec<Vec<u64>> {
        self.cycle(Offer { epoch_end: true, ..Offer::default() });
        let mut scanned = vec![Vec::new(); self.io.scan_bank.len()];
        for row in 0..self.rows {
            assert_eq!(
                (self.sim.get(self.io.scan_valid), self.sim.get(self.io.scan_row)),
                (1, row)
            );
            for (bank, ports) in self.io.scan_bank.iter().enumerate() {
                scanned[bank].push(self.sim.get(ports.loc_r));
            }
            self.sim.step();
        }
        scanned
    }

    fn vectors(&mut self, ports: ItemVectors) -> [u64; 4] {
        HistoryFile::ALL.map(|file| self.sim.get(ports.of_file(file)))
    }

    /// The answer to a test.
    fn test(&mut self, color: u32) -> [u64; 4] {
        self.cycle(Offer { test: Some(color), ..Offer::default() });
        assert_eq!(self.sim.get(self.io.answer_valid), 1);
        self.vectors(self.io.answer)
    }

    fn ready_bits(&mut self) -> [u64; 3] {
        let streams = [self.io.insert.ready, self.io.test.ready, self.io.epoch_end.ready];
        streams.map(|ready| self.sim.get(ready))
    }
}

#[test]
fn the_codes_are_those_of_the_contract() {
    assert_eq!([LocR, LocW, RemR, RemW].map(HwEnum::code), [0, 1, 2, 3]);
}

#[test]
fn after_reset_it_clears_for_as_many_cycles_as_there_are_rows() {
    let mut bench = Bench::in_reset(3, small());
    for _ in 0..4 {
        assert_eq!(bench.ready_bits(), [0; 3]);
        assert_eq!(bench.sim.get(bench.io.scan_valid), 0);
        bench.sim.step();
    }
    assert_eq!(bench.ready_bits(), [1; 3]);
    assert_eq!(bench.sim.get(bench.io.scan_done), 0);
}

#[test]
fn reset_empties_every_item_also_in_mid_scan() {
    for cycles in 0..6 {
        let mut bench = Bench::ready();
        for color in 1..8 {
            bench.insert(LocW, color);
        }
        bench.end_epoch();
        bench.insert(RemR, 3);
        bench.cycle(Offer { epoch_end: true, ..Offer::default() });
        bench.sim.steps(cycles);
        bench.sim.reset();
        assert_eq!(bench.sim.get(bench.io.answer_valid), 0);
        bench.sim.steps(4);
        for color in 1..8 {
            assert_eq!(bench.test(color), [0; 4]);
        }
    }
}

#[test]
fn an_insert_goes_to_the_current_item_of_its_file() {
    for (place, file) in HistoryFile::ALL.into_iter().enumerate() {
        let mut bench = Bench::ready();
        bench.insert(file, 2);
        let mut expected = [0; 4];
        expected[place] = 0b100;
        assert_eq!(bench.test(2), expected);
        assert_eq!(bench.test(1), [0; 4]);
    }
}

#[test]
fn a_test_sees_the_insert_of_the_cycle_before_but_not_its_own() {
    let mut bench = Bench::ready();
    let both = Offer { insert: Some((LocR, 5)), test: Some(5), epoch_end: false };
    bench.cycle(both);
    assert_eq!(bench.vectors(bench.io.answer), [0; 4]);
    bench.cycle(Offer { insert: Some((LocW, 1)), ..both });
    assert_eq!(bench.vectors(bench.io.answer), [0b100, 0, 0, 0]);
    assert_eq!(bench.test(1), [0, 0b100, 0, 0], "insert and test had different colors");
}

#[test]
fn the_answer_is_valid_for_one_cycle() {
    let mut bench = Bench::ready();
    bench.test(1);
    bench.sim.step();
    assert_eq!(bench.sim.get(bench.io.answer_valid), 0);
}

#[test]
fn a_column_needs_its_bit_in_every_bank() {
    let mut bench = Bench::ready();
    let collides = |bank: usize| row(&SMALL[bank], 1) == row(&SMALL[bank], 6);
    assert_eq!([0, 1].map(collides), [true, false]);
    bench.insert(LocR, 1);
    assert_eq!(bench.test(6), [0; 4]);
    // Color 3 has in bank 1 what color 6 lacks.
    assert_eq!(row(&SMALL[1], 3), row(&SMALL[1], 6));
    bench.insert(LocR, 3);
    assert_eq!(bench.test(6), [0b100, 0, 0, 0], "a false positive, as the paper has them");
}

#[test]
fn items_age_and_expire() {
    let mut bench = Bench::ready();
    bench.insert(LocR, 1);
    for age in [0b010, 0b001, 0] {
        bench.end_epoch();
        assert_eq!(bench.test(1)[0], age);
    }
    bench.insert(LocR, 1);
    assert_eq!(bench.test(1)[0], 0b100, "the column is used again");
}

#[test]
fn the_scan_shows_all_rows_in_order_before_clearing() {
    let mut bench = Bench::ready();
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
}

#[test]
fn while_scanning_no_stream_is_ready_and_the_end_is_marked() {
    let mut bench = Bench::ready();
    bench.cycle(Offer { epoch_end: true, ..Offer::default() });
    let everything = Offer { insert: Some((LocR, 1)), test: Some(1), epoch_end: true };
    for _ in 0..4 {
        bench.offer(everything);
        assert_eq!(bench.ready_bits(), [0; 3]);
        assert_eq!(bench.sim.get(bench.io.scan_done), 0);
        bench.cycle(everything);
        assert_eq!(bench.sim.get(bench.io.answer_valid), 0);
    }
    assert_eq!((bench.sim.get(bench.io.scan_valid), bench.sim.get(bench.io.scan_done)), (0, 1));
    assert_eq!(bench.ready_bits(), [1; 3]);
    assert_eq!(bench.test(1), [0; 4]);
    assert_eq!(bench.sim.get(bench.io.scan_done), 0);
}

#[test]
fn what_comes_with_the_end_of_the_epoch_still_belongs_to_it() {
    for color in 1..8 {
        let mut bench = Bench::ready();
        bench.cycle(Offer { insert: Some((RemW, color)), test: Some(color), epoch_end: true });
        assert_eq!(bench.vectors(bench.io.answer), [0; 4]);
        for number in 0..4 {
            for (bank, masks) in SMALL.iter().enumerate() {
                let hashed = row(masks, color) == number;
                let shown = bench.sim.get(bench.io.scan_bank[bank].rem_w);
                assert_eq!(
                    shown,
                    u64::from(hashed) << 2,
                    "color {color}, bank {bank}, row {number}"
                );
            }
            bench.sim.step();
        }
        assert_eq!(bench.test(color), [0, 0, 0, 0b010]);
    }
}

#[test]
fn color_0_is_never_inserted_and_never_a_member() {
    let mut bench = Bench::ready();
    bench.insert(LocR, 0);
    let scanned = bench.end_epoch();
    assert!(scanned.iter().flatten().all(|&row| row == 0));
    for color in 0..8 {
        bench.insert(LocR, color);
    }
    assert_eq!(bench.test(0), [0; 4]);
    assert_eq!(bench.test(1), [0b100, 0, 0, 0]);
}

/// A buffer as the paper draws it: items in a queue, each with signatures as lists of rows.
struct Naive {
    masks: Vec<Vec<u32>>,
    /// Oldest first; by file and bank, the rows that are set.
    items: VecDeque<[Vec<Vec<u32>>; 4]>,
    /// Rows still to clear or to scan.
    clearing: u32,
    scanning: u32,
    rows: u32,
    answer: Option<[u64; 4]>,
    scan_done: bool,
}

impl Naive {
    fn empty_item(banks: usize) -> [Vec<Vec<u32>>; 4] {
        [(); 4].map(|()| vec![Vec::new(); banks])
    }

    fn new(items: usize, masks: Vec<Vec<u32>>) -> Naive {
        let rows = 1 << masks[0].len();
        let item = Naive::empty_item(masks.len());
        Naive {
            items: vec![item; items].into(),
            clearing: rows,
            scanning: 0,
            rows,
            answer: None,
            scan_done: false,
            masks,
        }
    }

    fn ready(&self) -> bool {
        self.clearing == 0 && self.scanning == 0
    }

    /// A bit an item: those whose bank has the row.
    fn column(&self, file: usize, bank: usize, row: u32) -> u64 {
        let has = |item: &[Vec<Vec<u32>>; 4]| u64::from(item[file][bank].contains(&row));
        self.items.iter().enumerate().map(|(age, item)| has(item) << age).sum()
    }

    fn cycle(&mut self, offer: Offer) {
        let ready = self.ready();
        self.answer = offer.test.filter(|_| ready).map(|color| {
            [0, 1, 2, 3].map(|file| {
                let banks = self.masks.iter().enumerate();
                let all = banks.map(|(bank, masks)| self.column(file, bank, row(masks, color)));
                if color == 0 { 0 } else { all.fold(u64::MAX, |all, bank| all & bank) }
            })
        });
        self.scan_done = self.scanning == 1;
        if let Some((file, color)) = offer.insert.filter(|&(_, color)| ready && color != 0) {
            let current = self.items.back_mut().expect("at least one item");
            for (bank, masks) in current[file.code() as usize].iter_mut().zip(&self.masks) {
                bank.push(row(masks, color));
            }
        }
        self.clearing = self.clearing.saturating_sub(1);
        if self.scanning == 1 {
            self.items.pop_front();
            self.items.push_back(Naive::empty_item(self.masks.len()));
        }
        self.scanning = self.scanning.saturating_sub(1);
        if ready && offer.epoch_end {
            self.scanning = self.rows;
        }
    }
}

/// Offers with colors of `color_bits` bits: often the same few, so that tests find something.
fn offer(color_bits: u32) -> impl Strategy<Value = Offer> {
    let colors = 1u32 << color_bits;
    let color = move || prop_oneof![0..colors.min(4), 0..colors];
    let insert = (prop::sample::select(&HistoryFile::ALL[..]), color());
    let insert = prop::option::weighted(0.6, insert);
    let test = prop::option::weighted(0.6, color());
    (insert, test, prop::bool::weighted(0.2)).prop_map(|(insert, test, epoch_end)| Offer {
        insert,
        test,
        epoch_end,
    })
}

/// Signature bits, banks and color bits, and cycles that fit: what is offered, and whether reset comes.
fn run() -> impl Strategy<Value = ((u32, u32, u32), Vec<(Offer, bool)>)> {
    let sizes = vec![(2, 1, 1), (2, 3, 12), (4, 2, 3), (16, 8, 16), (8, 1, 2)];
    prop::sample::select(sizes).prop_flat_map(|sizes| {
        let cycle = (offer(sizes.2), prop::bool::weighted(0.003));
        (Just(sizes), prop::collection::vec(cycle, 300))
    })
}

fn agrees(items: usize, sizes: (u32, u32, u32), cycles: &[(Offer, bool)]) {
    let (bits, banks, color_bits) = sizes;
    let color =
        config::Color { bits: color_bits, signature_bits: bits, ..config::Config::default().color };
    let masks: Vec<_> = (0..banks).map(|bank| color.h3_masks(bank)).collect();
    let mut bench = Bench::in_reset(items, configured(bits, banks, color_bits));
    let mut naive = Naive::new(items, masks.clone());
    for &(offer, reset) in cycles {
        bench.offer(offer);
        assert_eq!(bench.ready_bits(), [u64::from(naive.ready()); 3]);
        assert_eq!(bench.sim.get(bench.io.scan_done), u64::from(naive.scan_done));
        assert_eq!(bench.sim.get(bench.io.scan_valid), u64::from(naive.scanning > 0));
        assert_eq!(bench.sim.get(bench.io.answer_valid), u64::from(naive.answer.is_some()));
        if let Some(answer) = naive.answer {
            assert_eq!(bench.vectors(bench.io.answer), answer);
        }
        if naive.scanning > 0 {
            let row = naive.rows - naive.scanning;
            assert_eq!(bench.sim.get(bench.io.scan_row), u64::from(row));
            for bank in 0..banks as usize {
                let shown = bench.vectors(bench.io.scan_bank[bank]);
                assert_eq!(shown, [0, 1, 2, 3].map(|file| naive.column(file, bank, row)));
            }
        }
        bench.sim.set_reset(reset);
        bench.sim.step();
        bench.sim.set_reset(false);
        match reset {
            true => naive = Naive::new(items, masks.clone()),
            false => naive.cycle(offer),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn every_size_agrees_with_a_naive_buffer(
        items in prop::sample::select(vec![1usize, 2, 3, 5, 30, 64]),
        (sizes, cycles) in run(),
    ) {
        agrees(items, sizes, &cycles);
    }
}
