//! The signature, sentence by sentence of its contract in `docs/units.md`.

use hdl::HwEnum;
use units::signature::{Signature, SignatureOp};

use crate::simulators::{Dut, Subject};
use crate::small_hash::{small, small_signature};

struct Bench<'a> {
    dut: &'a mut Dut,
}

impl Bench<'_> {
    /// On both simulators.
    fn each(contract: impl Fn(&mut Bench<'_>)) {
        Subject::of(Signature { hash: small() }).each(|dut| contract(&mut Bench { dut }));
    }

    fn op(&mut self, op: SignatureOp, color: u64, operand: u64) {
        self.dut.set("op", op.code());
        self.dut.set("color", color);
        self.dut.set("operand", operand);
        self.dut.step();
        self.dut.set("op", SignatureOp::Nop.code());
    }

    fn value(&mut self) -> u64 {
        self.dut.get("value")
    }

    fn member(&mut self, color: u64) -> bool {
        self.dut.set("color", color);
        self.dut.get("member") == 1
    }

    fn empty(&mut self) -> bool {
        self.dut.get("empty") == 1
    }

    fn disjoint(&mut self, operand: u64) -> bool {
        self.dut.set("operand", operand);
        self.dut.get("disjoint") == 1
    }
}

#[test]
fn the_codes_are_those_of_the_contract() {
    use SignatureOp::*;
    assert_eq!([Nop, Clear, Insert, Union, Intersect].map(HwEnum::code), [0, 1, 2, 3, 4]);
}

#[test]
fn reset_empties_it() {
    Bench::each(|bench| {
        bench.op(SignatureOp::Union, 0, 0xff);
        assert_eq!(bench.value(), 0xff);
        bench.dut.reset();
        assert_eq!(bench.value(), 0);
        assert!(bench.empty());
    });
}

#[test]
fn insert_sets_the_hashed_bit_in_every_bank() {
    Bench::each(|bench| {
        let mut inserted = Vec::new();
        for color in [4, 1, 7, 2] {
            bench.op(SignatureOp::Insert, color.into(), 0);
            inserted.push(color);
            assert_eq!(bench.value(), small_signature(&inserted));
            assert!(bench.member(color.into()));
        }
    });
}

#[test]
fn a_member_has_its_bit_in_every_bank() {
    Bench::each(|bench| {
        bench.op(
            SignatureOp::Union,
            0,
            small_signature(&[1]) & 0x0f | small_signature(&[2]) & 0xf0,
        );
        assert!(!bench.member(1) && !bench.member(2));
        bench.op(SignatureOp::Insert, 1, 0);
        assert!(bench.member(1) && !bench.member(2));
    });
}

#[test]
fn union_ors_intersect_ands_clear_empties() {
    Bench::each(|bench| {
        bench.op(SignatureOp::Union, 0, 0b1010_0011);
        bench.op(SignatureOp::Union, 0, 0b0001_0010);
        assert_eq!(bench.value(), 0b1011_0011);
        bench.op(SignatureOp::Intersect, 0, 0b1101_0101);
        assert_eq!(bench.value(), 0b1001_0001);
        bench.op(SignatureOp::Nop, 1, 0xff);
        assert_eq!(bench.value(), 0b1001_0001);
        bench.op(SignatureOp::Clear, 1, 0xff);
        assert_eq!(bench.value(), 0);
    });
}

#[test]
fn one_empty_bank_makes_it_empty_or_disjoint() {
    Bench::each(|bench| {
        bench.op(SignatureOp::Union, 0, 0b0000_0110);
        assert!(bench.empty());
        bench.op(SignatureOp::Union, 0, 0b0011_0000);
        assert!(!bench.empty());
        assert!(!bench.disjoint(0b0010_0010));
        assert!(bench.disjoint(0b1100_0010), "nothing common in bank 1");
        assert!(bench.disjoint(0b0010_1001), "nothing common in bank 0");
    });
}

#[test]
fn the_outputs_are_those_before_the_operation() {
    Bench::each(|bench| {
        bench.dut.set("op", SignatureOp::Insert.code());
        assert!(!bench.member(3));
        assert!(bench.empty() && bench.disjoint(0xff) && bench.value() == 0);
        bench.dut.step();
        bench.dut.set("op", SignatureOp::Clear.code());
        assert!(bench.member(3));
        assert!(!bench.empty() && !bench.disjoint(0xff));
    });
}

#[test]
fn color_0_is_never_inserted_and_never_a_member() {
    Bench::each(|bench| {
        bench.op(SignatureOp::Insert, 0, 0);
        assert_eq!(bench.value(), 0);
        bench.op(SignatureOp::Union, 0, 0xff);
        assert!(!bench.member(0));
        assert!(bench.member(5));
    });
}

#[test]
fn codes_that_are_no_operation_do_nothing() {
    Bench::each(|bench| {
        bench.op(SignatureOp::Insert, 6, 0);
        for code in 5..8 {
            bench.dut.set("op", code);
            bench.dut.set("operand", 0xaa);
            bench.dut.step();
            assert_eq!(bench.value(), small_signature(&[6]));
        }
    });
}
