//! Where a hunt looks for failing schedules: on both machines, or on one of [`super::sources`].

use super::both::{FAST_ROUND, HARDWARE_ROUND};
use super::{Goal, On};
use clap::ValueEnum;
use clap::builder::PossibleValue;

/// What `--on` of a hunt chooses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Search {
    /// The hardware and the golden machine, side by side.
    #[default]
    Both,
    /// One source.
    One(On),
}

/// Golden schedules that are tried unless somebody says otherwise. Every sixth is uniform, so of 100 searches for a bug that one
/// uniform schedule in a thousand shows, 99 see it.
const GOLDEN_RUNS: u64 = 30_000;
/// Instructions of all of them together, about a minute's on two cores.
const GOLDEN_CYCLES: u64 = 1_000_000_000;
/// Cycles of the hardware's schedules beside them, about half a minute's.
const HARDWARE_CYCLES: u64 = 12_000_000;

impl Search {
    /// Its name on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Both => "both",
            Self::One(on) => on.name(),
        }
    }

    /// The source whose runs count if it finds enough.
    pub fn first(self) -> On {
        match self {
            Self::Both => On::default(),
            Self::One(on) => on,
        }
    }

    /// The faster one beside it.
    pub fn beside(self) -> Option<On> {
        (self == Self::Both).then_some(()).and_then(|()| On::named(GOLDEN))
    }

    /// The limits of both sources, for so many schedules at most; without a number, those that end a hunt within three
    /// minutes on two cores.
    pub fn goals(self, goal: Goal, max_runs: Option<u64>) -> (Goal, Goal) {
        let golden = |max_cycles| Goal { max_runs: GOLDEN_RUNS, max_cycles, ..goal };
        match (self, max_runs) {
            (Self::Both, None) => {
                let rounds = GOLDEN_RUNS.div_ceil(FAST_ROUND);
                let max_runs = rounds * HARDWARE_ROUND;
                (Goal { max_runs, max_cycles: HARDWARE_CYCLES, ..goal }, golden(GOLDEN_CYCLES))
            }
            (Self::Both, Some(max_runs)) => {
                let rounds = max_runs.div_ceil(FAST_ROUND);
                let hardware = max_runs.min(rounds * HARDWARE_ROUND);
                (Goal { max_runs: hardware, ..goal }, Goal { max_runs, ..goal })
            }
            (Self::One(on), None) if on.name() == GOLDEN => {
                (golden(GOLDEN_CYCLES), golden(GOLDEN_CYCLES))
            }
            (Self::One(_), max_runs) => {
                let goal = Goal { max_runs: max_runs.unwrap_or(goal.max_runs), ..goal };
                (goal, goal)
            }
        }
    }
}

const GOLDEN: &str = "golden";

impl ValueEnum for Search {
    fn value_variants<'a>() -> &'a [Self] {
        &VARIANTS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Both => {
                Some(PossibleValue::new("both").help(
                    "The hardware, and beside it the golden machine, which finds rare failures",
                ))
            }
            Self::One(on) => on.to_possible_value(),
        }
    }
}

const VARIANTS: [Search; 1 + super::sources::CHOICES.len()] = {
    let mut variants = [Search::Both; 1 + super::sources::CHOICES.len()];
    let mut place = 1;
    while place < variants.len() {
        variants[place] = Search::One(super::sources::CHOICES[place - 1]);
        place += 1;
    }
    variants
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_machines_come_to_their_limits_in_the_same_round() {
        let goals = |max_runs| {
            let (hardware, golden) = Search::Both.goals(Goal::default(), max_runs);
            (hardware.max_runs, golden.max_runs)
        };
        assert_eq!(goals(None), (160, 30_000));
        assert_eq!(goals(Some(30_000)), (160, 30_000));
        assert_eq!(goals(Some(30_001)), (168, 30_001));
        assert_eq!(goals(Some(40)), (8, 40));
        assert_eq!(goals(Some(3)), (3, 3));
    }

    #[test]
    fn every_machine_has_its_name() {
        let names: Vec<_> = Search::value_variants().iter().map(|search| search.name()).collect();
        assert_eq!(names, ["both", "rtl", "golden"]);
        assert_eq!(Search::Both.beside().map(On::name), Some("golden"));
        assert_eq!(Search::One(On::default()).beside(), None);
    }
}
