//! Programs that measure one hart, and with which flags they are compiled.

use std::path::{Path, PathBuf};

/// The names of the programs in `firmware/benchmarks`, in order.
pub const ALL: &[&str] = &["lists", "matrices", "mix", "sorting", "states", "strings"];

/// The sets of flags that figures are given for. The first is what others are compared with; which is the fastest,
/// the measurement says. Levels are clang's own.
pub const FLAGS: [&[&str]; 6] = [
    &["-O2"],
    &["-Os"],
    &["-O3"],
    &["-O3", "-funroll-loops"],
    &["-O3", "-mllvm", "-inline-threshold=500"],
    &["-O3", "-funroll-loops", "-mllvm", "-inline-threshold=500"],
];

/// The source of one of them.
pub fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benchmarks").join(name).with_extension("c")
}

/// What a program counted while it worked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Cycles.
    pub cycles: u32,
    /// Instructions.
    pub instructions: u32,
}

impl Counted {
    /// Cycles for each instruction.
    pub fn cpi(self) -> f64 {
        f64::from(self.cycles) / f64::from(self.instructions)
    }
}

/// What a program printed of itself: its first line, `cycles instructions checksum`.
///
/// # Errors
/// If it printed something else.
pub fn counted(output: &str) -> Result<Counted, String> {
    let line = output.lines().next().unwrap_or_default();
    let words: Vec<&str> = line.split(' ').collect();
    let read = || match words[..] {
        [cycles, instructions, _] => {
            Some(Counted { cycles: cycles.parse().ok()?, instructions: instructions.parse().ok()? })
        }
        _ => None,
    };
    read().ok_or_else(|| format!("expected cycles, instructions and a checksum, got `{line}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_in_the_folder_is_listed_once() {
        let folder = source("any").with_file_name("");
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut found: Vec<_> =
            entries.filter(|path| path.extension().is_some_and(|end| end == "c")).collect();
        found.sort();
        let listed: Vec<_> = ALL.iter().map(|name| source(name)).collect();
        assert_eq!(found, listed);
    }

    #[test]
    fn a_line_of_counts_is_read_and_anything_else_is_shown() {
        let counted = counted("300 200 0123abcd\n");
        assert_eq!(counted, Ok(Counted { cycles: 300, instructions: 200 }));
        assert_eq!(counted.unwrap().cpi(), 1.5);
        let said = super::counted("crosstalk: no\n").unwrap_err();
        assert_eq!(said, "expected cycles, instructions and a checksum, got `crosstalk: no`");
    }
}
