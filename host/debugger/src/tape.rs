//! All that a run changed, one commit after the other.

use crate::moment::Moment;
use crate::pages::Pages;
use golden::Mode;
use golden::isa::Retired;
use std::ops::Range;

/// The most commits that are kept; of longer runs the older ones are dropped, half of them at a time.
const MOST: usize = 1 << 23;

/// A place on the tape: so many commits were made before it. It lies between two of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Mark(pub u64);

/// What an instruction or the host changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commit {
    /// Its address.
    pub pc: u32,
    /// The address of the hart's next instruction.
    pub next: u32,
    /// What it wrote to `rd`.
    pub value: u32,
    /// The word that it accessed.
    pub address: u32,
    /// What it wrote there.
    pub data: u32,
    /// The hart; of what the host wrote, the one that had called it.
    pub hart: u8,
    /// The register it wrote; 0: none.
    pub rd: u8,
    /// Bytes of the word: written in the high half, read in the low one.
    lanes: u8,
    flags: u8,
}

const BY_HOST: u8 = 1;
const USER_BEFORE: u8 = 2;
const USER_AFTER: u8 = 4;
const TRAPPED: u8 = 8;

impl Commit {
    /// An instruction that ended, with its hart in this mode afterwards.
    pub fn instruction(hart: usize, after: Mode, retired: &Retired) -> Self {
        let flag = |is: bool, flag: u8| if is { flag } else { 0 };
        Self {
            pc: retired.pc_rdata,
            next: retired.pc_wdata,
            value: retired.rd_wdata,
            address: retired.mem_addr,
            data: retired.mem_wdata,
            hart: hart as u8,
            rd: retired.rd_addr,
            lanes: retired.mem_wmask << 4 | retired.mem_rmask & 0xf,
            flags: flag(retired.mode == Mode::User, USER_BEFORE)
                | flag(after == Mode::User, USER_AFTER)
                | flag(retired.trap, TRAPPED),
        }
    }

    /// The host wrote bytes of a word, for a hart.
    pub fn by_host(hart: usize, word: u32, lanes: u8, data: u32) -> Self {
        Self {
            pc: 0,
            next: 0,
            value: 0,
            address: word,
            data,
            hart: hart as u8,
            rd: 0,
            lanes: lanes << 4,
            flags: BY_HOST,
        }
    }

    /// Whether the host made it, not an instruction.
    #[inline]
    pub fn is_by_host(&self) -> bool {
        self.flags & BY_HOST != 0
    }

    /// Whether it is an instruction of U mode.
    #[inline]
    pub fn is_user(&self) -> bool {
        self.flags & USER_BEFORE != 0
    }

    /// Whether its hart is in U mode afterwards.
    #[inline]
    pub fn leads_to_user(&self) -> bool {
        self.flags & USER_AFTER != 0
    }

    /// Whether it trapped, and had no other effect.
    #[inline]
    pub fn trapped(&self) -> bool {
        self.flags & TRAPPED != 0
    }

    /// The bytes of its word that it wrote.
    #[inline]
    pub fn written(&self) -> u8 {
        self.lanes >> 4
    }

    /// The bytes of its word that it read.
    #[inline]
    pub fn read(&self) -> u8 {
        self.lanes & 0xf
    }

    /// Whether any of these bytes of its word is at one of these addresses; gives the first.
    #[inline]
    pub fn touched(&self, lanes: u8, range: &Range<u64>) -> Option<u32> {
        let word = u64::from(self.address);
        if lanes == 0 || word >= range.end || word + 4 <= range.start {
            return None;
        }
        let lane = (0..4u32)
            .find(|lane| lanes & 1 << lane != 0 && range.contains(&(word + u64::from(*lane))))?;
        Some(self.address + lane)
    }

    /// Whether it wrote a byte.
    pub fn wrote(&self, address: u32) -> bool {
        self.touched(self.written(), &(address.into()..u64::from(address) + 1)).is_some()
    }
}

/// The machine before its first instruction.
#[derive(Clone, Debug)]
pub struct Start {
    /// How many harts there are.
    pub harts: usize,
    /// Where all of them start.
    pub pc: u32,
    /// Memory, with the program in it.
    pub memory: Pages,
}

/// A run from one moment to its end.
#[derive(Clone, Debug)]
pub struct Tape {
    start: Moment,
    commits: Vec<Commit>,
    /// By hart: where the first instruction of U mode is.
    first_user: Vec<Option<Mark>>,
    most: usize,
}

impl Tape {
    /// Nothing yet.
    pub fn new(start: Start) -> Self {
        Self::bounded(start, MOST)
    }

    /// The same with at most so many commits.
    pub fn bounded(start: Start, most: usize) -> Self {
        let first_user = vec![None; start.harts];
        Self { start: Moment::new(start), commits: Vec::new(), first_user, most: most.max(2) }
    }

    /// Adds what came next.
    #[inline]
    pub fn push(&mut self, commit: Commit) {
        if self.commits.len() == self.most {
            for commit in self.commits.drain(..self.most / 2) {
                self.start.apply(&commit);
            }
        }
        if commit.is_user() && self.first_user[usize::from(commit.hart)].is_none() {
            self.first_user[usize::from(commit.hart)] = Some(self.last());
        }
        self.commits.push(commit);
    }

    /// The moment with which it begins: that of the run, unless older commits were dropped.
    pub fn start(&self) -> &Moment {
        &self.start
    }

    /// The first place.
    pub fn first(&self) -> Mark {
        self.start.mark()
    }

    /// The last place, after all commits.
    pub fn last(&self) -> Mark {
        Mark(self.first().0 + self.commits.len() as u64)
    }

    /// The nearest place that there is.
    pub fn nearest(&self, mark: Mark) -> Mark {
        mark.clamp(self.first(), self.last())
    }

    /// The commits between two places, with the place before each.
    pub fn between(
        &self,
        from: Mark,
        to: Mark,
    ) -> impl DoubleEndedIterator<Item = (Mark, &Commit)> + ExactSizeIterator {
        let (from, to) = (self.nearest(from), self.nearest(to));
        let index = |mark: Mark| (mark.0 - self.first().0) as usize;
        let commits = self.commits[index(from)..index(to).max(index(from))].iter().enumerate();
        commits.map(move |(at, commit)| (Mark(from.0 + at as u64), commit))
    }

    /// Whether a hart has executed nothing in U mode before a place.
    pub fn before_user(&self, hart: usize, mark: Mark) -> bool {
        self.first_user.get(hart).copied().flatten().is_none_or(|first| mark < first)
    }

    /// The last write of a byte before a place, with the place before it; none: nobody wrote it, as far as the tape
    /// goes back.
    pub fn last_write(&self, address: u32, before: Mark) -> Option<(Mark, &Commit)> {
        self.between(self.first(), before).rev().find(|(_, commit)| commit.wrote(address))
    }
}
