//! Which schedules of the fixed bug suite did not fail: a small file that is checked in, because collecting it takes
//! hours.

use crosstalk::hunt::On;
use kit::file::write_atomic;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Progress of one program. It does not count for another version of the program or machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passed {
    /// SHA-256 of the program.
    pub elf: String,
    /// SHA-256 of the configuration, then of the hardware's Verilog without comments or of the golden machine's
    /// source.
    pub machine: String,
    /// Schedules 1 to this number did not fail.
    pub schedules: u64,
}

/// The rows of all programs, by source of runs, then by name.
type Rows = BTreeMap<On, BTreeMap<String, Passed>>;

/// The file.
pub struct Ledger {
    path: PathBuf,
}

impl Ledger {
    /// The ledger that is checked in.
    pub fn of_workspace() -> Self {
        Self::at(tools::workspace_root().join("docs/results/fixed.json"))
    }

    /// The ledger at a path, which need not exist.
    pub fn at(path: PathBuf) -> Self {
        Self { path }
    }

    /// How many schedules of that program on that machine are known not to fail.
    pub fn known(&self, on: On, name: &str, now: &Passed) -> u64 {
        let rows = self.rows();
        let known = rows.get(&on).and_then(|rows| rows.get(name));
        let same = |known: &&Passed| known.elf == now.elf && known.machine == now.machine;
        known.filter(same).map_or(0, |known| known.schedules)
    }

    /// Adds a row to whatever the file says now. Written atomically: a kill leaves what was there.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn keep(&mut self, on: On, name: &str, row: &Passed) -> Result<(), String> {
        let wrong = |error: std::io::Error| format!("{}: {error}", self.path.display());
        let mut rows = self.rows();
        rows.entry(on).or_default().insert(name.into(), row.clone());
        let mut text = serde_json::to_string_pretty(&rows).map_err(|error| wrong(error.into()))?;
        text.push('\n');
        let folder = self.path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(wrong)?;
        write_atomic(&self.path, text.as_bytes()).map_err(|error| error.to_string())
    }

    /// The rows of the file; none if it cannot be read.
    fn rows(&self) -> Rows {
        let text = fs::read(&self.path).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rtl() -> On {
        On::named("rtl").unwrap()
    }

    fn golden() -> On {
        On::named("golden").unwrap()
    }

    #[test]
    fn only_the_same_program_on_the_same_machine_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/fixed.json");
        let mut ledger = Ledger::at(path.clone());
        let row = |elf: &str, machine: &str, schedules| Passed {
            elf: elf.into(),
            machine: machine.into(),
            schedules,
        };
        assert_eq!(ledger.known(rtl(), "x", &row("one", "m", 0)), 0);
        ledger.keep(rtl(), "x", &row("one", "m", 64)).unwrap();
        ledger.keep(rtl(), "y", &row("one", "m", 128)).unwrap();
        ledger.keep(golden(), "x", &row("one", "m", 256)).unwrap();
        let known = |on, elf, machine| ledger.known(on, "x", &row(elf, machine, 0));
        assert_eq!(known(rtl(), "one", "m"), 64);
        assert_eq!(known(golden(), "one", "m"), 256);
        assert_eq!([known(rtl(), "two", "m"), known(rtl(), "one", "n")], [0, 0]);
        fs::write(&path, "{").unwrap();
        assert_eq!(known(rtl(), "one", "m"), 0);
    }
}
