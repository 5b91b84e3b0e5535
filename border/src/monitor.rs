//! A hart's monitor window: the registers of its communication table and of its monitor.

use crate::map::MONITORS;
use crate::register::Reset;

/// Bytes of one hart's window.
pub const STRIDE: u32 = 0x1000;
/// Bits of a word's number: a window has room for 1024 words.
pub const WORD_INDEX_BITS: u32 = (STRIDE / WINDOW.register_bytes).trailing_zeros();
/// Words of an edge, as the table shows it and the record stream carries it.
pub const EDGE_WORDS: u32 = 7;

shared_registers! {
    /// A register of a hart's monitor window.
    pub enum Word in monitor, 4 bytes each {
        /// A register of the communication table.
        communication_table as TableWord {
            /// Source pc of the oldest edge, low half.
            SourcePc = 0, ReadOnly, Reset::Value(0);
            /// Sink pc of the oldest edge, low half.
            SinkPc = 1, ReadOnly, Reset::Value(0);
            /// Source context of the oldest edge.
            SourceContext = 2, ReadOnly, Reset::Value(0);
            /// Sink context of the oldest edge.
            SinkContext = 3, ReadOnly, Reset::Value(0);
            /// Source time of the oldest edge, low half; 0: none.
            SourceTime = 4, ReadOnly, Reset::Value(0);
            /// Sink time of the oldest edge, low half.
            SinkTime = 5, ReadOnly, Reset::Value(0);
            /// Kind and harts of the oldest edge; reading this word pops the edge.
            KindAndHarts = 6, ReadOnly, Reset::Value(0), {
                /// 0 RAW, 1 WAW, 2 memory
                KIND: 17 - 16,
                /// number of the source's hart
                SOURCE_HART: 15 - 8,
                /// number of the sink's hart
                SINK_HART: 7 - 0,
            };
            /// Source pc of the oldest edge, bits 32 and up.
            SourcePcUpper = 8, ReadOnly, Reset::Value(0);
            /// Sink pc of the oldest edge, bits 32 and up.
            SinkPcUpper = 9, ReadOnly, Reset::Value(0);
            /// Number of edges in the table.
            TableCount = 16, ReadOnly, Reset::Value(0);
            /// Number of edges dropped because the table was full; saturates.
            TableLost = 17, ReadOnly, Reset::Value(0);
            /// Interrupt threshold, in edges; 0 disables the interrupt.
            TableWatermark = 18, ReadWrite, Reset::TableDepth;
            /// Commands to the table.
            TableControl = 19, WriteOnly, Reset::Value(0), {
                /// writing 1 empties the table and clears `table_lost` and `time_wrapped`
                CLEAR: 0 - 0,
            };
        }
        /// A register of the part that all monitors share.
        monitors as SharedWord {
            /// Whether times can be compared.
            TimeWrapped = 20, ReadOnly, Reset::Value(0), {
                /// transaction numbers have wrapped around since the table was cleared
                WRAPPED: 0 - 0,
            };
        }
        /// A register of the monitor itself: its filter and its context.
        comm_monitor as MonitorWord {
            /// Filter: modes.
            Control = 32, ReadWrite, Reset::Value(0), {
                /// the monitor is on
                ENABLE: 0 - 0,
                /// accesses of U mode are selected
                SELECT_USER: 1 - 1,
                /// accesses of M mode are selected
                SELECT_MACHINE: 2 - 2,
            };
            /// Filter: lowest monitored pc, low half.
            RangeLow = 33, ReadWrite, Reset::Value(0);
            /// Filter: end of the monitored pcs (exclusive), low half.
            RangeHigh = 34, ReadWrite, Reset::Value(0);
            /// Filter: lowest monitored pc, bits 32 and up.
            RangeLowUpper = 35, ReadWrite, Reset::Value(0);
            /// Filter: end of the monitored pcs (exclusive), bits 32 and up.
            RangeHighUpper = 36, ReadWrite, Reset::Value(0);
            /// The hart's context; write 0 when a thread starts.
            Context = 37, ReadWrite, Reset::Value(0);
        }
    }
}

numbered! {
    /// Kind of communication from source to sink, in [`Word::KIND`] and in records.
    pub enum EdgeKind {
        /// the sink read what the source wrote
        Raw = 0,
        /// the sink overwrote what the source wrote
        Waw = 1,
        /// the sink read from memory; the writer is unknown
        Memory = 2,
    }
}

impl EdgeKind {
    /// Its name in exported runs: `RAW`, `WAW`, `memory`.
    pub const fn short_name(self) -> &'static str {
        match self {
            Self::Raw => "RAW",
            Self::Waw => "WAW",
            Self::Memory => "memory",
        }
    }
}

#[allow(clippy::derivable_impls, reason = "the enum is made by a macro")]
impl Default for EdgeKind {
    fn default() -> Self {
        Self::Raw
    }
}

/// Index of a word in a window, register or not, as on a register port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Index(u16);

impl Index {
    /// All words of a window.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        (0..1 << WORD_INDEX_BITS).map(Self)
    }

    /// The word at an offset, in bytes, from the start of the windows of all harts.
    #[inline]
    pub const fn at_offset(offset: u32) -> Self {
        Self((offset % STRIDE / WINDOW.register_bytes) as u16)
    }

    /// The word with this number; `None` outside the window.
    pub const fn numbered(number: u32) -> Option<Self> {
        if number < 1 << WORD_INDEX_BITS { Some(Self(number as u16)) } else { None }
    }

    /// Byte offset of this word from the start of a hart's window.
    pub const fn offset(self) -> u32 {
        WINDOW.register_bytes * self.number()
    }

    /// The register with this number; `None` if the word reads 0 and ignores writes.
    #[inline]
    pub const fn word(self) -> Option<Word> {
        Word::numbered(self.0 as u32)
    }

    /// The index as a number.
    #[inline]
    pub const fn number(self) -> u32 {
        self.0 as u32
    }
}

impl From<Word> for Index {
    #[inline]
    fn from(word: Word) -> Self {
        Self(word.number() as u16)
    }
}

/// The address of a hart's window.
#[inline]
pub const fn window(hart: u32) -> u32 {
    MONITORS.base + STRIDE * hart
}

/// The address of a word of a hart's window.
#[inline]
pub const fn address(hart: u32, word: Word) -> u32 {
    window(hart) + word.offset()
}

impl Word {
    /// Byte offset of this word from the start of a hart's window.
    #[inline]
    pub const fn offset(self) -> u32 {
        WINDOW.register_bytes * self.number()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_its_own_address_in_its_harts_window() {
        assert_eq!(address(2, Word::TimeWrapped) - MONITORS.base, 0x2050);
        let words = Word::ALL.iter().map(|word| word.number());
        assert!(words.max() < Some(1 << WORD_INDEX_BITS));
    }

    #[test]
    fn an_offset_gives_the_word_back() {
        for word in Word::ALL {
            let index = Index::at_offset(address(3, word) - MONITORS.base);
            assert_eq!((index, index.word()), (word.into(), Some(word)));
        }
        assert_eq!(Index::all().filter(|index| index.word().is_some()).count(), Word::ALL.len());
    }

    #[test]
    fn the_words_of_an_edge_are_the_first_of_the_window() {
        let edge: Vec<_> = (0..EDGE_WORDS).map(Word::numbered).collect();
        assert!(edge.iter().all(Option::is_some));
        assert_eq!(edge.last(), Some(&Some(Word::KindAndHarts)));
    }
}
