//! The entries of the breakpoint unit, and their registers.

use border::breakpoint::{Local, MAX_WAIT, PARTIES, Value, Word};

/// The largest count that a counter shows.
const MOST: u32 = Word::HIT_COUNT.mask();

/// One party of an entry, as its registers have it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Party {
    /// `location`.
    pub location: u32,
    /// `select`.
    pub select: u32,
    /// `local_mask`.
    pub local_mask: u32,
    /// `local_match`.
    pub local_match: u32,
}

impl Party {
    /// What is compared with the other parties.
    pub fn value(&self) -> Value {
        Value::numbered(Word::VALUE.of(self.select)).unwrap_or(Value::Nothing)
    }

    /// What the local predicate is about.
    pub fn local(&self) -> Local {
        Local::numbered(Word::LOCAL.of(self.select)).unwrap_or(Local::Nothing)
    }

    /// Only harts in the region arrive.
    pub fn in_region(&self) -> bool {
        Word::IN_REGION.of(self.select) != 0
    }
}

/// One entry: what was written to its registers, and what it counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    control: u32,
    wait: u32,
    bound: u32,
    until: u32,
    value_mask: u32,
    region_begin: u32,
    region_end: u32,
    hits: u32,
    timeouts: u32,
    parties: [Party; PARTIES as usize],
    skipped: [u32; PARTIES as usize],
}

impl Entry {
    fn has(&self, field: border::register::Field) -> bool {
        field.of(self.control) != 0
    }

    /// How many parties meet.
    pub fn parties(&self) -> usize {
        Word::LAST_PARTY.of(self.control).max(1) as usize + 1
    }

    /// A party.
    pub fn party(&self, party: usize) -> &Party {
        &self.parties[party]
    }

    /// The longest wait.
    pub fn wait(&self) -> u32 {
        self.wait.clamp(1, MAX_WAIT)
    }

    /// Values meet crossed.
    pub fn is_crossed(&self) -> bool {
        self.has(Word::CROSSED) && self.parties() == 2
    }

    /// The pc that lets the next party go, if there is one.
    pub fn until(&self) -> Option<u32> {
        self.has(Word::HAS_UNTIL).then_some(self.until & !3)
    }

    /// The pcs at which the region begins and ends, if there is one.
    pub fn region(&self) -> Option<(u32, u32)> {
        self.has(Word::HAS_REGION).then_some((self.region_begin & !3, self.region_end & !3))
    }

    /// The bits of values that are compared.
    pub fn value_mask(&self) -> u32 {
        self.value_mask
    }

    /// Hits so far.
    pub fn hits(&self) -> u32 {
        self.hits
    }

    /// Waits that nobody ended so far.
    pub fn timeouts(&self) -> u32 {
        self.timeouts
    }

    pub(super) fn count_hit(&mut self) {
        self.hits = (self.hits + 1).min(MOST);
    }

    pub(super) fn count_timeout(&mut self) {
        self.timeouts = (self.timeouts + 1).min(MOST);
    }

    /// Whether an arrival of this party goes on; it is then counted.
    pub(super) fn skips(&mut self, party: usize) -> bool {
        let skips = self.skipped[party] < Word::SKIP.of(self.parties[party].select);
        self.skipped[party] += u32::from(skips);
        skips
    }

    fn read(&self, word: Word, party: usize) -> u32 {
        let of_party = &self.parties[party];
        match word {
            Word::Control => self.control,
            Word::Wait => self.wait,
            Word::Bound => self.bound,
            Word::Until => self.until,
            Word::ValueMask => self.value_mask,
            Word::RegionBegin => self.region_begin,
            Word::RegionEnd => self.region_end,
            Word::Hits => self.hits,
            Word::Timeouts => self.timeouts,
            Word::Location => of_party.location,
            Word::Select => of_party.select,
            Word::LocalMask => of_party.local_mask,
            Word::LocalMatch => of_party.local_match,
        }
    }

    fn write(&mut self, word: Word, party: usize, data: u32) {
        let of_party = &mut self.parties[party];
        match word {
            Word::Control => {
                self.control = data & CONTROL_BITS;
                (self.hits, self.timeouts, self.skipped) = (0, 0, [0; PARTIES as usize]);
            }
            Word::Wait => self.wait = data & Word::CYCLES.mask(),
            Word::Bound => self.bound = data & Word::MOST_HITS.mask(),
            Word::Until => self.until = data,
            Word::ValueMask => self.value_mask = data,
            Word::RegionBegin => self.region_begin = data,
            Word::RegionEnd => self.region_end = data,
            Word::Hits | Word::Timeouts => {}
            Word::Location => of_party.location = data,
            Word::Select => of_party.select = data & SELECT_BITS,
            Word::LocalMask => of_party.local_mask = data,
            Word::LocalMatch => of_party.local_match = data,
        }
    }
}

const CONTROL_BITS: u32 = Word::ENABLE.mask()
    | Word::LAST_PARTY.mask()
    | Word::CROSSED.mask()
    | Word::HAS_UNTIL.mask()
    | Word::HAS_REGION.mask()
    | Word::HAS_AFTER.mask()
    | Word::AFTER.mask();

const SELECT_BITS: u32 =
    Word::VALUE.mask() | Word::LOCAL.mask() | Word::IN_REGION.mask() | Word::SKIP.mask();

/// All entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub(super) entries: Vec<Entry>,
}

impl Table {
    /// A table with this many entries, as after reset.
    pub fn new(entries: usize) -> Self {
        Self { entries: vec![Entry::default(); entries] }
    }

    /// An entry.
    pub fn entry(&self, entry: usize) -> &Entry {
        &self.entries[entry]
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Harts stop at this entry (rule 3).
    pub fn is_armed(&self, entry: usize) -> bool {
        let Entry { bound, hits, control, .. } = self.entries[entry];
        let after = Word::AFTER.of(control) as usize;
        let has_come = || self.entries.get(after).is_some_and(|before| before.hits > 0);
        Word::ENABLE.of(control) != 0
            && (bound == 0 || hits < bound)
            && (Word::HAS_AFTER.of(control) == 0 || has_come())
    }

    /// The entries at which harts stop, a bit each.
    pub fn armed(&self) -> u32 {
        (0..self.len()).fold(0, |armed, entry| armed | u32::from(self.is_armed(entry)) << entry)
    }

    /// Reads the word with this number in hart 0's monitor window; 0 if there is none.
    pub fn read(&self, number: u32) -> u32 {
        let found = Word::at(number).and_then(|(word, entry, party)| {
            Some(self.entries.get(entry as usize)?.read(word, party as usize))
        });
        found.unwrap_or(0)
    }

    /// Writes it. Returns the entry whose `control` was written.
    pub fn write(&mut self, number: u32, data: u32) -> Option<usize> {
        let (word, index, party) = Word::at(number)?;
        let entry = self.entries.get_mut(index as usize)?;
        if word == Word::Control || !entry.has(Word::ENABLE) {
            entry.write(word, party as usize, data);
        }
        (word == Word::Control).then_some(index as usize)
    }
}
