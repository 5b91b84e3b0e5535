//! The communication table: the queue of edges for software, and its registers.
//!
//! Bugaboo §4.2.3. Nothing is lost silently: edges dropped because the table is full are counted.

use crate::{Edge, Fields, LineMeta};
use border::monitor::{Index, TableWord, Word};

/// One access to the register port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegisterAccess {
    /// Reads a word.
    Read {
        /// Index of the word.
        word: Index,
    },
    /// Writes a word.
    Write {
        /// Index of the word.
        word: Index,
        /// Value to write.
        data: u32,
    },
}

/// Inputs of one cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableInputs {
    /// An edge to store.
    pub push: Option<Edge>,
    /// Software's register access: a read or a write, never both in one cycle.
    pub register: Option<RegisterAccess>,
}

/// Outputs of one cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableOutputs {
    /// The table is full, before this cycle's inputs take effect.
    pub full: bool,
    /// The number of edges has reached the watermark, before this cycle's inputs take effect.
    pub interrupt: bool,
    /// Data of the last read before this cycle.
    pub read_data: u32,
}

/// The queue of edges and its registers.
#[derive(Clone, Debug)]
pub struct CommunicationTable {
    /// Mask of the bits stored of either end of an edge.
    mask: LineMeta,
    /// A ring, allocated once: a step must take no more than a few nanoseconds.
    entries: Box<[Edge]>,
    oldest: usize,
    count: usize,
    lost: u32,
    /// Value at which `lost` saturates.
    most_lost: u32,
    watermark: u32,
    read_data: u32,
}

impl CommunicationTable {
    /// An empty table for `depth` edges, at least one. The pusher implements the overflow policy: a full table
    /// always drops and counts.
    pub fn new(depth: usize, fields: Fields) -> Self {
        assert!(depth >= 1, "a communication table of 0 entries; allowed: at least 1");
        let watermark = u32::try_from(depth).expect("a depth has at most 32 bits");
        let entries = vec![Edge::default(); depth].into();
        let (mask, most_lost) = (fields.mask(), u32::MAX);
        Self { mask, entries, oldest: 0, count: 0, lost: 0, most_lost, watermark, read_data: 0 }
    }

    /// A table that has already lost edges: counting to saturation would take hours.
    pub fn having_lost(depth: usize, fields: Fields, lost: u32) -> Self {
        Self { lost, ..Self::new(depth, fields) }
    }

    /// A table that counts lost edges in 1 to 32 bits, instead of the 32 of every machine, so that a test
    /// can reach saturation.
    pub fn counting_in(self, lost_bits: u32) -> Self {
        Self { most_lost: u32::MAX >> (32 - lost_bits), ..self }
    }

    /// Returns to the initial state.
    pub fn reset(&mut self) {
        self.clear();
        self.watermark = self.depth() as u32;
        self.read_data = 0;
    }

    /// Capacity in edges.
    pub fn depth(&self) -> usize {
        self.entries.len()
    }

    /// Number of edges in the table.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Number of edges dropped.
    pub fn lost(&self) -> u32 {
        self.lost
    }

    /// Whether the table is full.
    pub fn is_full(&self) -> bool {
        self.count == self.depth()
    }

    /// The oldest edge.
    pub fn oldest(&self) -> Option<&Edge> {
        (self.count > 0).then(|| &self.entries[self.oldest])
    }

    /// The edges, oldest first.
    pub fn edges(&self) -> impl Iterator<Item = &Edge> {
        (0..self.count).map(|age| &self.entries[self.ring_index(age)])
    }

    /// Data of the last read.
    pub fn read_data(&self) -> u32 {
        self.read_data
    }

    /// The outputs in the current state.
    pub fn outputs(&self) -> TableOutputs {
        TableOutputs {
            full: self.is_full(),
            interrupt: self.watermark != 0 && self.count as u64 >= self.watermark.into(),
            read_data: self.read_data,
        }
    }

    /// One cycle. Everything in it refers to the table from before the cycle.
    pub fn step(&mut self, inputs: &TableInputs) -> TableOutputs {
        self.cycle(inputs.push.as_ref(), inputs.register)
    }

    /// [`Self::step`] without copying the edge: for the monitor, where every nanosecond counts.
    pub(crate) fn cycle(
        &mut self,
        push: Option<&Edge>,
        register: Option<RegisterAccess>,
    ) -> TableOutputs {
        let outputs = self.outputs();
        let mut pops = false;
        match register {
            Some(RegisterAccess::Read { word }) => {
                let register = TableWord::numbered(word.number());
                self.read_data = register.map_or(0, |register| self.register(register));
                pops = register == Some(TableWord::KindAndHarts) && self.count > 0;
            }
            Some(RegisterAccess::Write { word, data }) => {
                let register = TableWord::numbered(word.number());
                if register.is_some_and(|register| self.write(register, data)) {
                    // Clear takes precedence: the edge of this cycle is dropped too, uncounted.
                    self.clear();
                    return outputs;
                }
            }
            None => {}
        }
        if let Some(edge) = push {
            if outputs.full {
                self.lost = self.lost.saturating_add(1).min(self.most_lost);
            } else {
                let free = self.ring_index(self.count);
                self.entries[free] = Edge {
                    source: edge.source.masked(&self.mask),
                    sink: edge.sink.masked(&self.mask),
                    kind: edge.kind,
                };
                self.count += 1;
            }
        }
        if pops {
            self.oldest = self.ring_index(1);
            self.count -= 1;
        }
        outputs
    }

    fn clear(&mut self) {
        self.oldest = 0;
        self.count = 0;
        self.lost = 0;
    }

    /// What a register reads. The words of an edge are those of the oldest, or zero.
    fn register(&self, register: TableWord) -> u32 {
        let Edge { source, sink, kind } = self.oldest().copied().unwrap_or_default();
        match register {
            TableWord::SourcePc => source.pc.0 as u32,
            TableWord::SinkPc => sink.pc.0 as u32,
            TableWord::SourceContext => source.ctx.0,
            TableWord::SinkContext => sink.ctx.0,
            TableWord::SourceTime => source.time.0 as u32,
            TableWord::SinkTime => sink.time.0 as u32,
            TableWord::KindAndHarts => {
                Word::KIND.holding(kind.number())
                    | Word::SOURCE_HART.holding(source.hart.0)
                    | Word::SINK_HART.holding(sink.hart.0)
            }
            TableWord::SourcePcUpper => (source.pc.0 >> 32) as u32,
            TableWord::SinkPcUpper => (sink.pc.0 >> 32) as u32,
            TableWord::TableCount => self.count as u32,
            TableWord::TableLost => self.lost,
            TableWord::TableWatermark => self.watermark,
            TableWord::TableControl => 0,
        }
    }

    /// Writes a register, and returns whether the write clears the table.
    fn write(&mut self, register: TableWord, data: u32) -> bool {
        match register {
            TableWord::TableWatermark => {
                self.watermark = data & self.watermark_mask();
                false
            }
            TableWord::TableControl => data & Word::CLEAR.mask() != 0,
            TableWord::SourcePc
            | TableWord::SinkPc
            | TableWord::SourceContext
            | TableWord::SinkContext
            | TableWord::SourceTime
            | TableWord::SinkTime
            | TableWord::KindAndHarts
            | TableWord::SourcePcUpper
            | TableWord::SinkPcUpper
            | TableWord::TableCount
            | TableWord::TableLost => false,
        }
    }

    /// Mask of the watermark's bits: enough to hold the depth.
    fn watermark_mask(&self) -> u32 {
        u32::MAX >> (self.depth() as u32).leading_zeros()
    }

    /// Ring index of the entry `age` younger than the oldest.
    fn ring_index(&self, age: usize) -> usize {
        let index = self.oldest + age;
        if index < self.depth() { index } else { index - self.depth() }
    }
}

#[cfg(test)]
mod tests {
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
        table
            .step(&TableInputs { register: Some(Read { word: Word::SourcePc.into() }), ..push(5) });
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
}
