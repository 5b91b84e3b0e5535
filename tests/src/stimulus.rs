//! What goes into a pack and what comes out, cycle by cycle.

use crate::circuit::grow::dice::Values as _;
use std::collections::HashSet;

use num_bigint::BigUint;

use crate::circuit::{from_words, to_words, words_of};
use crate::pack::Subject;
use kit::Dice;

/// Cycles at the start with reset asserted.
const RESET_CYCLES: usize = 2;

/// The inputs of a pack for a number of cycles.
#[derive(Clone, Debug)]
pub struct Stimulus {
    /// Whether reset is asserted, for each cycle.
    pub reset: Vec<bool>,
    /// The values of all inputs in port order, little-endian words, for each cycle.
    pub words: Vec<Vec<u64>>,
}

impl Stimulus {
    /// Values for every input. Those of one circuit depend on its number and the seed alone, so a
    /// circuit meets the same values in any company. Reset comes first, and again at random.
    pub fn new(subject: &Subject, seed: u64, cycles: usize) -> Stimulus {
        let mut dice = Dice::new(seed);
        let reset = (0..cycles).map(|cycle| dice.one_in(24) || cycle < RESET_CYCLES).collect();
        let mut words = vec![Vec::new(); cycles];
        for member in &subject.members {
            for (id, width) in &member.circuit.top().inputs {
                let stream = seed ^ (member.number as u64) << 32 ^ u64::from(id.0) << 16;
                let mut dice = Dice::new(Dice::new(stream).roll());
                // Some inputs change rarely, so that states last longer than a cycle.
                let pace = [1, 1, 1, 5][dice.below(4)];
                let mut value = dice.bits(*width);
                for row in &mut words {
                    if dice.one_in(pace) {
                        value = dice.bits(*width);
                    }
                    row.extend(to_words(&value, *width));
                }
            }
        }
        Stimulus { reset, words }
    }

    /// How many cycles.
    pub fn cycles(&self) -> usize {
        self.reset.len()
    }

    /// The value of each input in this cycle.
    pub fn values(&self, subject: &Subject, cycle: usize) -> Vec<BigUint> {
        let mut rest = &self.words[cycle][..];
        let mut values = Vec::with_capacity(subject.inputs.len());
        for port in &subject.inputs {
            let (value, tail) = rest.split_at(words_of(port.width));
            values.push(from_words(value));
            rest = tail;
        }
        values
    }
}

/// The outputs of a pack, as one simulator gives them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The values of all outputs in port order, little-endian words, for each cycle.
    pub words: Vec<Vec<u64>>,
    /// Cycle and place of outputs that are not all zeros and ones.
    pub unknown: HashSet<(usize, usize)>,
}

impl Response {
    /// From the words of each cycle.
    pub fn new(words: Vec<Vec<u64>>) -> Response {
        Response { words, unknown: HashSet::new() }
    }

    /// The value of the output at this place, in hexadecimal.
    pub fn show(&self, subject: &Subject, cycle: usize, place: usize) -> String {
        if self.unknown.contains(&(cycle, place)) {
            return "unknown (x)".into();
        }
        let start = subject.outputs[..place].iter().map(|port| words_of(port.width)).sum::<usize>();
        let width = subject.outputs[place].width;
        match self.words.get(cycle).and_then(|row| row.get(start..start + words_of(width))) {
            Some(words) => format!("{width}'h{:x}", from_words(words)),
            None => "nothing".into(),
        }
    }

    /// The first cycle, and the first output in it, where the two differ.
    pub fn first_difference(&self, other: &Response, subject: &Subject) -> Option<(usize, usize)> {
        let cycles = self.words.len().max(other.words.len());
        for cycle in 0..cycles {
            let unknown = |(at, _): &&(usize, usize)| *at == cycle;
            let same = self.words.get(cycle) == other.words.get(cycle)
                && !self.unknown.iter().chain(&other.unknown).any(|place| unknown(&place));
            if same {
                continue;
            }
            let differs = |&place: &usize| {
                self.show(subject, cycle, place) != other.show(subject, cycle, place)
            };
            if let Some(place) = (0..subject.outputs.len()).find(differs) {
                return Some((cycle, place));
            }
        }
        None
    }
}
