//! Colors: a hart's registers of ColorSafe, and the table of colors in memory. docs/machine.md §14.
//!
//! The registers are a part of the hart's monitor window that no monitor uses: the address map is the same with
//! and without them.

use crate::monitor;
use crate::register::{Field, Reset};

/// The shortest transaction, in instructions: what would be shorter is given up.
pub const LEAST_LENGTH: u32 = 16;
/// Instructions of a transaction where software says nothing else.
pub const USUAL_LENGTH: u32 = 3000;
/// Aborts in a row after which a hart gives up.
pub const MOST_ABORTS: u32 = 8;
/// Detections that a hart remembers, so as to report each once.
pub const FILTER_ENTRIES: u32 = 8;

/// Entries of a table of colors: it fills a page of 4 KiB.
pub const TABLE_ENTRIES: u32 = 1024;
/// The largest binary logarithm of the words for which an entry of the last level speaks: a page of 4 KiB.
pub const MOST_SIZE: u32 = 10;
/// Parts of an entry of a table of colors.
pub const ENTRY: [Field; 4] = [ENTRY_KIND, ENTRY_SIZE, ENTRY_TABLE, ENTRY_COLOR];
/// What an entry is: [`EntryKind`].
pub const ENTRY_KIND: Field = Field { name: "kind", low: 0, width: 2, doc: "what the entry says" };
/// Of an entry of the last level, whatever its kind.
pub const ENTRY_SIZE: Field = Field {
    name: "size",
    low: 2,
    width: 5,
    doc: "at the last level: it speaks for the aligned 2^size words around it; more than 10 counts as 10",
};
/// Of an entry that leads to the next level.
pub const ENTRY_TABLE: Field =
    Field { name: "table", low: 12, width: 20, doc: "the page of the next table" };
/// Of an entry with a color.
pub const ENTRY_COLOR: Field = Field { name: "color", low: 16, width: 16, doc: "the color" };

numbered! {
    /// What an entry of a table of colors says: [`ENTRY_KIND`].
    pub enum EntryKind {
        /// its range has no color
        Uncolored = 0,
        /// its range has one color
        Colored = 1,
        /// the next table says more; at the last level: no color
        Table = 2,
        /// no color
        Reserved = 3,
    }
}

numbered! {
    /// Interleavings that cannot be serialized (ColorSafe Table 1), in the order of the paper: bits of a detection.
    pub enum Case {
        /// a read, another hart's write, a read
        Rwr = 0,
        /// a read, another hart's write, a write
        Rww = 1,
        /// a write, another hart's write, a read
        Wwr = 2,
        /// a write, another hart's read, a write
        Wrw = 3,
        /// a write, another hart's write, a write
        Www = 4,
    }
}

numbered! {
    /// Why a transaction commits.
    pub enum Commit {
        /// it has its length
        Length = 0,
        /// the next instruction traps
        Trap = 1,
        /// an interrupt is taken
        Interrupt = 2,
        /// the next instruction reads or writes a CSR
        Csr = 3,
        /// the next instruction is WFI
        Wfi = 4,
        /// the next instruction is FENCE.I
        FenceI = 5,
        /// the next access evicts a line that the transaction read or wrote
        Eviction = 6,
        /// the next access may write the watched word
        Watched = 7,
    }
}

registers! {
    /// A register of colors in a hart's monitor window.
    pub enum Word in colors, 4 bytes each {
        colors {
            /// What the hart does with colors.
            ColorControl = 64, ReadWrite, Reset::Value(0), {
                /// accesses are tracked
                TRACK: 0 - 0,
                /// debugging mode: accesses are tested
                DEBUG: 1 - 1,
                /// deployment mode: ended epochs are searched
                SEARCH: 2 - 2,
                /// colors of the set begin transactions
                AVOID: 3 - 3,
            };
            /// Commands.
            ColorCommand = 65, WriteOnly, Reset::Value(0), {
                /// writing 1 empties the lookaside buffer
                FLUSH: 0 - 0,
                /// writing 1 empties the set of hazardous colors
                CLEAR_SET: 1 - 1,
                /// writing 1 clears the counters
                CLEAR_COUNTERS: 2 - 2,
                /// writing 1 makes detections that were reported be reported again
                CLEAR_FILTER: 3 - 3,
            };
            /// Address of the first table of colors; its low 12 bits read 0.
            ColorTable = 66, ReadWrite, Reset::Value(0);
            /// Lowest pc of tracked accesses.
            ColorRangeLow = 67, ReadWrite, Reset::Value(0);
            /// End of the pcs of tracked accesses (exclusive).
            ColorRangeHigh = 68, ReadWrite, Reset::Value(0);
            /// Length of an epoch; 0: `color.epoch`. Fewer than a signature's rows and 2 more count as that many.
            EpochLength = 69, ReadWrite, Reset::Value(0), {
                /// instructions
                EPOCH_INSTRUCTIONS: 15 - 0,
            };
            /// History items that count, the newest; 0, or more than there are: all.
            HistoryItems = 70, ReadWrite, Reset::Value(0), {
                /// items
                ITEMS_IN_USE: 6 - 0,
            };
            /// Length of a transaction; 0: 3000. Fewer than 16 count as 16.
            TransactionLength = 71, ReadWrite, Reset::Value(0), {
                /// instructions
                TRANSACTION_INSTRUCTIONS: 15 - 0,
            };
            /// A color and whether it is in the set of hazardous colors. Writes choose the color, and put it into the
            /// set if they say so.
            HazardColor = 72, ReadWrite, Reset::Value(0), {
                /// the color
                HAZARD: 15 - 0,
                /// read: it is in the set; written 1: it enters the set
                MEMBER: 16 - 16,
            };
            /// Instructions that retired in U mode while accesses were tracked.
            UserInstructions = 80, ReadOnly, Reset::Value(0);
            /// Tracked accesses.
            TrackedAccesses = 81, ReadOnly, Reset::Value(0);
            /// Walks through the tables of colors.
            ColorWalks = 82, ReadOnly, Reset::Value(0);
            /// Detections, those that are not reported too.
            Detections = 83, ReadOnly, Reset::Value(0);
            /// Transactions begun.
            Starts = 84, ReadOnly, Reset::Value(0);
            /// Transactions aborted.
            Aborts = 85, ReadOnly, Reset::Value(0);
            /// How often the hart gave up.
            GiveUps = 86, ReadOnly, Reset::Value(0);
            /// Instructions in transactions that committed.
            CommittedInstructions = 87, ReadOnly, Reset::Value(0);
            /// Instructions in transactions that aborted.
            AbortedInstructions = 88, ReadOnly, Reset::Value(0);
            /// Commits at the length.
            CommitsLength = 96, ReadOnly, Reset::Value(0);
            /// Commits before a trap.
            CommitsTrap = 97, ReadOnly, Reset::Value(0);
            /// Commits before an interrupt.
            CommitsInterrupt = 98, ReadOnly, Reset::Value(0);
            /// Commits before a CSR instruction.
            CommitsCsr = 99, ReadOnly, Reset::Value(0);
            /// Commits before WFI.
            CommitsWfi = 100, ReadOnly, Reset::Value(0);
            /// Commits before FENCE.I.
            CommitsFenceI = 101, ReadOnly, Reset::Value(0);
            /// Commits before an eviction.
            CommitsEviction = 102, ReadOnly, Reset::Value(0);
            /// Commits before an access to the watched word.
            CommitsWatched = 103, ReadOnly, Reset::Value(0);
        }
    }
}

impl Word {
    /// The address of this word of a hart.
    pub const fn address(self, hart: u32) -> u32 {
        monitor::window(hart) + WINDOW.register_bytes * self.number()
    }

    /// The counter of commits with this cause.
    pub const fn commits(cause: Commit) -> Self {
        match cause {
            Commit::Length => Self::CommitsLength,
            Commit::Trap => Self::CommitsTrap,
            Commit::Interrupt => Self::CommitsInterrupt,
            Commit::Csr => Self::CommitsCsr,
            Commit::Wfi => Self::CommitsWfi,
            Commit::FenceI => Self::CommitsFenceI,
            Commit::Eviction => Self::CommitsEviction,
            Commit::Watched => Self::CommitsWatched,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::breakpoint;

    #[test]
    fn the_registers_are_where_no_monitor_and_no_breakpoint_has_any() {
        let taken = |number| {
            monitor::Word::numbered(number).is_some() || breakpoint::Word::at(number).is_some()
        };
        assert!(Word::ALL.iter().all(|word| !taken(word.number())));
        assert_eq!(Word::ColorControl.address(1) - monitor::window(1), 256);
    }

    #[test]
    fn every_cause_of_a_commit_has_a_counter_in_the_order_of_the_causes() {
        for cause in Commit::ALL {
            let word = Word::commits(cause);
            assert_eq!(word.number(), Word::CommitsLength.number() + cause.number());
            assert_eq!(word.name(), format!("commits_{}", cause.name()));
        }
    }
}
