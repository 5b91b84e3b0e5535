//! The communication table, sentence by sentence of its contract in `docs/units.md`, then against a
//! naive queue under random traffic.

use std::collections::VecDeque;

use config::Overflow;
use hdl::Simulator;
use proptest::prelude::*;
use units::communication_table::{CommunicationTable, CommunicationTableIo, word};
use units::metadata::Fields;

const FIELDS: Fields = Fields { pc_bits: 64, events: 16, hart_bits: 4, time_bits: 40 };

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct End {
    pc: u64,
    ctx: u64,
    hart: u64,
    time: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Edge {
    source: End,
    sink: End,
    kind: u64,
}

/// An edge that differs from every other `number` in every field.
fn edge(number: u64) -> Edge {
    let end = |salt: u64| {
        let mixed = (number + 1).wrapping_mul(salt);
        End {
            pc: mixed,
            ctx: mixed >> 7 & 0xffff_ffff,
            hart: (number + salt) & 0xf,
            time: mixed >> 11 & 0xff_ffff_ffff,
        }
    };
    Edge { source: end(0x9e37_79b9_7f4a_7c15), sink: end(0xc2b2_ae3d_27d4_eb4f), kind: number % 3 }
}

/// What a word of an entry shows.
fn entry_word(edge: &Edge, address: u64) -> u64 {
    let Edge { source, sink, kind } = edge;
    let low = |value: u64| value & 0xffff_ffff;
    match address {
        0 => low(source.pc),
        1 => low(sink.pc),
        2 => source.ctx,
        3 => sink.ctx,
        4 => low(source.time),
        5 => low(sink.time),
        6 => kind << 16 | source.hart << 8 | sink.hart,
        8 => source.pc >> 32,
        9 => sink.pc >> 32,
        _ => 0,
    }
}

/// A table as machines have it, with small fields.
fn table(depth: usize, overflow: Overflow) -> CommunicationTable {
    CommunicationTable { depth, overflow, fields: FIELDS, lost_bits: 32 }
}

struct Bench {
    sim: Simulator,
    io: CommunicationTableIo,
}

impl Bench {
    fn new(depth: usize) -> Bench {
        Bench::with(table(depth, Overflow::Discard))
    }

    fn with(table: CommunicationTable) -> Bench {
        let (mut sim, io) = Simulator::of(table).expect("a legal circuit");
        sim.reset();
        Bench { sim, io }
    }

    fn set_push(&mut self, edge: Edge) {
        let io = self.io.push_edge;
        self.sim.set(self.io.push_valid, 1);
        for (port, end) in [(io.source, edge.source), (io.sink, edge.sink)] {
            self.sim.set(port.pc, end.pc);
            self.sim.set(port.ctx, end.ctx);
            self.sim.set(port.hart.expect("hart bits"), end.hart);
            self.sim.set(port.time.expect("time bits"), end.time);
        }
        self.sim.set(io.kind, edge.kind);
    }

    fn set_read(&mut self, address: u64) {
        self.sim.set(self.io.read_valid, 1);
        self.sim.set(self.io.address, address);
    }

    fn set_write(&mut self, address: u64, data: u64) {
        self.sim.set(self.io.write_valid, 1);
        self.sim.set(self.io.address, address);
        self.sim.set(self.io.write_data, data);
    }

    /// One cycle; then nothing is asked any more.
    fn step(&mut self) {
        self.sim.step();
        for valid in [self.io.push_valid, self.io.read_valid, self.io.write_valid] {
            self.sim.set(valid, 0);
        }
    }

    fn push(&mut self, edge: Edge) {
        self.set_push(edge);
        self.step();
    }

    fn shown(&mut self) -> u64 {
        self.sim.get(self.io.read_data)
    }

    fn read(&mut self, address: u64) -> u64 {
        self.set_read(address);
        self.step();
        self.shown()
    }

    fn write(&mut self, address: u64, data: u64) {
        self.set_write(address, data);
        self.step();
    }

    fn full(&mut self) -> bool {
        self.sim.get(self.io.full) == 1
    }

    fn irq(&mut self) -> bool {
        self.sim.get(self.io.irq) == 1
    }

    /// Reads the words of the oldest entry, the popping one last.
    fn drain(&mut self) -> [u64; 10] {
        let mut words = [0; 10];
        for address in [0, 1, 2, 3, 4, 5, 7, 8, 9, 6] {
            words[address as usize] = self.read(address);
        }
        words
    }

    fn words_of(edge: &Edge) -> [u64; 10] {
        std::array::from_fn(|address| entry_word(edge, address as u64))
    }
}

#[test]
fn edges_come_out_in_order_word_by_word() {
    for depth in [1, 2, 3, 5, 8, 1000] {
        let mut bench = Bench::new(depth);
        let mut next = 0;
        // More than once around, from different fills.
        for burst in [1, depth, depth.div_ceil(2), depth] {
            let first = next;
            for number in first..first + burst as u64 {
                bench.push(edge(number));
            }
            next += burst as u64;
            for number in first..next {
                assert_eq!(bench.drain(), Bench::words_of(&edge(number)), "{number} of {depth}");
            }
            assert_eq!(bench.read(word::COUNT), 0);
        }
    }
}

#[test]
fn an_edge_is_visible_in_the_cycle_after_its_push() {
    let mut bench = Bench::new(4);
    bench.set_read(word::SOURCE_PC);
    bench.set_push(edge(7));
    bench.step();
    assert_eq!(bench.shown(), 0, "not in the same cycle");
    assert_eq!(bench.read(word::SOURCE_PC), entry_word(&edge(7), 0));
}

#[test]
fn a_full_table_counts_every_edge_it_drops() {
    for depth in [1, 3, 4] {
        let mut bench = Bench::new(depth);
        for number in 0..depth as u64 {
            assert!(!bench.full());
            bench.push(edge(number));
        }
        assert!(bench.full());
        for number in 0..3 {
            bench.push(edge(100 + number));
        }
        assert_eq!(bench.read(word::LOST), 3);
        assert_eq!(bench.read(word::COUNT), depth as u64);
        assert_eq!(bench.drain(), Bench::words_of(&edge(0)), "what was there stays");
    }
}

#[test]
fn a_pop_makes_room_only_for_the_next_cycle() {
    let mut bench = Bench::new(2);
    bench.push(edge(0));
    bench.push(edge(1));
    bench.set_read(word::KIND_AND_HARTS);
    bench.set_push(edge(2));
    bench.step();
    assert_eq!(bench.shown(), entry_word(&edge(0), 6));
    assert_eq!(bench.read(word::LOST), 1);
    assert_eq!(bench.read(word::COUNT), 1);
    bench.push(edge(3));
    assert_eq!(bench.drain(), Bench::words_of(&edge(1)));
    assert_eq!(bench.drain(), Bench::words_of(&edge(3)));
}

#[test]
fn a_push_and_a_pop_in_one_cycle_keep_the_count() {
    let mut bench = Bench::new(3);
    bench.push(edge(0));
    bench.set_read(word::KIND_AND_HARTS);
    bench.set_push(edge(1));
    bench.step();
    assert_eq!(bench.shown(), entry_word(&edge(0), 6), "the oldest before the cycle");
    assert_eq!(bench.read(word::COUNT), 1);
    assert_eq!(bench.drain(), Bench::words_of(&edge(1)));
}

#[test]
fn popping_an_empty_table_does_nothing() {
    let mut bench = Bench::new(3);
    assert_eq!(bench.drain(), [0; 10]);
    assert_eq!(bench.read(word::COUNT), 0);
    bench.push(edge(4));
    assert_eq!(bench.drain(), Bench::words_of(&edge(4)));
    assert_eq!(bench.drain(), [0; 10], "nor does it show what was there");
}

#[test]
fn what_was_read_is_held_until_the_next_read() {
    let mut bench = Bench::new(2);
    bench.push(edge(0));
    let last = bench.read(word::KIND_AND_HARTS);
    assert_eq!(last, entry_word(&edge(0), 6));
    bench.push(edge(1));
    bench.write(word::CONTROL, 1);
    bench.sim.set(bench.io.address, word::COUNT);
    bench.step();
    assert_eq!(bench.shown(), last, "neither pushes, writes nor addresses change it");
    bench.push(edge(2));
    assert_eq!(bench.read(word::COUNT), 1);
    bench.push(edge(3));
    assert_eq!(bench.shown(), 1);
}

#[test]
fn only_word_6_pops_and_other_words_read_zero_and_ignore_writes() {
    let mut bench = Bench::new(2);
    bench.push(edge(0));
    for address in (0..1024).filter(|&address| address != word::KIND_AND_HARTS) {
        if ![word::WATERMARK, word::CONTROL].contains(&address) {
            bench.write(address, 0xffff_ffff);
        }
        let expected = match address {
            0..=9 => entry_word(&edge(0), address),
            word::COUNT => 1,
            word::WATERMARK => 2,
            _ => 0,
        };
        assert_eq!(bench.read(address), expected, "word {address}");
    }
    bench.write(word::KIND_AND_HARTS, 0xffff_ffff);
    assert_eq!(bench.drain(), Bench::words_of(&edge(0)));
}

#[test]
fn it_interrupts_from_the_watermark_on() {
    let mut bench = Bench::new(5);
    assert_eq!(bench.read(word::WATERMARK), 5, "the depth after reset");
    bench.write(word::WATERMARK, 2);
    assert!(!bench.irq());
    bench.push(edge(0));
    assert!(!bench.irq());
    bench.push(edge(1));
    assert!(bench.irq(), "count is the watermark");
    bench.push(edge(2));
    assert!(bench.irq());
    bench.write(word::WATERMARK, 0);
    assert!(!bench.irq(), "a watermark of 0 never interrupts");
    bench.write(word::WATERMARK, 3);
    assert!(bench.irq());
    bench.set_read(word::KIND_AND_HARTS);
    assert!(bench.irq(), "the count before the cycle");
    bench.step();
    assert!(!bench.irq());
}

#[test]
fn the_watermark_has_as_many_bits_as_hold_the_depth() {
    for (depth, mask) in [(1, 1), (2, 3), (3, 3), (4, 7), (1000, 1023), (1024, 2047)] {
        let mut bench = Bench::new(depth);
        assert_eq!(bench.read(word::WATERMARK), depth as u64);
        bench.write(word::WATERMARK, 0xffff_ffff);
        assert_eq!(bench.read(word::WATERMARK), mask, "depth {depth}");
        bench.sim.reset();
        assert_eq!(bench.read(word::WATERMARK), depth as u64);
    }
}

#[test]
fn clear_empties_table_and_lost_and_leaves_the_watermark() {
    let mut bench = Bench::new(2);
    bench.write(word::WATERMARK, 1);
    for number in 0..4 {
        bench.push(edge(number));
    }
    bench.write(word::CONTROL, 0xffff_fffe);
    assert_eq!((bench.read(word::COUNT), bench.read(word::LOST)), (2, 2), "bit 0 clears, no other");
    bench.write(word::CONTROL, 1);
    assert_eq!((bench.read(word::COUNT), bench.read(word::LOST)), (0, 0));
    assert_eq!(bench.read(word::WATERMARK), 1);
    assert_eq!(bench.read(word::CONTROL), 0);
    assert_eq!(bench.drain(), [0; 10]);
    bench.push(edge(9));
    assert_eq!(bench.drain(), Bench::words_of(&edge(9)));
}

#[test]
fn clear_wins_over_a_push_which_is_not_counted() {
    for pushed_before in 0..=2 {
        let mut bench = Bench::new(2);
        for number in 0..pushed_before {
            bench.push(edge(number));
        }
        bench.set_push(edge(8));
        bench.write(word::CONTROL, 1);
        assert_eq!((bench.read(word::COUNT), bench.read(word::LOST)), (0, 0));
    }
}

#[test]
fn a_push_into_a_full_table_that_stalls_breaks_an_assumption_and_is_counted() {
    let mut bench = Bench::with(table(1, Overflow::Stall));
    bench.sim.collect_failures();
    bench.push(edge(0));
    bench.push(edge(1));
    let labels: Vec<_> = bench.sim.failures().iter().map(|failure| &failure.label).collect();
    assert_eq!(labels, ["waits_while_full"]);
    assert_eq!(bench.read(word::LOST), 1);
    assert_eq!(bench.drain(), Bench::words_of(&edge(0)));
}

#[test]
fn a_count_of_lost_edges_stays_at_its_maximum() {
    let narrow = CommunicationTable { lost_bits: 3, ..table(1, Overflow::Discard) };
    let mut bench = Bench::with(narrow);
    bench.push(edge(0));
    for lost in 0..20 {
        assert_eq!(bench.read(word::LOST), lost.min(7));
        bench.push(edge(1));
    }
}

#[test]
fn reset_empties_everything() {
    let mut bench = Bench::new(2);
    for number in 0..4 {
        bench.push(edge(number));
    }
    bench.read(word::COUNT);
    bench.sim.reset();
    assert_eq!(bench.shown(), 0);
    assert!(!bench.full());
    assert_eq!((bench.read(word::COUNT), bench.read(word::LOST)), (0, 0));
    assert_eq!(bench.drain(), [0; 10]);
}

#[test]
fn narrow_fields_are_extended_with_zeros() {
    let fields = Fields { pc_bits: 8, events: 1, hart_bits: 0, time_bits: 0 };
    let mut bench = Bench::with(CommunicationTable { fields, ..table(2, Overflow::Discard) });
    let io = bench.io.push_edge;
    for (port, value) in
        [(io.source.pc, 0xab), (io.source.ctx, 2), (io.sink.pc, 0xff), (io.sink.ctx, 3)]
    {
        bench.sim.set(port, value);
    }
    bench.sim.set(io.kind, 2);
    bench.sim.set(bench.io.push_valid, 1);
    bench.step();
    assert_eq!(bench.drain(), [0xab, 0xff, 2, 3, 0, 0, 2 << 16, 0, 0, 0]);
}

/// What may happen in a cycle, besides a push.
#[derive(Clone, Copy, Debug)]
enum Asked {
    Nothing,
    Read(u64),
    Write(u64, u64),
    Reset,
}

fn asked() -> impl Strategy<Value = Asked> {
    let address = prop_oneof![4 => Just(word::KIND_AND_HARTS), 2 => 0..20u64, 1 => 0..1024u64];
    prop_oneof![
        30 => Just(Asked::Nothing),
        60 => address.prop_map(Asked::Read),
        6 => (0..8u64).prop_map(|data| Asked::Write(word::WATERMARK, data)),
        2 => (0..1024u64, any::<u32>()).prop_map(|(address, data)| Asked::Write(address, data.into())),
        1 => (0..2u64).prop_map(|data| Asked::Write(word::CONTROL, data)),
        1 => Just(Asked::Reset),
    ]
}

/// The contract, word for word.
struct Naive {
    depth: usize,
    entries: VecDeque<Edge>,
    lost: u64,
    watermark: u64,
    read_data: u64,
}

impl Naive {
    fn new(depth: usize) -> Naive {
        Naive { depth, entries: VecDeque::new(), lost: 0, watermark: depth as u64, read_data: 0 }
    }

    fn cycle(&mut self, pushed: Option<Edge>, asked: Asked) {
        let had_room = self.entries.len() < self.depth;
        let count = self.entries.len() as u64;
        match asked {
            Asked::Read(address) => {
                self.read_data = match address {
                    0..=9 => self.entries.front().map_or(0, |edge| entry_word(edge, address)),
                    word::COUNT => count,
                    word::LOST => self.lost,
                    word::WATERMARK => self.watermark,
                    _ => 0,
                };
                if address == word::KIND_AND_HARTS {
                    self.entries.pop_front();
                }
            }
            Asked::Write(word::WATERMARK, data) => {
                self.watermark = data % (self.depth as u64 + 1).next_power_of_two();
            }
            Asked::Write(word::CONTROL, data) if data & 1 == 1 => {
                self.entries.clear();
                self.lost = 0;
                return;
            }
            Asked::Reset => {
                *self = Naive::new(self.depth);
                return;
            }
            Asked::Write(..) | Asked::Nothing => {}
        }
        match pushed {
            Some(edge) if had_room => self.entries.push_back(edge),
            Some(_) => self.lost += 1,
            None => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_traffic_agrees_with_a_naive_queue(
        depth in 1usize..=9,
        cycles in prop::collection::vec((prop::option::weighted(0.5, 0..1000u64), asked()), 1..400),
    ) {
        let mut bench = Bench::new(depth);
        let mut model = Naive::new(depth);
        for (number, &(pushed, asked)) in cycles.iter().enumerate() {
            let count = model.entries.len();
            prop_assert_eq!(bench.full(), count == depth, "before cycle {}", number);
            let irq = model.watermark != 0 && count as u64 >= model.watermark;
            prop_assert_eq!(bench.irq(), irq, "before cycle {}", number);
            prop_assert_eq!(bench.shown(), model.read_data, "before cycle {}", number);
            let pushed = pushed.map(edge);
            if let Some(edge) = pushed {
                bench.set_push(edge);
            }
            match asked {
                Asked::Read(address) => bench.set_read(address),
                Asked::Write(address, data) => bench.set_write(address, data),
                Asked::Reset => bench.sim.set_reset(true),
                Asked::Nothing => {}
            }
            bench.step();
            bench.sim.set_reset(false);
            model.cycle(pushed, asked);
        }
    }
}
