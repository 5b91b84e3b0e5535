//! Random numbers from a seed, the same for ever.

/// A small generator (SplitMix64).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// From a seed.
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// Any number.
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// Any 32 bits.
    pub fn word(&mut self) -> u32 {
        self.roll() as u32
    }

    /// A number below `end`.
    ///
    /// # Panics
    /// If `end` is not above 0.
    pub fn below<N: TryInto<u64> + TryFrom<u64>>(&mut self, end: N) -> N {
        let number = end.try_into().ok().and_then(|end| self.roll().checked_rem(end));
        number.and_then(|number| N::try_from(number).ok()).expect("there is a number below `end`")
    }

    /// True one time out of `times`.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// True with a chance of so many in a hundred.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of these.
    pub fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// The last step of SplitMix64: a number that looks like chance, from any other.
pub fn mixed(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_means_the_same_numbers_for_ever() {
        // The first numbers of the published generator from seed 0.
        let mut dice = Dice::new(0);
        let rolls = [dice.roll(), dice.roll(), dice.roll()];
        assert_eq!(rolls, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]);
    }
}
