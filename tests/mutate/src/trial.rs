//! The tests of a unit, tried on a mutant: a process of the test program, told which mutant to put in the
//! place of the unit. `cosim::testing::mutation` is the other end of this.

use crate::files;
use crate::netlist::ORIGINAL;
use kit::Failure;
use kit::cache::Cache;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const MUTATION_VARIABLE: &str = "CROSSTALK_MUTATION";
const MUTANT_VARIABLE: &str = "CROSSTALK_MUTANT";
/// Exit code of a test process that wrote its Verilog.
const LEFT: i32 = 85;
/// Exit code of a test process that noticed a mutant.
const KILLED: i32 = 86;

/// Time limit: a mutant whose tests take longer has made them endless. No test takes a tenth of it.
const PATIENCE: Duration = Duration::from_secs(900);
const PAUSE: Duration = Duration::from_millis(5);

/// Tests of one unit.
#[derive(Clone, Debug)]
pub struct Tests {
    /// The test program.
    pub program: PathBuf,
    /// Which of its tests, by the beginning or any other part of their names.
    pub filters: Vec<String>,
}

/// Result of a mutant's tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trial {
    /// A test failed, with this message.
    Killed(String),
    /// All tests passed.
    Survived,
}

impl Tests {
    /// The Verilog of a module that the tests build, by file name.
    pub fn original(&self, top: &str, root: &Path) -> Result<Vec<(String, String)>, Failure> {
        let work = Cache::at(root.to_owned()).workplace()?;
        let folder = work.path().join(top);
        files::make(&folder)?;
        let (code, said) = self.run(&folder, 0)?;
        if code != Some(LEFT) {
            return Err(Failure::failed(format!(
                "no test of {} builds `{top}`: {}",
                self.filters.join(", "),
                message(&said)
            )));
        }
        let originals = folder.join(ORIGINAL);
        let entries = fs::read_dir(&originals).map_err(files::cannot("read", &originals))?;
        let mut found = Vec::new();
        for entry in entries {
            let path = entry.map_err(files::cannot("read", &originals))?.path();
            let name = path.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
            found.push((name.into_owned(), files::read(&path)?));
        }
        found.sort();
        Ok(found)
    }

    /// Runs the tests on the mutant of this number; 0 is the unmutated unit.
    pub fn try_on(&self, folder: &Path, mutant: usize) -> Result<Trial, Failure> {
        match self.run(folder, mutant)? {
            (Some(0), _) => Ok(Trial::Survived),
            (Some(KILLED), said) => Ok(Trial::Killed(message(&said))),
            (None, _) => Ok(Trial::Killed("the tests do not end".to_owned())),
            (Some(code), said) => Err(Failure::failed(format!(
                "the tests of mutant {mutant} ended with unexpected exit code {code}: {}",
                message(&said)
            ))),
        }
    }

    /// The exit code and the output; no code after the time limit.
    fn run(&self, folder: &Path, mutant: usize) -> Result<(Option<i32>, String), Failure> {
        let cannot =
            |error| Failure::failed(format!("cannot run {}: {error}", self.program.display()));
        let said = tempfile::NamedTempFile::new().map_err(cannot)?;
        let stderr = File::create(said.path()).map_err(cannot)?;
        let mut child = Command::new(&self.program)
            .args(&self.filters)
            .args(["--test-threads", "1"])
            .env(MUTATION_VARIABLE, folder)
            .env(MUTANT_VARIABLE, mutant.to_string())
            .current_dir(tools::workspace_root())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(stderr)
            .spawn()
            .map_err(cannot)?;
        let started = Instant::now();
        let status = loop {
            match child.try_wait().map_err(cannot)? {
                Some(status) => break Some(status),
                None if started.elapsed() > PATIENCE => {
                    child.kill().and_then(|()| child.wait()).map_err(cannot)?;
                    break None;
                }
                None => std::thread::sleep(PAUSE),
            }
        };
        let said = fs::read_to_string(said.path()).unwrap_or_default();
        // A process that a signal ended has no code.
        Ok((status.map(|status| status.code().unwrap_or(-1)), said))
    }
}

/// The first line of a panic's message: it follows the one that says where.
fn message(said: &str) -> String {
    let mut lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or("no output");
    let line = if first.contains("panicked at") { lines.next().unwrap_or(first) } else { first };
    line.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_told_by_its_message() {
        let said = "\nthread 'main' panicked at cosim/src/testing/unit.rs:70:5:\ncycle 3 of `a`: differ\n x\n";
        assert_eq!(message(said), "cycle 3 of `a`: differ");
        assert_eq!(message("error: no such option\n"), "error: no such option");
        assert_eq!(message(""), "no output");
    }

    #[test]
    fn a_program_that_leaves_nothing_is_named_with_what_it_says() {
        let root = tempfile::tempdir().unwrap();
        let tests = Tests { program: "/bin/echo".into(), filters: vec!["unit::".into()] };
        let error = tests.original("unit_1", root.path()).unwrap_err().to_string();
        assert_eq!(error, "no test of unit:: builds `unit_1`: no output");
    }
}
