//! The contract of `color_lookaside`.

use hdl::Simulator;
use std::collections::HashMap;
use units::color_lookaside::{ColorLookaside, ColorLookasideIo};

const BASE: u32 = 0x8000_3000;

/// Entries of a table, as software writes them.
fn whole(color: u32) -> u32 {
    color << 16 | 1
}

fn table(base: u32) -> u32 {
    base | 2
}

struct Bench {
    sim: Simulator,
    io: ColorLookasideIo,
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

impl Bench {
    fn new(entries: usize) -> Bench {
        let (mut sim, io) =
            Simulator::of(ColorLookaside { entries, color_bits: 12 }).expect("a legal circuit");
        sim.reset();
        sim.set(io.enable, 1);
        sim.set(io.table_base, BASE.into());
        Bench { sim, io, memory: HashMap::new(), latency: 0, flush_at: None }
    }

    /// Tables in which the color of each word is known: region 1 is color 5 as a whole, region 2 has a
    /// table of pages of which page 3 is color 6 and page 4 has a table of words, of which word 7 is
    /// color 0xabc.
    fn with_tables(entries: usize) -> Bench {
        let mut bench = Bench::new(entries);
        bench.memory = HashMap::from([
            (BASE + 4, whole(5)),
            (BASE + 8, table(0x8001_0000)),
            (0x8001_0000 + 12, whole(6)),
            (0x8001_0000 + 16, table(0x8002_0000)),
            (0x8002_0000 + 28, whole(0xabc)),
        ]);
        bench
    }

    /// One request, from being offered to its answer being taken.
    fn ask(&mut self, address: u32) -> Answer {
        let io = self.io;
        self.sim.set(io.request.valid, 1);
        self.sim.set(io.request.payload, address.into());
        self.sim.set(io.response.ready, 0);
        assert_eq!(self.sim.get(io.request.ready), 1);
        self.sim.set(io.flush, u64::from(self.flush_at == Some(0)));
        self.sim.step();
        self.sim.set(io.request.valid, 0);

        let mut reads = Vec::new();
        let mut waiting = None;
        let mut patience = self.latency;
        for cycles in 1.. {
            assert!(cycles < 1000, "no answer");
            self.sim.set(io.flush, u64::from(self.flush_at == Some(cycles)));
            assert_eq!(self.sim.get(io.request.ready), 0, "one request at a time");
            if self.sim.get(io.response.valid) == 1 {
                let color = self.sim.get(io.response.payload);
                self.sim.step();
                self.sim.set(io.flush, 0);
                assert_eq!(
                    (self.sim.get(io.response.valid), self.sim.get(io.response.payload)),
                    (1, color)
                );
                self.sim.set(io.response.ready, 1);
                self.sim.step();
                self.sim.set(io.response.ready, 0);
                return Answer { color, reads, cycles };
            }
            let now = patience == 0;
            patience = if now { self.latency } else { patience - 1 };
            self.sim.set(io.memory_request.ready, now.into());
            let word = waiting
                .filter(|_| now)
                .map(|address| self.memory.get(&address).copied().unwrap_or(0));
            self.sim.set(io.memory_response.valid, word.is_some().into());
            self.sim.set(io.memory_response.payload, word.unwrap_or(u32::MAX).into());
            if word.is_some() && self.sim.get(io.memory_response.ready) == 1 {
                waiting = None;
            }
            if now && self.sim.get(io.memory_request.valid) == 1 {
                let address = self.sim.get(io.memory_request.payload) as u32;
                assert_eq!(waiting, None, "one word at a time");
                reads.push(address);
                waiting = Some(address);
            }
            self.sim.step();
        }
        unreachable!()
    }
}

fn address(region: u32, page: u32, word: u32) -> u32 {
    region << 22 | page << 12 | word << 2
}

impl Bench {
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
        let mut bench = Bench::with_tables(16);
        bench.latency = latency;
        assert_eq!(bench.finds(address(1, 9, 9), 5), [BASE + 4]);
        assert_eq!(bench.finds(address(1, 1023, 1023) + 3, 5), [], "all of 4 MiB");
        assert_eq!(bench.finds(address(2, 3, 0), 6), [BASE + 8, 0x8001_000c]);
        assert_eq!(bench.finds(address(2, 3, 1023) + 2, 6), [], "all of 4 KiB");
        let walk = [BASE + 8, 0x8001_0010, 0x8002_001c];
        assert_eq!(bench.finds(address(2, 4, 7) + 1, 0xabc), walk);
        assert_eq!(bench.finds(address(2, 4, 7) + 3, 0xabc), [], "all of 4 bytes");
        assert_eq!(bench.finds(address(2, 4, 8), 0), [BASE + 8, 0x8001_0010, 0x8002_0020]);
        assert_eq!(bench.finds(address(2, 4, 8), 0), [], "uncolored words are remembered too");
        assert_eq!(bench.finds(address(3, 0, 0), 0), [BASE + 12]);
        assert_eq!(bench.finds(address(3, 7, 7), 0), [], "uncolored regions are remembered too");
        assert_eq!(bench.finds(address(2, 5, 0), 0), [BASE + 8, 0x8001_0014]);
        assert_eq!(bench.finds(address(2, 5, 1), 0), [], "uncolored pages are remembered too");
    }
}

#[test]
fn indices_reach_over_the_whole_table() {
    let mut bench = Bench::new(1);
    bench.memory = HashMap::from([
        (BASE + 4092, table(0xffff_f000)),
        (0xffff_fffc, table(0x0000_1000)),
        (0x0000_1ffc, whole(0xfff) | 0xf000_fffc),
    ]);
    let walk = [BASE + 4092, 0xffff_fffc, 0x0000_1ffc];
    assert_eq!(bench.finds(u32::MAX, 0xfff), walk, "other bits of an entry do not matter");
}

#[test]
fn only_kind_1_colors_and_the_last_level_has_no_tables() {
    for (kind, color) in [(0, 0), (1, 9), (2, 0), (3, 0)] {
        let mut bench = Bench::with_tables(4);
        bench.memory.insert(0x8002_001c, 9 << 16 | kind);
        assert_eq!(bench.finds(address(2, 4, 7), color).len(), 3);
        if kind != 2 {
            bench.memory.insert(BASE + 4, 9 << 16 | kind);
            assert_eq!(bench.finds(address(1, 0, 0), color).len(), 1);
        }
    }
}

#[test]
fn a_match_is_answered_in_the_next_cycle() {
    let mut bench = Bench::with_tables(2);
    assert!(bench.ask(address(1, 0, 0)).cycles > 1);
    assert_eq!(bench.ask(address(1, 1, 1)), Answer { color: 5, reads: vec![], cycles: 1 });
}

#[test]
fn entries_fill_in_turn() {
    for entries in [1, 2, 3, 5, 8] {
        let mut bench = Bench::new(entries);
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
    }
}

#[test]
fn disabled_it_answers_0_and_leaves_memory_and_entries_alone() {
    let mut bench = Bench::with_tables(1);
    bench.finds(address(1, 0, 0), 5);
    bench.sim.set(bench.io.enable, 0);
    for asked in [address(1, 0, 0), address(2, 3, 0)] {
        assert_eq!(bench.ask(asked), Answer { color: 0, reads: vec![], cycles: 1 });
    }
    bench.sim.set(bench.io.enable, 1);
    assert_eq!(bench.finds(address(1, 0, 0), 5), [], "still remembered");
}

#[test]
fn only_a_flush_makes_it_read_again() {
    let mut bench = Bench::with_tables(2);
    bench.finds(address(1, 0, 0), 5);
    bench.memory.insert(BASE + 4, whole(7));
    bench.sim.set(bench.io.table_base, 0);
    assert_eq!(bench.finds(address(1, 0, 0), 5), []);
    bench.sim.set(bench.io.table_base, BASE.into());
    bench.sim.set(bench.io.flush, 1);
    bench.sim.step();
    bench.sim.set(bench.io.flush, 0);
    assert_eq!(bench.finds(address(1, 0, 0), 7), [BASE + 4]);
}

#[test]
fn a_flush_during_a_walk_lets_it_answer_but_not_fill() {
    let uneventful = Bench::with_tables(4).ask(address(2, 4, 7));
    for latency in [0, 2] {
        for at in 1..30 {
            let mut bench = Bench::with_tables(4);
            bench.latency = latency;
            bench.finds(address(1, 0, 0), 5);
            bench.flush_at = Some(at);
            let answer = bench.ask(address(2, 4, 7));
            assert_eq!((answer.color, &answer.reads), (0xabc, &uneventful.reads));
            bench.flush_at = None;
            let came = at <= answer.cycles;
            assert_eq!(bench.finds(address(2, 4, 7), 0xabc).is_empty(), !came, "flush at {at}");
            assert_eq!(bench.finds(address(1, 0, 0), 5).is_empty(), !came, "flush at {at}");
        }
    }
}

#[test]
fn a_flush_with_a_request_comes_before_its_lookup() {
    let mut bench = Bench::with_tables(4);
    bench.finds(address(1, 0, 0), 5);
    bench.memory.insert(BASE + 4, whole(7));
    bench.flush_at = Some(0);
    assert_eq!(bench.finds(address(1, 0, 0), 7), [BASE + 4], "nothing is left to answer from");
    bench.flush_at = None;
    assert_eq!(bench.finds(address(1, 0, 0), 7), [], "the walk began after the flush");
}

#[test]
fn reset_forgets_everything_also_in_mid_walk() {
    let mut bench = Bench::with_tables(4);
    bench.finds(address(1, 0, 0), 5);
    bench.sim.set(bench.io.request.valid, 1);
    bench.sim.set(bench.io.request.payload, address(2, 4, 7).into());
    bench.sim.step();
    bench.sim.set(bench.io.request.valid, 0);
    bench.sim.step();
    bench.sim.reset();
    assert_eq!(bench.sim.get(bench.io.memory_request.valid), 0);
    assert_eq!(bench.finds(address(1, 0, 0), 5), [BASE + 4]);
}

#[test]
fn of_overlapping_ranges_the_first_entry_answers() {
    let mut bench = Bench::with_tables(2);
    bench.finds(address(2, 3, 0), 6);
    // The table changes without a flush: the region is of one color now.
    bench.memory.insert(BASE + 8, whole(8));
    bench.finds(address(2, 9, 0), 8);
    assert_eq!(bench.finds(address(2, 3, 5), 6), []);
}
