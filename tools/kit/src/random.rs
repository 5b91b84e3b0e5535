//! The seeded generator: SplitMix64, the same numbers for a seed on every machine and for ever.
//!
//! Recorded schedules, stimulus and hash masks depend on these sequences: the numbers of a seed must never
//! change.

/// The step from one state to the next: 2^64 divided by the golden ratio, made odd.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Dice {
    state: u64,
}

impl Dice {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Any 64 bits.
    pub fn roll(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mixed(self.state)
    }

    /// Any 32 bits.
    pub fn word(&mut self) -> u32 {
        self.roll() as u32
    }

    /// A number below `end`: the remainder of a roll.
    ///
    /// # Panics
    /// If `end` is not above 0.
    pub fn below<N: TryInto<u64> + TryFrom<u64>>(&mut self, end: N) -> N {
        let number = end.try_into().ok().and_then(|end| self.roll().checked_rem(end));
        number.and_then(|number| N::try_from(number).ok()).expect("there is a number below `end`")
    }

    /// A number below `end`: the upper half of a roll's product with `end`, which is 0 for an `end` of 0. The
    /// schedules of the golden machine are drawn so.
    pub fn scaled_below(&mut self, end: u64) -> u64 {
        ((u128::from(self.roll()) * u128::from(end)) >> 64) as u64
    }

    /// True one time out of `times`.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// True with a chance of `percent` in a hundred.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of these.
    pub fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// The output function of SplitMix64: an even spread of values from any sequence of distinct ones.
pub fn mixed(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The number of seed `start` after `place` steps, without computing those before it.
pub fn nth(start: u64, place: u64) -> u64 {
    mixed(place.wrapping_mul(STEP).wrapping_add(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_numbers_of_the_published_generator() {
        let mut dice = Dice::new(0);
        let rolls = [dice.roll(), dice.roll(), dice.roll()];
        assert_eq!(rolls, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]);
    }

    #[test]
    fn any_number_of_a_sequence_is_reached_at_once() {
        let mut dice = Dice::new(77);
        for place in 1..10 {
            assert_eq!(nth(77, place), dice.roll());
        }
    }

    #[test]
    fn bounds_are_kept_in_both_ways() {
        let mut dice = Dice::new(5);
        for end in 1..200_u64 {
            assert!(dice.below(end) < end);
            assert!(dice.scaled_below(end) < end);
        }
        let (mut one, mut other) = (Dice::new(9), Dice::new(9));
        let roll = one.roll();
        assert_eq!(other.scaled_below(1 << 32), roll >> 32);
    }
}
