//! When harts come to given instructions in a run, in the unit of a breakpoint's wait.

use golden::Mode;
use golden::isa::Retired;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Visits that are remembered of a run.
const MOST: usize = 100_000;

/// An instruction that retired in U mode: when, by which hart, where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The cycle; on the golden machine, the number of instructions of all harts.
    pub time: u64,
    /// The hart.
    pub hart: usize,
    /// The instruction.
    pub pc: u32,
}

/// Collects the visits of a run.
#[derive(Clone)]
pub(super) struct Visitors {
    places: Arc<BTreeSet<u32>>,
    seen: Arc<Mutex<Vec<Visit>>>,
}

impl Visitors {
    /// Of these places.
    pub fn of(places: &BTreeSet<u32>) -> Self {
        Self { places: Arc::new(places.clone()), seen: Arc::default() }
    }

    /// An instruction retired.
    pub fn see(&self, time: u64, hart: usize, retired: &Retired) {
        let pc = retired.pc_rdata;
        if retired.mode == Mode::User && self.places.contains(&pc) {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            if seen.len() < MOST {
                seen.push(Visit { time, hart, pc });
            }
        }
    }

    /// All of them, in order.
    pub fn finish(self) -> Vec<Visit> {
        std::mem::take(&mut self.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
