//! Random numbers, and delays made of them.

/// A small generator of random numbers: xorshift.
#[derive(Clone)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    pub fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }
}

/// How late everything answers.
#[derive(Clone, Copy, Debug)]
pub struct Delays {
    /// Seeds the rest.
    pub seed: u64,
    /// The longest delay of a fill, and of each part of a data access.
    pub most: u64,
    /// `hold` is raised in one cycle of this many; 0: never.
    pub hold: u64,
}

impl Delays {
    pub const NONE: Delays = Delays { seed: 1, most: 0, hold: 0 };

    pub fn random(seed: u64) -> Self {
        Delays { seed, most: seed % 9, hold: [0, 2, 7][seed as usize % 3] }
    }
}
