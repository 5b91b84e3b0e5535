//! The signature against its model.

mod contract;

use cosim::Bench;
use cosim::testing::property;
use golden::{
    Bits, ColorId, Signature, SignatureInputs, SignatureOp, SignatureOutputs, SignatureUnit,
};
use proptest::prelude::*;

use crate::palette::{Palette, SIZES, bits_of};
use crate::simulators::{Simulator, Subject};
use crate::tally::Tally;

/// What can happen in one cycle.
#[derive(Clone, Debug)]
struct Cycle {
    reset: bool,
    op: SignatureOp,
    color: ColorId,
    operand: Operand,
}

/// The other signature, in a form that shrinks well.
#[derive(Clone, Debug)]
enum Operand {
    /// One that colors were inserted into.
    Colors(Vec<ColorId>),
    /// All bits but those of some colors.
    AllBut(Vec<ColorId>),
    /// All bits of one bank, and none of the others.
    OneBank(usize),
}

/// The model beside the hardware.
struct SignatureBench<'a> {
    palette: &'a Palette,
    model: SignatureUnit,
    /// Of the cycle being driven.
    operand: Signature,
}

impl<'a> SignatureBench<'a> {
    fn new(palette: &'a Palette) -> Self {
        let model = SignatureUnit::new(palette.hashes.clone());
        Self { palette, model, operand: Signature::new(&palette.hashes) }
    }

    fn operand(&self, operand: &Operand) -> Signature {
        let hashes = &self.palette.hashes;
        let rows = hashes.bank_bits();
        let of = |colors: &[ColorId]| {
            let mut signature = Signature::new(hashes);
            colors.iter().for_each(|color| signature.insert(hashes, *color));
            signature
        };
        match operand {
            Operand::Colors(colors) => of(colors),
            Operand::AllBut(colors) => Signature::from_bits(rows, &!of(colors).to_bits()),
            Operand::OneBank(bank) => {
                let bank = bank % hashes.banks();
                let mut bits = Bits::repeat(false, rows * hashes.banks());
                bits[bank * rows..(bank + 1) * rows].fill(true);
                Signature::from_bits(rows, &bits)
            }
        }
    }
}

impl<D: Simulator> Bench<D> for SignatureBench<'_> {
    type Stimulus = Cycle;
    type Outputs = SignatureOutputs;

    fn drive(&mut self, dut: &mut D, cycle: &Cycle) {
        dut.poke("rst", cycle.reset);
        dut.poke("op", cycle.op as u64);
        dut.poke("color", cycle.color.0);
        self.operand = self.operand(&cycle.operand);
        dut.poke_wide("operand", self.operand.to_bits().as_raw_slice());
    }

    fn sample(&self, dut: &D) -> SignatureOutputs {
        let rows = self.palette.hashes.bank_bits();
        let bits = bits_of(&dut.peek_wide("value"), self.palette.hash.signature_bits());
        SignatureOutputs {
            value: Signature::from_bits(rows, &bits),
            member: dut.peek("member") != 0,
            empty: dut.peek("empty") != 0,
            disjoint: dut.peek("disjoint") != 0,
        }
    }

    fn expect(&mut self, cycle: &Cycle, _: &SignatureOutputs) -> SignatureOutputs {
        let operand = self.operand.clone();
        let inputs = SignatureInputs { op: cycle.op, color: cycle.color, operand };
        let outputs = self.model.step(&inputs);
        if cycle.reset {
            self.model.reset();
        }
        outputs
    }
}

fn op() -> impl Strategy<Value = SignatureOp> + Clone {
    prop_oneof![
        1 => Just(SignatureOp::Nop),
        1 => Just(SignatureOp::Clear),
        6 => Just(SignatureOp::Insert),
        2 => Just(SignatureOp::Union),
        2 => Just(SignatureOp::Intersect),
    ]
}

fn operand(palette: &Palette) -> impl Strategy<Value = Operand> + Clone + use<> {
    let colors = prop::collection::vec(palette.color(), 0..4);
    prop_oneof![
        4 => colors.clone().prop_map(Operand::Colors),
        4 => colors.prop_map(Operand::AllBut),
        1 => (0..palette.hashes.banks()).prop_map(Operand::OneBank),
    ]
}

fn cycle(palette: &Palette) -> impl Strategy<Value = Cycle> + use<> {
    (prop::bool::weighted(0.01), op(), palette.color(), operand(palette))
        .prop_map(|(reset, op, color, operand)| Cycle { reset, op, color, operand })
}

fn unit(palette: &Palette) -> Subject {
    let signature = units::signature::Signature { hash: palette.hash.clone() };
    Subject::of(signature)
}

#[test]
fn every_size_agrees_with_the_model() {
    let mut tally = Tally::of("signature");
    for (rows, banks, color_bits) in SIZES {
        let palette = Palette::new(rows, banks, color_bits);
        let unit = unit(&palette);
        let cycles = property(120, prop::collection::vec(cycle(&palette), 1..2000), |cycles| {
            unit.check_case(|| SignatureBench::new(&palette), cycles)
        });
        tally.add(unit.top(), cycles);
    }
    tally.finish();
}

#[test]
fn every_single_color_is_where_the_model_has_it() {
    for (rows, banks, color_bits) in [(64, 3, 9), (256, 2, 12)] {
        let palette = Palette::new(rows, banks, color_bits);
        let cycles = (0..1 << color_bits).flat_map(|color| {
            [SignatureOp::Insert, SignatureOp::Clear].map(|op| {
                let operand = Operand::Colors(vec![ColorId(color)]);
                Cycle { reset: false, op, color: ColorId(color), operand }
            })
        });
        unit(&palette).check(|| SignatureBench::new(&palette), cycles).unwrap();
    }
}
