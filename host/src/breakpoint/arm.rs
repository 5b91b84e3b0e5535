//! Puts a set into the window of a machine, and reads what its entries counted.

use super::Set;
use border::Target;
use border::breakpoint::Word;
use serde::{Deserialize, Serialize};

/// Why a set cannot be put onto a machine.
#[derive(Debug, thiserror::Error)]
pub enum ArmError<E: std::error::Error> {
    /// It has no breakpoint unit.
    #[error("{0} has no breakpoint unit; set breakpoints.entries in its configuration")]
    NoUnit(String),
    /// It has too few entries.
    #[error(
        "{machine} has {entries} breakpoint entries; expected at least {needed}: raise breakpoints.entries in its configuration"
    )]
    TooFew {
        /// What it is called.
        machine: String,
        /// How many it has.
        entries: usize,
        /// How many the set has.
        needed: usize,
    },
    /// An access failed.
    #[error(transparent)]
    Target(#[from] E),
}

/// What an entry counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// Meetings.
    pub hits: u32,
    /// Waits that nobody ended.
    pub timeouts: u32,
}

/// Writes a set into the window. A machine called `called` that lacks the unit, or entries, is told by what it reads back.
///
/// # Errors
/// If it lacks them, or an access fails.
pub fn arm<T: Target>(target: &mut T, set: &Set, called: &str) -> Result<(), ArmError<T::Error>> {
    let needed = set.entries.len();
    for number in 0..needed {
        let probe = Word::ValueMask.address(number as u32, 0);
        target.set_device(probe, u32::MAX)?;
        if target.device(probe)? != u32::MAX {
            let machine = called.to_owned();
            return Err(match number {
                0 => ArmError::NoUnit(machine),
                entries => ArmError::TooFew { machine, entries, needed },
            });
        }
    }
    for (address, value) in set.words() {
        target.set_device(address, value)?;
    }
    Ok(())
}

/// What the first entries counted.
///
/// # Errors
/// If an access fails.
pub fn counts<T: Target>(target: &mut T, entries: usize) -> Result<Vec<Count>, T::Error> {
    let count = |entry: usize| {
        let hits = target.device(Word::Hits.address(entry as u32, 0))?;
        let timeouts = target.device(Word::Timeouts.address(entry as u32, 0))?;
        Ok(Count { hits: Word::HIT_COUNT.of(hits), timeouts: Word::TIMEOUT_COUNT.of(timeouts) })
    };
    (0..entries).map(count).collect()
}
