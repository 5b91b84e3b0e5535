//! The color of an address: a three-level table in memory, and a lookaside buffer.
//!
//! ColorSafe §4.1, after Mondrian's permission table. The model is stepped one transaction at a time;
//! the number of cycles depends on memory, the words read and the answer do not.

use crate::ColorId;
use crate::pc::low_bits;
use border::color::{ENTRY_COLOR, ENTRY_KIND, ENTRY_SIZE, EntryKind, MOST_SIZE};
use border::map::RAM;

/// The address bits above a page, which a table fills.
const PAGE: u32 = !0xfff;

/// A level of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Entries for 4 MiB.
    Region,
    /// Entries for 4 KiB.
    Page,
    /// Entries for words, and for as many around them as they say.
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
        base & PAGE | (address >> self.shift() & 0x3ff) << 2
    }
}

/// A decoded table entry.
enum TableEntry {
    /// The color of the range of addresses that have the same bits above so many.
    Color(ColorId, u32),
    Table(u32),
}

/// The buffer's next action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Read this word of memory, then continue with [`ColorLookaside::memory_response`].
    Read(u32),
    /// The next word would be outside RAM: continue with [`ColorLookaside::no_table`]. Until then a flush still comes
    /// during the walk.
    NoTable,
    /// Answer the request.
    Answer(ColorId),
}

/// A complete request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// The answer.
    pub color: ColorId,
    /// Whether the table was walked: no entry matched.
    pub walked: bool,
    /// The words read, in order; none on a hit.
    pub reads: Vec<u32>,
}

/// A range of addresses of one color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    /// Any address in the range.
    address: u32,
    /// The address bits that do not matter, from bit 0 on.
    shift: u32,
    color: ColorId,
}

impl Entry {
    fn covers(&self, address: u32) -> bool {
        (self.address ^ address) >> self.shift == 0
    }
}

/// The third-level table of one page of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Leaf {
    page: u32,
    table: u32,
}

/// A walk in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Walk {
    address: u32,
    level: Level,
    /// The buffer was flushed during the walk: nothing that it finds may be remembered.
    flushed: bool,
}

/// The color lookaside buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColorLookaside {
    color_bits: u32,
    /// The address of RAM's last byte.
    ram_last: u32,
    entries: Vec<Option<Entry>>,
    /// The entry to be filled next.
    next: usize,
    leaf: Option<Leaf>,
    walk: Option<Walk>,
}

impl ColorLookaside {
    /// An empty buffer of `entries` ranges, at least one, over tables in RAM up to `ram_last`.
    pub fn new(entries: usize, color_bits: u32, ram_last: u32) -> Self {
        assert!(entries >= 1, "a lookaside buffer of 0 entries; allowed: at least 1");
        let entries = vec![None; entries];
        Self { color_bits, ram_last, entries, next: 0, leaf: None, walk: None }
    }

    /// Returns to the initial state; drops a request in progress.
    pub fn reset(&mut self) {
        *self = Self::new(self.entries.len(), self.color_bits, self.ram_last);
    }

    /// Forgets everything. Within a cycle, a flush comes first.
    pub fn flush(&mut self) {
        self.entries.fill(None);
        self.leaf = None;
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
        if let Some(entry) = self.entry(address) {
            return Step::Answer(entry.color);
        }
        let of_page = |leaf: &Leaf| leaf.page == address & PAGE;
        let (base, level) = match self.leaf.filter(of_page) {
            Some(leaf) => (leaf.table, Level::Word),
            None => (table_base, Level::Region),
        };
        self.read(base, Walk { address, level, flushed: false })
    }

    /// Whether it answers for an address without a walk.
    pub fn remembers(&self, address: u32) -> bool {
        self.entry(address).is_some()
    }

    /// Accepts the word that was requested.
    pub fn memory_response(&mut self, word: u32) -> Step {
        let walk = self.walk.take().expect("memory answers what was asked for");
        self.follow(walk, word)
    }

    /// Goes on where no table can be: as if a 0 had been read.
    pub fn no_table(&mut self) -> Step {
        let walk = self.walk.take().expect("a walk has come to a place outside RAM");
        self.follow(walk, 0)
    }

    /// A complete request, with memory as a function from the address of a word to its value.
    pub fn lookup(
        &mut self,
        enable: bool,
        table_base: u32,
        address: u32,
        mut memory: impl FnMut(u32) -> u32,
    ) -> Lookup {
        let walked = enable && !self.remembers(address);
        let mut reads = Vec::new();
        let mut step = self.request(enable, table_base, address);
        loop {
            match step {
                Step::Answer(color) => return Lookup { color, walked, reads },
                Step::NoTable => step = self.no_table(),
                Step::Read(word) => {
                    reads.push(word);
                    step = self.memory_response(memory(word));
                }
            }
        }
    }

    /// The entry that answers for an address: of several the first.
    fn entry(&self, address: u32) -> Option<&Entry> {
        self.entries.iter().flatten().find(|entry| entry.covers(address))
    }

    /// Reads the entry for a walk in the table at `base`, if that is in RAM.
    fn read(&mut self, base: u32, walk: Walk) -> Step {
        let entry = walk.level.entry_address(base, walk.address);
        self.walk = Some(walk);
        match (RAM.base..=self.ram_last).contains(&entry) {
            true => Step::Read(entry),
            false => Step::NoTable,
        }
    }

    /// Goes on with the entry that a walk has come to.
    fn follow(&mut self, walk: Walk, word: u32) -> Step {
        let Walk { address, level, flushed } = walk;
        match (self.decode(word, level), level.below()) {
            (TableEntry::Table(table), Some(below)) => {
                if below == Level::Word && !flushed {
                    self.leaf = Some(Leaf { page: address & PAGE, table });
                }
                self.read(table, Walk { level: below, ..walk })
            }
            (TableEntry::Table(_), None) => {
                self.answer(walk, ColorId::UNCOLORED, range(word, level))
            }
            (TableEntry::Color(color, shift), _) => self.answer(walk, color, shift),
        }
    }

    /// Ends a walk. Ranges without a color are stored too: most memory has none.
    fn answer(&mut self, walk: Walk, color: ColorId, shift: u32) -> Step {
        if !walk.flushed {
            self.entries[self.next] = Some(Entry { address: walk.address, shift, color });
            self.next = (self.next + 1) % self.entries.len();
        }
        Step::Answer(color)
    }

    fn decode(&self, word: u32, level: Level) -> TableEntry {
        match EntryKind::numbered(ENTRY_KIND.of(word)) {
            Some(EntryKind::Colored) => {
                let color = low_bits(ENTRY_COLOR.of(word).into(), self.color_bits) as u32;
                TableEntry::Color(ColorId(color), range(word, level))
            }
            Some(EntryKind::Table) => TableEntry::Table(word & PAGE),
            _ => TableEntry::Color(ColorId::UNCOLORED, range(word, level)),
        }
    }
}

/// The address bits that do not matter in the range of an entry.
fn range(word: u32, level: Level) -> u32 {
    match level {
        Level::Word => level.shift() + ENTRY_SIZE.of(word).min(MOST_SIZE),
        Level::Region | Level::Page => level.shift(),
    }
}

#[cfg(test)]
mod tests;
