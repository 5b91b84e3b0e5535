//! Runs a number of schedules of every fixed bug, none of which may fail. Earlier results are not repeated.

use crate::ledger::{Ledger, Passed};
use crate::schedules::{fixed, passed};
use cosim::Builder;
use crosstalk::hunt::sources::Opening;
use crosstalk::hunt::{Level, On};
use firmware::bugs::{self, Bug};
use kit::numbers::hex;
use rayon::prelude::*;

/// Schedules between two updates of the ledger.
const BLOCK: u64 = 64;

/// Runs schedules 1 to `schedules` of every fixed program; returns the failures.
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
    let builder = Builder::for_workspace();
    let identity = on.identity(&setup.config, &builder).map_err(|error| error.to_string())?;
    // The Verilog alone does not say how it is perturbed.
    let machine = format!("{} {identity}", setup.config.hash());
    let elf = hex(&subject.hash());
    let mut row = Passed { elf, machine, schedules: 0 };
    row.schedules = ledger.known(on, bug.name, &row);
    if row.schedules >= schedules {
        return Ok((row.schedules, None));
    }
    let opening = Opening { subject: &subject, setup: &setup, builder: &builder };
    let machine = on.open(&opening).map_err(|error| error.to_string())?;
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

/// As a hunt does, schedules try every level of perturbation.
fn level(seed: u64) -> Level {
    const LEVELS: [i8; 7] = [0, 1, -1, 2, -2, 3, -3];
    Level(LEVELS[(seed % LEVELS.len() as u64) as usize])
}
