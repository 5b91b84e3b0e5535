//! A mutant: one bit of one port of one cell, changed.

use serde::{Deserialize, Serialize};

/// The input that selects a mutant; `cosim::testing::mutation` drives it.
pub const SELECT: &str = "mutsel";

/// Ports whose mutants say nothing of a design with one clock and memories that are read at any time:
/// clocks, and what a memory that is read through a register would have.
const LEFT_OUT: [&str; 6] = ["CLK", "RD_CLK", "WR_CLK", "RD_EN", "RD_ARST", "RD_SRST"];

/// A line of the list that Yosys's `mutate -list` writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mutant {
    /// The number that selects it, from 1.
    pub number: usize,
    /// What is done to the bit: `inv`, `const0`, `const1`, `cnot0`, `cnot1`.
    pub mode: String,
    /// The module.
    pub module: String,
    /// The cell in it.
    pub cell: String,
    /// The port of the cell.
    pub port: String,
    /// The bit of the port.
    pub bit: usize,
    /// The bit of the port that decides whether it is inverted, for `cnot0` and `cnot1`.
    pub by: Option<usize>,
    /// The wire on that bit, where it has a name of its own.
    pub wire: Option<String>,
    /// The places in the Verilog that the cell comes from, `file:line.column-line.column`.
    pub places: Vec<String>,
}

impl Mutant {
    /// Reads a line. `None` if it is of another form.
    fn parse(line: &str, number: usize) -> Option<Mutant> {
        let mut words = line.split_whitespace();
        if words.next() != Some("mutate") {
            return None;
        }
        let [mut mode, mut module, mut cell, mut port] = [const { None }; 4];
        let (mut bit, mut by, mut wire, mut places) = (None, None, None, Vec::new());
        while let Some(word) = words.next() {
            let value = words.next()?;
            match word {
                "-mode" => mode = Some(value.to_owned()),
                "-module" => module = Some(value.to_owned()),
                "-cell" => cell = Some(value.to_owned()),
                "-port" => port = Some(value.to_owned()),
                "-portbit" => bit = Some(value.parse().ok()?),
                "-ctrlbit" => by = Some(value.parse().ok()?),
                "-src" => places.push(value.to_owned()),
                "-wire" => wire = Some(value.to_owned()),
                // The cell's port has it too.
                "-wirebit" => {}
                _ => return None,
            }
        }
        let (mode, module, cell) = (mode?, module?, cell?);
        places.sort_by_key(|place| extent(place));
        Some(Mutant { number, mode, module, cell, port: port?, bit: bit?, by, wire, places })
    }

    /// The first `count` mutants of a list that are of interest, numbered from 1.
    ///
    /// # Errors
    /// The line that is not understood.
    pub fn parse_list(list: &str, count: usize) -> Result<Vec<Mutant>, String> {
        let mut mutants: Vec<Mutant> = Vec::new();
        for line in list.lines() {
            let number = mutants.len() + 1;
            let mutant = Mutant::parse(line, number)
                .ok_or_else(|| format!("Yosys lists a mutant in an unknown form: {line}"))?;
            if mutants.len() < count && !LEFT_OUT.contains(&mutant.port.as_str()) {
                mutants.push(mutant);
            }
        }
        Ok(mutants)
    }

    /// The call of Yosys that makes it, selected by its number.
    pub fn command(&self, select_width: usize) -> String {
        let Mutant { number, mode, module, cell, port, bit, by, .. } = self;
        let by = by.map_or_else(String::new, |by| format!(" -ctrlbit {by}"));
        format!(
            "mutate -ctrl {SELECT} {select_width} {number} -mode {mode} -module {module} \
             -cell {cell} -port {port} -portbit {bit}{by}"
        )
    }

    /// The mutation, in words.
    pub fn change(&self) -> String {
        let Mutant { mode, cell, port, bit, by, .. } = self;
        let kind = cell.trim_start_matches('$').split('$').next().unwrap_or(cell);
        let at = format!("bit {bit} of {port} of `{kind}`");
        match (mode.as_str(), by) {
            ("inv", _) => format!("{at} inverted"),
            ("const0", _) => format!("{at} always 0"),
            ("const1", _) => format!("{at} always 1"),
            ("cnot0", Some(by)) => format!("{at} inverted while bit {by} is 0"),
            ("cnot1", Some(by)) => format!("{at} inverted while bit {by} is 1"),
            _ => format!("{at}: {mode}"),
        }
    }
}

/// Bits needed to select one of `count` mutants, or none.
pub fn select_width(mutants: usize) -> usize {
    (usize::BITS - mutants.leading_zeros()).max(1) as usize
}

/// The lines that a place spans, and where it begins: the narrowest place says most.
fn extent(place: &str) -> (u64, String) {
    let lines = || {
        let (_, range) = place.rsplit_once(':')?;
        let (first, last) = range.split_once('-')?;
        let line = |position: &str| position.split('.').next()?.parse::<u64>().ok();
        line(last)?.checked_sub(line(first)?)
    };
    (lines().unwrap_or(u64::MAX), place.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "\
mutate -mode inv -module m -cell $procdff$1 -port CLK -portbit 0 -src m.v:3.1-9.4
mutate -mode cnot0 -module m -cell $ternary$m.v:32$1 -port A -portbit 6 -ctrlbit 2 -wire a -wirebit 6 \
-src m.v:3.1-9.4 -src m.v:5.9-5.12
mutate -mode const1 -module m -cell $procmux$8 -port Y -portbit 3
";

    #[test]
    fn mutants_are_numbered_without_those_of_clocks() {
        let mutants = Mutant::parse_list(LIST, 9).unwrap();
        assert_eq!(mutants.iter().map(|mutant| mutant.number).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(mutants[0].places, ["m.v:5.9-5.12", "m.v:3.1-9.4"]);
        assert_eq!(
            mutants[0].command(2),
            "mutate -ctrl mutsel 2 1 -mode cnot0 -module m -cell $ternary$m.v:32$1 -port A -portbit 6 \
             -ctrlbit 2"
        );
        assert_eq!(mutants[0].change(), "bit 6 of A of `ternary` inverted while bit 2 is 0");
        assert_eq!(mutants[1].change(), "bit 3 of Y of `procmux` always 1");
        assert_eq!(Mutant::parse_list(LIST, 1).unwrap().len(), 1);
    }

    #[test]
    fn a_line_of_another_form_is_named() {
        let error = Mutant::parse_list("mutate -mode inv -what 3\n", 9).unwrap_err();
        assert!(error.ends_with("mutate -mode inv -what 3"), "{error}");
    }

    #[test]
    fn every_mutant_can_be_selected() {
        assert_eq!([0, 1, 2, 3, 255, 256].map(select_width), [1, 1, 2, 2, 8, 9]);
    }
}
