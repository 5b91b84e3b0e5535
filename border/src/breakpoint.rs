//! The window of the breakpoint unit: docs/machine.md §12.
//!
//! It is the upper half of hart 0's monitor window, which no monitor uses: the address map is the same with and
//! without the unit.

use crate::monitor;
use crate::register::Reset;

/// The most entries that a machine can have: the window has room for as many.
pub const MAX_ENTRIES: u32 = 16;
/// The most parties of an entry.
pub const PARTIES: u32 = 4;
/// Words from one entry to the next.
pub const ENTRY_WORDS: u32 = 32;
/// Words from one party's word to the next party's.
pub const PARTY_WORDS: u32 = 4;
/// The longest wait, in cycles.
pub const MAX_WAIT: u32 = 1 << 20;

registers! {
    /// A register of the breakpoint window: of entry 0, and of party 0 where every party has its own.
    pub enum Word in breakpoints, 4 bytes each {
        breakpoints {
            /// What the entry is. A write clears its counters and regions and lets go every hart that waits at it.
            Control = 512, ReadWrite, Reset::Value(0), {
                /// the entry is there
                ENABLE: 0 - 0,
                /// number of parties less one, 1 to 3
                LAST_PARTY: 2 - 1,
                /// values meet crossed
                CROSSED: 3 - 3,
                /// `until` counts
                HAS_UNTIL: 4 - 4,
                /// `region_begin` and `region_end` count
                HAS_REGION: 5 - 5,
                /// it is armed only after another entry's hit
                HAS_AFTER: 6 - 6,
                /// number of that entry
                AFTER: 11 - 8,
            };
            /// The longest wait, in cycles, 1 to 1048576; 0 counts as 1.
            Wait = 513, ReadWrite, Reset::Value(0), {
                /// cycles
                CYCLES: 20 - 0,
            };
            /// Hits after which the entry is not armed any more; 0: no limit.
            Bound = 514, ReadWrite, Reset::Value(0), {
                /// hits
                MOST_HITS: 15 - 0,
            };
            /// The pc whose retirement lets the next party go.
            Until = 515, ReadWrite, Reset::Value(0);
            /// The bits of values that are compared.
            ValueMask = 516, ReadWrite, Reset::Value(0);
            /// The pc whose retirement puts a hart into the region.
            RegionBegin = 517, ReadWrite, Reset::Value(0);
            /// The pc whose retirement takes it out.
            RegionEnd = 518, ReadWrite, Reset::Value(0);
            /// Number of hits; saturates.
            Hits = 520, ReadOnly, Reset::Value(0), {
                /// hits
                HIT_COUNT: 15 - 0,
            };
            /// Number of waits that nobody ended; saturates.
            Timeouts = 521, ReadOnly, Reset::Value(0), {
                /// timeouts
                TIMEOUT_COUNT: 15 - 0,
            };
            /// The pc of a party.
            Location = 528, ReadWrite, Reset::Value(0);
            /// What a party's arrivals are asked.
            Select = 529, ReadWrite, Reset::Value(0), {
                /// what is compared with the other parties: 0 nothing, 1 the word of the address, 2 its line,
                /// 3 the first operand, 4 the second, 5 both
                VALUE: 2 - 0,
                /// what the local predicate is about: 0 nothing, 1 the first operand, 2 the second, 3 the address
                LOCAL: 5 - 4,
                /// only harts in the region arrive
                IN_REGION: 6 - 6,
                /// arrivals that go on before the first that waits
                SKIP: 31 - 16,
            };
            /// The bits that the local predicate looks at.
            LocalMask = 530, ReadWrite, Reset::Value(0);
            /// What they must be.
            LocalMatch = 531, ReadWrite, Reset::Value(0);
        }
    }
}

numbered! {
    /// What is compared with the other parties: [`Word::VALUE`].
    pub enum Value {
        /// nothing: all meet
        Nothing = 0,
        /// the address of the access, by word
        AddressWord = 1,
        /// the address of the access, by line
        AddressLine = 2,
        /// the first operand
        First = 3,
        /// the second operand
        Second = 4,
        /// both operands
        Both = 5,
    }
}

numbered! {
    /// What a local predicate is about: [`Word::LOCAL`].
    pub enum Local {
        /// nothing: it is true
        Nothing = 0,
        /// the first operand
        First = 1,
        /// the second operand
        Second = 2,
        /// the address of the access
        Address = 3,
    }
}

numbered! {
    /// What the unit exports of a hart: bits of `breakpoint_events`.
    pub enum Event {
        /// the hart arrives, or comes back from an interrupt
        Arrive = 0,
        /// it takes part in a hit
        Hit = 1,
        /// it may go on, other than by a timeout
        Go = 2,
        /// it may go on because its time is over
        Timeout = 3,
        /// it is interrupted while it is postponed
        Pause = 4,
    }
}

impl Event {
    /// Its bit in the export.
    pub const fn bit(self) -> u32 {
        1 << self.number()
    }
}

impl Word {
    /// Whether every party has a word of its own.
    pub const fn is_of_party(self) -> bool {
        matches!(self, Self::Location | Self::Select | Self::LocalMask | Self::LocalMatch)
    }

    /// The number of this word of an entry, and of a party if parties have one, in hart 0's monitor window.
    pub const fn of(self, entry: u32, party: u32) -> u32 {
        let own = if self.is_of_party() { PARTY_WORDS * party } else { 0 };
        self.number() + ENTRY_WORDS * entry + own
    }

    /// The address of this word of an entry and party.
    pub const fn address(self, entry: u32, party: u32) -> u32 {
        monitor::window(0) + WINDOW.register_bytes * self.of(entry, party)
    }

    /// The register with this number in hart 0's monitor window, with its entry and party (0 if all share it).
    pub const fn at(number: u32) -> Option<(Self, u32, u32)> {
        let first = Self::Control.number();
        if number < first || number >= first + MAX_ENTRIES * ENTRY_WORDS {
            return None;
        }
        let (entry, within) = ((number - first) / ENTRY_WORDS, (number - first) % ENTRY_WORDS);
        let parties = Self::Location.number() - first;
        let (party, within) = match within >= parties {
            true => ((within - parties) / PARTY_WORDS, parties + (within - parties) % PARTY_WORDS),
            false => (0, within),
        };
        match Self::numbered(first + within) {
            Some(word) => Some((word, entry, party)),
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_every_entry_and_party_is_found_by_its_number() {
        let mut seen = std::collections::BTreeSet::new();
        for entry in 0..MAX_ENTRIES {
            for word in Word::ALL {
                for party in 0..if word.is_of_party() { PARTIES } else { 1 } {
                    let number = word.of(entry, party);
                    assert!(seen.insert(number), "{number}");
                    assert_eq!(Word::at(number), Some((word, entry, party)));
                }
            }
        }
        let found = (0..2048).filter(|number| Word::at(*number).is_some()).count();
        assert_eq!(found, seen.len());
    }

    #[test]
    fn the_window_is_a_part_of_hart_0s_that_no_monitor_uses() {
        let last = Word::LocalMatch.of(MAX_ENTRIES - 1, PARTIES - 1);
        assert_eq!(last + 1, 1 << monitor::WORD_INDEX_BITS);
        assert!(monitor::Word::ALL.iter().all(|word| word.number() < Word::Control.number()));
    }
}
