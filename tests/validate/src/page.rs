//! The page with the figures.

use crate::measure::Measured;
use crate::table::Sum;
use firmware::validation::Half;
use kit::file::{Unwritable, write_atomic};
use std::io;

const BEGINNING: &str = "\
# Answers for programs that nothing was tuned on

Measured by `cargo xtask validate --write` on the programs of `firmware/validation` (see the README there): each is hunted with
the default limits, and its verdict is compared with the marks in its source. A verdict is right if it names a variable of the bug,
and at least two marked lines in an order that the marks allow; of a deadlock, the locks and the lines of its cycle. The open half was looked
at while the analysis was made, and its constants were chosen on it; the other half is only ever measured. The bug suite by the same judge: [suite.md](suite.md).

";

const SUITE: &str = "\
# The bug suite by exact evidence

Measured by `cargo xtask validate --suite --trials N --write` on the programs of `firmware/bugs`, on the golden machine with the default limits.
Trials share no schedule. A verdict is right as on [the validation set](validation.md): it names a variable of the bug, and at least two marked lines in
an order that the marks allow. What the hardware's edges alone tell stands in [the results](../results.md).

";

/// The first figure of the held-out half, which stays.
const FIRST: &str = "First measured of the held-out half: ";

/// Writes the page of the suite.
///
/// # Errors
/// If it cannot be written.
pub fn write_suite(figures: &str) -> Result<(), Unwritable> {
    let path = tools::workspace_root().join("docs/results/suite.md");
    write_atomic(&path, format!("{SUITE}{figures}").as_bytes())
}

/// Writes the page; the first figure of an older one stays.
///
/// # Errors
/// If a file cannot be read or written.
pub fn write(figures: &str, measured: &[Measured]) -> Result<(), Unwritable> {
    let path = tools::workspace_root().join("docs/results/validation.md");
    let older = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(Unwritable::new(&path, error)),
    };
    write_atomic(&path, page(figures, measured, &older).as_bytes())
}

fn page(figures: &str, measured: &[Measured], older: &str) -> String {
    let kept = older.lines().find(|line| line.starts_with(FIRST)).map(str::to_owned);
    let first = kept.unwrap_or_else(|| {
        let Sum { programs, found, right, .. } = Sum::of(Half::HeldOut, measured);
        format!("{FIRST}{right} right and {found} found of {programs}.")
    });
    format!("{BEGINNING}{figures}\n{first}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_figure_stays() {
        let first = page("| a |\n", &[], "");
        assert!(
            first.ends_with("First measured of the held-out half: 0 right and 0 found of 0.\n")
        );
        let older = first.replace("0 right", "41 right");
        let second = page("| b |\n", &[], &older);
        assert!(
            second.contains("| b |") && second.contains("41 right") && !second.contains("| a |")
        );
    }
}
