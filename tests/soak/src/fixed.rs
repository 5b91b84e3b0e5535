//! So many schedules of every fixed bug: none may fail. What was run before is not run again.

use crate::schedules::{fixed, passed};
use cosim::machine::Machines;
use crosstalk::hunt::{Executor, Golden, Level, Rtl, Setup, Subject};
use firmware::bugs::{self, Bug};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// Schedules between two notes of how far it is.
const BLOCK: u64 = 64;

/// What runs the schedules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum On {
    /// The hardware, simulated
    #[default]
    Rtl,
    /// The golden machine
    Golden,
}

impl On {
    fn name(self) -> &'static str {
        match self {
            Self::Rtl => "rtl",
            Self::Golden => "golden",
        }
    }
}

/// How far the schedules of one program are; of another program or machine it says nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Progress {
    /// SHA-256 of the program.
    elf: String,
    /// The machine, in full.
    machine: String,
    /// So many schedules, from 1 on, did not fail.
    passed: u64,
}

/// Runs schedules 1 to `schedules` of every fixed program; gives what failed.
///
/// # Errors
/// If something cannot be compiled, built or written.
pub fn all(schedules: u64, on: On) -> Result<Vec<String>, String> {
    let mut failed = Vec::new();
    for bug in bugs::ALL {
        let (passed, failure) = one(bug, schedules, on)?;
        match failure {
            None => println!("{}: {passed} schedules on {}, none failed", bug.name, on.name()),
            Some(what) => {
                println!("{}: {what}", bug.name);
                failed.push(what);
            }
        }
    }
    Ok(failed)
}

/// The same for one program: how many passed, and the first failure.
fn one(bug: &Bug, schedules: u64, on: On) -> Result<(u64, Option<String>), String> {
    let (subject, setup) = fixed(bug)?;
    let path = path(bug, on);
    let mut progress = Progress::of(&subject, &setup, &path);
    if progress.passed >= schedules {
        return Ok((progress.passed, None));
    }
    let loaded = subject.load(&setup).map_err(|error| error.to_string())?;
    let machine: Box<dyn Executor> = match on {
        On::Rtl => {
            let built = Rtl::new(&Machines::for_workspace(), loaded);
            Box::new(built.map_err(|error| error.to_string())?)
        }
        On::Golden => Box::new(Golden::new(loaded).map_err(|error| error.to_string())?),
    };
    while progress.passed < schedules {
        let end = schedules.min(progress.passed + BLOCK);
        let failure = (progress.passed + 1..=end)
            .into_par_iter()
            .map(|seed| passed(&*machine, bug.name, seed, level(seed)).map(drop))
            .find_map_first(Result::err);
        if failure.is_some() {
            return Ok((progress.passed, failure));
        }
        progress.passed = end;
        progress.keep(&path)?;
    }
    Ok((progress.passed, None))
}

/// As a hunt does, schedules try every level of perturbation.
fn level(seed: u64) -> Level {
    const LEVELS: [i8; 7] = [0, 1, -1, 2, -2, 3, -3];
    Level(LEVELS[(seed % LEVELS.len() as u64) as usize])
}

fn path(bug: &Bug, on: On) -> PathBuf {
    let folder = tools::target_dir().join("soak/fixed").join(on.name());
    folder.join(bug.name).with_extension("json")
}

impl Progress {
    /// What is known of this program on this machine.
    fn of(subject: &Subject, setup: &Setup, path: &Path) -> Self {
        let elf = subject.hash().iter().map(|byte| format!("{byte:02x}")).collect();
        let none = Self { elf, machine: setup.config.canonical(), passed: 0 };
        let known = fs::read(path).ok().and_then(|text| serde_json::from_slice::<Self>(&text).ok());
        let same = |known: &Self| known.elf == none.elf && known.machine == none.machine;
        known.filter(same).unwrap_or(none)
    }

    /// Written beside and renamed: a kill leaves what was there.
    fn keep(&self, path: &Path) -> Result<(), String> {
        let wrong = |error: std::io::Error| format!("{}: {error}", path.display());
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(wrong)?;
        let text = serde_json::to_vec(self).map_err(|error| wrong(error.into()))?;
        let partial = path.with_extension("partial");
        fs::write(&partial, text).map_err(wrong)?;
        fs::rename(&partial, path).map_err(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use config::Config;

    #[test]
    fn only_the_same_program_on_the_same_machine_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/x.json");
        let subject =
            |elf: &[u8]| Subject { name: "x".into(), elf: elf.to_vec(), sources: Vec::new() };
        let setup = |harts| Setup::new(Config { harts, ..Config::default() });
        let known = |elf: &[u8], harts| Progress::of(&subject(elf), &setup(harts), &path).passed;
        assert_eq!(known(b"one", 4), 0);
        let progress = Progress { passed: 64, ..Progress::of(&subject(b"one"), &setup(4), &path) };
        progress.keep(&path).unwrap();
        assert_eq!([known(b"one", 4), known(b"two", 4), known(b"one", 3)], [64, 0, 0]);
        fs::write(&path, "{").unwrap();
        assert_eq!(known(b"one", 4), 0);
    }
}
