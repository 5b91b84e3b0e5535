//! A circuit with a bit of everything, and its printed Rust compiled as it stands.

use crosstalk_tests::circuit::{
    Binary, Circuit, Id, Item, Kind, MemId, Op, Output, Shift, Stmt, Unary, Unit,
};
use num_bigint::BigUint;

#[allow(unused_variables)]
mod printed {
    include!("printed.rs");

    pub fn design() -> ir::Design {
        elaborate(Unit1).unwrap_or_else(|refused| panic!("{refused}"))
    }
}

pub use printed::design;

fn value(id: u32, width: u32, op: Op, named: bool) -> Item {
    Item::Let { id: Id(id), width, op, named }
}

fn set(target: u32, value: u32) -> Stmt {
    Stmt::Set { target: Id(target), part: None, value: Id(value) }
}

/// A child with a memory, and a parent with states.
pub fn circuit() -> Circuit {
    let big = BigUint::from(3u8) << 70u32;
    let child = Unit {
        inputs: vec![(Id(0), 3), (Id(1), 72), (Id(2), 2)],
        items: vec![
            Item::Memory { mem: MemId(0), depth: 5, width: 72, init: vec![big.clone()] },
            value(3, 1, Op::Unary(Unary::Any, Id(0)), false),
            Item::Read { id: Id(4), width: 72, mem: MemId(0), addr: Id(0), enable: Some(Id(3)) },
            Item::Read { id: Id(5), width: 72, mem: MemId(0), addr: Id(0), enable: None },
            Item::Block(vec![
                Stmt::Write { mem: MemId(0), addr: Id(0), data: Id(1), mask: Some(Id(2)) },
                Stmt::When {
                    arms: vec![(
                        Id(3),
                        vec![Stmt::Write { mem: MemId(0), addr: Id(0), data: Id(5), mask: None }],
                    )],
                    otherwise: None,
                },
            ]),
        ],
        outputs: vec![
            Output { value: Id(4), width: 72, direct: false },
            Output { value: Id(5), width: 72, direct: false },
        ],
    };
    let arms = vec![
        (vec![0], vec![Stmt::SetVariant { target: Id(1), kind: Kind::Light, variant: 1 }]),
        (vec![1, 2], vec![set(1, 3), set(2, 5)]),
    ];
    let top = Unit {
        inputs: vec![(Id(0), 8)],
        items: vec![
            Item::Reg {
                id: Id(1),
                width: 2,
                reset: Some(BigUint::from(2u8)),
                kind: Some(Kind::Light),
            },
            Item::Reg { id: Id(2), width: 8, reset: Some(BigUint::from(9u8)), kind: None },
            value(3, 2, Op::Slice(Id(0), 3), false),
            value(4, 8, Op::Const(BigUint::from(7u8)), false),
            value(5, 8, Op::Binary(Binary::Add, Id(0), Id(4)), true),
            value(6, 1, Op::Binary(Binary::LtSigned, Id(2), Id(5)), false),
            value(7, 8, Op::Shift(Shift::Arithmetic, Id(2), Id(3)), true),
            value(8, 8, Op::Mux(Id(6), Id(7), Id(5)), false),
            Item::Wire { id: Id(9), width: 8, kind: None },
            Item::Wire { id: Id(10), width: 2, kind: Some(Kind::Light) },
            Item::Block(vec![
                set(9, 8),
                set(10, 1),
                Stmt::When {
                    arms: vec![
                        (
                            Id(6),
                            vec![Stmt::Set { target: Id(9), part: Some((2, 2)), value: Id(3) }],
                        ),
                        (Id(6), vec![set(9, 7)]),
                    ],
                    otherwise: Some(vec![set(9, 5)]),
                },
                Stmt::Switch { subject: Id(1), kind: Some(Kind::Light), arms, default: None },
                Stmt::Switch {
                    subject: Id(3),
                    kind: None,
                    arms: vec![(vec![0, 3], vec![set(2, 9)])],
                    default: Some(vec![]),
                },
            ]),
            value(11, 1, Op::Is(Id(10), Kind::Light, 2), false),
            value(12, 72, Op::Repeat(Id(9), 9), false),
            value(13, 72, Op::Const(big), false),
            value(14, 72, Op::Binary(Binary::Xor, Id(12), Id(13)), false),
            value(15, 3, Op::Cat(vec![Id(11), Id(3)]), false),
            Item::RegNext { id: Id(16), width: 3, next: Id(15) },
            Item::Instance {
                unit: 0,
                inputs: vec![(Id(17), 3), (Id(18), 72), (Id(19), 2)],
                drive: vec![set(17, 16), set(18, 14), set(19, 3)],
                outputs: vec![(Id(20), 72), (Id(21), 72)],
            },
            value(22, 72, Op::Select(Id(6), vec![Id(20), Id(21)]), false),
        ],
        outputs: vec![
            Output { value: Id(9), width: 8, direct: true },
            Output { value: Id(22), width: 72, direct: false },
        ],
    };
    Circuit { modules: vec![child, top] }
}
