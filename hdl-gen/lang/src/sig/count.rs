//! Counting around a ring and up to a limit.

use super::{Sig, lit};

impl Sig {
    /// The index after this one in a ring of `places`, at least 1: 0 after the last. The signal is wide
    /// enough for every index and no wider.
    #[track_caller]
    pub fn next_in(self, places: usize) -> Sig {
        if places > 1 && places.is_power_of_two() {
            return self + 1;
        }
        self.eq(places - 1).mux(lit(self.width(), 0), self + 1)
    }

    /// One more, but never past the highest value that the width can hold.
    #[track_caller]
    pub fn saturating_next(self) -> Sig {
        self.all().mux(self, self + 1)
    }
}
