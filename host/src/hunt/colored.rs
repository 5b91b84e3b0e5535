//! Runs on a machine with colors (docs/machine.md §14): the golden machine, which is the only one that has them yet.

use super::golden::{Golden, order, wrong};
use super::{FailIf, HuntError, Tail};
use border::End;
use border::color::{Commit, Word};
use border::tohost::Output;
use golden::ColorId;
use golden::coloring::Counters;
use golden::machine::Machine;
use serde::Serialize;
use std::collections::BTreeSet;
use std::ops::AddAssign;

/// The first level of the table of colors, in programs that have any (`firmware/library/color/table.c`).
const ROOT: &str = "__crosstalk_color_root";

/// What harts do with colors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coloring {
    /// Bits of `color_control`.
    pub control: u32,
    /// Instructions of a transaction; 0: the usual number.
    pub length: u32,
    /// Colors that are in every hart's set from the start.
    pub hazards: BTreeSet<u32>,
}

impl Coloring {
    /// Deployment mode: ended epochs are searched, and colors of the set begin transactions.
    pub const DEPLOYMENT: u32 = Word::TRACK.mask() | Word::SEARCH.mask() | Word::AVOID.mask();

    fn write(&self, machine: &mut Machine) {
        for hart in 0..machine.harts() as u32 {
            let mut write = |word: Word, data| machine.host_write(word.address(hart), data);
            write(Word::ColorControl, self.control);
            write(Word::TransactionLength, self.length);
            for color in &self.hazards {
                write(Word::HazardColor, Word::HAZARD.holding(*color) | Word::MEMBER.mask());
            }
        }
    }
}

/// What became of the transactions of all harts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Transactions {
    /// Begun.
    pub starts: u64,
    /// Committed, by cause: in the order of [`Commit::ALL`].
    pub commits: [u64; Commit::ALL.len()],
    /// Aborted.
    pub aborts: u64,
    /// How often a hart gave up.
    pub give_ups: u64,
    /// Instructions in those that committed.
    pub committed_instructions: u64,
    /// Instructions in those that aborted.
    pub aborted_instructions: u64,
    /// Tracked accesses.
    pub tracked_accesses: u64,
}

impl Transactions {
    fn of(counters: &Counters) -> Self {
        Self {
            starts: counters.starts.into(),
            commits: counters.commits.map(u64::from),
            aborts: counters.aborts.into(),
            give_ups: counters.give_ups.into(),
            committed_instructions: counters.committed_instructions.into(),
            aborted_instructions: counters.aborted_instructions.into(),
            tracked_accesses: counters.tracked_accesses.into(),
        }
    }
}

impl AddAssign for Transactions {
    fn add_assign(&mut self, other: Self) {
        self.starts += other.starts;
        for (one, more) in self.commits.iter_mut().zip(other.commits) {
            *one += more;
        }
        self.aborts += other.aborts;
        self.give_ups += other.give_ups;
        self.committed_instructions += other.committed_instructions;
        self.aborted_instructions += other.aborted_instructions;
        self.tracked_accesses += other.tracked_accesses;
    }
}

/// A run that is over.
#[derive(Debug)]
pub struct Colored {
    /// How it ended.
    pub end: End,
    /// What the program printed.
    pub console: Tail,
    /// What it, or the firmware for it, complained of.
    pub errors: Tail,
    /// Instructions of all harts, void ones too.
    pub instructions: u64,
    /// Its transactions.
    pub transactions: Transactions,
    /// Colors that are in the set of some hart at the end.
    pub hazards: BTreeSet<u32>,
}

impl Colored {
    /// Whether it fails by a hunt's rule.
    pub fn fails(&self, rule: &FailIf) -> bool {
        rule.is_met(&self.end, &self.console, &self.errors)
    }
}

impl Golden {
    /// Whether the program gives colors to its data.
    pub fn gives_colors(&self) -> bool {
        self.loaded.program.symbol(ROOT).is_some()
    }

    /// Runs a schedule with harts that do this with colors.
    ///
    /// # Errors
    /// If the firmware is at fault, or the machine has no colors.
    pub fn colored(&self, seed: u64, coloring: &Coloring) -> Result<Colored, HuntError> {
        let (mut console, mut errors) = (Tail::default(), Tail::default());
        let output = &mut Output::new(&mut console, &mut errors);
        let prepare = |machine: &mut Machine| coloring.write(machine);
        let observed = self.lab.observe(&order(seed), prepare, output);
        let (machine, end) = observed.map_err(|error| wrong(seed, error))?;
        let Some(all) = machine.coloring() else {
            return Err(HuntError::Refused("the machine has no colors: color.items is 0".into()));
        };
        let mut transactions = Transactions::default();
        let mut hazards = BTreeSet::new();
        let colors = 1..1 << self.loaded.config.color.bits;
        for hart in (0..machine.harts()).map(|hart| all.hart(hart)) {
            transactions += Transactions::of(hart.counters());
            hazards.extend(colors.clone().filter(|color| hart.is_hazard(ColorId(*color))));
        }
        let instructions = machine.instructions();
        Ok(Colored { end, console, errors, instructions, transactions, hazards })
    }
}
