//! So many schedules of every fixed bug: none may fail. What was run before is not run again.

use crate::ledger::{Ledger, Passed};
use crate::schedules::{fixed, passed};
use cosim::machine::Machines;
use crosstalk::hunt::{Executor, Golden, Level, Rtl};
use firmware::bugs::{self, Bug};
use kit::cache::Key;
use kit::numbers::hex;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;

/// Schedules between two notes of how far it is.
const BLOCK: u64 = 64;

/// What runs the schedules.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    clap::ValueEnum,
    Serialize,
    Deserialize,
)]
#[serde(rename_all = "lowercase")]
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
    let mut ledger = Ledger::of_workspace();
    let machines = Machines::for_workspace();
    let machine = match on {
        // The Verilog alone does not say how it is perturbed.
        On::Rtl => {
            let source = machines.source(&setup.config).map_err(|error| error.to_string())?;
            format!("{} {}", setup.config.hash(), source.design_hash())
        }
        On::Golden => format!("{} {}", setup.config.hash(), golden_hash()?),
    };
    let elf = hex(&subject.hash());
    let mut row = Passed { elf, machine, schedules: 0 };
    row.schedules = ledger.known(on, bug.name, &row);
    if row.schedules >= schedules {
        return Ok((row.schedules, None));
    }
    let loaded = subject.load(&setup).map_err(|error| error.to_string())?;
    let machine: Box<dyn Executor> = match on {
        On::Rtl => {
            let built = Rtl::new(&machines, loaded);
            Box::new(built.map_err(|error| error.to_string())?)
        }
        On::Golden => Box::new(Golden::new(loaded).map_err(|error| error.to_string())?),
    };
    while row.schedules < schedules {
        let end = schedules.min(row.schedules + BLOCK);
        let failure = (row.schedules + 1..=end)
            .into_par_iter()
            .map(|seed| passed(&*machine, bug.name, seed, level(seed)).map(drop))
            .find_map_first(Result::err);
        if failure.is_some() {
            return Ok((row.schedules, failure));
        }
        row.schedules = end;
        ledger.keep(on, bug.name, &row)?;
    }
    Ok((row.schedules, None))
}

/// A hash of the golden machine's source.
fn golden_hash() -> Result<String, String> {
    let mut folders = vec![tools::workspace_root().join("golden/src")];
    let mut files = BTreeMap::new();
    while let Some(folder) = folders.pop() {
        let wrong = |error: std::io::Error| format!("{}: {error}", folder.display());
        for entry in fs::read_dir(&folder).map_err(wrong)? {
            let path = entry.map_err(wrong)?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let bytes = fs::read(&path).map_err(wrong)?;
                files.insert(path, bytes);
            }
        }
    }
    Ok(Key::of(files.values()).hex())
}

/// As a hunt does, schedules try every level of perturbation.
fn level(seed: u64) -> Level {
    const LEVELS: [i8; 7] = [0, 1, -1, 2, -2, 3, -3];
    Level(LEVELS[(seed % LEVELS.len() as u64) as usize])
}
