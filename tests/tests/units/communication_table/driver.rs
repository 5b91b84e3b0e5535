//! The pins of `communication_table` as its contract speaks of them.

use crate::simulators::{Dut, Subject};
use border::monitor::Index;
use config::Overflow;
use units::communication_table::CommunicationTable;
use units::metadata::Fields;

pub const FIELDS: Fields = Fields { pc_bits: 64, events: 16, hart_bits: 4, time_bits: 40 };

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct End {
    pub pc: u64,
    pub ctx: u64,
    pub hart: u64,
    pub time: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Edge {
    pub source: End,
    pub sink: End,
    pub kind: u64,
}

/// An edge that differs from every other `number` in every field.
pub fn edge(number: u64) -> Edge {
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
pub fn entry_word(edge: &Edge, address: u64) -> u64 {
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
pub fn table(depth: usize, overflow: Overflow) -> CommunicationTable {
    CommunicationTable { depth, overflow, fields: FIELDS, lost_bits: 32 }
}

pub struct Bench<'a> {
    pub dut: &'a mut Dut,
}

impl Bench<'_> {
    /// On both simulators.
    pub fn each(depth: usize, contract: impl Fn(&mut Bench<'_>)) {
        Bench::with(table(depth, Overflow::Discard), contract);
    }

    pub fn with(table: CommunicationTable, contract: impl Fn(&mut Bench<'_>)) {
        Subject::of(table).each(|dut| contract(&mut Bench { dut }));
    }

    pub fn set_push(&mut self, edge: Edge) {
        self.dut.set("push_valid", 1);
        for (port, end) in [("source", edge.source), ("sink", edge.sink)] {
            for (part, value) in
                [("pc", end.pc), ("ctx", end.ctx), ("hart", end.hart), ("time", end.time)]
            {
                self.dut.set(&format!("push_edge_{port}_{part}"), value);
            }
        }
        self.dut.set("push_edge_kind", edge.kind);
    }

    pub fn set_read(&mut self, word: impl Into<Index>) {
        self.dut.set("read_valid", 1);
        self.dut.set("address", word.into().number().into());
    }

    pub fn set_write(&mut self, word: impl Into<Index>, data: u64) {
        self.dut.set("write_valid", 1);
        self.dut.set("address", word.into().number().into());
        self.dut.set("write_data", data);
    }

    /// One cycle; then nothing is asked any more.
    pub fn step(&mut self) {
        self.dut.step();
        for valid in ["push_valid", "read_valid", "write_valid"] {
            self.dut.set(valid, 0);
        }
    }

    pub fn push(&mut self, edge: Edge) {
        self.set_push(edge);
        self.step();
    }

    pub fn shown(&mut self) -> u64 {
        self.dut.get("read_data")
    }

    pub fn read(&mut self, word: impl Into<Index>) -> u64 {
        self.set_read(word);
        self.step();
        self.shown()
    }

    pub fn write(&mut self, word: impl Into<Index>, data: u64) {
        self.set_write(word, data);
        self.step();
    }

    pub fn full(&mut self) -> bool {
        self.dut.get("full") == 1
    }

    pub fn irq(&mut self) -> bool {
        self.dut.get("irq") == 1
    }

    /// Reads the words of the oldest entry, the popping one last.
    pub fn drain(&mut self) -> [u64; 10] {
        let mut words = [0; 10];
        for address in [0, 1, 2, 3, 4, 5, 7, 8, 9, 6] {
            words[address as usize] = self.read(Index::numbered(address).unwrap());
        }
        words
    }

    pub fn words_of(edge: &Edge) -> [u64; 10] {
        std::array::from_fn(|address| entry_word(edge, address as u64))
    }
}
