//! The HazardColorSet: the colors that a hart should access in transactions.
//!
//! ColorSafe §4.4: at the end of every epoch the history is searched for interleavings that could go
//! wrong, and their colors are added to a signature. The search goes row by row, so that the colors
//! found come as bits of a signature; they are colors only if every bank has some.

use config::Config;
use hdl::{
    Bundle, Module, Sig, assert, cat, cover, hardware, input, lit, output, ports, reg, when,
};

use crate::color_hash::{ColorHash, color_keys};
use crate::signature::{banks_of, in_every_bank, one_bit_a_bank, some_empty};

/// The HazardColorSet of one hart.
#[derive(Clone, Debug, PartialEq)]
pub struct HazardColorSet {
    /// How many banks of how many bits, and where in them a color is.
    pub hash: ColorHash,
}

impl HazardColorSet {
    /// The HazardColorSet of a configuration. `Err` names the key that switches it off.
    pub fn from_config(config: &Config) -> Result<Self, &'static str> {
        Ok(HazardColorSet { hash: ColorHash::of(color_keys(config)?) })
    }
}

/// Ports of [`HazardColorSet`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct HazardColorSetIo {
    /// A row of the history is searched in this cycle.
    pub row_valid: Sig,
    /// The number of the row that is searched; valid with `row_valid`.
    pub row: Sig,
    /// The banks in which the row is hazardous, bank 0 in bit 0; valid with `row_valid`.
    pub row_hazard: Sig,
    /// The search ends with the row of this cycle: the colors that it found enter the set.
    pub commit: Sig,
    /// Empties the set and drops what the search has found, whatever else happens in this cycle.
    pub clear: Sig,
    /// `insert_color` enters the set at the end of this cycle.
    pub insert_valid: Sig,
    /// The color to insert; 0 adds nothing. Valid with `insert_valid`.
    pub insert_color: Sig,
    /// The color to test; 0 is uncolored and never a member.
    pub color: Sig,
    /// `color` is in the set, as it was before this cycle.
    pub hit: Sig,
    /// The set before this cycle as a signature, bank 0 in the low bits.
    pub value: Sig,
    /// The set changes at the end of this cycle.
    pub changed: Sig,
}

/// The set of hazardous colors as a signature, which grows with each search.
#[hardware]
impl Module for HazardColorSet {
    type Io = HazardColorSetIo;

    fn name(&self) -> String {
        format!("hazard_color_set_{}", self.hash.label())
    }

    fn build(&self) -> HazardColorSetIo {
        let (rows, banks, width) =
            (self.hash.rows(), self.hash.banks(), self.hash.signature_bits());
        let io = ports(HazardColorSetIo {
            row_valid: input(1),
            row: input(self.hash.row_bits()),
            row_hazard: input(banks),
            commit: input(1),
            clear: input(1),
            insert_valid: input(1),
            insert_color: input(self.hash.color_bits()),
            color: input(self.hash.color_bits()),
            hit: output(1),
            value: output(width),
            changed: output(1),
        });

        /// The set, bank 0 lowest.
        let hazards = reg(width).reset(0);
        /// What the search under way has found so far.
        let candidate = reg(width).reset(0);

        /// The bit of `color` in each bank.
        let color_row = self.hash.row_of(io.color);
        io.value.set(hazards);
        let hazards_bank = banks_of(hazards, banks);
        io.hit.set(io.color.any() & in_every_bank(&hazards_bank, &color_row));

        /// The row of this cycle, as one bank of a signature.
        let row_mask = lit(rows, 1) << io.row;
        /// The banks in which the row of this cycle is hazardous.
        let row_found = io.row_hazard & io.row_valid.repeat(banks);
        /// What the search has found with this row.
        let found = candidate
            | cat((0..banks).rev().map(|bank| row_mask & row_found.bit(bank).repeat(rows)));
        let found_bank = banks_of(found, banks);
        /// Some bank has no bit, so the bits of the others are of no color.
        let no_color = some_empty(&found_bank);

        /// The colors that the search has found and that enter the set in this cycle.
        let committed = found & (io.commit & !no_color).repeat(width);
        let inserted = one_bit_a_bank(&self.hash.row_of(io.insert_color))
            & (io.insert_valid & io.insert_color.any()).repeat(width);
        let grown = hazards | committed | inserted;
        when(io.clear, || hazards.set(0)).otherwise(|| hazards.set(grown));
        when(io.clear | io.commit, || candidate.set(0)).otherwise(|| candidate.set(found));
        io.changed.set(io.clear.mux(hazards.any(), grown.ne(hazards)));

        assert("uncolored_never_hits", io.color.any() | !io.hit, "color 0 is never reported");
        cover(
            "partial_commit",
            io.commit & found.any() & no_color,
            "bits that are not colors are dropped",
        );
        cover("insert_with_commit", committed.any() & inserted.any(), "both ways in one cycle");
        cover(
            "row_with_commit",
            io.commit & io.row_valid & !no_color,
            "the last row comes with the commit",
        );
        io
    }
}
