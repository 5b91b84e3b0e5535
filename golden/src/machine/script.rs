//! Schedules that are prescribed instead of drawn: how an order of events is tried out.
//!
//! A script is a list of turns. In its turn a hart performs scheduling points until it has performed so
//! many in all; if it cannot go on yet, the others do what lets it. A hart that performs none for a long time
//! loses the rest of its turn, and so does one that spins in a turn without an end. After the last turn, and while somebody is waited for, the hart that goes
//! goes on until it has to wait; then comes the next by number. So a script without turns is a run in
//! which nobody is ever interrupted.

use std::sync::Arc;

/// A hart's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Turn {
    /// The hart whose turn it is.
    pub hart: usize,
    /// How many points the hart has performed in all at its end, from the beginning of the run.
    pub until: u64,
}

/// A part of the program that nobody interrupts: a hart that performs the first access goes on until it performs the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uninterrupted {
    /// The instruction of the first access, a scheduling point.
    pub first: u32,
    /// That of the last.
    pub last: u32,
    /// A hart that has performed so many points since the first has left the region by another way.
    pub most: u64,
}

/// A script under way.
#[derive(Clone, Debug)]
pub(super) struct Script {
    turns: Arc<[Turn]>,
    next: usize,
    /// Points performed, by hart.
    performed: Vec<u64>,
    /// Harts that gave way and have to wait until another performs a point.
    gave_way: u64,
    /// The hart that goes.
    current: usize,
    /// How often a hart was asked to give way in its turn, since the last point.
    asked: u32,
    /// What nobody may interrupt.
    region: Option<Uninterrupted>,
    /// The harts in the region, and how many points each may still perform there.
    inside: Vec<(usize, u64)>,
}

/// How often a hart that performs no point may be asked to give way before it loses its turn: it may compute.
const PATIENCE: u32 = 8;

impl Script {
    pub fn new(turns: Arc<[Turn]>, region: Option<Uninterrupted>, harts: usize) -> Self {
        let performed = vec![0; harts];
        let (next, gave_way, current, asked, inside) = (0, 0, 0, 0, Vec::new());
        Self { turns, next, performed, gave_way, current, asked, region, inside }
    }

    /// Which of the harts that can go, a set of bits that is not empty, goes.
    pub fn choose(&mut self, ready: u64) -> usize {
        let willing = ready & !self.gave_way;
        if let Some((hart, _)) = self.inside.iter().rfind(|(hart, _)| willing >> hart & 1 != 0) {
            self.current = *hart;
            return self.current;
        }
        while let Some(turn) = self.turns.get(self.next) {
            let own = 1u64.checked_shl(turn.hart as u32).unwrap_or(0);
            let done = self.performed.get(turn.hart).is_none_or(|done| *done >= turn.until);
            let willing = ready & !self.gave_way;
            if !done && willing & own != 0 {
                self.current = turn.hart;
                return turn.hart;
            }
            // Somebody else may let it go on.
            let waits = !done && ready & own == 0 && willing != 0;
            if waits {
                break;
            }
            self.next += 1;
        }
        if ready & !self.gave_way == 0 {
            self.gave_way = 0;
        }
        let willing = ready & !self.gave_way;
        let harts = self.performed.len();
        let from_current = (0..harts).map(|step| (self.current + step) % harts);
        let chosen = from_current.into_iter().find(|hart| willing >> hart & 1 != 0);
        self.current = chosen.unwrap_or(ready.trailing_zeros() as usize);
        self.current
    }

    /// Whether a hart is in a turn of its own that ends by itself: there it may spin.
    pub fn is_turn_of(&self, hart: usize) -> bool {
        let turn = self.turns.get(self.next);
        turn.is_some_and(|turn| turn.hart == hart && turn.until != u64::MAX)
    }

    pub fn performed(&mut self, hart: usize, pc: u32) {
        self.performed[hart] += 1;
        self.asked = 0;
        self.gave_way &= 1 << hart;
        let Some(Uninterrupted { first, last, most }) = self.region else { return };
        self.inside.retain_mut(|(other, left)| {
            *left -= u64::from(*other == hart);
            *other != hart || (*left > 0 && pc != last)
        });
        if pc == first && !self.inside.iter().any(|(other, _)| *other == hart) {
            self.inside.push((hart, most));
        }
    }

    pub fn give_way(&mut self, hart: usize) {
        if self.is_turn_of(hart) && self.asked < PATIENCE {
            self.asked += 1;
        } else {
            self.gave_way |= 1 << hart;
        }
    }
}

/// The turns that a run took, as a script would say them.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns {
    pub taken: Vec<Turn>,
    performed: Vec<u64>,
}

impl Turns {
    pub fn performed(&mut self, hart: usize) {
        if self.performed.len() <= hart {
            self.performed.resize(hart + 1, 0);
        }
        self.performed[hart] += 1;
        let turn = Turn { hart, until: self.performed[hart] };
        match self.taken.last_mut() {
            Some(last) if last.hart == hart => *last = turn,
            _ => self.taken.push(turn),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(turns: &[(usize, u64)]) -> Script {
        let turns = turns.iter().map(|(hart, until)| Turn { hart: *hart, until: *until }).collect();
        Script::new(turns, None, 3)
    }

    /// The harts that perform points when all can go but those in `asleep`.
    fn order(
        script: &mut Script,
        points: usize,
        asleep: impl Fn(usize, &[usize]) -> bool,
    ) -> Vec<usize> {
        let mut order = Vec::new();
        while order.len() < points {
            let ready =
                (0..3).filter(|hart| !asleep(*hart, &order)).fold(0, |set, hart| set | 1 << hart);
            let hart = script.choose(ready);
            script.performed(hart, 0);
            order.push(hart);
        }
        order
    }

    #[test]
    fn turns_end_at_a_harts_own_count_and_the_last_goes_on() {
        let mut two = script(&[(1, 2), (0, 1), (1, 3)]);
        assert_eq!(order(&mut two, 6, |_, _| false), [1, 1, 0, 1, 1, 1]);
        assert_eq!(order(&mut script(&[]), 3, |_, _| false), [0, 0, 0]);
    }

    #[test]
    fn others_go_until_a_hart_can_take_its_turn() {
        // Hart 2 sleeps until hart 0 has performed two points.
        let asleep = |hart: usize, order: &[usize]| hart == 2 && order.len() < 2;
        assert_eq!(order(&mut script(&[(2, 1), (1, 1)]), 5, asleep), [0, 0, 2, 1, 1]);
    }

    #[test]
    fn a_hart_that_gives_way_loses_its_turn_until_another_performed_a_point() {
        let mut script = script(&[(1, 9)]);
        assert_eq!(script.choose(0b111), 1);
        for _ in 0..PATIENCE {
            script.give_way(1);
            assert_eq!(script.choose(0b111), 1, "it may compute for a while");
        }
        script.give_way(1);
        assert_eq!(script.choose(0b111), 2);
        script.performed(2, 0);
        assert_eq!(script.choose(0b011), 0);
        assert_eq!(script.choose(0b010), 1);
    }

    #[test]
    fn nobody_interrupts_a_hart_in_the_region() {
        let region = Uninterrupted { first: 8, last: 16, most: 3 };
        let turns: Arc<[Turn]> = [(0, 2), (1, 9)].map(|(hart, until)| Turn { hart, until }).into();
        let mut script = Script::new(turns.clone(), Some(region), 3);
        let mut perform = |ready, pc| {
            let hart = script.choose(ready);
            script.performed(hart, pc);
            hart
        };
        assert_eq!([perform(0b111, 4), perform(0b111, 8)], [0, 0]);
        assert_eq!(perform(0b111, 12), 0, "its turn is over, but it is in the region");
        assert_eq!(perform(0b110, 4), 1, "it cannot go");
        assert_eq!(perform(0b111, 16), 0);
        assert_eq!(perform(0b111, 8), 1, "the region is behind it");
        let others: Vec<_> = (0..3).map(|_| perform(0b011, 4)).collect();
        assert_eq!(others, [1, 1, 1]);
        let mut stays = Script::new(turns, Some(region), 3);
        stays.performed(2, 8);
        let order: Vec<_> = (0..5)
            .map(|_| {
                let hart = stays.choose(0b111);
                stays.performed(hart, 4);
                hart
            })
            .collect();
        assert_eq!(order, [2, 2, 2, 0, 0], "it left the region by another way");
    }

    #[test]
    fn the_turns_of_a_run_are_a_script_for_it() {
        let mut turns = Turns::default();
        let run = [0, 0, 2, 1, 1, 2, 2];
        run.iter().for_each(|hart| turns.performed(*hart));
        let mut again = Script::new(turns.taken.into(), None, 3);
        assert_eq!(order(&mut again, run.len(), |_, _| false), run);
    }
}
