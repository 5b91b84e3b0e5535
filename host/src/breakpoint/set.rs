//! Entries of the breakpoint unit, by addresses of instructions.

use border::breakpoint::{self, MAX_ENTRIES, PARTIES, Value, Word};
use config::Breakpoints;
use serde::{Deserialize, Serialize};

/// What a party's local predicate asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Local {
    /// What it looks at.
    pub of: breakpoint::Local,
    /// The bits that it looks at.
    pub mask: u32,
    /// What they must be.
    pub expected: u32,
}

/// One party of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Party {
    /// Its location.
    pub pc: u32,
    /// What is compared with the other parties.
    pub value: Value,
    /// Arrivals that go on before the first that waits.
    pub skip: u32,
    /// The local predicate, if it has one.
    pub local: Option<Local>,
    /// Only harts in the region arrive.
    pub in_region: bool,
}

impl Party {
    /// One at a location, without predicates.
    pub fn at(pc: u32) -> Self {
        Self { pc, value: Value::Nothing, skip: 0, local: None, in_region: false }
    }

    /// One that meets parties with the same word of memory.
    pub fn on_word(pc: u32) -> Self {
        Self { value: Value::AddressWord, ..Self::at(pc) }
    }

    fn select(&self) -> u32 {
        Word::VALUE.holding(self.value.number())
            | Word::LOCAL.holding(self.local.map_or(0, |local| local.of.number()))
            | Word::IN_REGION.holding(self.in_region.into())
            | Word::SKIP.holding(self.skip)
    }
}

/// One entry: who meets whom, for how long they wait, and in which order they go: the first party first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The parties, 2 to 4.
    pub parties: Vec<Party>,
    /// Values meet crossed.
    pub crossed: bool,
    /// The longest wait, in cycles; on the golden machine, instructions.
    pub wait: u32,
    /// Hits after which it is over; 0: no limit.
    pub bound: u32,
    /// The instruction that lets the next party go.
    pub until: Option<u32>,
    /// The entry that must have had a hit.
    pub after: Option<u32>,
    /// The bits of values that are compared.
    pub mask: u32,
    /// The instructions that put a hart into the region and take it out.
    pub region: Option<(u32, u32)>,
}

impl Entry {
    /// Parties that go in this order.
    pub fn of(parties: Vec<Party>, wait: u32) -> Self {
        let (crossed, bound, until, after, region) = Default::default();
        Self { parties, crossed, wait, bound, until, after, mask: u32::MAX, region }
    }

    fn control(&self) -> u32 {
        Word::ENABLE.mask()
            | Word::LAST_PARTY.holding(self.parties.len() as u32 - 1)
            | Word::CROSSED.holding(self.crossed.into())
            | Word::HAS_UNTIL.holding(self.until.is_some().into())
            | Word::HAS_REGION.holding(self.region.is_some().into())
            | Word::HAS_AFTER.holding(self.after.is_some().into())
            | Word::AFTER.holding(self.after.unwrap_or(0))
    }

    /// The words of its window, `control` last.
    fn words(&self, number: u32) -> Vec<(u32, u32)> {
        let own = |word: Word, value: u32| (word.address(number, 0), value);
        let (begin, end) = self.region.unwrap_or_default();
        let mut words = vec![
            own(Word::Wait, self.wait),
            own(Word::Bound, self.bound),
            own(Word::Until, self.until.unwrap_or_default()),
            own(Word::ValueMask, self.mask),
            own(Word::RegionBegin, begin),
            own(Word::RegionEnd, end),
        ];
        for (party, place) in (0..PARTIES).zip(&self.parties) {
            let local = place.local.map_or((0, 0), |local| (local.mask, local.expected));
            words.extend([
                (Word::Location.address(number, party), place.pc),
                (Word::Select.address(number, party), place.select()),
                (Word::LocalMask.address(number, party), local.0),
                (Word::LocalMatch.address(number, party), local.1),
            ]);
        }
        words.push(own(Word::Control, self.control()));
        words
    }
}

/// Entries of hardware for a set that needs no more: each one costs time in simulation.
const USUAL: usize = 4;

/// Entries that are set together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Set {
    /// By number.
    pub entries: Vec<Entry>,
}

/// What identifies a set: the words of the window.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SetKey(Vec<(u32, u32)>);

impl Set {
    /// Of one entry.
    pub fn of(entry: Entry) -> Self {
        Self { entries: vec![entry] }
    }

    /// The most entries that any machine has.
    pub const MOST: usize = MAX_ENTRIES as usize;

    /// What hardware gets whose configuration says nothing of breakpoints: while none is armed they change no cycle.
    pub fn hardware(&self) -> Breakpoints {
        let entries = if self.entries.len() <= USUAL { USUAL } else { Self::MOST };
        Breakpoints { entries: entries as u32 }
    }

    /// Addresses of the window and what is written there, in order.
    pub fn words(&self) -> Vec<(u32, u32)> {
        self.entries.iter().zip(0..).flat_map(|(entry, number)| entry.words(number)).collect()
    }

    /// What identifies it.
    pub fn key(&self) -> SetKey {
        SetKey(self.words())
    }

    /// The longest wait of an entry.
    pub fn longest_wait(&self) -> u32 {
        self.entries.iter().map(|entry| entry.wait).max().unwrap_or(0)
    }

    /// The same with all waits so many times as long, within the unit's limit.
    #[must_use]
    pub fn waiting(&self, times: u32) -> Self {
        let mut set = self.clone();
        for entry in &mut set.entries {
            entry.wait = entry.wait.saturating_mul(times).min(breakpoint::MAX_WAIT);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use golden::breakpoint::Table;

    #[test]
    fn the_golden_unit_reads_back_what_a_set_says() {
        let mut entry = Entry::of(vec![Party::on_word(0x100), Party::at(0x104)], 77);
        entry.parties[1].skip = 3;
        entry.until = Some(0x108);
        entry.region = Some((0x10c, 0x110));
        entry.bound = 5;
        let mut table = Table::new(2);
        let first = Word::Control.address(0, 0) - 4 * Word::Control.of(0, 0);
        for (address, value) in (Set { entries: vec![entry.clone(), entry] }).words() {
            table.write((address - first) / 4, value);
        }
        for number in 0..2 {
            let read = table.entry(number);
            assert!(table.is_armed(number));
            assert_eq!((read.parties(), read.wait(), read.until()), (2, 77, Some(0x108)));
            assert_eq!((read.region(), read.party(1).location), (Some((0x10c, 0x110)), 0x104));
            assert_eq!(read.party(0).value(), Value::AddressWord);
            assert_eq!(Word::SKIP.of(read.party(1).select), 3);
        }
    }

    #[test]
    fn a_longer_wait_stays_within_the_limit() {
        let set = Set::of(Entry::of(vec![Party::at(4), Party::at(8)], 1 << 19));
        assert_eq!(set.waiting(2).longest_wait(), breakpoint::MAX_WAIT);
        assert_eq!(set.waiting(9).longest_wait(), breakpoint::MAX_WAIT);
    }
}
