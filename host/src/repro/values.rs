//! Visits that are told apart by a value: a location may be visited for many objects, of which one fails. What a register holds right
//! before it says which.

use super::candidate::Candidate;
use super::evidence::Evidence;
use super::hunted::Hunted;
use crate::breakpoint::{Entry, Local, Party, Set};
use crate::hunt::{HuntError, Schedule};
use ::evidence::code::Code;
use border::breakpoint;
use golden::Mode;
use golden::isa::{Hart, Retired};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

/// Failing runs that are looked at.
const RUNS: usize = 3;
/// Instructions of the program before a visit that are looked at.
const BEFORE: usize = 8;
/// Registers that tell visits apart, of which sets are tried, the nearest.
const NEAREST: usize = 3;
/// Values of a register that are tried, those of the last visits first.
const VALUES: usize = 10;
/// Sets that are tried at most.
const MOST: usize = 60;

/// An instruction that every visit of a place comes from, and what it reads.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Operand {
    pc: u32,
    of: breakpoint::Local,
    /// By visit.
    values: Vec<u32>,
}

impl Operand {
    /// Its values, the last first.
    fn distinct(&self) -> Vec<u32> {
        let mut known = BTreeSet::new();
        let last = self.values.iter().rev().copied();
        last.filter(|value| known.insert(*value)).collect()
    }

    fn party(&self, expected: u32) -> Party {
        let local = Local { of: self.of, mask: u32::MAX, expected };
        Party { local: Some(local), ..Party::at(self.pc) }
    }
}

/// A candidate of one entry with the visits of one value only. `opposites` are those of the candidate.
///
/// # Errors
/// If a run cannot be made again.
pub fn valued(
    hunted: &Hunted<'_>,
    evidence: &Evidence,
    candidate: &Candidate,
) -> Result<Vec<Candidate>, HuntError> {
    let ([entry], Some(log)) = (candidate.forced.entries.as_slice(), evidence.failing.first())
    else {
        return Ok(Vec::new());
    };
    let places = entry.parties.iter().map(|party| party.pc).collect();
    let operands = Operands::of(hunted, &log.code, places)?;
    let of = |party: &Party| operands.of_place(party.pc);
    let sets = alike(&entry.parties.iter().map(of).collect::<Vec<_>>());
    let sets = sets.into_iter().take(MOST).map(|parties| {
        let entry = Entry { parties, crossed: false, region: None, ..entry.clone() };
        Candidate { forced: Set::of(entry), opposites: candidate.opposites.clone() }
    });
    Ok(sets.collect())
}

/// Parties of one value each, by what tells the visits of their places apart.
fn alike(operands: &[Vec<Operand>]) -> Vec<Vec<Party>> {
    let mut found = Vec::new();
    let [first, second] = operands else { return found };
    for one in first {
        for other in second {
            let values = other.distinct();
            let both = one.distinct().into_iter().filter(|value| values.contains(value));
            found.extend(both.take(VALUES).map(|value| vec![one.party(value), other.party(value)]));
        }
    }
    found
}

/// What was read right before visits, by place.
struct Operands(BTreeMap<u32, Vec<Operand>>);

/// An instruction: its address, and by register what it reads.
type Read = (u32, [Option<u32>; 2]);
/// By place, what was read before each visit.
type Seen = BTreeMap<u32, Vec<Vec<Read>>>;

impl Operands {
    /// In some failing runs.
    fn of(hunted: &Hunted<'_>, code: &Arc<Code>, places: BTreeSet<u32>) -> Result<Self, HuntError> {
        let seen: Arc<Mutex<Seen>> = Arc::default();
        for schedule in hunted.failing.iter().take(RUNS) {
            show(hunted, *schedule, code, &places, &seen)?;
        }
        let seen = std::mem::take(&mut *seen.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(Self(seen.into_iter().map(|(place, visits)| (place, telling(&visits))).collect()))
    }

    fn of_place(&self, place: u32) -> Vec<Operand> {
        self.0.get(&place).cloned().unwrap_or_default()
    }
}

/// Notes what a schedule reads before each visit, the nearest first.
fn show(
    hunted: &Hunted<'_>,
    schedule: Schedule,
    code: &Arc<Code>,
    places: &BTreeSet<u32>,
    seen: &Arc<Mutex<Seen>>,
) -> Result<(), HuntError> {
    let (code, places, seen) = (code.clone(), places.clone(), seen.clone());
    let mut before = BTreeMap::<usize, VecDeque<Read>>::new();
    let witness = move |hart: usize, _: &Hart, retired: &Retired| {
        let pc = retired.pc_rdata;
        if retired.mode != Mode::User || retired.trap || !code.is_program(pc) {
            return;
        }
        let before = before.entry(hart).or_default();
        before.push_front((pc, reads(retired)));
        before.truncate(BEFORE);
        if places.contains(&pc) {
            let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.entry(pc).or_default().push(before.iter().copied().collect());
        }
    };
    hunted.source.show(schedule, Box::new(witness))?;
    Ok(())
}

/// What an instruction reads, but for the registers that say where a thread keeps its things.
fn reads(retired: &Retired) -> [Option<u32>; 2] {
    let is_own = |register: u8| register > 4;
    [
        is_own(retired.rs1_addr).then_some(retired.rs1_rdata),
        is_own(retired.rs2_addr).then_some(retired.rs2_rdata),
    ]
}

/// The operands that every visit comes with, and that are not the same in all.
fn telling(visits: &[Vec<Read>]) -> Vec<Operand> {
    let Some(last) = visits.last() else { return Vec::new() };
    let mut found = Vec::new();
    for (pc, _) in last {
        for (index, of) in
            [breakpoint::Local::First, breakpoint::Local::Second].into_iter().enumerate()
        {
            let value = |visit: &Vec<Read>| visit.iter().find(|read| read.0 == *pc)?.1[index];
            let values: Option<Vec<u32>> = visits.iter().map(value).collect();
            let Some(values) = values else { continue };
            let operand = Operand { pc: *pc, of, values };
            if operand.distinct().len() > 1 && !found.contains(&operand) {
                found.push(operand);
            }
        }
    }
    found.truncate(NEAREST);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A visit: what was read before it, the nearest first.
    fn visit(reads: &[(u32, u32)]) -> Vec<Read> {
        reads.iter().map(|(pc, value)| (*pc, [Some(*value), None])).collect()
    }

    #[test]
    fn an_operand_tells_visits_apart_if_all_have_it_and_it_changes() {
        let visits = [
            visit(&[(12, 9), (8, 5), (4, 1)]),
            visit(&[(12, 9), (8, 6), (0, 2)]),
            visit(&[(12, 9), (8, 5), (4, 3)]),
        ];
        let found = telling(&visits);
        assert_eq!(found.iter().map(|operand| operand.pc).collect::<Vec<_>>(), [8]);
        assert_eq!(found[0].distinct(), [5, 6], "the last first");
        assert!(telling(&[]).is_empty());
    }

    #[test]
    fn parties_meet_with_one_value() {
        let operand = |pc, values: &[u32]| Operand {
            pc,
            of: breakpoint::Local::First,
            values: values.to_vec(),
        };
        let sets = alike(&[vec![operand(4, &[1, 2, 3])], vec![operand(8, &[2, 7, 3])]]);
        let values = |parties: &Vec<Party>| -> Vec<(u32, u32)> {
            let value = |party: &Party| (party.pc, party.local.unwrap().expected);
            parties.iter().map(value).collect()
        };
        let found: Vec<_> = sets.iter().map(values).collect();
        assert_eq!(found, [[(4, 3), (8, 3)], [(4, 2), (8, 2)]]);
        assert!(alike(&[vec![operand(4, &[1])], vec![operand(8, &[2])]]).is_empty());
    }
}
