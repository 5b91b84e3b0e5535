//! The serializability checker against its model.

mod contract;

use cosim::Bench;
use cosim::testing::property;
use golden::{Interleavings, ItemVectors, debugging, deployment_row};
use proptest::prelude::*;
use units::serializability_checker::SerializabilityChecker;

use crate::palette::bits_of;
use crate::simulators::{Simulator, Subject};
use crate::tally::Tally;

/// One vector for each file, in the order of their codes.
type Vectors = [u64; 4];

/// What is asked in one cycle.
#[derive(Clone, Debug)]
struct Cycle {
    write: bool,
    history: Vectors,
    row: Vectors,
}

/// What can be seen in one cycle.
#[derive(Debug, PartialEq)]
struct Outputs {
    case: Interleavings,
    hazard: bool,
}

/// The model is a function: there is nothing to remember.
struct CheckerBench {
    items: usize,
}

impl CheckerBench {
    fn vectors(&self, words: &Vectors) -> ItemVectors {
        let [loc_r, loc_w, rem_r, rem_w] = words.map(|word| bits_of(&[word], self.items));
        ItemVectors { loc_r, loc_w, rem_r, rem_w }
    }
}

impl<D: Simulator> Bench<D> for CheckerBench {
    type Stimulus = Cycle;
    type Outputs = Outputs;

    fn drive(&mut self, dut: &mut D, cycle: &Cycle) {
        dut.poke("write", cycle.write);
        for (place, file) in ["loc_r", "loc_w", "rem_r", "rem_w"].iter().enumerate() {
            dut.poke(&format!("history_{file}"), cycle.history[place]);
            dut.poke(&format!("row_{file}"), cycle.row[place]);
        }
    }

    fn sample(&self, dut: &D) -> Outputs {
        let flag = |name: &str| dut.peek(name) != 0;
        let case = Interleavings {
            rwr: flag("case_rwr"),
            wwr: flag("case_wwr"),
            rww: flag("case_rww"),
            wrw: flag("case_wrw"),
            www: flag("case_www"),
        };
        Outputs { case, hazard: flag("hazard") }
    }

    fn expect(&mut self, cycle: &Cycle, _: &Outputs) -> Outputs {
        Outputs {
            case: debugging(cycle.write, &self.vectors(&cycle.history)),
            hazard: deployment_row(&self.vectors(&cycle.row)),
        }
    }
}

/// Mostly few items: with many, every case is complete.
fn vector(items: usize) -> impl Strategy<Value = u64> + Clone {
    let all = u64::MAX >> (64 - items);
    let item = (0..items).prop_map(|item| 1 << item);
    prop_oneof![
        3 => Just(0),
        4 => item.clone(),
        3 => (item.clone(), item).prop_map(|(one, other)| one | other),
        1 => any::<u64>().prop_map(move |word| word & all),
        1 => Just(all),
    ]
}

/// Vectors of which some are the same in several files.
fn vectors(items: usize) -> impl Strategy<Value = Vectors> {
    let vectors = [(); 4].map(|()| vector(items));
    (vectors, any::<[bool; 4]>(), vector(items)).prop_map(|(mut vectors, shares, shared)| {
        for (vector, _) in vectors.iter_mut().zip(shares).filter(|(_, shares)| *shares) {
            *vector = shared;
        }
        vectors
    })
}

fn cycle(items: usize) -> impl Strategy<Value = Cycle> {
    (any::<bool>(), vectors(items), vectors(items)).prop_map(|(write, history, row)| Cycle {
        write,
        history,
        row,
    })
}

fn unit(items: usize) -> Subject {
    Subject::of(SerializabilityChecker { items })
}

#[test]
fn every_length_agrees_with_the_model() {
    let mut tally = Tally::of("serializability_checker");
    for items in [1, 2, 3, 5, 8, 29, 30, 33, 63, 64] {
        let unit = unit(items);
        let cycles = property(120, prop::collection::vec(cycle(items), 1..2000), |cycles| {
            unit.check_case(|| CheckerBench { items }, cycles)
        });
        tally.add(unit.top(), cycles);
    }
    tally.finish();
}

#[test]
fn all_histories_of_up_to_four_items_agree_with_the_model() {
    for items in [1, 2, 3, 4] {
        let vectors = move |number: u64| {
            [0, 1, 2, 3].map(|file| number >> (file * items) & (u64::MAX >> (64 - items)))
        };
        let cycles = (0..2 << (4 * items)).map(|number: u64| {
            let history = vectors(number >> 1);
            Cycle { write: number & 1 != 0, history, row: history }
        });
        let items = items as usize;
        unit(items).check(|| CheckerBench { items }, cycles).unwrap();
    }
}
