//! `crosstalk run --breakpoints`: reads the file, arms the machine, and tells what the entries counted.

use super::super::failure::{Failure, say};
use super::super::out::plural;
use super::{Args, OWN_ERROR};
use crate::breakpoint::{File, Places, Set, arm, counts, own_set};
use border::{Program, Target};
use kit::cache::sha256;

/// The set of the file that was named, for this program; else the one that the program itself has, if it was compiled with it.
pub fn read(args: &Args, program: &Program) -> Result<Option<Set>, Failure> {
    let own = |what: String| Failure::Own(what, OWN_ERROR);
    let Some(path) = &args.breakpoints else { return own_set(program.file()).map_err(own) };
    let file = File::read(path).map_err(|error| own(error.to_string()))?;
    let folders: Vec<_> =
        args.files.iter().filter_map(|file| file.parent()).map(ToOwned::to_owned).collect();
    let elf = program.file();
    let places = Places::read(elf, &folders).map_err(own)?;
    let set = file.set(&places, &sha256(elf)).map_err(|error| own(error.to_string()))?;
    Ok(Some(set))
}

/// Puts the set onto a machine.
pub fn armed<T: Target>(machine: &mut T, set: &Set, called: &str) -> Result<(), String> {
    arm(machine, set, called).map_err(|error| error.to_string())
}

/// Says what the entries counted.
pub fn tell<T: Target>(machine: &mut T, set: &Set) -> Result<(), T::Error> {
    for (number, count) in counts(machine, set.entries.len())?.into_iter().enumerate() {
        let (hits, timeouts) = (u64::from(count.hits), u64::from(count.timeouts));
        let (hits, timeouts) = (plural(hits, "hit"), plural(timeouts, "timeout"));
        say(format_args!("breakpoint {number}: {hits}, {timeouts}\n"));
    }
    Ok(())
}
