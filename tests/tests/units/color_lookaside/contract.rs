//! The color lookaside buffer, sentence by sentence of its contract in `docs/units.md`.

use std::collections::HashMap;

use units::color_lookaside::ColorLookaside;

use crate::simulators::{Dut, Subject};

const BASE: u32 = 0x8000_3000;

/// No word was read.
const NONE: [u32; 0] = [];

/// Entries of a table, as software writes them.
fn whole(color: u32) -> u32 {
    color << 16 | 1
}

fn table(base: u32) -> u32 {
    base | 2
}

struct Bench<'a> {
    dut: &'a mut Dut,
    /// Words of the tables; others are 0.
    memory: HashMap<u32, u32>,
    /// Cycles that memory lets requests and answers wait.
    latency: u32,
    /// In which cycles of a request a flush comes.
    flush_at: Option<u32>,
}

/// What a request led to.
#[derive(Debug, PartialEq)]
struct Answer {
    color: u64,
    /// The words read.
    reads: Vec<u32>,
    /// From the cycle in which it was taken.
    cycles: u32,
}

impl Bench<'_> {
    /// On both simulators.
    fn each(entries: usize, contract: impl Fn(&mut Bench<'_>)) {
        Subject::of(ColorLookaside { entries, color_bits: 12 }).each(|dut| {
            dut.set("enable", 1);
            dut.set("table_base", BASE.into());
            contract(&mut Bench { dut, memory: HashMap::new(), latency: 0, flush_at: None });
        });
    }

    /// Tables in which the color of each word is known: region 1 is color 5 as a whole, region 2 has a
    /// table of pages of which page 3 is color 6 and page 4 has a table of words, of which word 7 is
    /// color 0xabc.
    fn with_tables(entries: usize, contract: impl Fn(&mut Bench<'_>)) {
        let memory = HashMap::from([
            (BASE + 4, whole(5)),
            (BASE + 8, table(0x8001_0000)),
            (0x8001_0000 + 12, whole(6)),
            (0x8001_0000 + 16, table(0x8002_0000)),
            (0x8002_0000 + 28, whole(0xabc)),
        ]);
        Bench::each(entries, |bench| {
            bench.memory = memory.clone();
            contract(bench);
        });
    }

    /// One request, from being offered to its answer being taken.
    fn ask(&mut self, address: u32) -> Answer {
        self.dut.set("request_valid", 1);
        self.dut.set("request_payload", address.into());
        self.dut.set("response_ready", 0);
        assert_eq!(self.dut.get("request_ready"), 1);
        self.dut.set("flush", u64::from(self.flush_at == Some(0)));
        self.dut.step();
        self.dut.set("request_valid", 0);

        let mut reads = Vec::new();
        let mut waiting = None;
        let mut patience = self.latency;
        for cycles in 1.. {
            assert!(cycles < 1000, "no answer");
            self.dut.set("flush", u64::from(self.flush_at == Some(cycles)));
            assert_eq!(self.dut.get("request_ready"), 0, "one request at a time");
            if self.dut.get("response_valid") == 1 {
                let color = self.dut.get("response_payload");
                self.dut.step();
                self.dut.set("flush", 0);
                assert_eq!(
                    (self.dut.get("response_valid"), self.dut.get("response_payload")),
                    (1, color)
                );
                self.dut.set("response_ready", 1);
                self.dut.step();
                self.dut.set("response_ready", 0);
                return Answer { color, reads, cycles };
            }
            let now = patience == 0;
            patience = if now { self.latency } else { patience - 1 };
            self.dut.set("memory_request_ready", now.into());
            let word = waiting
                .filter(|_| now)
                .map(|address| self.memory.get(&address).copied().unwrap_or(0));
            self.dut.set("memory_response_valid", word.is_some().into());
            self.dut.set("memory_response_payload", word.unwrap_or(u32::MAX).into());
            if word.is_some() && self.dut.get("memory_response_ready") == 1 {
                waiting = None;
            }
            if now && self.dut.get("memory_request_valid") == 1 {
                let address = self.dut.get("memory_request_payload") as u32;
                assert_eq!(waiting, None, "one word at a time");
                reads.push(address);
                waiting = Some(address);
            }
            self.dut.step();
        }
        unreachable!()
    }
}

fn address(region: u32, page: u32, word: u32) -> u32 {
    region << 22 | page << 12 | word << 2
}

impl Bench<'_> {
    /// Asks, and checks the color.
    fn finds(&mut self, address: u32, color: u64) -> Vec<u32> {
        let answer = self.ask(address);
        assert_eq!(answer.color, color, "{address:#x}");
        answer.reads
    }
}

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
            assert_eq!(bench.finds(address(2, 4, 8), 0), [BASE + 8, 0x8001_0010, 0x8002_0020]);
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
            (0xffff_fffc, table(0x0000_1000)),
            (0x0000_1ffc, whole(0xfff) | 0xf000_fffc),
        ]);
        let walk = [BASE + 4092, 0xffff_fffc, 0x0000_1ffc];
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
        assert_eq!(bench.ask(address(1, 1, 1)), Answer { color: 5, reads: vec![], cycles: 1 });
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
            assert_eq!(bench.ask(asked), Answer { color: 0, reads: vec![], cycles: 1 });
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
