//! The color lookaside buffer, sentence by sentence of its contract in `docs/units.md`.

use std::collections::HashMap;

use super::driver::{Answer, BASE, Bench, address, table, whole};

/// No word was read.
const NONE: [u32; 0] = [];

#[test]
fn each_level_answers_for_its_range() {
    for latency in [0, 1, 3] {
        Bench::with_tables(16, |bench| {
            bench.latency = latency;
            assert_eq!(bench.finds(address(1, 9, 9), 5), [BASE + 4]);
            assert_eq!(bench.finds(address(1, 1023, 1023) + 3, 5), NONE, "all of 4 MiB");
            assert_eq!(bench.finds(address(2, 3, 0), 6), [BASE + 8, 0x8001_000c]);
            assert_eq!(bench.finds(address(2, 3, 1023) + 2, 6), NONE, "all of 4 KiB");
            let walk = [BASE + 8, 0x8001_0010, 0x8002_001c];
            assert_eq!(bench.finds(address(2, 4, 7) + 1, 0xabc), walk);
            assert_eq!(bench.finds(address(2, 4, 7) + 3, 0xabc), NONE, "all of 4 bytes");
            assert_eq!(bench.finds(address(2, 4, 8), 0), [0x8002_0020], "the last leaf is known");
            assert_eq!(
                bench.finds(address(2, 4, 8), 0),
                NONE,
                "uncolored words are remembered too"
            );
            assert_eq!(bench.finds(address(3, 0, 0), 0), [BASE + 12]);
            assert_eq!(
                bench.finds(address(3, 7, 7), 0),
                NONE,
                "uncolored regions are remembered too"
            );
            assert_eq!(bench.finds(address(2, 5, 0), 0), [BASE + 8, 0x8001_0014]);
            assert_eq!(
                bench.finds(address(2, 5, 1), 0),
                NONE,
                "uncolored pages are remembered too"
            );
        });
    }
}

#[test]
fn indices_reach_over_the_whole_table() {
    Bench::each(1, |bench| {
        bench.memory = HashMap::from([
            (BASE + 4092, table(0xffff_f000)),
            (0xffff_fffc, table(0x8000_1000)),
            (0x8000_1ffc, whole(0xfff) | 0xf000_ff80),
        ]);
        let walk = [BASE + 4092, 0xffff_fffc, 0x8000_1ffc];
        assert_eq!(bench.finds(u32::MAX, 0xfff), walk, "other bits of an entry do not matter");
    });
}

#[test]
fn only_kind_1_colors_and_the_last_level_has_no_tables() {
    for (kind, color) in [(0, 0), (1, 9), (2, 0), (3, 0)] {
        Bench::with_tables(4, |bench| {
            bench.memory.insert(0x8002_001c, 9 << 16 | kind);
            assert_eq!(bench.finds(address(2, 4, 7), color).len(), 3);
            if kind != 2 {
                bench.memory.insert(BASE + 4, 9 << 16 | kind);
                assert_eq!(bench.finds(address(1, 0, 0), color).len(), 1);
            }
        });
    }
}

#[test]
fn a_match_is_answered_in_the_next_cycle() {
    Bench::with_tables(2, |bench| {
        assert!(bench.ask(address(1, 0, 0)).cycles > 1);
        assert_eq!(
            bench.ask(address(1, 1, 1)),
            Answer { color: 5, hazard: false, reads: vec![], cycles: 1 }
        );
    });
}

#[test]
fn entries_fill_in_turn() {
    for entries in [1, 2, 3, 5, 8] {
        Bench::each(entries, |bench| {
            // A few more ranges than entries, in a disorder in which each comes back soon.
            let regions = entries as u32 + 2;
            for region in 0..regions {
                bench.memory.insert(BASE + 4 * region, whole(region + 1));
            }
            let mut asked = Vec::new();
            for step in 0..100u32 {
                let region = (step * step + step / 3) % regions;
                // A match moves nothing: only the order of filling counts.
                let remembered = asked.iter().rev().take(entries).any(|&seen| seen == region);
                let reads = bench.finds(address(region, step, 0), u64::from(region) + 1);
                assert_eq!(reads.is_empty(), remembered, "{entries} entries, step {step}");
                if !remembered {
                    asked.push(region);
                }
            }
        });
    }
}

#[test]
fn disabled_it_answers_0_and_leaves_memory_and_entries_alone() {
    Bench::with_tables(1, |bench| {
        bench.finds(address(1, 0, 0), 5);
        bench.dut.set("enable", 0);
        for asked in [address(1, 0, 0), address(2, 3, 0)] {
            assert_eq!(
                bench.ask(asked),
                Answer { color: 0, hazard: false, reads: vec![], cycles: 1 }
            );
        }
        bench.dut.set("enable", 1);
        assert_eq!(bench.finds(address(1, 0, 0), 5), NONE, "still remembered");
    });
}

#[test]
fn only_a_flush_makes_it_read_again() {
    Bench::with_tables(2, |bench| {
        bench.finds(address(1, 0, 0), 5);
        bench.memory.insert(BASE + 4, whole(7));
        bench.dut.set("table_base", 0);
        assert_eq!(bench.finds(address(1, 0, 0), 5), NONE);
        bench.dut.set("table_base", BASE.into());
        bench.dut.set("flush", 1);
        bench.dut.step();
        bench.dut.set("flush", 0);
        assert_eq!(bench.finds(address(1, 0, 0), 7), [BASE + 4]);
    });
}

#[test]
fn a_flush_during_a_walk_lets_it_answer_but_not_fill() {
    let walk = [BASE + 8, 0x8001_0010, 0x8002_001c];
    for latency in [0, 2] {
        for at in 1..30 {
            Bench::with_tables(4, |bench| {
                bench.latency = latency;
                bench.finds(address(1, 0, 0), 5);
                bench.flush_at = Some(at);
                let answer = bench.ask(address(2, 4, 7));
                assert_eq!((answer.color, &answer.reads[..]), (0xabc, &walk[..]));
                bench.flush_at = None;
                let came = at <= answer.cycles;
                assert_eq!(bench.finds(address(2, 4, 7), 0xabc).is_empty(), !came, "flush at {at}");
                assert_eq!(bench.finds(address(1, 0, 0), 5).is_empty(), !came, "flush at {at}");
            });
        }
    }
}

#[test]
fn a_flush_with_a_request_comes_before_its_lookup() {
    Bench::with_tables(4, |bench| {
        bench.finds(address(1, 0, 0), 5);
        bench.memory.insert(BASE + 4, whole(7));
        bench.flush_at = Some(0);
        assert_eq!(bench.finds(address(1, 0, 0), 7), [BASE + 4], "nothing is left to answer from");
        bench.flush_at = None;
        assert_eq!(bench.finds(address(1, 0, 0), 7), NONE, "the walk began after the flush");
    });
}

#[test]
fn reset_forgets_everything_also_in_mid_walk() {
    Bench::with_tables(4, |bench| {
        bench.finds(address(1, 0, 0), 5);
        bench.dut.set("request_valid", 1);
        bench.dut.set("request_payload", address(2, 4, 7).into());
        bench.dut.step();
        bench.dut.set("request_valid", 0);
        bench.dut.step();
        bench.dut.reset();
        assert_eq!(bench.dut.get("memory_request_valid"), 0);
        assert_eq!(bench.finds(address(1, 0, 0), 5), [BASE + 4]);
    });
}

#[test]
fn of_overlapping_ranges_the_first_entry_answers() {
    Bench::with_tables(2, |bench| {
        bench.finds(address(2, 3, 0), 6);
        // The table changes without a flush: the region is of one color now.
        bench.memory.insert(BASE + 8, whole(8));
        bench.finds(address(2, 9, 0), 8);
        assert_eq!(bench.finds(address(2, 3, 5), 6), NONE);
    });
}

#[test]
fn an_entry_of_the_last_level_speaks_for_as_many_words_around_it_as_it_says() {
    for (size, reach) in [(0, 0), (1, 1), (3, 3), (9, 9), (10, 10), (11, 10), (31, 10)] {
        for kind in 0..4 {
            Bench::with_tables(8, |bench| {
                let word = 0x155;
                let color = if kind == 1 { 9 } else { 0 };
                bench.memory.insert(0x8002_0000 + 4 * word, 9 << 16 | size << 2 | kind);
                assert_eq!(bench.finds(address(2, 4, word), color).len(), 3);
                let first = word >> reach << reach;
                let last = first + (1 << reach) - 1;
                for inside in [first, last] {
                    assert_eq!(bench.finds(address(2, 4, inside), color), NONE, "size {size}");
                }
                for outside in [first.checked_sub(1), Some(last + 1)].into_iter().flatten() {
                    let read = bench.ask(address(2, 4, outside)).reads.len();
                    // Past the end of the page another walk begins.
                    assert_eq!(read, if outside < 1024 { 1 } else { 2 }, "size {size}");
                }
            });
        }
    }
}

#[test]
fn a_walk_in_the_page_of_the_last_leaf_reads_one_word_until_a_flush() {
    Bench::with_tables(1, |bench| {
        assert_eq!(bench.finds(address(2, 4, 7), 0xabc).len(), 3);
        assert_eq!(bench.finds(address(2, 4, 8), 0), [0x8002_0020]);
        assert_eq!(bench.finds(address(1, 4, 8), 5).len(), 1, "another page, without a leaf");
        assert_eq!(bench.finds(address(2, 4, 7), 0xabc), [0x8002_001c]);
        bench.dut.set("flush", 1);
        bench.step();
        bench.dut.set("flush", 0);
        assert_eq!(bench.finds(address(2, 4, 7), 0xabc).len(), 3);
    });
}

#[test]
fn tables_outside_ram_are_not_read_and_say_nothing() {
    let leaf = address(2, 4, 7);
    for (base, page_table, leaf_table, reads) in [
        (0x7fff_f000, 0x8001_0000, 0x8002_0000, 0),
        (BASE, 0x8100_0000, 0x8002_0000, 1),
        (BASE, 0x8001_0000, 0x0000_0000, 2),
        (BASE, 0x8001_0000, 0x80ff_f000, 3),
    ] {
        Bench::with_tables(2, |bench| {
            bench.dut.set("ram_last", 0x80ff_ffff);
            bench.dut.set("table_base", base.into());
            bench.memory.insert(BASE + 8, table(page_table));
            bench.memory.insert(0x8001_0010, table(leaf_table));
            let answer = bench.ask(leaf);
            assert_eq!((answer.color, answer.reads.len()), (0, reads));
            assert_eq!(bench.finds(leaf, 0), NONE, "and that is remembered");
        });
    }
}

#[test]
fn a_color_is_judged_when_it_is_found_and_anew_when_the_set_changes() {
    Bench::with_tables(4, |bench| {
        bench.set = vec![5];
        assert!(bench.ask(address(1, 0, 0)).hazard);
        assert!(!bench.ask(address(2, 3, 0)).hazard);
        for set in [&[6][..], &[], &[5, 6], &[5, 0]] {
            bench.change_set(set);
            for _ in 0..5 {
                assert_eq!(bench.dut.get("recomputing"), 1);
                assert_eq!(bench.dut.get("request_ready"), 0);
                bench.step();
            }
            assert_eq!(bench.dut.get("recomputing"), 0);
            for (asked, color) in [(address(1, 0, 0), 5), (address(2, 3, 0), 6)] {
                let answer = bench.ask(asked);
                assert_eq!((answer.hazard, answer.reads.len()), (set.contains(&color), 0));
            }
        }
    });
}

#[test]
fn an_answer_that_waits_is_judged_anew_after_the_entries() {
    Bench::with_tables(2, |bench| {
        bench.finds(address(1, 0, 0), 5);
        bench.dut.set("request_valid", 1);
        bench.dut.set("request_payload", address(1, 0, 0).into());
        bench.step();
        bench.dut.set("request_valid", 0);
        bench.change_set(&[5]);
        for _ in 0..3 {
            assert_eq!((bench.dut.get("response_valid"), bench.dut.get("response_hazard")), (1, 0));
            bench.step();
        }
        assert_eq!((bench.dut.get("response_valid"), bench.dut.get("response_hazard")), (1, 1));
    });
}

#[test]
fn while_it_judges_no_word_of_memory_is_taken_and_another_change_begins_again() {
    Bench::with_tables(1, |bench| {
        bench.dut.set("request_valid", 1);
        bench.dut.set("request_payload", address(1, 0, 0).into());
        bench.step();
        bench.dut.set("request_valid", 0);
        bench.dut.set("memory_request_ready", 1);
        bench.step();
        bench.change_set(&[5]);
        bench.dut.set("memory_response_valid", 1);
        bench.dut.set("memory_response_payload", whole(5).into());
        assert_eq!(bench.dut.get("memory_response_ready"), 0);
        bench.step();
        bench.change_set(&[]);
        for _ in 0..2 {
            let ready = bench.dut.get("memory_response_ready");
            assert_eq!((bench.dut.get("recomputing"), ready), (1, 0));
            bench.step();
        }
        let ready = bench.dut.get("memory_response_ready");
        assert_eq!((bench.dut.get("recomputing"), ready), (0, 1));
    });
}
