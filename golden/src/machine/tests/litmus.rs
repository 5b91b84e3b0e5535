//! Sequential consistency: every outcome of the machine is the outcome of some interleaving.

use super::*;
use kit::Dice;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// One access of a litmus test.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Stores a value to a variable.
    Store(usize, u32),
    /// Loads a variable into the next register.
    Load(usize),
    /// Exchanges a variable with a value, into the next register.
    Swap(usize, u32),
}

type Outcome = (Vec<Vec<u32>>, Vec<u32>);

const VARIABLES: usize = 3;
/// Two of the variables share a line.
const OFFSETS: [i32; VARIABLES] = [0, 4, 64];

/// All outcomes of interleavings of the threads: loaded values and variables.
fn interleavings(threads: &[Vec<Step>]) -> BTreeSet<Outcome> {
    fn go(
        threads: &[Vec<Step>],
        at: &mut Vec<usize>,
        loaded: &mut Vec<Vec<u32>>,
        variables: &mut Vec<u32>,
        seen: &mut BTreeSet<(Vec<usize>, Outcome)>,
        outcomes: &mut BTreeSet<Outcome>,
    ) {
        let state = (loaded.clone(), variables.clone());
        if !seen.insert((at.clone(), state.clone())) {
            return;
        }
        let mut ended = true;
        for thread in 0..threads.len() {
            let Some(step) = threads[thread].get(at[thread]) else { continue };
            ended = false;
            at[thread] += 1;
            let (Step::Store(variable, _) | Step::Load(variable) | Step::Swap(variable, _)) = *step;
            let old = variables[variable];
            if !matches!(step, Step::Store(..)) {
                loaded[thread].push(old);
            }
            if let Step::Store(_, value) | Step::Swap(_, value) = *step {
                variables[variable] = value;
            }
            go(threads, at, loaded, variables, seen, outcomes);
            variables[variable] = old;
            if !matches!(step, Step::Store(..)) {
                loaded[thread].pop();
            }
            at[thread] -= 1;
        }
        if ended {
            outcomes.insert(state);
        }
    }
    let mut outcomes = BTreeSet::new();
    go(
        threads,
        &mut vec![0; threads.len()],
        &mut vec![vec![]; threads.len()],
        &mut vec![0; VARIABLES],
        &mut BTreeSet::new(),
        &mut outcomes,
    );
    outcomes
}

/// The threads as a program; values are loaded into registers from x16 on.
fn assemble(threads: &[Vec<Step>]) -> Vec<u32> {
    let thread = |steps: &Vec<Step>| {
        let mut part = Vec::from(li(10, DATA));
        let mut register = 16;
        for step in steps {
            match *step {
                Step::Store(variable, value) => {
                    part.extend([addi(11, 0, value as i32), sw(11, 10, OFFSETS[variable])]);
                }
                Step::Load(variable) => {
                    part.push(lw(register, 10, OFFSETS[variable]));
                    register += 1;
                }
                Step::Swap(variable, value) => {
                    part.extend([addi(11, 0, value as i32), addi(12, 10, OFFSETS[variable])]);
                    part.push(amo(1, register, 12, 11));
                    register += 1;
                }
            }
        }
        part
    };
    parts(&threads.iter().map(thread).collect::<Vec<_>>(), &STOP)
}

fn outcome(threads: &[Vec<Step>], program: &[u32], seed: u64) -> Outcome {
    let parameters = Parameters { harts: threads.len(), ..PARAMETERS };
    let mut machine = Machine::new(&parameters, seed);
    machine.load(Segment { address: RAM, bytes: &bytes(program) }).unwrap();
    assert_eq!(machine.run(Limits { instructions: 10_000 }), Stop::Deadlock);
    let loads = |steps: &Vec<Step>| {
        steps.iter().filter(|step| !matches!(step, Step::Store(..))).count() as u8
    };
    let loaded = threads.iter().enumerate().map(|(hart, steps)| {
        (0..loads(steps)).map(|load| machine.hart(hart).register(16 + load)).collect()
    });
    let variable = |offset: i32| machine.host_word(DATA + offset as u32).unwrap();
    (loaded.collect(), OFFSETS.into_iter().map(variable).collect())
}

/// All outcomes over many schedules.
fn outcomes(threads: &[Vec<Step>], seeds: u64) -> BTreeSet<Outcome> {
    let program = assemble(threads);
    (0..seeds).map(|seed| outcome(threads, &program, seed)).collect()
}

#[test]
fn classic_shapes_reach_all_that_is_allowed_and_nothing_else() {
    use Step::{Load, Store};
    let (x, y) = (0, 2);
    #[rustfmt::skip]
    let shapes: &[(&str, Vec<Vec<Step>>)] = &[
        ("SB", vec![vec![Store(x, 1), Load(y)], vec![Store(y, 1), Load(x)]]),
        ("MP", vec![vec![Store(x, 1), Store(y, 1)], vec![Load(y), Load(x)]]),
        ("LB", vec![vec![Load(x), Store(y, 1)], vec![Load(y), Store(x, 1)]]),
        ("2+2W", vec![vec![Store(x, 1), Store(y, 2)], vec![Store(y, 1), Store(x, 2)]]),
        ("CoRR", vec![vec![Store(x, 1)], vec![Load(x), Load(x)]]),
        ("WRC", vec![vec![Store(x, 1)], vec![Load(x), Store(y, 1)], vec![Load(y), Load(x)]]),
        ("IRIW", vec![vec![Store(x, 1)], vec![Store(y, 1)],
                      vec![Load(x), Load(y)], vec![Load(y), Load(x)]]),
    ];
    for (name, threads) in shapes {
        let reached = outcomes(threads, 3000);
        assert_eq!(reached, interleavings(threads), "{name}");
    }
}

fn any_step() -> impl Strategy<Value = Step> {
    let variable = 0..VARIABLES;
    prop_oneof![
        (variable.clone(), 1u32..5).prop_map(|(variable, value)| Step::Store(variable, value)),
        variable.clone().prop_map(Step::Load),
        (variable, 1u32..5).prop_map(|(variable, value)| Step::Swap(variable, value)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn random_programs_end_as_some_interleaving_does(
        threads in prop::collection::vec(prop::collection::vec(any_step(), 1..5), 2..4),
        first_seed: u64,
    ) {
        let allowed = interleavings(&threads);
        let program = assemble(&threads);
        let mut seeds = Dice::new(first_seed);
        for _ in 0..50 {
            let seed = seeds.roll();
            let outcome = outcome(&threads, &program, seed);
            prop_assert!(allowed.contains(&outcome), "seed {}: {:?}", seed, outcome);
        }
    }
}
