//! The hazard color set: colors that were part of a near-unserializable interleaving.
//!
//! ColorSafe §4.4: an access to one of them starts an ephemeral transaction. Bits are collected in a
//! candidate while a scan runs; only a candidate that can hold a color is added.

use crate::{ColorHashes, ColorId, Signature};

/// One scanned row, and the banks in which it is a hazard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HazardRow {
    /// Row number.
    pub row: usize,
    /// One bit per bank, bank 0 in the lowest.
    pub hazard: u32,
}

/// Inputs of one cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HazardInputs {
    /// A scanned row. In the cycle of a commit it is part of the commit.
    pub row: Option<HazardRow>,
    /// End of the scan.
    pub commit: bool,
    /// Clears everything; takes precedence.
    pub clear: bool,
    /// A color that enters the set.
    pub insert: Option<ColorId>,
    /// The color to look up.
    pub color: ColorId,
}

/// Outputs of one cycle, before its inputs take effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HazardOutputs {
    /// The color is in the set.
    pub hit: bool,
    /// The set.
    pub value: Signature,
    /// The set after the cycle is another.
    pub changed: bool,
}

/// The set, and the candidate being collected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HazardColorSet {
    hashes: ColorHashes,
    set: Signature,
    candidate: Signature,
}

impl HazardColorSet {
    /// An empty set.
    pub fn new(hashes: ColorHashes) -> Self {
        let empty = Signature::new(&hashes);
        Self { hashes, set: empty.clone(), candidate: empty }
    }

    /// Returns to the initial state.
    pub fn reset(&mut self) {
        self.set.clear();
        self.candidate.clear();
    }

    /// One cycle.
    pub fn step(&mut self, inputs: &HazardInputs) -> HazardOutputs {
        let hit = self.set.contains(&self.hashes, inputs.color);
        let value = self.set.clone();
        self.take(inputs);
        HazardOutputs { hit, changed: value != self.set, value }
    }

    fn take(&mut self, inputs: &HazardInputs) {
        if inputs.clear {
            self.reset();
            return;
        }
        if let Some(HazardRow { row, hazard }) = inputs.row {
            for bank in (0..self.hashes.banks()).filter(|bank| hazard >> bank & 1 != 0) {
                self.candidate.set(bank, row);
            }
        }
        if inputs.commit {
            if !self.candidate.is_empty() {
                self.set = self.set.union(&self.candidate);
            }
            self.candidate.clear();
        }
        if let Some(color) = inputs.insert {
            self.set.insert(&self.hashes, color);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::tests::hashes;

    const RED: ColorId = ColorId(0x5ed);
    const IDLE: HazardInputs =
        HazardInputs { row: None, commit: false, clear: false, insert: None, color: RED };

    /// The rows that make a color a hazard, one for each bank.
    fn rows_of(color: ColorId) -> Vec<HazardInputs> {
        let hashes = hashes(12, 64, 2);
        let row = |bank| HazardRow { row: hashes.index(bank, color), hazard: 1 << bank };
        (0..2).map(|bank| HazardInputs { row: Some(row(bank)), ..IDLE }).collect()
    }

    fn hits(set: &mut HazardColorSet) -> bool {
        set.step(&IDLE).hit
    }

    #[test]
    fn a_candidate_counts_after_its_commit() {
        let mut set = HazardColorSet::new(hashes(12, 64, 2));
        let rows = rows_of(RED);
        set.step(&rows[0]);
        set.step(&rows[1]);
        assert!(!hits(&mut set));
        assert!(!set.step(&HazardInputs { commit: true, ..IDLE }).hit);
        assert!(hits(&mut set));
    }

    #[test]
    fn a_row_in_the_cycle_of_a_commit_is_committed() {
        let mut set = HazardColorSet::new(hashes(12, 64, 2));
        let rows = rows_of(RED);
        set.step(&rows[0]);
        set.step(&HazardInputs { commit: true, ..rows[1] });
        assert!(hits(&mut set));
    }

    #[test]
    fn a_candidate_with_an_empty_bank_is_forgotten() {
        let mut set = HazardColorSet::new(hashes(12, 64, 2));
        for row in rows_of(RED) {
            set.step(&HazardInputs { commit: true, ..row });
        }
        assert!(set.step(&IDLE).value.to_bits().not_any());
    }

    #[test]
    fn a_single_color_enters_with_a_commit_too_and_every_change_is_told() {
        let mut set = HazardColorSet::new(hashes(12, 64, 2));
        let (rows, blue) = (rows_of(RED), ColorId(0xb1e));
        let insert = HazardInputs { insert: Some(blue), ..IDLE };
        assert!(set.step(&insert).changed);
        assert!(!set.step(&insert).changed, "it is there already");
        assert!(!set.step(&rows[0]).changed, "the set waits for the commit");
        let both = HazardInputs { insert: Some(ColorId(7)), commit: true, ..rows[1] };
        assert!(set.step(&both).changed);
        for color in [RED, blue, ColorId(7)] {
            assert!(set.step(&HazardInputs { color, ..IDLE }).hit);
        }
        let nothing = HazardInputs { insert: Some(ColorId::UNCOLORED), ..IDLE };
        assert!(!set.step(&nothing).changed);
        let clear = HazardInputs { clear: true, ..insert };
        assert!(set.step(&clear).changed && !hits(&mut set));
        assert!(!set.step(&clear).changed);
    }

    #[test]
    fn clearing_wins_over_everything_in_its_cycle() {
        let mut set = HazardColorSet::new(hashes(12, 64, 2));
        let rows = rows_of(RED);
        set.step(&rows[0]);
        let all = HazardInputs { commit: true, clear: true, ..rows[1] };
        set.step(&all);
        assert!(!hits(&mut set));
        set.step(&HazardInputs { commit: true, ..rows[1] });
        assert!(!hits(&mut set), "the candidate is gone as well");
    }

    #[test]
    fn no_color_never_hits() {
        let mut set = HazardColorSet::new(hashes(12, 2, 1));
        for row in [0, 1] {
            let row = Some(HazardRow { row, hazard: 1 });
            set.step(&HazardInputs { row, commit: true, ..IDLE });
        }
        assert!(!set.step(&HazardInputs { color: ColorId::UNCOLORED, ..IDLE }).hit);
        assert!(hits(&mut set));
    }
}
