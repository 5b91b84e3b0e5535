//! The contract of `signature`.

use crate::{small, small_signature};
use hdl::{HwEnum, Simulator};
use units::signature::{Signature, SignatureIo, SignatureOp};

struct Bench {
    sim: Simulator,
    io: SignatureIo,
}

impl Bench {
    fn new() -> Bench {
        let (mut sim, io) = Simulator::of(Signature { hash: small() }).expect("a legal circuit");
        sim.reset();
        Bench { sim, io }
    }

    fn op(&mut self, op: SignatureOp, color: u64, operand: u64) {
        self.sim.set_variant(self.io.op, op);
        self.sim.set(self.io.color, color);
        self.sim.set(self.io.operand, operand);
        self.sim.step();
        self.sim.set_variant(self.io.op, SignatureOp::Nop);
    }

    fn value(&mut self) -> u64 {
        self.sim.get(self.io.value)
    }

    fn member(&mut self, color: u64) -> bool {
        self.sim.set(self.io.color, color);
        self.sim.get(self.io.member) == 1
    }

    fn empty(&mut self) -> bool {
        self.sim.get(self.io.empty) == 1
    }

    fn disjoint(&mut self, operand: u64) -> bool {
        self.sim.set(self.io.operand, operand);
        self.sim.get(self.io.disjoint) == 1
    }
}

#[test]
fn the_codes_are_those_of_the_contract() {
    use SignatureOp::*;
    assert_eq!([Nop, Clear, Insert, Union, Intersect].map(HwEnum::code), [0, 1, 2, 3, 4]);
}

#[test]
fn reset_empties_it() {
    let mut bench = Bench::new();
    bench.op(SignatureOp::Union, 0, 0xff);
    assert_eq!(bench.value(), 0xff);
    bench.sim.reset();
    assert_eq!(bench.value(), 0);
    assert!(bench.empty());
}

#[test]
fn insert_sets_the_hashed_bit_in_every_bank() {
    let mut bench = Bench::new();
    let mut inserted = Vec::new();
    for color in [4, 1, 7, 2] {
        bench.op(SignatureOp::Insert, color.into(), 0);
        inserted.push(color);
        assert_eq!(bench.value(), small_signature(&inserted));
        assert!(bench.member(color.into()));
    }
}

#[test]
fn a_member_has_its_bit_in_every_bank() {
    let mut bench = Bench::new();
    bench.op(SignatureOp::Union, 0, small_signature(&[1]) & 0x0f | small_signature(&[2]) & 0xf0);
    assert!(!bench.member(1) && !bench.member(2));
    bench.op(SignatureOp::Insert, 1, 0);
    assert!(bench.member(1) && !bench.member(2));
}

#[test]
fn union_ors_intersect_ands_clear_empties() {
    let mut bench = Bench::new();
    bench.op(SignatureOp::Union, 0, 0b1010_0011);
    bench.op(SignatureOp::Union, 0, 0b0001_0010);
    assert_eq!(bench.value(), 0b1011_0011);
    bench.op(SignatureOp::Intersect, 0, 0b1101_0101);
    assert_eq!(bench.value(), 0b1001_0001);
    bench.op(SignatureOp::Nop, 1, 0xff);
    assert_eq!(bench.value(), 0b1001_0001);
    bench.op(SignatureOp::Clear, 1, 0xff);
    assert_eq!(bench.value(), 0);
}

#[test]
fn one_empty_bank_makes_it_empty_or_disjoint() {
    let mut bench = Bench::new();
    bench.op(SignatureOp::Union, 0, 0b0000_0110);
    assert!(bench.empty());
    bench.op(SignatureOp::Union, 0, 0b0011_0000);
    assert!(!bench.empty());
    assert!(!bench.disjoint(0b0010_0010));
    assert!(bench.disjoint(0b1100_0010), "nothing common in bank 1");
    assert!(bench.disjoint(0b0010_1001), "nothing common in bank 0");
}

#[test]
fn the_outputs_are_those_before_the_operation() {
    let mut bench = Bench::new();
    bench.sim.set_variant(bench.io.op, SignatureOp::Insert);
    assert!(!bench.member(3));
    assert!(bench.empty() && bench.disjoint(0xff) && bench.value() == 0);
    bench.sim.step();
    bench.sim.set_variant(bench.io.op, SignatureOp::Clear);
    assert!(bench.member(3));
    assert!(!bench.empty() && !bench.disjoint(0xff));
}

#[test]
fn color_0_is_never_inserted_and_never_a_member() {
    let mut bench = Bench::new();
    bench.op(SignatureOp::Insert, 0, 0);
    assert_eq!(bench.value(), 0);
    bench.op(SignatureOp::Union, 0, 0xff);
    assert!(!bench.member(0));
    assert!(bench.member(5));
}

#[test]
fn codes_that_are_no_operation_do_nothing() {
    let mut bench = Bench::new();
    bench.op(SignatureOp::Insert, 6, 0);
    for code in 5..8 {
        bench.sim.set(bench.io.op, code);
        bench.sim.set(bench.io.operand, 0xaa);
        bench.sim.step();
        assert_eq!(bench.value(), small_signature(&[6]));
    }
}
