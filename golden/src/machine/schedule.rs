//! Which hart goes next: strategies for finding schedules under which a program fails.
//!
//! Bursts switch after a random number of instructions. The others switch at scheduling points alone
//! ([`super::Points`]):
//! - *uniform*: any hart that can go, with equal probability;
//! - *priorities*: PCT (Burckhardt et al., ASPLOS 2010). Harts have random priorities, the highest that
//!   can go goes, and at a few random points the running hart's becomes the lowest. A bug that needs
//!   `d` ordered events is found with probability at least 1/(n·k^(d-1)) for n harts and k points;
//! - *partial order*: partial order sampling (Yuan et al., CAV 2018). Every pending access has a random
//!   priority; accesses that conflict with the one performed draw anew;
//! - *selected*: orders of the accesses to a few shared words, each about equally likely ([`Selected`]).
//!
//! A hart that spins would be chosen for ever by priorities: one that loads nothing new of what others
//! wrote, or goes on for longer than whole runs take, gives way.

use super::points::Points;
use super::script::{Script, Turn, Uninterrupted};
use super::selected::Selected;
use kit::Dice;
use std::sync::Arc;

/// The longest burst of one hart is 2 to this, less one.
const LONGEST_BURST_BITS: u64 = 7;
/// Instructions after which a hart gives way whatever it does.
const PATIENCE: u64 = 1 << 13;
/// Loads of what others wrote, in a row, that bring nothing new: the hart spins.
const SPINS: u32 = 48;
/// Loads remembered of each hart.
const REMEMBERED: usize = 64;
/// Words of which the last writer is remembered.
const WRITERS: usize = 1024;

/// How the next hart is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheduling {
    /// Random numbers of instructions.
    #[default]
    Bursts,
    /// Any hart at every point.
    Uniform,
    /// By priorities that change so many times.
    Priorities {
        /// Changes of priority in a run.
        changes: u8,
    },
    /// By priorities of pending accesses.
    PartialOrder,
    /// Any order of the accesses to a few words.
    Selected,
}

impl Scheduling {
    /// The strategies in the order in which seeds take them.
    pub const IN_TURN: [Self; 8] = [
        Self::Bursts,
        Self::Uniform,
        Self::Priorities { changes: 1 },
        Self::PartialOrder,
        Self::Priorities { changes: 2 },
        Self::Priorities { changes: 3 },
        Self::Selected,
        Self::Selected,
    ];

    /// The strategy of a seed.
    pub fn of_seed(seed: u64) -> Self {
        Self::IN_TURN[(seed % Self::IN_TURN.len() as u64) as usize]
    }
}

/// What a hart is about to do, as far as schedules care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pending {
    pub pc: u32,
    /// The word that it accesses.
    pub word: u32,
    pub write: bool,
}

impl Pending {
    fn conflicts(self, other: Self) -> bool {
        self.word == other.word && (self.write || other.write)
    }
}

/// What a hart loaded of late: how one that only waits for others is told.
#[derive(Clone, Debug)]
struct Loads {
    known: [u64; REMEMBERED],
    repeated: u32,
}

impl Loads {
    const NONE: Self = Self { known: [0; REMEMBERED], repeated: 0 };

    /// Whether the hart has loaded nothing new for a while, this included.
    fn bring_nothing(&mut self, access: Pending, value: u32) -> bool {
        let load = u64::from(access.pc) << 32 | u64::from(access.word);
        let mixed = (load ^ u64::from(value) << 16).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let place = &mut self.known[(mixed >> 40) as usize % REMEMBERED];
        let known = std::mem::replace(place, mixed) == mixed;
        self.repeated = if known { self.repeated + 1 } else { 0 };
        self.repeated >= SPINS
    }
}

/// Who wrote words last, as far as it is remembered.
#[derive(Clone, Debug)]
struct Writers(Vec<(u32, usize)>);

impl Writers {
    fn place(word: u32) -> usize {
        (word >> 2) as usize % WRITERS
    }

    fn wrote(&mut self, hart: usize, word: u32) {
        self.0[Self::place(word)] = (word, hart);
    }

    fn is_own(&self, hart: usize, word: u32) -> bool {
        self.0[Self::place(word)] == (word, hart)
    }
}

/// Chooses which hart goes next, and for how long.
#[derive(Clone, Debug)]
pub(super) struct Scheduler {
    random: Dice,
    strategy: Scheduling,
    /// Of each hart; the highest goes first.
    priorities: Vec<i64>,
    /// Points at which the running hart's priority becomes the lowest, in descending order.
    changes: Vec<u64>,
    /// The lowest priority given so far.
    lowest: i64,
    /// Points executed.
    executed: u64,
    selected: Option<Selected>,
    loads: Vec<Loads>,
    writers: Writers,
    /// The hart of the last point, and how many it has executed without another's between them.
    streak: (usize, u64),
    /// The longest streak: a hart that goes on for longer than whole runs take waits for another.
    longest_streak: u64,
    /// Prescribes the order; then the strategy does not matter.
    script: Option<Script>,
}

impl Scheduler {
    /// A prescribed schedule.
    pub fn scripted(
        harts: usize,
        turns: Arc<[Turn]>,
        region: Option<Uninterrupted>,
        points: &Points,
    ) -> Self {
        let script = Some(Script::new(turns, region, harts));
        Self { script, ..Self::new(harts, 0, Scheduling::Uniform, points) }
    }

    /// The schedule of a seed, for runs with such points.
    pub fn new(harts: usize, seed: u64, strategy: Scheduling, known: &Points) -> Self {
        let points = known.a_run();
        let mut random = Dice::new(seed);
        let mut priorities: Vec<i64> = (1..=harts as i64).collect();
        let mut changes = Vec::new();
        let mut selected = None;
        match strategy {
            Scheduling::Bursts | Scheduling::Uniform => {}
            Scheduling::Selected => selected = Some(known.selected(&mut random, harts)),
            Scheduling::PartialOrder => priorities.fill_with(|| draw(&mut random)),
            Scheduling::Priorities { changes: count } => {
                for place in (1..harts).rev() {
                    priorities.swap(place, random.scaled_below(place as u64 + 1) as usize);
                }
                // Some fall behind the end, so that some runs have fewer changes, or none.
                let last = points + points.div_ceil(2);
                changes.extend((0..count).map(|_| 1 + random.scaled_below(last)));
                changes.sort_unstable_by(|a, b| b.cmp(a));
            }
        }
        Self {
            random,
            strategy,
            priorities,
            changes,
            lowest: 0,
            executed: 0,
            selected,
            loads: vec![Loads::NONE; harts],
            writers: Writers(vec![(0, 0); WRITERS]),
            streak: (0, 0),
            longest_streak: 2 * points + 256,
            script: None,
        }
    }

    /// Which of the harts that can go, a set of bits that is not empty, goes, and for how many
    /// instructions at most. `pending` tells what a hart is about to do.
    pub fn choose(
        &mut self,
        ready: u64,
        pending: impl Fn(usize) -> Option<Pending>,
    ) -> (usize, u64) {
        if let Some(script) = &mut self.script {
            return (script.choose(ready), PATIENCE);
        }
        match self.strategy {
            Scheduling::Bursts => {
                let hart = self.any(ready);
                let longest = 1 << self.random.scaled_below(LONGEST_BURST_BITS);
                (hart, 1 + self.random.scaled_below(longest))
            }
            Scheduling::Uniform => (self.any(ready), PATIENCE),
            Scheduling::Selected => {
                let Self { selected, random, .. } = self;
                let allow = |one: &mut Selected| one.allowed(ready, random, pending);
                let allowed = selected.as_mut().map_or(ready, allow);
                (self.any(allowed), PATIENCE)
            }
            Scheduling::Priorities { .. } | Scheduling::PartialOrder => {
                let harts = (0..self.priorities.len()).filter(|hart| ready >> hart & 1 != 0);
                let highest = harts.max_by_key(|hart| self.priorities[*hart]);
                (highest.unwrap_or(0), PATIENCE)
            }
        }
    }

    fn any(&mut self, mut ready: u64) -> usize {
        let skipped = self.random.scaled_below(ready.count_ones().max(1).into());
        for _ in 0..skipped {
            ready &= ready - 1;
        }
        ready.trailing_zeros() as usize
    }

    /// A hart performed the access of a point, which loaded or stored a value. `pending` tells what the
    /// others are about to do.
    pub fn performed(
        &mut self,
        hart: usize,
        access: Pending,
        value: u32,
        pending: impl Fn(usize) -> Option<Pending>,
    ) {
        self.executed += 1;
        if let Some(script) = &mut self.script {
            script.performed(hart, access.pc);
        }
        if let Some(selected) = &mut self.selected {
            selected.performed(hart, access.word);
        }
        match self.strategy {
            Scheduling::Bursts | Scheduling::Uniform | Scheduling::Selected => {}
            Scheduling::Priorities { .. } => {
                while self.changes.last().is_some_and(|change| *change <= self.executed) {
                    self.changes.pop();
                    self.give_way(hart);
                }
            }
            Scheduling::PartialOrder => {
                for other in 0..self.priorities.len() {
                    let races = || pending(other).is_some_and(|other| other.conflicts(access));
                    if other == hart || races() {
                        self.priorities[other] = draw(&mut self.random);
                    }
                }
            }
        }
        let spins = if access.write {
            self.writers.wrote(hart, access.word);
            false
        } else {
            !self.writers.is_own(hart, access.word) && self.loads[hart].bring_nothing(access, value)
        };
        let so_far = if self.streak.0 == hart { self.streak.1 } else { 0 };
        self.streak = (hart, so_far + 1);
        let within_turn = self.script.as_ref().is_some_and(|script| script.is_turn_of(hart));
        if (spins || so_far >= self.longest_streak) && !within_turn {
            self.give_way(hart);
        }
    }

    /// A hart must let the others go first from now on.
    pub fn give_way(&mut self, hart: usize) {
        self.lowest -= 1;
        self.priorities[hart] = self.lowest;
        self.streak = (hart, 0);
        if let Some(script) = &mut self.script {
            script.give_way(hart);
        }
        if let Some(selected) = &mut self.selected {
            selected.give_way(hart);
        }
    }
}

/// A priority above those of harts that gave way.
fn draw(random: &mut Dice) -> i64 {
    (random.roll() >> 2) as i64
}
