//! The page with the figures.

use crate::table::{Set, Sum};
use firmware::validation::Half;
use kit::file::{Unwritable, write_atomic};
use std::io;

const BEGINNING: &str = "\
# Answers for programs that nothing was tuned on

Written by `cargo xtask validate --write`. Each program of four sets ([first](../../firmware/validation/README.md),
[second](../../firmware/second-set/README.md), [third](../../firmware/third-set/README.md), [fourth](../../firmware/fourth-set/README.md)) is hunted on the golden machine with the default
limits, without the confirmation, which changes no verdict; the verdict, that is the sentence and the story below it, is compared with the marks in its source. A verdict is right if it names a variable of the bug, and at least two marked
lines in an order that the marks allow; of a deadlock, the locks and the lines of its cycle. Open halves were looked at while the analysis was made; held-out halves
are only ever measured. The bug suite by the same judge: [suite.md](suite.md).

";

const SUITE: &str = "\
# The bug suite by exact evidence

Measured by `cargo xtask validate --suite --trials N --write` on the programs of `firmware/bugs`, on the golden machine with the default limits.
Trials share no schedule. A verdict is right as on [the validation set](validation.md): it names a variable of the bug, and at least two marked lines in
an order that the marks allow. What the hardware's edges alone tell stands in [the results](../results.md).

";

/// The first figure of the held-out half of a set, which stays.
fn first_of(set: &str) -> String {
    format!("First measured of the held-out half of the {set} set: ")
}

/// Writes the page of the suite.
///
/// # Errors
/// If it cannot be written.
pub fn write_suite(figures: &str) -> Result<(), Unwritable> {
    let path = tools::workspace_root().join("docs/results/suite.md");
    write_atomic(&path, format!("{SUITE}{figures}").as_bytes())
}

/// Writes the page; the first figures of an older one stay.
///
/// # Errors
/// If a file cannot be read or written.
pub fn write(figures: &str, sets: &[Set]) -> Result<(), Unwritable> {
    let path = tools::workspace_root().join("docs/results/validation.md");
    let older = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(Unwritable::new(&path, error)),
    };
    write_atomic(&path, page(figures, sets, &older).as_bytes())
}

fn page(figures: &str, sets: &[Set], older: &str) -> String {
    let first = |set: &Set| {
        let beginning = first_of(&set.name);
        let kept = older.lines().find(|line| line.starts_with(&beginning)).map(str::to_owned);
        kept.unwrap_or_else(|| {
            let Sum { programs, found, right, .. } = Sum::of(Half::HeldOut, &set.measured);
            format!("{beginning}{right} right and {found} found of {programs}.")
        }) + "\n"
    };
    let first: String = sets.iter().map(first).collect();
    format!("{BEGINNING}{figures}\n{first}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_figures_stay() {
        let sets = ["first", "second"].map(|name| Set { name: name.into(), measured: Vec::new() });
        let first = page("| a |\n", &sets, "");
        assert!(first.ends_with("of the second set: 0 right and 0 found of 0.\n"), "{first}");
        let older = first.replace("first set: 0 right", "first set: 41 right");
        let second = page("| b |\n", &sets, &older);
        assert!(second.contains("| b |") && !second.contains("| a |"), "{second}");
        assert!(second.contains("the first set: 41 right"), "{second}");
        assert!(second.contains("the second set: 0 right"), "{second}");
    }
}
