//! The devices: how each is synthesized for, and what its cells count as.

use crate::cost::Cost;
use std::collections::BTreeMap;
use tools::Tool;

/// Device families.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Target {
    /// Lattice ECP5, as on the ULX3S: an LFE5U-85F.
    Ecp5,
    /// Lattice iCE40: an HX8K.
    Ice40,
    /// No device: lookup tables of four inputs, flip-flops, and memories left whole.
    Generic,
}

/// A device that nextpnr can place on.
pub struct Device {
    /// Its nextpnr.
    pub tool: Tool,
    /// Its name, for people.
    pub name: &'static str,
    /// nextpnr's arguments for the device.
    pub args: &'static [&'static str],
}

const LUT: Cost = Cost { luts: 1, ffs: 0, brams: 0, dsps: 0 };
const FF: Cost = Cost { luts: 0, ffs: 1, brams: 0, dsps: 0 };
const BRAM: Cost = Cost { luts: 0, ffs: 0, brams: 1, dsps: 0 };
const DSP: Cost = Cost { luts: 0, ffs: 0, brams: 0, dsps: 1 };
const FREE: Cost = Cost { luts: 0, ffs: 0, brams: 0, dsps: 0 };

/// Kinds of cells by how their names begin, and what one counts as; the first that fits. ECP5's carry
/// cells and distributed RAM take the place of lookup tables, as nextpnr counts them too; its wide
/// multiplexers come with the slice, and what sits in a pin counts as nothing.
const ECP5: &[(&str, Cost)] = &[
    ("LUT4", LUT),
    ("CCU2C", Cost { luts: 2, ..FREE }),
    ("TRELLIS_DPR16X4", Cost { luts: 6, ..FREE }),
    ("TRELLIS_FF", FF),
    ("DP16KD", BRAM),
    ("PDPW16KD", BRAM),
    ("MULT18X18D", DSP),
    ("MULT9X9D", DSP),
    ("ALU54B", DSP),
    ("PFUMX", FREE),
    ("L6MUX21", FREE),
    ("ODDRX1F", FREE),
    ("TRELLIS_IO", FREE),
    ("$scopeinfo", FREE),
];
/// A carry sits beside the lookup table of its sum.
const ICE40: &[(&str, Cost)] = &[
    ("SB_LUT4", LUT),
    ("SB_CARRY", FREE),
    ("SB_DFF", FF),
    ("SB_RAM40_4K", BRAM),
    ("SB_MAC16", DSP),
    ("SB_IO", FREE),
    ("$scopeinfo", FREE),
];
const GENERIC: &[(&str, Cost)] =
    &[("$lut", LUT), ("$_DFF", FF), ("$_SDFF", FF), ("$mem_v2", BRAM), ("$scopeinfo", FREE)];

impl Target {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Target::Ecp5 => "ecp5",
            Target::Ice40 => "ice40",
            Target::Generic => "generic",
        }
    }

    /// Description of one block RAM.
    pub fn bram(self) -> &'static str {
        match self {
            Target::Ecp5 => "a block RAM has 18 Kibit",
            Target::Ice40 => "a block RAM has 4 Kibit",
            Target::Generic => "a memory counts as one block RAM, whatever its size",
        }
    }

    /// Bits of one block RAM, where it has a size.
    pub fn bram_bits(self) -> Option<u64> {
        match self {
            Target::Ecp5 => Some(18 << 10),
            Target::Ice40 => Some(4 << 10),
            Target::Generic => None,
        }
    }

    /// Description of a memory that is not in Yosys's log.
    pub fn unmapped(self) -> &'static str {
        match self {
            Target::Ecp5 | Target::Ice40 => "nothing: nobody reads it",
            Target::Generic => "left whole",
        }
    }

    /// The device to place on.
    pub fn device(self) -> Option<Device> {
        match self {
            Target::Ecp5 => Some(Device {
                tool: Tool::NextpnrEcp5,
                name: "LFE5U-85F",
                args: &["--85k", "--package", "CABGA381", "--lpf-allow-unconstrained"],
            }),
            Target::Ice40 => Some(Device {
                tool: Tool::NextpnrIce40,
                name: "iCE40-HX8K",
                args: &["--hx8k", "--package", "ct256", "--pcf-allow-unconstrained"],
            }),
            Target::Generic => None,
        }
    }

    /// Commands of Yosys that synthesize the module `top`.
    pub fn synthesis(self, top: &str) -> String {
        match self {
            // Functions of more than four inputs from lookup tables alone: joining two by a multiplexer
            // of the slice takes up to a fifth more of them.
            Target::Ecp5 => format!("synth_ecp5 -nowidelut -top {top}\n"),
            Target::Ice40 => format!("synth_ice40 -dsp -top {top}\n"),
            // As `synth -lut 4`, without making flip-flops of memories.
            Target::Generic => format!(
                "synth -flatten -lut 4 -run begin:fine -top {top}\n\
                 opt -fast -full\nopt -undriven -fine\ntechmap\nopt -fast\n\
                 abc -lut 4\nopt -fast\nopt_clean\n"
            ),
        }
    }

    /// Cost of these cells; `modules` are cells that are counted elsewhere. An unknown kind of cell
    /// is an error: nothing goes uncounted.
    pub fn cost(
        self,
        cells: &BTreeMap<String, u64>,
        modules: impl Fn(&str) -> bool,
    ) -> Result<Cost, String> {
        let mut sum = Cost::default();
        for (cell, count) in cells.iter().filter(|(cell, _)| !modules(cell)) {
            let Some(cost) = self.cost_of(cell) else {
                return Err(format!(
                    "no cost is known for cell `{cell}`, which Yosys used {count} times"
                ));
            };
            sum = sum + cost * *count;
        }
        Ok(sum)
    }

    /// Number of cells that are plain lookup tables.
    pub fn lut_cells(self, cells: &BTreeMap<String, u64>) -> u64 {
        let luts = cells.iter().filter(|(cell, _)| self.cost_of(cell) == Some(LUT));
        luts.map(|(_, count)| count).sum()
    }

    /// Cost of one cell of a kind, if known.
    fn cost_of(self, cell: &str) -> Option<Cost> {
        let table = match self {
            Target::Ecp5 => ECP5,
            Target::Ice40 => ICE40,
            Target::Generic => GENERIC,
        };
        table.iter().find(|(prefix, _)| cell.starts_with(prefix)).map(|(_, cost)| *cost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(counts: &[(&str, u64)]) -> BTreeMap<String, u64> {
        counts.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
    }

    #[test]
    fn carries_and_small_memories_of_an_ecp5_are_lookup_tables() {
        let found = cells(&[("LUT4", 10), ("CCU2C", 4), ("TRELLIS_DPR16X4", 2), ("alu", 1)]);
        let cost = Target::Ecp5.cost(&found, |name| name == "alu").unwrap();
        assert_eq!(cost, Cost { luts: 30, ..FREE });
        assert_eq!(Target::Ecp5.lut_cells(&found), 10);
    }

    #[test]
    fn a_cell_that_nobody_knows_is_refused_by_name() {
        let error = Target::Ice40.cost(&cells(&[("SB_NEW", 3)]), |_| false).unwrap_err();
        assert_eq!(error, "no cost is known for cell `SB_NEW`, which Yosys used 3 times");
    }
}
