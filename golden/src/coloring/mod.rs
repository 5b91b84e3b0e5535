//! Colors in the machine (docs/machine.md §14): what each hart tracks, remembers and finds, and its transactions.
//!
//! [`HartColors`] has the registers, the histories and the set of one hart, [`Attempts`] its transactions; neither knows of
//! caches or of other harts. [`Coloring`] is all of them, as the memory system has it.

mod hart;
mod registers;
mod transaction;

pub use hart::{Detection, HartColors};
pub use registers::{Counters, Registers};
pub use transaction::{Aborted, Attempts, Open};

use kit::Dice;

/// Bits of the chance of a random transaction.
const CHANCE_BITS: u32 = 24;

/// The colors of all harts.
#[derive(Clone, Debug)]
pub struct Coloring {
    harts: Vec<HartColors>,
    /// Harts whose transaction aborted, and whose registers are not yet as before it: a bit each.
    aborted: u32,
    random: Random,
}

/// When transactions begin that no color asks for.
#[derive(Clone, Debug)]
enum Random {
    Never,
    /// With this chance out of 2^24 at a tracked access.
    Chance(Dice, u32),
    /// At the next tracked access of these harts, a bit each: hardware has drawn.
    Drawn(u32),
}

impl Coloring {
    /// After reset.
    pub fn new(harts: usize, color: &config::Color, ram_last: u32) -> Self {
        Self {
            harts: vec![HartColors::new(color, ram_last); harts],
            aborted: 0,
            random: Random::Never,
        }
    }

    /// A hart's.
    pub fn hart(&self, hart: usize) -> &HartColors {
        &self.harts[hart]
    }

    /// The same, to change it; `None` if there is no such hart.
    pub fn hart_mut(&mut self, hart: usize) -> Option<&mut HartColors> {
        self.harts.get_mut(hart)
    }

    /// The transaction of a hart that is open.
    #[inline]
    pub fn open(&self, hart: usize) -> Option<&Open> {
        self.harts[hart].attempts().open()
    }

    /// Whether a hart has written a line in a transaction that is open.
    #[inline]
    pub fn is_speculative(&self, hart: usize, line: u32) -> bool {
        self.open(hart).is_some_and(|open| open.wrote(line))
    }

    /// Begins transactions at random from now on: with this chance out of 2^24 at each tracked access.
    pub fn start_at_random(&mut self, seed: u64, chance: u32) {
        self.random = match chance > 0 && seed != 0 {
            true => Random::Chance(Dice::new(seed), chance),
            false => Random::Never,
        };
    }

    /// From now on transactions begin at random where hardware has begun them: whether at a hart's next tracked access.
    pub fn start_as_drawn(&mut self, hart: usize, starts: bool) {
        let others = match self.random {
            Random::Drawn(harts) => harts & !(1 << hart),
            _ => 0,
        };
        self.random = Random::Drawn(others | u32::from(starts) << hart);
    }

    /// Whether one of this hart begins at random now.
    pub fn starts_at_random(&mut self, hart: usize) -> bool {
        match &mut self.random {
            Random::Never => false,
            Random::Chance(dice, chance) => {
                dice.scaled_below(1 << CHANCE_BITS) < u64::from(*chance)
            }
            Random::Drawn(harts) => *harts >> hart & 1 != 0,
        }
    }

    /// A hart's transaction has aborted; its lines are gone already.
    pub fn abort(&mut self, hart: usize) {
        self.harts[hart].abort();
        self.aborted |= 1 << hart;
    }

    /// The harts whose registers must become as before their transactions: a bit each.
    pub fn take_aborted(&mut self) -> u32 {
        std::mem::take(&mut self.aborted)
    }

    /// An access of a color that made a transaction on the bus: all others that track remember it.
    pub fn tell_others(&mut self, hart: usize, color: crate::ColorId, write: bool) {
        let others = self.harts.iter_mut().enumerate().filter(|(other, _)| *other != hart);
        others.for_each(|(_, other)| other.hears(color, write));
    }
}

#[cfg(test)]
mod tests;
