//! CoreMark, from a person's own copy of its sources: nothing of it is here but our port layer.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::{Build, Error, Runtime};

/// The files that the folder must have.
pub const FILES: [&str; 6] = [
    "core_list_join.c",
    "core_main.c",
    "core_matrix.c",
    "core_state.c",
    "core_util.c",
    "coremark.h",
];

/// Our port layer.
const PORT: [&str; 2] = ["core_portme.c", "core_portme.h"];

/// Iterations of a run: with as few as possible it takes the ten seconds, of a million cycles each, that a valid result
/// must take.
const ITERATIONS: u32 = 40;

/// The checksums of a valid performance run, by the names under which they are printed. They depend on the seeds alone.
const CHECKSUMS: [(&str, &str); 4] =
    [("seedcrc", "0xe9f5"), ("crclist", "0xe714"), ("crcmatrix", "0x1fd7"), ("crcstate", "0x8e3a")];

/// Compiles the sources in a folder with our port layer into the file `out`.
///
/// # Errors
/// If a file is missing or cannot be copied, or the compiler refuses.
pub fn build(runtime: &Runtime, folder: &Path, flags: &[&str], out: &Path) -> Result<(), Error> {
    // Beside each other: a source that includes a header finds the one beside it first, and it must be ours.
    let together = tempfile::tempdir().map_err(Error::io(&env::temp_dir()))?;
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("coremark");
    let theirs = FILES.iter().map(|name| (folder, *name));
    let mut files = Vec::new();
    for (from, name) in theirs.chain(PORT.iter().map(|name| (&*ours, *name))) {
        let (from, to) = (from.join(name), together.path().join(name));
        fs::copy(&from, &to).map_err(Error::io(&from))?;
        files.extend(name.ends_with(".c").then_some(to));
    }
    let stated = format!("-DFLAGS_STR=\"{}\"", flags.join(" "));
    let iterations = format!("-DITERATIONS={ITERATIONS}");
    let flags = flags.iter().map(|flag| (*flag).to_owned());
    let all = flags.chain([iterations, "-DPERFORMANCE_RUN=1".to_owned(), stated]);
    let flags: Vec<OsString> = all.map(OsString::from).collect();
    runtime.build(&Build { files, flags }, out).map(drop)
}

/// A result that may be told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// Iterations that were made.
    pub iterations: u64,
    /// Cycles that they took.
    pub cycles: u64,
}

impl Score {
    /// CoreMark/MHz: iterations in a million cycles.
    pub fn per_mhz(self) -> f64 {
        self.iterations as f64 * 1e6 / self.cycles as f64
    }
}

/// The result in what the program printed.
///
/// # Errors
/// If a checksum is wrong or missing, or the program itself says that the run was not valid.
pub fn score(output: &str) -> Result<Score, String> {
    // `[0]crclist       : 0xe714`
    let value = |wanted: &str| {
        output.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            let name = name.trim().trim_start_matches("[0]");
            (name == wanted).then(|| value.trim().to_owned())
        })
    };
    for (name, right) in CHECKSUMS {
        match value(name) {
            Some(found) if found == right => {}
            Some(found) => return Err(format!("expected {right} for `{name}`, got `{found}`")),
            None => return Err(format!("its output has no `{name}`")),
        }
    }
    if let Some(error) = output.lines().find(|line| line.to_ascii_uppercase().contains("ERROR")) {
        return Err(format!("its output has the error: {}", error.trim()));
    }
    let number = |name: &str| {
        let found = value(name).ok_or_else(|| format!("its output has no `{name}`"))?;
        found.parse::<u64>().map_err(|_| format!("expected a number for `{name}`, got `{found}`"))
    };
    Ok(Score { iterations: number("Iterations")?, cycles: number("Total ticks")?.max(1) })
}

/// The sources of a stand-in for tests: the same files and entry points, and none of the benchmark.
pub fn stand_in() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/coremark-stand-in")
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "2K performance run parameters for coremark.\nCoreMark Size    : 666\n\
        Total ticks      : 15000000\nTotal time (secs): 15\nIterations       : 40\n\
        seedcrc          : 0xe9f5\n[0]crclist       : 0xe714\n[0]crcmatrix     : 0x1fd7\n\
        [0]crcstate      : 0x8e3a\n[0]crcfinal      : 0x65c5\nCorrect operation validated.\n";

    #[test]
    fn a_valid_run_has_a_score() {
        let score = score(GOOD).unwrap();
        assert_eq!(score, Score { iterations: 40, cycles: 15_000_000 });
        assert!((score.per_mhz() - 2.6667).abs() < 1e-3);
    }

    #[test]
    fn a_run_that_is_not_valid_has_none() {
        let said = |from: &str, to: &str| score(&GOOD.replace(from, to)).unwrap_err();
        assert_eq!(said("0x1fd7", "0x1fd8"), "expected 0x1fd7 for `crcmatrix`, got `0x1fd8`");
        assert_eq!(said("seedcrc", "seed"), "its output has no `seedcrc`");
        let short = "ERROR! Must execute for at least 10 secs for a valid result!";
        let reported = format!("its output has the error: {short}");
        assert_eq!(said("Correct operation validated.", short), reported);
        assert_eq!(said("Total ticks", "Ticks"), "its output has no `Total ticks`");
    }
}
