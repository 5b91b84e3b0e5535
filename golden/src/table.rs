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
mod tests;
