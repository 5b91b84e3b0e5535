//! One hart's transactions: the open one, and how the last attempts went.

use border::color::{LEAST_LENGTH, MOST_ABORTS};
use std::collections::{BTreeMap, BTreeSet};

/// A transaction that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    /// The pc of its first instruction.
    pc: u32,
    /// The instructions after which it commits.
    length: u32,
    retired: u32,
    read: BTreeSet<u32>,
    /// Lines written, with their bytes from before the transaction.
    written: BTreeMap<u32, Box<[u8]>>,
}

impl Open {
    /// Whether it has written a line.
    #[inline]
    pub fn wrote(&self, line: u32) -> bool {
        self.written.contains_key(&line)
    }

    /// Whether it has read or written a line.
    pub fn has(&self, line: u32) -> bool {
        self.read.contains(&line) || self.wrote(line)
    }

    /// Whether another's access to a line aborts it.
    pub fn conflicts(&self, line: u32, write: bool) -> bool {
        self.wrote(line) || write && self.read.contains(&line)
    }

    /// The lines written, with their bytes from before.
    pub fn written(&self) -> impl Iterator<Item = (u32, &[u8])> {
        self.written.iter().map(|(line, bytes)| (*line, &bytes[..]))
    }

    /// Its members that have retired.
    pub fn retired(&self) -> u32 {
        self.retired
    }

    /// A line was read.
    pub fn reads(&mut self, line: u32) {
        self.read.insert(line);
    }

    /// A line was written, which had these bytes before.
    pub fn writes(&mut self, line: u32, before: impl FnOnce() -> Box<[u8]>) {
        self.written.entry(line).or_insert_with(before);
    }
}

/// What an abort came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aborted {
    /// Members that had retired.
    pub retired: u32,
    /// The hart has given up.
    pub gave_up: bool,
}

/// The attempts of one hart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attempts {
    open: Option<Open>,
    /// Aborts since it last committed or gave up.
    aborts: u32,
    /// The checkpoint at which an aborted transaction resumes.
    resumes_at: Option<u32>,
    /// Instructions until a hart that gave up begins transactions again.
    cooling: u32,
}

impl Attempts {
    /// The open transaction.
    #[inline]
    pub fn open(&self) -> Option<&Open> {
        self.open.as_ref()
    }

    /// The same, to change it.
    pub fn open_mut(&mut self) -> Option<&mut Open> {
        self.open.as_mut()
    }

    /// Whether a transaction could begin.
    pub fn may_begin(&self) -> bool {
        self.open.is_none() && self.cooling == 0
    }

    /// Whether a tracked access at this pc is one at which an aborted transaction begins again.
    pub fn resumes(&self, pc: u32) -> bool {
        self.resumes_at == Some(pc)
    }

    /// A tracked access was ordered: what comes after it resumes nothing.
    pub fn passed(&mut self) {
        self.resumes_at = None;
    }

    /// Begins one at this pc, of a hart whose first attempts have this length.
    pub fn begin(&mut self, pc: u32, length: u32) {
        self.open = Some(Open {
            pc,
            length: length >> self.aborts,
            retired: 0,
            read: BTreeSet::new(),
            written: BTreeMap::new(),
        });
    }

    /// A member retired. Whether the transaction has its length.
    pub fn retire(&mut self) -> bool {
        let Some(open) = &mut self.open else { return false };
        open.retired += 1;
        open.retired >= open.length
    }

    /// An instruction retired in U mode.
    pub fn cool(&mut self) {
        self.cooling = self.cooling.saturating_sub(1);
    }

    /// Commits the open transaction; its retired members.
    pub fn commit(&mut self) -> Option<u32> {
        let open = self.open.take()?;
        (self.aborts, self.resumes_at) = (0, None);
        Some(open.retired)
    }

    /// Aborts the open transaction.
    pub fn abort(&mut self, length: u32) -> Option<Aborted> {
        let Open { pc, retired, .. } = self.open.take()?;
        self.aborts += 1;
        let gave_up = self.aborts == MOST_ABORTS || length >> self.aborts < LEAST_LENGTH;
        if gave_up {
            (self.aborts, self.resumes_at, self.cooling) = (0, None, length);
        } else {
            self.resumes_at = Some(pc);
        }
        Some(Aborted { retired, gave_up })
    }
}
