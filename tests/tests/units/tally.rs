//! How much a unit was compared with its model: counted, said and asserted.

use cosim::testing::{SEED_VARIABLE, coverage, mutation};
use std::fs;

/// Configurations in which every unit is compared, at least.
const CONFIGURATIONS: usize = 8;
/// Cycles in which every unit is compared, over all its configurations, at least.
const CYCLES: u64 = 1_000_000;

/// What one unit was compared in.
pub struct Tally {
    unit: &'static str,
    configurations: Vec<String>,
    cycles: u64,
}

impl Tally {
    pub fn of(unit: &'static str) -> Self {
        Self { unit, configurations: Vec::new(), cycles: 0 }
    }

    /// One configuration is done.
    pub fn add(&mut self, top: &str, cycles: u64) {
        println!("  {top}: {cycles} cycles");
        self.configurations.push(top.to_owned());
        self.cycles += cycles;
    }

    /// All are done.
    ///
    /// # Panics
    /// If that was not enough.
    pub fn finish(mut self) {
        let Self { unit, cycles, .. } = self;
        self.configurations.sort();
        self.configurations.dedup();
        let configurations = self.configurations.len();
        println!("{unit}: {configurations} configurations, {cycles} cycles compared");
        // A seed asks for one case, a mutant for one configuration; not for all.
        if std::env::var_os(SEED_VARIABLE).is_none() && !mutation::is_on() {
            assert!(configurations >= CONFIGURATIONS, "too few configurations of {unit}");
            assert!(cycles >= CYCLES, "too few cycles of {unit}");
            note(unit, configurations, cycles);
        }
    }
}

/// Notes it for `cargo xtask coverage`, if that is who asks: in `<folder>/<unit>.compared`.
fn note(unit: &str, configurations: usize, cycles: u64) {
    let Some(folder) = coverage::folder() else {
        return;
    };
    let place = folder.join(format!("{unit}.compared"));
    fs::write(&place, format!("{configurations} {cycles}\n"))
        .unwrap_or_else(|error| panic!("{}: {error}", place.display()));
}
