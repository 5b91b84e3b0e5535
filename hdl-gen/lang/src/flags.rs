//! A set of numbers, one bit for each.

use std::ops::Index;

/// The set; `flags[number]` says whether a number is in it.
pub(crate) struct Flags(Vec<u64>);

impl Flags {
    /// None of the numbers below `count`, which it has room for.
    pub fn none(count: usize) -> Flags {
        Flags(vec![0; count.div_ceil(64)])
    }

    /// Adds a number; says whether it was not there.
    pub fn insert(&mut self, number: usize) -> bool {
        let (word, bit) = (&mut self.0[number / 64], 1 << (number % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}

impl Index<usize> for Flags {
    type Output = bool;

    fn index(&self, number: usize) -> &bool {
        if self.0[number / 64] >> (number % 64) & 1 == 1 { &true } else { &false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_is_there_and_nothing_else() {
        let mut flags = Flags::none(130);
        assert!(flags.insert(64) && flags.insert(129) && !flags.insert(64));
        let members: Vec<usize> = (0..130).filter(|&number| flags[number]).collect();
        assert_eq!(members, [64, 129]);
    }
}
