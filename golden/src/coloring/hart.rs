//! The colors of one hart: its registers, what it remembers, what it finds.

use super::registers::{Counters, Registers, add, count};
use super::transaction::{Aborted, Attempts};
use crate::history::{File, HistoryItem};
use crate::{
    ColorHashes, ColorId, ColorLookaside, History, Interleavings, Signature, Step, debugging,
    deployment,
};
use border::color::{Case, Commit, FILTER_ENTRIES, Word};
use std::collections::VecDeque;

/// An access that completed an interleaving that cannot be serialized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detection {
    /// Address of its instruction.
    pub pc: u32,
    /// Its color.
    pub color: ColorId,
    /// The interleavings.
    pub cases: Interleavings,
    /// It is not a repetition of one of the last that were reported.
    pub reported: bool,
}

/// What a hart remembers of a report.
type Report = (u32, ColorId, u32);

/// The colors of one hart.
#[derive(Clone, Debug)]
pub struct HartColors {
    color: config::Color,
    hashes: ColorHashes,
    registers: Registers,
    /// The color that `hazard_color` tells of.
    queried: ColorId,
    lookaside: ColorLookaside,
    history: History,
    /// Instructions of the epoch so far.
    epoch: u32,
    hazards: Signature,
    reported: VecDeque<Report>,
    detections: Vec<Detection>,
    counters: Counters,
    attempts: Attempts,
}

impl HartColors {
    /// After reset.
    pub fn new(color: &config::Color, ram_last: u32) -> Self {
        let hashes = ColorHashes::new(color);
        Self {
            color: *color,
            registers: Registers::default(),
            queried: ColorId::UNCOLORED,
            lookaside: ColorLookaside::new(color.clb_entries as usize, color.bits, ram_last),
            history: History::new(color.items as usize, hashes.clone()),
            epoch: 0,
            hazards: Signature::new(&hashes),
            reported: VecDeque::new(),
            detections: Vec::new(),
            counters: Counters::default(),
            attempts: Attempts::default(),
            hashes,
        }
    }

    /// What software has set.
    #[inline]
    pub fn registers(&self) -> &Registers {
        &self.registers
    }

    /// What it has counted.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// All detections, in order.
    pub fn detections(&self) -> &[Detection] {
        &self.detections
    }

    /// The history.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Its transactions.
    #[inline]
    pub fn attempts(&self) -> &Attempts {
        &self.attempts
    }

    /// The same, to change them.
    pub fn attempts_mut(&mut self) -> &mut Attempts {
        &mut self.attempts
    }

    /// Whether a color is in the set of hazardous colors.
    pub fn is_hazard(&self, color: ColorId) -> bool {
        self.hazards.contains(&self.hashes, color)
    }

    /// Reads a register.
    pub fn read(&self, word: Word) -> u32 {
        if let Some(value) = self.counters.read(word) {
            return value;
        }
        match word {
            Word::HazardColor => {
                let member = u32::from(self.is_hazard(self.queried));
                Word::HAZARD.holding(self.queried.0) | Word::MEMBER.holding(member)
            }
            _ => {
                let mut registers = self.registers;
                registers.at(word).map_or(0, |(register, _)| *register)
            }
        }
    }

    /// Writes a register.
    pub fn write(&mut self, word: Word, data: u32) {
        if let Some((register, mask)) = self.registers.at(word) {
            *register = data & mask;
        } else if word == Word::HazardColor {
            let colors = u32::MAX >> (32 - self.color.bits);
            self.queried = ColorId(Word::HAZARD.of(data) & colors);
            if Word::MEMBER.of(data) != 0 {
                self.hazards.insert(&self.hashes, self.queried);
            }
        } else if word == Word::ColorCommand {
            let commands = [
                (Word::FLUSH, Self::flush as fn(&mut Self)),
                (Word::CLEAR_SET, |hart| hart.hazards.clear()),
                (Word::CLEAR_COUNTERS, |hart| hart.counters = Counters::default()),
                (Word::CLEAR_FILTER, Self::forget_reports),
            ];
            for (field, command) in commands {
                if field.of(data) != 0 {
                    command(self);
                }
            }
        }
    }

    fn flush(&mut self) {
        self.lookaside.flush();
    }

    /// Detections that were reported are reported again.
    pub fn forget_reports(&mut self) {
        self.reported.clear();
    }

    /// Looks up the color of an address.
    pub fn look_up(&mut self, address: u32) -> Step {
        if !self.lookaside.remembers(address) {
            count(&mut self.counters.color_walks);
        }
        self.lookaside.request(true, self.registers.table, address)
    }

    /// Goes on with the word that was asked for.
    pub fn walk(&mut self, word: u32) -> Step {
        self.lookaside.memory_response(word)
    }

    /// Goes on where no table can be.
    pub fn no_table(&mut self) -> Step {
        self.lookaside.no_table()
    }

    /// A tracked access of this hart was ordered.
    pub fn accesses(&mut self, pc: u32, color: ColorId, write: bool) {
        count(&mut self.counters.tracked_accesses);
        if !color.is_colored() {
            return;
        }
        if self.registers.debugs() {
            let used = self.registers.items(&self.color);
            let cases = debugging(write, &self.history.test(color).newest(used));
            if cases.any() {
                self.detects(pc, color, cases);
            }
        }
        self.history.insert(File::local(write), color);
    }

    fn detects(&mut self, pc: u32, color: ColorId, cases: Interleavings) {
        count(&mut self.counters.detections);
        let report = (pc, color, bits_of(&cases));
        let reported = !self.reported.contains(&report);
        if reported {
            self.reported.push_back(report);
            if self.reported.len() > FILTER_ENTRIES as usize {
                self.reported.pop_front();
            }
        }
        self.detections.push(Detection { pc, color, cases, reported });
    }

    /// Another hart's access made a transaction on the bus.
    pub fn hears(&mut self, color: ColorId, write: bool) {
        if self.registers.tracks() {
            self.history.insert(File::remote(write), color);
        }
    }

    /// An instruction retired in U mode.
    pub fn retires(&mut self) {
        if !self.registers.tracks() {
            return;
        }
        count(&mut self.counters.user_instructions);
        self.attempts.cool();
        self.epoch += 1;
        if self.epoch < self.registers.epoch(&self.color) {
            return;
        }
        self.epoch = 0;
        if self.registers.searches() {
            let unseen = self.history.items().len() - self.registers.items(&self.color);
            let seen: Vec<HistoryItem> =
                self.history.items().iter().skip(unseen).cloned().collect();
            if let Some(found) = deployment(&seen) {
                self.hazards = self.hazards.union(&found);
            }
        }
        self.history.end_epoch();
    }

    /// Begins a transaction with the instruction at this pc.
    pub fn begin(&mut self, pc: u32) {
        count(&mut self.counters.starts);
        self.attempts.begin(pc, self.registers.length());
    }

    /// The open transaction, if there is one, commits.
    pub fn commit(&mut self, cause: Commit) {
        if let Some(retired) = self.attempts.commit() {
            count(&mut self.counters.commits[cause.number() as usize]);
            add(&mut self.counters.committed_instructions, retired);
        }
    }

    /// The open transaction aborts.
    pub fn abort(&mut self) {
        if let Some(Aborted { retired, gave_up }) = self.attempts.abort(self.registers.length()) {
            count(&mut self.counters.aborts);
            add(&mut self.counters.aborted_instructions, retired);
            add(&mut self.counters.give_ups, gave_up.into());
        }
    }
}

/// The cases as bits of a report.
fn bits_of(cases: &Interleavings) -> u32 {
    let Interleavings { rwr, wwr, rww, wrw, www } = *cases;
    let bit = |is: bool, case: Case| u32::from(is) << case.number();
    bit(rwr, Case::Rwr)
        | bit(rww, Case::Rww)
        | bit(wwr, Case::Wwr)
        | bit(wrw, Case::Wrw)
        | bit(www, Case::Www)
}
