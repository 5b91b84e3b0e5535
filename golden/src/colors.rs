//! The color of an address: a three-level table in memory, and a lookaside buffer.
//!
//! ColorSafe §4.1, after Mondrian's permission table. The model is stepped one transaction at a time;
//! the number of cycles depends on memory, the words read and the answer do not.

use crate::ColorId;
use crate::pc::low_bits;

/// The size of the range that an entry colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// 4 MiB.
    Region,
    /// 4 KiB.
    Page,
    /// 4 bytes.
    Word,
}

impl Level {
    /// The address bits below an entry of this level.
    fn shift(self) -> u32 {
        match self {
            Self::Region => 22,
            Self::Page => 12,
            Self::Word => 2,
        }
    }

    fn below(self) -> Option<Self> {
        match self {
            Self::Region => Some(Self::Page),
            Self::Page => Some(Self::Word),
            Self::Word => None,
        }
    }

    /// Address of the entry for `address` in the table at `base`.
    fn entry_address(self, base: u32, address: u32) -> u32 {
        base & !0xfff | (address >> self.shift() & 0x3ff) << 2
    }
}

/// A decoded table entry.
enum TableEntry {
    Color(ColorId),
    Table(u32),
}

/// The buffer's next action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Read this word of memory, then continue with [`ColorLookaside::memory_response`].
    Read(u32),
    /// Answer the request.
    Answer(ColorId),
}

/// A complete request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// The answer.
    pub color: ColorId,
    /// The words read, in order; none on a hit.
    pub reads: Vec<u32>,
}

/// A range of addresses of one color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    /// Any address in the range.
    address: u32,
    level: Level,
    color: ColorId,
}

impl Entry {
    fn covers(&self, address: u32) -> bool {
        (self.address ^ address) >> self.level.shift() == 0
    }
}

/// A walk in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Walk {
    address: u32,
    level: Level,
    /// The buffer was flushed during the walk: its result must not be stored.
    flushed: bool,
}

/// The color lookaside buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColorLookaside {
    color_bits: u32,
    entries: Vec<Option<Entry>>,
    /// The entry to be filled next.
    next: usize,
    walk: Option<Walk>,
}

impl ColorLookaside {
    /// An empty buffer of `entries` ranges, at least one.
    pub fn new(entries: usize, color_bits: u32) -> Self {
        assert!(entries >= 1, "a lookaside buffer of 0 entries; allowed: at least 1");
        Self { color_bits, entries: vec![None; entries], next: 0, walk: None }
    }

    /// Returns to the initial state; drops a request in progress.
    pub fn reset(&mut self) {
        *self = Self::new(self.entries.len(), self.color_bits);
    }

    /// Drops all entries. Within a cycle, a flush comes first.
    pub fn flush(&mut self) {
        self.entries.fill(None);
        if let Some(walk) = &mut self.walk {
            walk.flushed = true;
        }
    }

    /// Accepts a request. `enable` and `table_base` are sampled here only. There is one request at
    /// a time.
    pub fn request(&mut self, enable: bool, table_base: u32, address: u32) -> Step {
        assert!(self.walk.is_none(), "a request before the last one was answered");
        if !enable {
            return Step::Answer(ColorId::UNCOLORED);
        }
        if let Some(entry) = self.entries.iter().flatten().find(|entry| entry.covers(address)) {
            return Step::Answer(entry.color);
        }
        self.read(table_base, Walk { address, level: Level::Region, flushed: false })
    }

    /// Accepts the word that was requested.
    pub fn memory_response(&mut self, word: u32) -> Step {
        let walk = self.walk.take().expect("memory answers what was asked for");
        match (self.decode(word), walk.level.below()) {
            (TableEntry::Table(base), Some(level)) => self.read(base, Walk { level, ..walk }),
            (TableEntry::Table(_), None) => self.answer(walk, ColorId::UNCOLORED),
            (TableEntry::Color(color), _) => self.answer(walk, color),
        }
    }

    /// A complete request, with memory as a function from the address of a word to its value.
    pub fn lookup(
        &mut self,
        enable: bool,
        table_base: u32,
        address: u32,
        mut memory: impl FnMut(u32) -> u32,
    ) -> Lookup {
        let mut reads = Vec::new();
        let mut step = self.request(enable, table_base, address);
        loop {
            match step {
                Step::Answer(color) => return Lookup { color, reads },
                Step::Read(word) => {
                    reads.push(word);
                    step = self.memory_response(memory(word));
                }
            }
        }
    }

    fn read(&mut self, base: u32, walk: Walk) -> Step {
        self.walk = Some(walk);
        Step::Read(walk.level.entry_address(base, walk.address))
    }

    /// Ends a walk. Ranges without a color are stored too: most memory has none.
    fn answer(&mut self, walk: Walk, color: ColorId) -> Step {
        let Walk { address, level, flushed } = walk;
        if !flushed {
            self.entries[self.next] = Some(Entry { address, level, color });
            self.next = (self.next + 1) % self.entries.len();
        }
        Step::Answer(color)
    }

    fn decode(&self, word: u32) -> TableEntry {
        match word & 3 {
            1 => TableEntry::Color(ColorId(low_bits((word >> 16).into(), self.color_bits) as u32)),
            2 => TableEntry::Table(word & !0xfff),
            _ => TableEntry::Color(ColorId::UNCOLORED),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    const BASE: u32 = 0x8010_0000;
    const PAGES: u32 = 0x8020_0000;
    const WORDS: u32 = 0x8030_0000;

    /// Region 0 has color 7; region 1 has pages; page 2 of it has color 8, page 3 has words; word 4
    /// of it has color 9, word 5 claims to be a table.
    fn memory(address: u32) -> u32 {
        let words = [
            (BASE, 7 << 16 | 1),
            (BASE + 4, PAGES | 2),
            (BASE + 8, 6 << 16 | 3),
            (PAGES + 2 * 4, 8 << 16 | 1),
            (PAGES + 3 * 4, WORDS | 2),
            (WORDS + 4 * 4, 0xf009 << 16 | 1),
            (WORDS + 5 * 4, 5 << 16 | 2),
        ];
        HashMap::from(words).get(&address).copied().unwrap_or(0)
    }

    fn look(buffer: &mut ColorLookaside, address: u32) -> (u32, usize) {
        let Lookup { color, reads } = buffer.lookup(true, BASE, address, memory);
        (color.0, reads.len())
    }

    #[test]
    fn a_walk_reads_one_word_a_level() {
        let mut buffer = ColorLookaside::new(8, 12);
        let found = buffer.lookup(true, BASE, 0x0040_3010, memory);
        let reads = vec![BASE + 4, PAGES + 3 * 4, WORDS + 4 * 4];
        assert_eq!(found, Lookup { color: ColorId(9), reads });
        assert_eq!(look(&mut buffer, 0x0040_2abc), (8, 2));
        assert_eq!(look(&mut buffer, 0x003f_ffff), (7, 1));
    }

    #[test]
    fn a_color_holds_for_its_whole_range() {
        let mut buffer = ColorLookaside::new(8, 12);
        for address in [0x0000_0000, 0x0040_2000, 0x0040_3010, 0x0040_3018] {
            look(&mut buffer, address);
        }
        assert_eq!(look(&mut buffer, 0x003f_ffff), (7, 0));
        assert_eq!(look(&mut buffer, 0x0040_2fff), (8, 0));
        assert_eq!(look(&mut buffer, 0x0040_3013), (9, 0));
        assert_eq!(look(&mut buffer, 0x0040_301b), (0, 0), "no color is remembered too");
        assert_eq!(look(&mut buffer, 0x0040_300c), (0, 3));
    }

    #[test]
    fn other_kinds_of_entry_are_uncolored() {
        let mut buffer = ColorLookaside::new(8, 12);
        assert_eq!(look(&mut buffer, 0x0080_0000), (0, 1), "kind 3");
        assert_eq!(look(&mut buffer, 0x0040_3014), (0, 3), "a table below the last level");
    }

    #[test]
    fn entries_are_replaced_in_turn() {
        let mut buffer = ColorLookaside::new(2, 12);
        assert_eq!(look(&mut buffer, 0x0000_0000), (7, 1));
        assert_eq!(look(&mut buffer, 0x0040_2000), (8, 2));
        assert_eq!(look(&mut buffer, 0x0000_0000), (7, 0), "being used does not make it younger");
        assert_eq!(look(&mut buffer, 0x0040_3010), (9, 3));
        assert_eq!(look(&mut buffer, 0x0040_2000), (8, 0));
        assert_eq!(look(&mut buffer, 0x0000_0000), (7, 1));
    }

    #[test]
    fn switched_off_it_reads_and_remembers_nothing() {
        let mut buffer = ColorLookaside::new(2, 12);
        let off = buffer.lookup(false, BASE, 0, memory);
        assert_eq!(off, Lookup { color: ColorId::UNCOLORED, reads: vec![] });
        assert_eq!(look(&mut buffer, 0), (7, 1));
    }

    #[test]
    fn a_flush_during_a_walk_keeps_its_answer_and_drops_its_fill() {
        let mut buffer = ColorLookaside::new(2, 12);
        assert_eq!(buffer.request(true, BASE, 0x0040_2000), Step::Read(BASE + 4));
        buffer.flush();
        assert_eq!(buffer.memory_response(PAGES | 2), Step::Read(PAGES + 8));
        assert_eq!(buffer.memory_response(8 << 16 | 1), Step::Answer(ColorId(8)));
        assert_eq!(look(&mut buffer, 0x0040_2000), (8, 2));
        assert_eq!(look(&mut buffer, 0x0040_2000), (8, 0));
        buffer.flush();
        assert_eq!(look(&mut buffer, 0x0040_2000), (8, 2));
    }
}
