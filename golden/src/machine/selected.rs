//! Selected words: every order of the accesses to a few shared words is about equally likely.
//!
//! A selectively uniform random walk (Zhao et al., ASPLOS 2025). A bug often depends on how the accesses to one variable
//! interleave, and on nothing else that threads share. Choosing any hart at every point makes most of those orders improbable: a
//! thread with one access performs it early, and hardly ever between the last two of a thread with a hundred. Here a schedule
//! draws a few words. Harts stop before accesses to them, and which of those comes next is drawn by how many
//! each hart has still to perform, as learned from other runs. In between any hart goes.

use super::schedule::Pending;
use crate::memory::bits;
use kit::Dice;
use std::collections::{BTreeMap, BTreeSet};

/// How many words a schedule selects: one of these.
const WORDS: [usize; 4] = [1, 1, 2, 3];

/// What runs have shown of the words that harts share: who accesses them how often, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shared {
    words: BTreeMap<u32, Word>,
    /// By instruction, the words that it accesses and that harts did not access in the same order in every run: what creating
    /// and joining threads orders is not worth selecting.
    unordered: Vec<Vec<u32>>,
    /// Runs learned from.
    runs: u64,
}

/// What is known of a shared word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Word {
    /// The instructions that access it.
    pcs: BTreeSet<u32>,
    /// The accesses of each hart in all runs.
    accesses: Vec<u64>,
    /// The order in which harts took turns with it in the last run that shared it.
    turns: Vec<usize>,
    /// Runs had different orders.
    varies: bool,
}

impl Shared {
    /// Learns from a run's accesses to the words that its harts shared, in order: instruction, word and hart.
    pub fn learn(&mut self, accesses: impl Iterator<Item = (u32, u32, usize)>) {
        let mut turns = BTreeMap::<u32, Vec<usize>>::new();
        for (pc, word, hart) in accesses {
            let known = self.words.entry(word).or_default();
            known.pcs.insert(pc);
            if known.accesses.len() <= hart {
                known.accesses.resize(hart + 1, 0);
            }
            known.accesses[hart] += 1;
            let turns = turns.entry(word).or_default();
            if turns.last() != Some(&hart) {
                turns.push(hart);
            }
        }
        for (word, turns) in turns {
            let known = self.words.entry(word).or_default();
            known.varies |= !known.turns.is_empty() && known.turns != turns;
            known.turns = turns;
        }
        self.runs += 1;
        let mut unordered = BTreeMap::<u32, Vec<u32>>::new();
        for (word, known) in self.words.iter().filter(|(_, known)| known.varies) {
            known.pcs.iter().for_each(|pc| unordered.entry(*pc).or_default().push(*word));
        }
        self.unordered = unordered.into_values().collect();
    }

    /// A word of any instruction: by statements, so that a long array is no likelier than a flag.
    fn draw(&self, random: &mut Dice) -> Option<u32> {
        let any = |random: &mut Dice, of: usize| random.scaled_below(of as u64) as usize;
        let words = self.unordered.get(any(random, self.unordered.len()))?;
        words.get(any(random, words.len())).copied()
    }

    /// The accesses of a hart to these words in a run, on average.
    fn accesses(&self, words: &BTreeSet<u32>, hart: usize) -> u64 {
        let of_word = |word: &u32| self.words.get(word)?.accesses.get(hart).copied();
        words.iter().filter_map(of_word).sum::<u64>().div_ceil(self.runs.max(1))
    }
}

/// The words that a schedule selects, and whose access to them comes next.
#[derive(Clone, Debug)]
pub(super) struct Selected {
    words: Vec<u32>,
    /// By hart, the accesses to them that it has still to perform.
    left: Vec<u64>,
    /// The hart whose access comes next, once that is drawn.
    next: Option<usize>,
    /// Harts that gave way and have to wait until another performs a point.
    gave_way: u64,
    /// Harts that gave way since the last access to the words: they may all be waiting for one that stopped.
    spun: u64,
}

impl Selected {
    /// Some of the words that runs have shown.
    pub fn draw(random: &mut Dice, shared: &Shared, harts: usize) -> Self {
        let how_many = WORDS[random.scaled_below(WORDS.len() as u64) as usize];
        let words: BTreeSet<u32> = (0..how_many).filter_map(|_| shared.draw(random)).collect();
        let left = (0..harts).map(|hart| shared.accesses(&words, hart)).collect();
        Self { words: words.into_iter().collect(), left, next: None, gave_way: 0, spun: 0 }
    }

    /// Which of the harts that can go, a set of bits that is not empty, may go. `pending` tells what a hart is about to do.
    pub fn allowed(
        &mut self,
        ready: u64,
        random: &mut Dice,
        pending: impl Fn(usize) -> Option<Pending>,
    ) -> u64 {
        let stops =
            |hart: &usize| pending(*hart).is_some_and(|access| self.words.contains(&access.word));
        let stopped = bits(ready as u32).filter(stops).fold(0, |set, hart| set | 1 << hart);
        if self.next.is_none() {
            let all = (1u64 << self.left.len()) - 1;
            self.next = self.drawn(all, stopped, random);
        }
        let next = self.next.map_or(0, |hart| 1 << hart);
        let free = ready & !(stopped & !next) & !self.gave_way;
        let all_spin = stopped != 0 && free & !self.spun == 0;
        if free != 0 && !all_spin {
            return free;
        }
        // The one that was drawn waits for one of those that stopped, or all that are free do.
        self.next = self.drawn(stopped & !self.gave_way, stopped, random);
        match self.next {
            Some(hart) => 1 << hart,
            None => {
                self.gave_way = 0;
                ready
            }
        }
    }

    /// One of these harts, by what it has left; one that stopped has at least one access left.
    fn drawn(&self, harts: u64, stopped: u64, random: &mut Dice) -> Option<usize> {
        let left = |hart: usize| self.left[hart].max(stopped >> hart & 1);
        let all: u64 = bits(harts as u32).map(left).sum();
        let mut place = random.scaled_below(all);
        bits(harts as u32).find(|hart| {
            let found = place < left(*hart);
            place = place.saturating_sub(left(*hart));
            found
        })
    }

    /// A hart performed a point.
    pub fn performed(&mut self, hart: usize, word: u32) {
        self.gave_way &= 1 << hart;
        if self.words.contains(&word) {
            self.left[hart] = self.left[hart].saturating_sub(1);
            self.next = None;
            self.spun = 0;
        }
    }

    /// A hart must let the others go first.
    pub fn give_way(&mut self, hart: usize) {
        self.gave_way |= 1 << hart;
        self.spun |= 1 << hart;
        self.next = self.next.filter(|next| *next != hart);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two runs in which each hart accesses word 8 so many times; harts take turns in one order, then in the other.
    fn shared(accesses: &[u64]) -> Shared {
        let mut shared = Shared::default();
        let of_hart = |(hart, times): (usize, &u64)| vec![(4, 8, hart); *times as usize];
        let mut runs: Vec<_> = accesses.iter().enumerate().map(of_hart).collect();
        shared.learn(runs.concat().into_iter());
        runs.reverse();
        shared.learn(runs.concat().into_iter());
        shared
    }

    fn at(words: [u32; 3]) -> impl Fn(usize) -> Option<Pending> {
        move |hart| Some(Pending { pc: 4, word: words[hart], write: false })
    }

    /// The order of harts that only perform their accesses to word 8.
    fn order(seed: u64, accesses: &[u64]) -> Vec<usize> {
        let mut random = Dice::new(seed);
        let mut selected = Selected::draw(&mut random, &shared(accesses), accesses.len());
        let mut left = accesses.to_vec();
        let mut order = Vec::new();
        while left.iter().any(|left| *left > 0) {
            let can_go = (0..left.len()).filter(|hart| left[*hart] > 0);
            let ready = can_go.fold(0, |set, hart| set | 1 << hart);
            let allowed = selected.allowed(ready, &mut random, at([8; 3]));
            let hart = allowed.trailing_zeros() as usize;
            assert_eq!(allowed, 1 << hart, "one at a time");
            selected.performed(hart, 8);
            left[hart] -= 1;
            order.push(hart);
        }
        order
    }

    #[test]
    fn a_single_access_comes_at_every_place_equally_often() {
        let mut places = [0; 10];
        for seed in 0..5000 {
            let order = order(seed, &[9, 1]);
            places[order.iter().position(|hart| *hart == 1).unwrap()] += 1;
        }
        assert!(places.iter().all(|times| (400..600).contains(times)), "{places:?}");
    }

    #[test]
    fn what_every_run_accesses_in_one_order_is_not_selected() {
        let mut shared = Shared::default();
        let run = [(4, 8, 0), (4, 12, 0), (16, 12, 1), (20, 8, 1)];
        let other = [(4, 8, 0), (16, 12, 1), (4, 12, 0), (20, 8, 1)];
        shared.learn(run.into_iter());
        assert_eq!(shared.draw(&mut Dice::new(1)), None, "nothing varies yet");
        shared.learn(other.into_iter());
        let drawn: BTreeSet<_> = (0..40).map(|seed| shared.draw(&mut Dice::new(seed))).collect();
        assert_eq!(drawn, [Some(12)].into());
    }

    #[test]
    fn harts_that_are_about_to_do_something_else_go_until_they_stop() {
        let mut random = Dice::new(1);
        let mut selected = Selected::draw(&mut random, &shared(&[1, 1]), 3);
        let drawn = selected.allowed(0b111, &mut random, at([8, 8, 12]));
        assert_eq!((drawn & 0b100, drawn.count_ones()), (0b100, 2), "{drawn:b}");
        // The one that was drawn has to wait: the other one that stopped goes.
        let other = 0b011 & !drawn;
        assert_eq!(selected.allowed(other, &mut random, at([8, 8, 12])), other);
    }

    #[test]
    fn harts_that_spin_in_turn_let_go_the_one_that_stopped() {
        let mut random = Dice::new(1);
        let mut selected = Selected::draw(&mut random, &shared(&[0, 1000, 1]), 3);
        // Harts 0 and 1 wait, each by spinning on word 12, for what hart 2 writes to word 8, which hart 1 will read often.
        selected.next = Some(1);
        let mut gone = Vec::new();
        for _ in 0..3 {
            let allowed = selected.allowed(0b111, &mut random, at([12, 12, 8]));
            let hart = allowed.trailing_zeros() as usize;
            gone.push(hart);
            selected.performed(hart, if hart == 2 { 8 } else { 12 });
            selected.give_way(hart);
        }
        assert_eq!(gone, [0, 1, 2]);
    }

    #[test]
    fn a_hart_that_gives_way_waits_until_another_performs_a_point() {
        let mut random = Dice::new(1);
        let mut selected = Selected::draw(&mut random, &Shared::default(), 2);
        let nothing = |_: usize| None;
        assert_eq!(selected.allowed(0b11, &mut random, nothing), 0b11);
        selected.give_way(0);
        assert_eq!(selected.allowed(0b11, &mut random, nothing), 0b10);
        assert_eq!(selected.allowed(0b01, &mut random, nothing), 0b01, "nobody else can go");
        selected.give_way(0);
        selected.performed(1, 12);
        assert_eq!(selected.allowed(0b11, &mut random, nothing), 0b11);
    }
}
