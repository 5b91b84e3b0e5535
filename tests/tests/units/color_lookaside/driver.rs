//! Drives the color lookaside buffer one request at a time, with tables in a memory of its own.

use std::collections::HashMap;

use units::color_lookaside::ColorLookaside;

use crate::simulators::{Dut, Subject};

/// Where the first table is.
pub(super) const BASE: u32 = 0x8000_3000;

/// Entries of a table, as software writes them.
pub(super) fn whole(color: u32) -> u32 {
    color << 16 | 1
}

pub(super) fn table(base: u32) -> u32 {
    base | 2
}

pub(super) struct Bench<'a> {
    pub dut: &'a mut Dut,
    /// Words of the tables; others are 0.
    pub memory: HashMap<u32, u32>,
    /// The colors in the set.
    pub set: Vec<u64>,
    /// Cycles that memory lets requests and answers wait.
    pub latency: u32,
    /// In which cycles of a request a flush comes.
    pub flush_at: Option<u32>,
}

/// What a request led to.
#[derive(Debug, PartialEq)]
pub(super) struct Answer {
    pub color: u64,
    pub hazard: bool,
    /// The words read.
    pub reads: Vec<u32>,
    /// From the cycle in which it was taken.
    pub cycles: u32,
}

impl Bench<'_> {
    /// On both simulators.
    pub fn each(entries: usize, contract: impl Fn(&mut Bench<'_>)) {
        Subject::of(ColorLookaside { entries, color_bits: 12 }).each(|dut| {
            dut.set("enable", 1);
            dut.set("table_base", BASE.into());
            dut.set("ram_last", u32::MAX.into());
            let (memory, set) = (HashMap::new(), Vec::new());
            contract(&mut Bench { dut, memory, set, latency: 0, flush_at: None });
        });
    }

    /// Tables in which the color of each word is known: region 1 is color 5 as a whole, region 2 has a
    /// table of pages of which page 3 is color 6 and page 4 has a table of words, of which word 7 is
    /// color 0xabc.
    pub fn with_tables(entries: usize, contract: impl Fn(&mut Bench<'_>)) {
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
    pub fn ask(&mut self, address: u32) -> Answer {
        self.dut.set("request_valid", 1);
        self.dut.set("request_payload", address.into());
        self.dut.set("response_ready", 0);
        assert_eq!(self.dut.get("request_ready"), 1);
        self.dut.set("flush", u64::from(self.flush_at == Some(0)));
        self.step();
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
                let hazard = self.dut.get("response_hazard") == 1;
                self.step();
                self.dut.set("flush", 0);
                assert_eq!(
                    (self.dut.get("response_valid"), self.dut.get("response_payload")),
                    (1, color)
                );
                self.dut.set("response_ready", 1);
                self.step();
                self.dut.set("response_ready", 0);
                return Answer { color, hazard, reads, cycles };
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
            self.step();
        }
        unreachable!()
    }

    /// A cycle in which the set answers.
    pub fn step(&mut self) {
        let asked = self.dut.get("asked_color");
        self.dut.set("asked_hazard", self.set.contains(&asked).into());
        self.dut.step();
    }

    /// A cycle after which the set is of these colors.
    pub fn change_set(&mut self, colors: &[u64]) {
        self.dut.set("set_changed", 1);
        self.step();
        self.dut.set("set_changed", 0);
        self.set = colors.to_vec();
    }

    /// Asks, and checks the color.
    pub fn finds(&mut self, address: u32, color: u64) -> Vec<u32> {
        let answer = self.ask(address);
        assert_eq!(answer.color, color, "{address:#x}");
        answer.reads
    }
}

pub(super) fn address(region: u32, page: u32, word: u32) -> u32 {
    region << 22 | page << 12 | word << 2
}
