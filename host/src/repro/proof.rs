//! What a set of breakpoints was measured to do: the two halves of the proof of a cause.

use super::SURE;
use super::bench::Rate;
use super::candidate::Candidate;

/// What the opposite order came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opposite {
    /// It never fails.
    NeverFails,
    /// It fails although every visit hit.
    Fails,
    /// It does not fail where every visit hit, but too few schedules are like that, and others fail.
    NotForced,
}

impl Opposite {
    /// Of what was measured, if so many schedules without a miss are enough.
    pub fn of(rate: &Rate, enough: u64) -> Self {
        let met = 2 * rate.hit >= rate.runs;
        match (rate.clean_failed, rate.failed) {
            (0, 0) if met => Self::NeverFails,
            (0, _) if rate.clean >= enough => Self::NeverFails,
            (0, _) => Self::NotForced,
            _ => Self::Fails,
        }
    }
}

/// A set with all that was measured of it, at each level.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The set and its opposite.
    pub candidate: Candidate,
    /// Under the set.
    pub forced: Vec<Rate>,
    /// Under the opposite order.
    pub opposite: Vec<Rate>,
    /// Which of the opposite orders that is.
    pub by: usize,
    /// The same schedules without breakpoints.
    pub unaided: Vec<Rate>,
    /// How many schedules without a miss are enough.
    pub schedules: u64,
}

impl Proof {
    /// Of a first half.
    pub(super) fn forced(candidate: Candidate, forced: Vec<Rate>, unaided: Vec<Rate>) -> Self {
        Self { candidate, forced, opposite: Vec::new(), by: 0, unaided, schedules: SURE }
    }

    /// The first half holds, at every level.
    pub fn is_reproduced(&self) -> bool {
        !self.forced.is_empty() && self.forced.iter().all(|rate| rate.is_sure(self.schedules))
    }

    /// What the opposite order shows, at the level where it shows least.
    pub fn opposed(&self) -> Opposite {
        let all = || self.opposite.iter().map(|rate| Opposite::of(rate, self.schedules));
        if self.opposite.is_empty() {
            return Opposite::NotForced;
        }
        let worst = [Opposite::Fails, Opposite::NotForced];
        worst
            .into_iter()
            .find(|one| all().any(|other| other == *one))
            .unwrap_or(Opposite::NeverFails)
    }

    /// Both halves hold.
    pub fn is_confirmed(&self) -> bool {
        self.opposed() == Opposite::NeverFails
    }

    /// Both halves hold, and enough schedules of the opposite order were such that every visit hit.
    pub fn is_clean(&self) -> bool {
        self.is_confirmed() && self.opposite.iter().all(|rate| rate.clean >= self.schedules)
    }

    /// How much it shows: the better of two has the greater.
    pub(super) fn weight(&self) -> u8 {
        u8::from(self.is_reproduced()) + u8::from(self.is_confirmed()) + u8::from(self.is_clean())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opposite_order_is_no_proof_where_nobody_met() {
        let rate = |hit, clean, failed, clean_failed| Rate {
            runs: 300,
            failed,
            hit,
            clean,
            clean_failed,
            ..Rate::default()
        };
        let of = |rate: &Rate| Opposite::of(rate, SURE);
        assert_eq!(of(&rate(300, 300, 0, 0)), Opposite::NeverFails);
        assert_eq!(of(&rate(300, 300, 4, 0)), Opposite::NeverFails, "apart");
        assert_eq!(of(&rate(300, 0, 0, 0)), Opposite::NeverFails, "in none at all");
        assert_eq!(of(&rate(300, 20, 4, 0)), Opposite::NotForced);
        assert_eq!(of(&rate(3, 3, 0, 0)), Opposite::NotForced, "hardly met");
        assert_eq!(of(&rate(300, 300, 1, 1)), Opposite::Fails);
    }
}
