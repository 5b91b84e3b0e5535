//! The HazardColorSet against its model.

mod contract;

use cosim::Bench;
use cosim::testing::property;
use golden::{ColorId, HazardColorSet, HazardInputs, HazardOutputs, HazardRow, Signature};
use proptest::prelude::*;

use crate::palette::{Palette, SIZES, bits_of};
use crate::simulators::{Simulator, Subject};
use crate::tally::Tally;

/// What can happen in one cycle.
#[derive(Clone, Debug)]
struct Cycle {
    reset: bool,
    inputs: HazardInputs,
}

/// The model beside the hardware.
struct HazardBench<'a> {
    palette: &'a Palette,
    model: HazardColorSet,
}

impl<'a> HazardBench<'a> {
    fn new(palette: &'a Palette) -> Self {
        Self { palette, model: HazardColorSet::new(palette.hashes.clone()) }
    }
}

impl<D: Simulator> Bench<D> for HazardBench<'_> {
    type Stimulus = Cycle;
    type Outputs = HazardOutputs;

    fn drive(&mut self, dut: &mut D, cycle: &Cycle) {
        let HazardInputs { row, commit, clear, insert, color } = cycle.inputs;
        dut.poke("rst", cycle.reset);
        dut.poke("row_valid", row.is_some());
        // What is not valid is driven too: it must not be looked at.
        let all_banks = u32::MAX >> (32 - self.palette.hashes.banks());
        let HazardRow { row, hazard } = row.unwrap_or(HazardRow { row: 0, hazard: all_banks });
        dut.poke("row", row as u64);
        dut.poke("row_hazard", hazard);
        dut.poke("commit", commit);
        dut.poke("clear", clear);
        dut.poke("insert_valid", insert.is_some());
        dut.poke("insert_color", insert.unwrap_or(color).0);
        dut.poke("color", color.0);
    }

    fn sample(&self, dut: &D) -> HazardOutputs {
        let rows = self.palette.hashes.bank_bits();
        let bits = bits_of(&dut.peek_wide("value"), self.palette.hash.signature_bits());
        HazardOutputs {
            hit: dut.peek("hit") != 0,
            value: Signature::from_bits(rows, &bits),
            changed: dut.peek("changed") != 0,
        }
    }

    fn expect(&mut self, cycle: &Cycle, _: &HazardOutputs) -> HazardOutputs {
        let outputs = self.model.step(&cycle.inputs);
        if cycle.reset {
            self.model.reset();
        }
        outputs
    }
}

/// Rows that belong to a color in some bank, or any.
fn row(palette: &Palette) -> impl Strategy<Value = HazardRow> + use<> {
    let hashes = palette.hashes.clone();
    let banks = hashes.banks();
    let of_color = (palette.color(), 0..banks).prop_map(move |(color, bank)| HazardRow {
        row: hashes.index(bank, color),
        hazard: 1 << bank,
    });
    let any_row = (0..palette.hashes.bank_bits(), 0..1u32 << banks)
        .prop_map(|(row, hazard)| HazardRow { row, hazard });
    prop_oneof![2 => of_color, 1 => any_row]
}

/// Cycles that commit more or less often.
fn cycles(palette: &Palette, commits: f64) -> impl Strategy<Value = Vec<Cycle>> + use<> {
    let row = prop::option::weighted(0.7, row(palette));
    let commit = prop::bool::weighted(commits);
    let (clear, reset) = (prop::bool::weighted(0.02), prop::bool::weighted(0.01));
    let insert = prop::option::weighted(0.03, palette.color());
    let cycle = (reset, row, commit, clear, insert, palette.color()).prop_map(
        |(reset, row, commit, clear, insert, color)| {
            let inputs = HazardInputs { row, commit, clear, insert, color };
            Cycle { reset, inputs }
        },
    );
    prop::collection::vec(cycle, 1..2000)
}

fn unit(palette: &Palette) -> Subject {
    let set = units::hazard_color_set::HazardColorSet { hash: palette.hash.clone() };
    Subject::of(set)
}

#[test]
fn every_size_agrees_with_the_model() {
    let mut tally = Tally::of("hazard_color_set");
    for (rows, banks, color_bits) in SIZES {
        let palette = Palette::new(rows, banks, color_bits);
        let unit = unit(&palette);
        let cases = prop_oneof![cycles(&palette, 0.08), cycles(&palette, 0.6)];
        let cycles =
            property(120, cases, |cycles| unit.check_case(|| HazardBench::new(&palette), cycles));
        tally.add(unit.top(), cycles);
    }
    tally.finish();
}

#[test]
fn a_color_whose_last_row_comes_with_the_commit_is_found_until_all_is_cleared() {
    let palette = Palette::new(16, 2, 12);
    let red = ColorId(0x5ed);
    let idle = HazardInputs { row: None, commit: false, clear: false, insert: None, color: red };
    let rows = [0, 1].map(|bank| {
        let row = HazardRow { row: palette.hashes.index(bank, red), hazard: 1 << bank };
        HazardInputs { row: Some(row), ..idle }
    });
    let inputs = [
        rows[0],
        HazardInputs { commit: true, ..rows[1] },
        idle,
        rows[0],
        HazardInputs { commit: true, clear: true, ..rows[1] },
        HazardInputs { commit: true, ..rows[1] },
        idle,
    ];
    let cycles = inputs.map(|inputs| Cycle { reset: false, inputs });
    unit(&palette).check(|| HazardBench::new(&palette), cycles).unwrap();
}

/// A search that finds these rows, the last of them with the commit.
fn search(rows: impl IntoIterator<Item = HazardRow>, color: ColorId) -> Vec<HazardInputs> {
    let idle = HazardInputs { row: None, commit: false, clear: false, insert: None, color };
    let mut found: Vec<_> =
        rows.into_iter().map(|row| HazardInputs { row: Some(row), ..idle }).collect();
    found.last_mut().expect("a search finds something").commit = true;
    found.push(idle);
    found.push(HazardInputs { clear: true, ..idle });
    found
}

fn agrees(palette: &Palette, inputs: impl IntoIterator<Item = HazardInputs>) {
    let cycles = inputs.into_iter().map(|inputs| Cycle { reset: false, inputs });
    unit(palette).check(|| HazardBench::new(palette), cycles).unwrap();
}

#[test]
fn every_single_color_is_found() {
    for (rows, banks, color_bits) in [(16, 2, 12), (64, 3, 9)] {
        let palette = Palette::new(rows, banks, color_bits);
        let searches = (0..1 << color_bits).map(ColorId).flat_map(|color| {
            let row =
                |bank| HazardRow { row: palette.hashes.index(bank, color), hazard: 1 << bank };
            search((0..palette.hashes.banks()).map(row), color)
        });
        agrees(&palette, searches);
    }
}

/// The set has every bit but one, and a color that needs that one is asked for.
#[test]
fn one_missing_bit_is_enough_to_miss() {
    for (rows, banks, color_bits) in [(16, 2, 12), (64, 3, 9)] {
        let palette = Palette::new(rows, banks, color_bits);
        let all = (1 << banks) - 1;
        let bits = (0..palette.hashes.banks())
            .flat_map(|bank| (0..rows as usize).map(move |row| (bank, row)));
        let searches = bits.flat_map(|(bank, missing)| {
            let needs_it = |color: &ColorId| palette.hashes.index(bank, *color) == missing;
            let color = (1..1 << color_bits).map(ColorId).find(needs_it).unwrap_or(ColorId(0));
            let row = |row| {
                let hazard = if row == missing { all & !(1 << bank) } else { all };
                HazardRow { row, hazard }
            };
            search((0..rows as usize).map(row), color)
        });
        agrees(&palette, searches);
    }
}
