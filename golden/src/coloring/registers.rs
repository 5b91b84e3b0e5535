//! A hart's registers of colors, and its counters.

use crate::Mode;
use border::color::{Commit, LEAST_LENGTH, USUAL_LENGTH, Word};

/// What software has set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers {
    pub(super) control: u32,
    pub(super) table: u32,
    low: u32,
    high: u32,
    epoch: u32,
    items: u32,
    length: u32,
}

impl Registers {
    /// A register that can be written; `None` for others.
    pub(super) fn at(&mut self, word: Word) -> Option<(&mut u32, u32)> {
        const CONTROL: u32 =
            Word::TRACK.mask() | Word::DEBUG.mask() | Word::SEARCH.mask() | Word::AVOID.mask();
        Some(match word {
            Word::ColorControl => (&mut self.control, CONTROL),
            Word::ColorTable => (&mut self.table, !0xfff),
            Word::ColorRangeLow => (&mut self.low, u32::MAX),
            Word::ColorRangeHigh => (&mut self.high, u32::MAX),
            Word::EpochLength => (&mut self.epoch, Word::EPOCH_INSTRUCTIONS.mask()),
            Word::HistoryItems => (&mut self.items, Word::ITEMS_IN_USE.mask()),
            Word::TransactionLength => (&mut self.length, Word::TRANSACTION_INSTRUCTIONS.mask()),
            _ => return None,
        })
    }

    /// Accesses are tracked.
    #[inline]
    pub fn tracks(&self) -> bool {
        self.control & Word::TRACK.mask() != 0
    }

    /// Debugging mode.
    pub fn debugs(&self) -> bool {
        self.control & Word::DEBUG.mask() != 0
    }

    /// Deployment mode: ended epochs are searched.
    pub fn searches(&self) -> bool {
        self.control & Word::SEARCH.mask() != 0
    }

    /// Colors of the set begin transactions.
    pub fn avoids(&self) -> bool {
        self.control & Word::AVOID.mask() != 0
    }

    /// Whether accesses of an instruction are tracked.
    #[inline]
    pub fn covers(&self, mode: Mode, pc: u32) -> bool {
        self.tracks() && mode == Mode::User && (self.low..self.high).contains(&pc)
    }

    /// Instructions of an epoch.
    pub fn epoch(&self, color: &config::Color) -> u32 {
        let wanted = if self.epoch == 0 { color.epoch } else { self.epoch };
        wanted.max(color.signature_bits + 2)
    }

    /// History items in use.
    pub fn items(&self, color: &config::Color) -> usize {
        match self.items {
            0 => color.items as usize,
            some => some.min(color.items) as usize,
        }
    }

    /// Instructions of a first attempt.
    pub fn length(&self) -> u32 {
        match self.length {
            0 => USUAL_LENGTH,
            some => some.max(LEAST_LENGTH),
        }
    }
}

/// What a hart counts; all wrap around.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the border says what each is")]
pub struct Counters {
    pub user_instructions: u32,
    pub tracked_accesses: u32,
    pub color_walks: u32,
    pub detections: u32,
    pub starts: u32,
    pub aborts: u32,
    pub give_ups: u32,
    pub committed_instructions: u32,
    pub aborted_instructions: u32,
    /// Commits, by cause.
    pub commits: [u32; Commit::ALL.len()],
}

impl Counters {
    /// Commits of all causes.
    pub fn all_commits(&self) -> u32 {
        self.commits.iter().sum()
    }

    /// What a counter's word reads; `None` for other words.
    pub(super) fn read(&self, word: Word) -> Option<u32> {
        let first = Word::CommitsLength.number();
        if let Some(count) =
            word.number().checked_sub(first).and_then(|cause| self.commits.get(cause as usize))
        {
            return Some(*count);
        }
        Some(match word {
            Word::UserInstructions => self.user_instructions,
            Word::TrackedAccesses => self.tracked_accesses,
            Word::ColorWalks => self.color_walks,
            Word::Detections => self.detections,
            Word::Starts => self.starts,
            Word::Aborts => self.aborts,
            Word::GiveUps => self.give_ups,
            Word::CommittedInstructions => self.committed_instructions,
            Word::AbortedInstructions => self.aborted_instructions,
            _ => return None,
        })
    }
}

/// Counts one.
pub(super) fn count(counter: &mut u32) {
    add(counter, 1);
}

/// Counts so many.
pub(super) fn add(counter: &mut u32, more: u32) {
    *counter = counter.wrapping_add(more);
}
