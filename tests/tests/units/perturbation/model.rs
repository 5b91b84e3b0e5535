//! What the perturbation does, from docs/machine.md §11 and the numbers that its generator draws.

use config::Perturbation;

/// Cycles without an access after which a hart is not present.
const ABSENT_AFTER: u32 = 128;
/// Reads in a row before the one that makes a leader give way.
const SPINS_AFTER: u32 = 128;
/// Cycles in which the order of ranks is drawn.
const SHUFFLES: u32 = 127;

/// What a hart does in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conduct {
    pub taken: bool,
    pub read: bool,
    pub ended: bool,
}

/// One hart.
#[derive(Clone, Debug)]
struct Hart {
    /// The access under way, and whether it was free to go in some cycle.
    access: Option<Free>,
    /// Cycles since its last access ended; at first it has made none.
    away: u32,
    reads: u32,
    delayed: u32,
    was_delayed: bool,
    resting: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Free(bool);

/// The unit.
#[derive(Clone, Debug)]
pub struct Model {
    seed: u64,
    settings: Perturbation,
    /// No number is drawn in the first cycle.
    generator: Option<u64>,
    harts: Vec<Hart>,
    /// The harts from the lowest rank to the highest.
    order: Vec<usize>,
    /// Accesses of leaders before each change point.
    points: Vec<u32>,
    waited: u32,
    cycles: u32,
}

impl Model {
    pub fn new(harts: usize, seed: u64, settings: Perturbation) -> Self {
        let hart = Hart {
            access: None,
            away: ABSENT_AFTER,
            reads: 0,
            delayed: 0,
            was_delayed: false,
            resting: 0,
        };
        Self {
            seed,
            settings,
            generator: None,
            harts: vec![hart; harts],
            order: (0..harts).collect(),
            points: Vec::new(),
            waited: 0,
            cycles: 0,
        }
    }

    pub fn is_busy(&self, hart: usize) -> bool {
        self.harts[hart].access.is_some()
    }

    /// The random number of this cycle.
    fn number(&self) -> u64 {
        let state = self.generator.unwrap_or(0);
        state.wrapping_add(state.rotate_left(32))
    }

    /// Whether ranks count.
    fn ranked(&self) -> bool {
        self.seed != 0 && self.settings.max_hold > 0 && self.cycles >= SHUFFLES
    }

    fn is_active(&self, hart: usize) -> bool {
        let Hart { away, resting, .. } = self.harts[hart];
        away < ABSENT_AFTER && resting == 0
    }

    fn leader(&self) -> Option<usize> {
        self.order.iter().rev().copied().find(|hart| self.is_active(*hart))
    }

    /// Whether a hart's access waits for one that ranks higher.
    fn outranked(&self, hart: usize) -> bool {
        let mut above = self.order.iter().rev().take_while(|other| **other != hart);
        self.ranked()
            && self.harts[hart].access == Some(Free(false))
            && above.any(|other| self.is_active(*other))
    }

    /// Whether a hart's access is held in this cycle.
    pub fn holds(&self, hart: usize) -> bool {
        let Hart { delayed, resting, .. } = self.harts[hart];
        delayed > 0 || resting > 0 || self.outranked(hart)
    }

    /// Who is passed over on the bus.
    pub fn passed_over(&self) -> u64 {
        let number = self.number();
        let shuffles = (number >> 50 & 0xff) < self.settings.chance.into();
        let requesters = 2 * self.harts.len() + 1;
        let all = u64::MAX >> (64 - requesters);
        if self.seed != 0 && shuffles { number.rotate_left(41) & all } else { 0 }
    }

    /// Ends a cycle in which harts do this.
    pub fn step(&mut self, conducts: &[Conduct]) {
        let number = self.number();
        let leader = self.leader();
        let others_active: Vec<bool> = (0..self.harts.len())
            .map(|hart| (0..self.harts.len()).any(|o| o != hart && self.is_active(o)))
            .collect();
        let gives_way = self.gives_way(conducts, leader, &others_active);
        let held: Vec<bool> = (0..self.harts.len()).map(|hart| self.outranked(hart)).collect();
        let somebody = (0..held.len()).any(|hart| held[hart] && self.is_active(hart));
        self.waited = if somebody && !gives_way { self.waited + 1 } else { 0 };
        for (hart, conduct) in conducts.iter().enumerate() {
            self.step_hart(hart, *conduct, held[hart], others_active[hart], number);
        }
        if self.cycles < SHUFFLES {
            let draw = number.rotate_left(11) >> 16 & 0xff;
            self.demote(((draw * self.harts.len() as u64) >> 8) as usize);
        } else if let Some(leader) = leader.filter(|_| gives_way) {
            self.demote(leader);
            self.harts[leader].reads = 0;
        }
        if (1..=4).contains(&self.cycles) {
            let draw = number.rotate_left(11) & 0xffff;
            let point = 1 + ((draw * u64::from(self.settings.change_range)) >> 16) as u32;
            let exists = self.points.len() < self.settings.changes as usize;
            self.points.extend(exists.then_some(point));
        }
        self.cycles = self.cycles.saturating_add(1);
        self.generator = Some(match self.generator {
            Some(state) => next(state),
            None => (0..6).fold(first(self.seed), |state, _| next(state)),
        });
    }

    /// Whether the leader gives way at the end of this cycle.
    fn gives_way(&mut self, conducts: &[Conduct], leader: Option<usize>, others: &[bool]) -> bool {
        let Some(leader) = leader.filter(|leader| self.ranked() && others[*leader]) else {
            return false;
        };
        let mut reasons = false;
        if conducts[leader].taken {
            for point in &mut self.points {
                reasons |= *point == 1;
                *point = point.saturating_sub(1);
            }
            reasons |= conducts[leader].read && self.harts[leader].reads == SPINS_AFTER;
        }
        let held = (0..self.harts.len()).any(|hart| self.outranked(hart) && self.is_active(hart));
        reasons || held && self.waited + 1 == self.settings.max_hold
    }

    fn demote(&mut self, hart: usize) {
        self.order.retain(|other| *other != hart);
        self.order.insert(0, hart);
    }

    fn step_hart(&mut self, hart: usize, conduct: Conduct, held: bool, others: bool, number: u64) {
        let draw = number.rotate_left((1 + 23 * hart as u32) % 64);
        let scaled = |low: u32, bits: u32, max: u32| {
            (((draw >> low & ((1 << bits) - 1)) * u64::from(max)) >> bits) as u32
        };
        let Perturbation { chance, burst, max_stall, rest_chance, max_rest, .. } = self.settings;
        let seeded = self.seed != 0;
        let state = &mut self.harts[hart];
        let rests = state.resting > 0;
        state.delayed = state.delayed.saturating_sub(1);
        state.resting = state.resting.saturating_sub(1);
        if let Some(Free(free)) = &mut state.access {
            *free |= !held && !rests;
        } else {
            state.away = (state.away + 1).min(ABSENT_AFTER);
        }
        if conduct.ended {
            state.access = None;
        }
        if conduct.taken {
            let chance = if state.was_delayed { burst } else { chance };
            state.was_delayed = seeded && max_stall > 0 && (draw & 0xff) < chance.into();
            state.delayed = if state.was_delayed { 1 + scaled(8, 10, max_stall) } else { 0 };
            let tires = max_rest > 0 && (draw >> 18 & 0xffff) < rest_chance.into();
            let rests = seeded && others && tires;
            state.resting = if rests { 1 + scaled(34, 16, max_rest) } else { 0 };
            state.access = Some(Free(false));
            state.away = 0;
            state.reads = if conduct.read { (state.reads + 1).min(SPINS_AFTER) } else { 0 };
        }
    }
}

/// Where the generator starts.
fn first(seed: u64) -> u64 {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    if seed == MIX { MIX } else { seed ^ MIX }
}

/// One step of xorshift (Marsaglia, 13, 7, 17).
fn next(state: u64) -> u64 {
    let state = state ^ state << 13;
    let state = state ^ state >> 7;
    state ^ state << 17
}
