//! Locks, condition variables and semaphores.

use crate::event::{Site, Thread};
use std::collections::VecDeque;

/// Signals and posts that an object remembers.
const REMEMBERED: usize = 16;

/// How a thread came to hold a lock, or a unit of a semaphore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hold {
    /// Where it was taken, and by whom.
    pub place: Site,
    /// The number of the event with which the call returned.
    pub at: u64,
    /// For reading: others may have it too.
    pub shared: bool,
}

/// A mutex, reader/writer lock or spin lock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lock {
    /// Who has it, in the order of taking; twice if one thread took it twice.
    pub holders: Vec<Hold>,
}

/// A signal or broadcast on a condition, or a post to a semaphore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// Where it was sent, and by whom.
    pub place: Site,
    /// The number of its event.
    pub at: u64,
    /// A broadcast.
    pub all: bool,
    /// The threads that waited and that it woke.
    pub woken: Vec<Thread>,
}

/// A condition variable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Condition {
    /// The last signals, oldest first.
    pub signals: VecDeque<Signal>,
}

impl Condition {
    pub(super) fn signaled(&mut self, place: Site, at: u64, all: bool) {
        remember(&mut self.signals, Signal { place, at, all, woken: Vec::new() });
    }
}

/// A semaphore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Semaphore {
    /// The value it was given, if the log has seen that.
    pub initial: Option<u32>,
    /// The units that were taken and not given back; of a semaphore that is used as a lock.
    pub holders: Vec<Hold>,
    /// Whether it is used as a lock: so far only threads that had taken a unit gave one back.
    pub is_lock: bool,
    /// The last posts, oldest first.
    pub posts: VecDeque<Signal>,
}

impl Default for Semaphore {
    fn default() -> Self {
        Self { initial: None, holders: Vec::new(), is_lock: true, posts: VecDeque::new() }
    }
}

impl Semaphore {
    pub(super) fn with_value(value: u32) -> Self {
        Self { initial: Some(value), ..Self::default() }
    }

    pub(super) fn taken(&mut self, hold: Hold) {
        if self.is_lock {
            self.holders.push(hold);
        }
    }

    pub(super) fn posted(&mut self, place: Site, at: u64) {
        let own = self.holders.iter().rposition(|hold| hold.place.thread == place.thread);
        match own {
            Some(index) => drop(self.holders.remove(index)),
            None => {
                self.is_lock = false;
                self.holders.clear();
            }
        }
        remember(&mut self.posts, Signal { place, at, all: false, woken: Vec::new() });
    }
}

fn remember(signals: &mut VecDeque<Signal>, signal: Signal) {
    if signals.len() == REMEMBERED {
        signals.pop_front();
    }
    signals.push_back(signal);
}
