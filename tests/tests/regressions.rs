//! Circuits on which simulators once disagreed, in the smallest form found.

use std::sync::Arc;

use crosstalk_tests::circuit::{Circuit, Id, Item, Kind, Op, Output, Shift, Stmt, Unit};
use crosstalk_tests::differ::Differ;
use crosstalk_tests::pack::{Member, Subject};
use crosstalk_tests::simulators;
use num_bigint::BigUint;

fn agrees(modules: Vec<Unit>) {
    let member = Member { number: 0, circuit: Arc::new(Circuit { modules }) };
    let subject = Subject::new(&[member]).unwrap_or_else(|refused| panic!("{refused}"));
    let (simulators, _) = simulators::all().unwrap_or_else(|missing| panic!("{missing}"));
    let differ = Differ { simulators: &[], seed: 1, cycles: 96 };
    for simulator in &simulators {
        let trouble = differ.compare(&subject, &**simulator);
        assert!(trouble.is_none(), "{trouble:?}\n{}", subject.verilog());
    }
}

fn set(target: u32, value: u32) -> Stmt {
    Stmt::Set { target: Id(target), part: None, value: Id(value) }
}

fn shows(value: u32, width: u32) -> Output {
    Output { value: Id(value), width, direct: false }
}

/// A register set in one arm of a switch that names every variant of an enum.
fn set_in_one_arm(acting: usize) -> Unit {
    let zero = Some(BigUint::ZERO);
    let arms = (0..3).map(|variant| {
        let body = if variant == acting { vec![set(3, 1)] } else { Vec::new() };
        (vec![variant as u64], body)
    });
    let switch = Stmt::Switch {
        subject: Id(2),
        kind: Some(Kind::Light),
        arms: arms.collect(),
        default: None,
    };
    Unit {
        inputs: vec![(Id(0), 2), (Id(1), 8)],
        items: vec![
            Item::Reg { id: Id(2), width: 2, reset: zero.clone(), kind: Some(Kind::Light) },
            Item::Reg { id: Id(3), width: 8, reset: zero, kind: None },
            Item::Block(vec![set(2, 0), switch]),
        ],
        outputs: vec![shows(3, 8)],
    }
}

/// The emitter wrote the last arm as `default` and left out the labels of idle arms.
#[test]
fn the_last_arm_of_a_full_switch_leaves_idle_states_alone() {
    (0..3).for_each(|acting| agrees(vec![set_in_one_arm(acting)]));
}

/// Yosys 0.70 fails on `.i0($unsigned($signed(i0) >>> 3))`.
#[test]
fn an_arithmetic_shift_goes_straight_into_an_instance() {
    let child = Unit { inputs: vec![(Id(0), 8)], items: Vec::new(), outputs: vec![shows(0, 8)] };
    let shift = Op::ShiftBy(Shift::Arithmetic, Id(0), 3);
    let parent = Unit {
        inputs: vec![(Id(0), 8)],
        items: vec![
            Item::Let { id: Id(1), width: 8, op: shift, named: false },
            Item::Instance {
                unit: 0,
                inputs: vec![(Id(2), 8)],
                drive: vec![set(2, 1)],
                outputs: vec![(Id(3), 8)],
            },
        ],
        outputs: vec![shows(3, 8)],
    };
    agrees(vec![child, parent]);
}
