//! How much schedules are perturbed: more when failures are rare, less when they are common.
//!
//! Seeds are judged in blocks. A block runs at one level, which is chosen from the blocks before it and
//! nothing else.

use super::journal::Entry;
use config::Perturbation;
use record::Label;

/// Seeds in a block.
pub const BLOCK: u64 = 32;

/// How much more than configured; negative: less.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    serde::Serialize,
    serde::Deserialize,
)]
pub struct Level(pub i8);

impl Level {
    /// As configured.
    pub const CONFIGURED: Self = Self(0);
    /// The least there is.
    pub const LEAST: Self = Self(-3);
    /// What to try when failures are too rare, in this order.
    const FOR_MORE: [Self; 6] = [Self(1), Self(-1), Self(2), Self(-2), Self(3), Self(-3)];
    /// What to try when failures are too common.
    const FOR_FEWER: [Self; 3] = [Self(-1), Self(-2), Self(-3)];

    /// That much of a perturbation, within the limits of its keys.
    ///
    /// More is not more delays but longer ones: when every hart is held back all the time, none gets ahead of
    /// another. A hart that rests for long now and then is overtaken where it stands.
    pub fn of(self, configured: Perturbation) -> Perturbation {
        const LONGEST_STALL: u32 = 1024;
        let Perturbation { chance, burst, max_stall, max_passes, .. } = configured;
        let part = |value: u32, by: u32| (value >> by).max(value.min(1));
        let by = u32::from(self.0.unsigned_abs());
        match self.0 {
            0 => configured,
            1.. => Perturbation {
                chance: part(chance, by - 1),
                max_stall: (max_stall << (by + 1)).min(LONGEST_STALL),
                ..configured
            },
            _ => Perturbation {
                chance: part(chance, by),
                burst: part(burst, by),
                max_stall: part(max_stall, by),
                max_passes: part(max_passes, by),
                ..configured
            },
        }
    }
}

/// What a level has shown.
#[derive(Clone, Copy, Debug, Default)]
struct Shown {
    failing: u64,
    all: u64,
}

impl Shown {
    fn of<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Self {
        entries.into_iter().fold(Self::default(), |shown, entry| Self {
            failing: shown.failing + u64::from(entry.label() == Label::Failing),
            all: shown.all + 1,
        })
    }

    fn share(self) -> f64 {
        self.failing as f64 / self.all.max(1) as f64
    }

    /// Fewer than one in sixteen.
    fn is_too_rare(self) -> bool {
        self.failing * 16 < self.all
    }

    /// More than three in four.
    fn is_too_common(self) -> bool {
        self.failing * 4 > self.all * 3
    }
}

/// The level of the block after these entries, which are whole blocks.
pub fn next(entries: &[Entry]) -> Level {
    let Some(last) = entries.last().map(Entry::level) else { return Level::CONFIGURED };
    let shown = |level: Level| Shown::of(entries.iter().filter(|entry| entry.level() == level));
    let untried = |levels: &[Level]| levels.iter().copied().find(|level| shown(*level).all == 0);
    let share = |level: Level| shown(level).share();
    if shown(last).is_too_rare() {
        let best = || best_of(&Level::FOR_MORE, share);
        return untried(&Level::FOR_MORE).unwrap_or_else(best);
    }
    if shown(last).is_too_common() {
        let best = || best_of(&Level::FOR_FEWER, |level| -share(level));
        return untried(&Level::FOR_FEWER).unwrap_or_else(best);
    }
    last
}

/// The level with the highest score: the configured one, or the first of `others` that beats it.
fn best_of(others: &[Level], score: impl Fn(Level) -> f64) -> Level {
    others.iter().fold(
        Level::CONFIGURED,
        |best, level| {
            if score(*level) > score(best) { *level } else { best }
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use border::record::OutcomeCode;

    /// A block at a level in which so many fail.
    fn block(level: Level, failing: u64) -> impl Iterator<Item = Entry> {
        (0..BLOCK).map(move |place| {
            let label = if place < failing { Label::Failing } else { Label::Passing };
            Entry::new(place + 1, level, label, OutcomeCode::Exit)
        })
    }

    /// The levels of the blocks of a program that fails so often at each level.
    fn levels(blocks: usize, failing: impl Fn(Level) -> u64) -> Vec<i8> {
        let mut entries = Vec::new();
        let mut levels = Vec::new();
        for _ in 0..blocks {
            let level = next(&entries);
            levels.push(level.0);
            entries.extend(block(level, failing(level)));
        }
        levels
    }

    #[test]
    fn a_program_that_fails_now_and_then_is_left_alone() {
        assert_eq!(levels(4, |_| 8), [0, 0, 0, 0]);
        assert_eq!(levels(3, |_| 2), [0, 0, 0], "one in sixteen is not too rare");
        assert_eq!(levels(3, |_| 24), [0, 0, 0], "three in four are not too common");
    }

    #[test]
    fn rare_failures_are_looked_for_at_every_level_and_then_where_they_were() {
        assert_eq!(levels(9, |level| u64::from(level == Level(2))), [0, 1, -1, 2, -2, 3, -3, 2, 2]);
        assert_eq!(levels(4, |level| if level == Level(1) { 5 } else { 0 }), [0, 1, 1, 1]);
        assert_eq!(levels(8, |_| 0), [0, 1, -1, 2, -2, 3, -3, 0], "nowhere: as configured");
    }

    #[test]
    fn common_failures_are_perturbed_less() {
        assert_eq!(levels(4, |level| if level < Level(-1) { 9 } else { 32 }), [0, -1, -2, -2]);
        assert_eq!(
            levels(6, |level| if level == Level(-2) { 30 } else { 32 }),
            [0, -1, -2, -3, -2, -2]
        );
    }

    #[test]
    fn every_level_keeps_the_limits_of_the_keys() {
        let mut config = config::Config::default();
        let delays = |chance, burst, max_stall, max_passes| Perturbation {
            chance,
            burst,
            max_stall,
            max_passes,
            ..Perturbation::NONE
        };
        let strong = delays(256, 256, 1024, 64);
        for configured in [config.simulation.perturbation, strong] {
            for level in -3..=3 {
                config.simulation.perturbation = Level(level).of(configured);
                config.check().unwrap();
            }
            assert_eq!(Level::CONFIGURED.of(configured), configured);
        }
        let more = [1, 2, 3]
            .map(|level| Level(level).of(config::Config::default().simulation.perturbation));
        assert_eq!(more.map(|p| (p.chance, p.max_stall)), [(16, 256), (8, 512), (4, 1024)]);
        assert_eq!(Level(3).of(Perturbation::NONE), Perturbation::NONE);
        assert_eq!(Level::LEAST.of(delays(16, 4, 64, 8)), delays(2, 1, 8, 1));
    }
}
