//! The communication table, sentence by sentence of its contract in `docs/units.md`.

use border::monitor::{Index, Word};
use config::Overflow;
use units::communication_table::CommunicationTable;
use units::metadata::Fields;

use super::driver::{Bench, edge, entry_word, table};

#[test]
fn edges_come_out_in_order_word_by_word() {
    for depth in [1, 2, 3, 5, 8, 1000] {
        Bench::each(depth, |bench| {
            let mut next = 0;
            // More than once around, from different fills.
            for burst in [1, depth, depth.div_ceil(2), depth] {
                let first = next;
                for number in first..first + burst as u64 {
                    bench.push(edge(number));
                }
                next += burst as u64;
                for number in first..next {
                    assert_eq!(
                        bench.drain(),
                        Bench::words_of(&edge(number)),
                        "{number} of {depth}"
                    );
                }
                assert_eq!(bench.read(Word::TableCount), 0);
            }
        });
    }
}

#[test]
fn an_edge_is_visible_in_the_cycle_after_its_push() {
    Bench::each(4, |bench| {
        bench.set_read(Word::SourcePc);
        bench.set_push(edge(7));
        bench.step();
        assert_eq!(bench.shown(), 0, "not in the same cycle");
        assert_eq!(bench.read(Word::SourcePc), entry_word(&edge(7), 0));
    });
}

#[test]
fn a_full_table_counts_every_edge_it_drops() {
    for depth in [1, 3, 4] {
        Bench::each(depth, |bench| {
            for number in 0..depth as u64 {
                assert!(!bench.full());
                bench.push(edge(number));
            }
            assert!(bench.full());
            for number in 0..3 {
                bench.push(edge(100 + number));
            }
            assert_eq!(bench.read(Word::TableLost), 3);
            assert_eq!(bench.read(Word::TableCount), depth as u64);
            assert_eq!(bench.drain(), Bench::words_of(&edge(0)), "what was there stays");
        });
    }
}

#[test]
fn a_pop_makes_room_only_for_the_next_cycle() {
    Bench::each(2, |bench| {
        bench.push(edge(0));
        bench.push(edge(1));
        bench.set_read(Word::KindAndHarts);
        bench.set_push(edge(2));
        bench.step();
        assert_eq!(bench.shown(), entry_word(&edge(0), 6));
        assert_eq!(bench.read(Word::TableLost), 1);
        assert_eq!(bench.read(Word::TableCount), 1);
        bench.push(edge(3));
        assert_eq!(bench.drain(), Bench::words_of(&edge(1)));
        assert_eq!(bench.drain(), Bench::words_of(&edge(3)));
    });
}

#[test]
fn a_push_and_a_pop_in_one_cycle_keep_the_count() {
    Bench::each(3, |bench| {
        bench.push(edge(0));
        bench.set_read(Word::KindAndHarts);
        bench.set_push(edge(1));
        bench.step();
        assert_eq!(bench.shown(), entry_word(&edge(0), 6), "the oldest before the cycle");
        assert_eq!(bench.read(Word::TableCount), 1);
        assert_eq!(bench.drain(), Bench::words_of(&edge(1)));
    });
}

#[test]
fn popping_an_empty_table_does_nothing() {
    Bench::each(3, |bench| {
        assert_eq!(bench.drain(), [0; 10]);
        assert_eq!(bench.read(Word::TableCount), 0);
        bench.push(edge(4));
        assert_eq!(bench.drain(), Bench::words_of(&edge(4)));
        assert_eq!(bench.drain(), [0; 10], "nor does it show what was there");
    });
}

#[test]
fn what_was_read_is_held_until_the_next_read() {
    Bench::each(2, |bench| {
        bench.push(edge(0));
        let last = bench.read(Word::KindAndHarts);
        assert_eq!(last, entry_word(&edge(0), 6));
        bench.push(edge(1));
        bench.write(Word::TableControl, 1);
        bench.dut.set("address", Word::TableCount.number().into());
        bench.step();
        assert_eq!(bench.shown(), last, "neither pushes, writes nor addresses change it");
        bench.push(edge(2));
        assert_eq!(bench.read(Word::TableCount), 1);
        bench.push(edge(3));
        assert_eq!(bench.shown(), 1);
    });
}

#[test]
fn only_word_6_pops_and_other_words_read_zero_and_ignore_writes() {
    Bench::each(2, |bench| {
        bench.push(edge(0));
        for index in Index::all().filter(|&index| index != Word::KindAndHarts.into()) {
            if !matches!(index.word(), Some(Word::TableWatermark | Word::TableControl)) {
                bench.write(index, 0xffff_ffff);
            }
            let expected = match (index.number(), index.word()) {
                (number @ 0..=9, _) => entry_word(&edge(0), number.into()),
                (_, Some(Word::TableCount)) => 1,
                (_, Some(Word::TableWatermark)) => 2,
                _ => 0,
            };
            assert_eq!(bench.read(index), expected, "{index:?}");
        }
        bench.write(Word::KindAndHarts, 0xffff_ffff);
        assert_eq!(bench.drain(), Bench::words_of(&edge(0)));
    });
}

#[test]
fn it_interrupts_from_the_watermark_on() {
    Bench::each(5, |bench| {
        assert_eq!(bench.read(Word::TableWatermark), 5, "the depth after reset");
        bench.write(Word::TableWatermark, 2);
        assert!(!bench.irq());
        bench.push(edge(0));
        assert!(!bench.irq());
        bench.push(edge(1));
        assert!(bench.irq(), "count is the watermark");
        bench.push(edge(2));
        assert!(bench.irq());
        bench.write(Word::TableWatermark, 0);
        assert!(!bench.irq(), "a watermark of 0 never interrupts");
        bench.write(Word::TableWatermark, 3);
        assert!(bench.irq());
        bench.set_read(Word::KindAndHarts);
        assert!(bench.irq(), "the count before the cycle");
        bench.step();
        assert!(!bench.irq());
    });
}

#[test]
fn the_watermark_has_as_many_bits_as_hold_the_depth() {
    for (depth, mask) in [(1, 1), (2, 3), (3, 3), (4, 7), (1000, 1023), (1024, 2047)] {
        Bench::each(depth, |bench| {
            assert_eq!(bench.read(Word::TableWatermark), depth as u64);
            bench.write(Word::TableWatermark, 0xffff_ffff);
            assert_eq!(bench.read(Word::TableWatermark), mask, "depth {depth}");
            bench.dut.reset();
            assert_eq!(bench.read(Word::TableWatermark), depth as u64);
        });
    }
}

#[test]
fn clear_empties_table_and_lost_and_leaves_the_watermark() {
    Bench::each(2, |bench| {
        bench.write(Word::TableWatermark, 1);
        for number in 0..4 {
            bench.push(edge(number));
        }
        bench.write(Word::TableControl, 0xffff_fffe);
        assert_eq!(
            (bench.read(Word::TableCount), bench.read(Word::TableLost)),
            (2, 2),
            "bit 0 clears, no other"
        );
        bench.write(Word::TableControl, 1);
        assert_eq!((bench.read(Word::TableCount), bench.read(Word::TableLost)), (0, 0));
        assert_eq!(bench.read(Word::TableWatermark), 1);
        assert_eq!(bench.read(Word::TableControl), 0);
        assert_eq!(bench.drain(), [0; 10]);
        bench.push(edge(9));
        assert_eq!(bench.drain(), Bench::words_of(&edge(9)));
    });
}

#[test]
fn clear_wins_over_a_push_which_is_not_counted() {
    for pushed_before in 0..=2 {
        Bench::each(2, |bench| {
            for number in 0..pushed_before {
                bench.push(edge(number));
            }
            bench.set_push(edge(8));
            bench.write(Word::TableControl, 1);
            assert_eq!((bench.read(Word::TableCount), bench.read(Word::TableLost)), (0, 0));
        });
    }
}

#[test]
fn a_push_into_a_full_table_that_stalls_breaks_an_assumption_and_is_counted() {
    Bench::with(table(1, Overflow::Stall), |bench| {
        bench.push(edge(0));
        bench.push(edge(1));
        assert_eq!(bench.dut.take_broken(), ["waits_while_full"]);
        assert_eq!(bench.read(Word::TableLost), 1);
        assert_eq!(bench.drain(), Bench::words_of(&edge(0)));
    });
}

#[test]
fn a_count_of_lost_edges_stays_at_its_maximum() {
    let narrow = CommunicationTable { lost_bits: 3, ..table(1, Overflow::Discard) };
    Bench::with(narrow, |bench| {
        bench.push(edge(0));
        for lost in 0..20 {
            assert_eq!(bench.read(Word::TableLost), lost.min(7));
            bench.push(edge(1));
        }
    });
}

#[test]
fn reset_empties_everything() {
    Bench::each(2, |bench| {
        for number in 0..4 {
            bench.push(edge(number));
        }
        bench.read(Word::TableCount);
        bench.dut.reset();
        assert_eq!(bench.shown(), 0);
        assert!(!bench.full());
        assert_eq!((bench.read(Word::TableCount), bench.read(Word::TableLost)), (0, 0));
        assert_eq!(bench.drain(), [0; 10]);
    });
}

#[test]
fn narrow_fields_are_extended_with_zeros() {
    let fields = Fields { pc_bits: 8, events: 1, hart_bits: 0, time_bits: 0 };
    Bench::with(CommunicationTable { fields, ..table(2, Overflow::Discard) }, |bench| {
        for (port, value) in [
            ("source_pc", 0xab),
            ("source_ctx", 2),
            ("sink_pc", 0xff),
            ("sink_ctx", 3),
            ("kind", 2),
        ] {
            bench.dut.set(&format!("push_edge_{port}"), value);
        }
        bench.dut.set("push_valid", 1);
        bench.step();
        assert_eq!(bench.drain(), [0xab, 0xff, 2, 3, 0, 0, 2 << 16, 0, 0, 0]);
    });
}
