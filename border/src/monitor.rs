//! A hart's monitor window: the registers of its communication table and of its monitor.

use crate::map::MONITORS;
use crate::register::Reset;

/// Bytes of one hart's window.
pub const STRIDE: u32 = 0x1000;
/// Bits of a word's number: a window has room for 1024 words.
pub const WORD_INDEX_BITS: u32 = (STRIDE / WINDOW.register_bytes).trailing_zeros();
/// Words of an edge, as the table shows it and the record stream carries it.
pub const EDGE_WORDS: u32 = 7;

registers! {
    /// A register of a hart's monitor window.
    pub enum Word in monitor, 4 bytes each {
        communication_table {
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
                /// kind: 0 RAW, 1 WAW, 2 memory
                KIND: 17 - 16,
                /// source hart
                SOURCE_HART: 15 - 8,
                /// sink hart
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
            /// Table control.
            TableControl = 19, WriteOnly, Reset::Value(0), {
                /// writing 1 empties the table and clears `table_lost` and `time_wrapped`
                CLEAR: 0 - 0,
            };
        }
        monitors {
            /// Transaction numbers.
            TimeWrapped = 20, ReadOnly, Reset::Value(0), {
                /// transaction numbers have wrapped around since the table was cleared
                WRAPPED: 0 - 0,
            };
        }
        comm_monitor {
            /// Filter: whether the monitor is on, and which modes it selects.
            MonitorControl = 32, ReadWrite, Reset::Value(0), {
                /// enable
                ENABLE: 0 - 0,
                /// select U mode
                SELECT_USER: 1 - 1,
                /// select M mode
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
    /// The bytes from the start of a hart's window to this word.
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
    fn the_words_of_an_edge_are_the_first_of_the_window() {
        let edge: Vec<_> = (0..EDGE_WORDS).map(Word::numbered).collect();
        assert!(edge.iter().all(Option::is_some));
        assert_eq!(edge.last(), Some(&Some(Word::KindAndHarts)));
    }
}
