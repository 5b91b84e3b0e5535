use super::*;
use crate::{CodePoint, Ctx, EdgeKind, HartId, Time};
use RegisterAccess::{Read, Write};
use proptest::prelude::*;
use std::collections::VecDeque;

const FIELDS: Fields = Fields { pc_bits: 32, events: 5, hart_bits: 2, time_bits: 32 };
const POP: Word = Word::KindAndHarts;
const IDLE: TableInputs = TableInputs { push: None, register: None };

fn edge(pc: u64) -> Edge {
    let source = LineMeta { pc: CodePoint(pc), ..LineMeta::NULL };
    Edge { source, ..Edge::default() }
}

fn push(pc: u64) -> TableInputs {
    TableInputs { push: Some(edge(pc)), register: None }
}

fn read(table: &mut CommunicationTable, word: impl Into<Index>) -> u32 {
    table.step(&TableInputs { register: Some(Read { word: word.into() }), ..IDLE });
    table.read_data()
}

fn write(table: &mut CommunicationTable, word: impl Into<Index>, data: u32) {
    table.step(&TableInputs { register: Some(Write { word: word.into(), data }), ..IDLE });
}

#[test]
fn an_edge_pushed_into_an_empty_table_is_visible_in_the_next_cycle() {
    let mut table = CommunicationTable::new(4, FIELDS);
    table.step(&TableInputs { register: Some(Read { word: Word::SourcePc.into() }), ..push(5) });
    assert_eq!(table.read_data(), 0);
    assert_eq!(read(&mut table, Word::SourcePc), 5);
    assert_eq!(table.step(&IDLE).read_data, 5, "held until the next read");
}

#[test]
fn words_show_every_field_in_its_place() {
    let meta = |pc, ctx, hart, time| LineMeta {
        pc: CodePoint(pc),
        ctx: Ctx(ctx),
        hart: HartId(hart),
        time: Time(time),
    };
    let edge = Edge {
        source: meta(0x1111_1111_2222_2222, 0x3333, 0x144, 0x5_5555_5555),
        sink: meta(0x6666_6666_7777_7777, 0x8888, 0x99, 0xaaaa),
        kind: EdgeKind::Memory,
    };
    let wide = Fields { pc_bits: 64, events: 16, hart_bits: 32, time_bits: 64 };
    let mut table = CommunicationTable::new(4, wide);
    table.step(&TableInputs { push: Some(edge), register: None });
    // Word 6 last, because reading it pops the edge; then nothing is left to read.
    let words = [0, 1, 2, 3, 4, 5, 8, 9, 6, 0]
        .map(|number| read(&mut table, Index::numbered(number).unwrap()));
    let expected = [
        0x2222_2222,
        0x7777_7777,
        0x3333,
        0x8888,
        0x5555_5555,
        0xaaaa,
        0x1111_1111,
        0x6666_6666,
        0x2_4499,
        0,
    ];
    assert_eq!(words, expected);
}

#[test]
fn only_reading_word_6_pops() {
    let mut table = CommunicationTable::new(4, FIELDS);
    table.step(&push(1));
    for word in Index::all().filter(|word| *word != POP.into()) {
        read(&mut table, word);
    }
    assert_eq!(table.count(), 1);
    read(&mut table, POP);
    assert_eq!(table.count(), 0);
    assert_eq!(read(&mut table, POP), 0, "popping an empty table does nothing");
}

#[test]
fn full_table_counts_every_discarded_edge() {
    let mut table = CommunicationTable::new(3, FIELDS);
    for pc in 1..=8 {
        table.step(&push(pc));
    }
    assert_eq!(
        (table.count(), read(&mut table, Word::TableLost), read(&mut table, Word::SourcePc)),
        (3, 5, 1)
    );
}

#[test]
fn a_pop_makes_no_room_for_the_edge_of_the_same_cycle() {
    let mut table = CommunicationTable::new(1, FIELDS);
    table.step(&push(1));
    let both = TableInputs { register: Some(Read { word: POP.into() }), ..push(2) };
    assert!(table.step(&both).full);
    assert_eq!((table.count(), table.lost()), (0, 1));
}

#[test]
fn lost_saturates() {
    let mut table = CommunicationTable::having_lost(1, FIELDS, u32::MAX - 2);
    let counts = [0; 5].map(|_| {
        table.step(&push(1));
        table.lost()
    });
    let max = u32::MAX;
    assert_eq!(counts, [max - 2, max - 1, max, max, max]);
}

#[test]
fn clearing_wins_over_the_edge_of_the_same_cycle() {
    let mut table = CommunicationTable::new(1, FIELDS);
    table.step(&push(1));
    table.step(&push(2));
    table.step(&TableInputs {
        register: Some(Write { word: Word::TableControl.into(), data: 3 }),
        ..push(3)
    });
    assert_eq!((table.count(), table.lost()), (0, 0));
    table.step(&push(4));
    write(&mut table, Word::TableControl, 2);
    assert_eq!(table.count(), 1, "bit 0 alone clears");
    assert_eq!(read(&mut table, Word::TableControl), 0);
}

#[test]
fn the_interrupt_follows_count_and_watermark() {
    let mut table = CommunicationTable::new(5, FIELDS);
    assert_eq!(read(&mut table, Word::TableWatermark), 5);
    write(&mut table, Word::TableWatermark, 2);
    let seen = [1, 2, 3].map(|pc| table.step(&push(pc)).interrupt);
    assert_eq!(seen, [false, false, true]);
    write(&mut table, Word::TableWatermark, 0);
    assert!(!table.step(&IDLE).interrupt, "a watermark of 0 never interrupts");
}

#[test]
fn a_watermark_keeps_the_bits_that_hold_the_depth() {
    for (depth, kept) in [(1, 1), (3, 3), (4, 7), (5, 7), (1024, 2047), (65536, 0x1_ffff)] {
        let mut table = CommunicationTable::new(depth, FIELDS);
        write(&mut table, Word::TableWatermark, u32::MAX);
        assert_eq!(read(&mut table, Word::TableWatermark), kept, "depth {depth}");
    }
}

proptest! {
    /// The naive model: an unbounded queue, with `lost` counted beside it.
    #[test]
    fn edges_leave_in_the_order_they_came_and_lost_is_exact(
        depth in 1usize..9,
        steps in prop::collection::vec((any::<bool>(), any::<bool>()), 0..200),
    ) {
        let mut table = CommunicationTable::new(depth, FIELDS);
        let mut naive = VecDeque::new();
        let mut lost = 0;
        for (pc, (pushes, pops)) in (1..).zip(steps) {
            let inputs = TableInputs {
                push: pushes.then(|| edge(pc)),
                register: pops.then_some(Read { word: POP.into() }),
            };
            let was_full = naive.len() == depth;
            prop_assert_eq!(table.step(&inputs).full, was_full);
            if pops {
                naive.pop_front();
            }
            match (pushes, was_full) {
                (true, true) => lost += 1,
                (true, false) => naive.push_back(edge(pc)),
                _ => {}
            }
            prop_assert!(table.edges().eq(naive.iter()));
            prop_assert_eq!(table.lost(), lost);
        }
    }
}
