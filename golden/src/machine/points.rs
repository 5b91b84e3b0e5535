//! Scheduling points: the instructions before which it matters which hart goes next.
//!
//! A schedule only has to choose before accesses that another hart can notice. Which instructions those
//! are is learned from runs of the program: an instruction whose accesses all went to words that no other
//! hart touched, or that nobody wrote, is no point. An instruction that was never seen is one.

use super::Accessed;
use super::selected::{Selected, Shared};
use crate::Mode;
use crate::memory::RAM;
use kit::Dice;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Known {
    #[default]
    Nothing,
    /// Other harts never noticed its accesses.
    Private,
    /// It accesses what harts share.
    Shared,
}

/// The scheduling points of a program, as far as runs have shown them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Points {
    /// For each word of RAM from its start on what is known of the instruction there.
    instructions: Vec<Known>,
    /// Runs learned from.
    runs: u64,
    /// Points executed in all of them.
    executed: u64,
    /// The words that harts share.
    words: Shared,
}

/// What one run did to a word.
#[derive(Clone, Copy, Debug)]
struct Touched {
    first: u32,
    by_others: bool,
    written: bool,
}

impl Points {
    /// Points that a run executes, on average; 1 or more.
    pub fn a_run(&self) -> u64 {
        (self.executed / self.runs.max(1)).max(1)
    }

    /// Learns from a run's accesses, all of them, in order.
    pub fn learn(&mut self, accesses: &[Accessed]) {
        let of_program = || accesses.iter().filter(|access| access.mode == Mode::User);
        let mut words = BTreeMap::<u32, Touched>::new();
        for access in of_program() {
            let hart = access.hart.0;
            let word = words.entry(access.address & !3);
            let touched = word.or_insert(Touched { first: hart, by_others: false, written: false });
            touched.by_others |= touched.first != hart;
            touched.written |= access.write;
        }
        let is_shared = |address: u32| {
            words.get(&(address & !3)).is_some_and(|word| word.by_others && word.written)
        };
        let mut seen = BTreeSet::new();
        let mut shared = BTreeSet::new();
        for access in of_program() {
            let pc = access.pc.0 as u32;
            seen.insert(pc);
            if is_shared(access.address) {
                shared.insert(pc);
            }
        }
        let of_shared = of_program().filter(|access| is_shared(access.address));
        let plain =
            |access: &Accessed| (access.pc.0 as u32, access.address & !3, access.hart.0 as usize);
        self.words.learn(of_shared.map(plain));
        seen.iter().for_each(|pc| self.note(*pc, Known::Private));
        shared.iter().for_each(|pc| self.note(*pc, Known::Shared));
        self.runs += 1;
        self.executed += of_program().filter(|a| self.includes(a.pc.0 as u32)).count() as u64;
    }

    /// A few of the words that harts share.
    pub(super) fn selected(&self, random: &mut Dice, harts: usize) -> Selected {
        Selected::draw(random, &self.words, harts)
    }

    /// Whether the access of the instruction at this address is a scheduling point.
    #[inline]
    pub fn includes(&self, pc: u32) -> bool {
        self.instructions.get(index(pc)) != Some(&Known::Private)
    }

    /// What was once shared stays a point.
    fn note(&mut self, pc: u32, known: Known) {
        let index = index(pc);
        if self.instructions.len() <= index {
            self.instructions.resize(index + 1, Known::Nothing);
        }
        let place = &mut self.instructions[index];
        if *place != Known::Shared {
            *place = known;
        }
    }
}

/// The place of an instruction in RAM, in words.
fn index(pc: u32) -> usize {
    (pc.wrapping_sub(RAM) >> 2) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HartId, Pc};

    fn access(hart: u32, pc: u32, address: u32, write: bool) -> Accessed {
        let pc = Pc(u64::from(RAM + 4 * pc));
        Accessed { hart: HartId(hart), pc, mode: Mode::User, address, write }
    }

    #[test]
    fn accesses_that_no_other_hart_can_notice_are_no_points() {
        let mut points = Points::default();
        assert!(points.includes(RAM), "nothing is known yet");
        points.learn(&[
            access(0, 0, 0x100, true),
            access(0, 1, 0x200, true),
            access(1, 2, 0x102, false),
            access(0, 3, 0x300, false),
            access(1, 3, 0x300, false),
        ]);
        let included: Vec<_> = (0..5).map(|pc| points.includes(RAM + 4 * pc)).collect();
        assert_eq!(included, [true, false, true, false, true]);
        assert_eq!(points.a_run(), 2);
    }

    #[test]
    fn what_one_run_shared_stays_a_point() {
        let mut points = Points::default();
        let shared = [access(0, 0, 0x100, true), access(1, 1, 0x100, false)];
        let private = [access(0, 0, 0x100, true)];
        for run in [&private[..], &shared, &private] {
            points.learn(run);
        }
        assert!(points.includes(RAM));
    }
}
