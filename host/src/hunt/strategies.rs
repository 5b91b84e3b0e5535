//! In which way the hardware's schedules are perturbed: each seed has a strategy, in turn.
//!
//! Short delays find bugs whose window opens often. Rests and priorities (docs/machine.md §11) find those
//! for which one thread must stand still while others do much of their work.

use super::Level;
use config::Perturbation;

/// Chance, out of 65536, that a hart rests before an access.
const REST_CHANCE: u32 = 128;
/// The longest rest, in cycles: longer than most threads of a bug kernel run.
const MAX_REST: u32 = 32768;
/// Cycles after which a leader gives way for those that are held.
const MAX_HOLD: u32 = 4096;
/// The same where harts are delayed too, and need longer for the same work.
const MAX_HOLD_DELAYED: u32 = 8192;
/// Ranges of the change points, in accesses. How many accesses a run has while threads compete is not known
/// beforehand, so seeds take these in turn.
const RANGES: [u32; 4] = [512, 1024, 4096, 16384];

/// How a schedule is perturbed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Short delays, as much as the level says.
    Delays,
    /// Those, and now and then a hart that rests for long.
    Rests,
    /// One hart at a time, by priorities that change so often.
    Priorities {
        /// The number of change points.
        changes: u32,
        /// The last access at which one may come.
        range: u32,
        /// Accesses are delayed too.
        delayed: bool,
    },
}

impl Strategy {
    /// The strategy of a seed: of four in a row delays, priorities, delays, rests.
    pub fn of_seed(seed: u64) -> Self {
        let turn = (seed / 4) as usize;
        match seed % 4 {
            0 => Self::Rests,
            2 => Self::Priorities {
                changes: 1 + (turn % 3) as u32,
                range: RANGES[turn / 3 % RANGES.len()],
                delayed: turn.is_multiple_of(2),
            },
            _ => Self::Delays,
        }
    }

    /// What to set for it. A configuration that sets rests or priorities itself is left to its own.
    pub fn of(self, level: Level, configured: Perturbation) -> Perturbation {
        let delays = level.of(configured);
        if configured.max_rest > 0 || configured.max_hold > 0 {
            return delays;
        }
        match self {
            Self::Delays => delays,
            Self::Rests => Perturbation { rest_chance: REST_CHANCE, max_rest: MAX_REST, ..delays },
            Self::Priorities { changes, range, delayed } => {
                let (max_hold, others) = match delayed {
                    true => (MAX_HOLD_DELAYED, delays),
                    false => (MAX_HOLD, Perturbation::NONE),
                };
                Perturbation { max_hold, changes, change_range: range, ..others }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn seeds_take_every_strategy_in_turn() {
        let strategies = (1..=48).map(Strategy::of_seed);
        let priorities = strategies.filter_map(|strategy| match strategy {
            Strategy::Priorities { changes, range, delayed } => Some((changes, range, delayed)),
            _ => None,
        });
        let priorities: Vec<_> = priorities.collect();
        assert_eq!(priorities.len(), 12);
        assert_eq!(priorities.iter().collect::<HashSet<_>>().len(), 3 * RANGES.len());
        let count = |wanted| (1..=48).filter(|seed| Strategy::of_seed(*seed) == wanted).count();
        assert_eq!((count(Strategy::Delays), count(Strategy::Rests)), (24, 12));
    }

    #[test]
    fn every_strategy_keeps_the_limits_of_the_keys() {
        let mut config = config::Config::default();
        let configured = config.simulation.perturbation;
        for (seed, level) in (1..=48).flat_map(|seed| (-3..=3).map(move |level| (seed, level))) {
            config.simulation.perturbation = Strategy::of_seed(seed).of(Level(level), configured);
            config.check().unwrap();
        }
    }

    #[test]
    fn what_the_configuration_says_itself_stays() {
        let configured = config::Config::default().simulation.perturbation;
        let own = Perturbation { max_hold: 99, ..configured };
        for seed in 1..=4 {
            assert_eq!(Strategy::of_seed(seed).of(Level::CONFIGURED, own), own);
        }
        assert_eq!(Strategy::Delays.of(Level(2), configured), Level(2).of(configured));
    }
}
