//! Puts mutants in the place of a design, when `cargo xtask mutate` runs its tests.
//!
//! A variable names a folder, called like the top module that is mutated. If the folder has no mutants
//! yet, the first test that builds that module leaves its Verilog there, and the process ends. If it has,
//! they are one model with an input that selects one of them, and another variable says which. What
//! fails then is a mutant that was noticed: the process ends at once, for there is nothing to make smaller
//! and nobody to read a waveform.

use std::fs;
use std::io::Write as _;
use std::panic;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Once;

use crate::{Error, Model, ModelSource, PortSpec};

/// Names the folder of the module whose mutants are tested, and thereby asks for it.
pub const MUTATION_VARIABLE: &str = "CROSSTALK_MUTATION";
/// Says which mutant; 0, or nothing: the design itself.
pub const MUTANT_VARIABLE: &str = "CROSSTALK_MUTANT";

/// The input of a mutated design that selects the mutant.
pub const SELECT: &str = "mutsel";
/// The file with all mutants.
pub const MUTANTS: &str = "mutants.v";
/// The folder for the Verilog as it is generated.
pub const ORIGINAL: &str = "original";

/// How a process ends that has left its Verilog.
pub const LEFT: i32 = 85;
/// How a process ends that has noticed a mutant.
pub const KILLED: i32 = 86;

/// What mutation makes of a design under test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It is tested as it is: nobody mutates anything.
    Itself,
    /// Another module is mutated, so there is nothing to find out about this one.
    Aside,
    /// It is tested with this mutant in its place.
    Mutant(u64),
}

/// Whether mutants are tested in this process.
pub fn is_on() -> bool {
    folder().is_some()
}

fn folder() -> Option<PathBuf> {
    std::env::var_os(MUTATION_VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from)
}

/// The role of a design. If it is the one that is mutated, its source becomes that of the mutants.
pub(super) fn take_part(source: &mut ModelSource) -> Result<Role, Error> {
    let Some(folder) = folder() else { return Ok(Role::Itself) };
    if folder.file_name().is_none_or(|top| top != source.top.as_str()) {
        return Ok(Role::Aside);
    }
    let mutants = folder.join(MUTANTS);
    if !mutants.exists() {
        leave(source, &folder.join(ORIGINAL))?;
        process::exit(LEFT);
    }
    let wrong = |what: String| Error::Source { top: source.top.clone(), what };
    let text = fs::read_to_string(&mutants).map_err(Error::io(&mutants))?;
    let width = select_width(&text)
        .ok_or_else(|| wrong(format!("{} has no input `{SELECT}`", mutants.display())))?;
    let number = std::env::var(MUTANT_VARIABLE).unwrap_or_else(|_| "0".into());
    let number: u64 = number
        .parse()
        .map_err(|_| wrong(format!("{MUTANT_VARIABLE}={number} is not a number of a mutant")))?;
    source.files = vec![(MUTANTS.into(), text)];
    source.ports.push(PortSpec::input(SELECT, width));
    end_at_the_first_failure();
    Ok(Role::Mutant(number))
}

/// Selects the mutant of a model that was just made.
pub(super) fn select(model: &mut Model, role: Role) {
    if let Role::Mutant(number) = role {
        model.poke(SELECT, number);
    }
}

fn leave(source: &ModelSource, folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(Error::io(folder))?;
    for (name, text) in &source.files {
        let path = folder.join(name);
        fs::write(&path, text).map_err(Error::io(&path))?;
    }
    Ok(())
}

/// The width of the input that selects, from its declaration `input [W:0] mutsel;`.
fn select_width(verilog: &str) -> Option<u32> {
    let end = format!("{SELECT};");
    let declared = verilog.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["input", range, name] if name == end => Some(range.to_owned()),
            ["input", name] if name == end => Some("[0:0]".to_owned()),
            _ => None,
        }
    })?;
    let high = declared.strip_prefix('[')?.strip_suffix(":0]")?;
    high.parse::<u32>().ok().map(|high| high + 1)
}

fn end_at_the_first_failure() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        panic::set_hook(Box::new(|info| {
            // Past the test runner, which keeps what tests print.
            let _ = writeln!(std::io::stderr(), "{info}");
            process::exit(KILLED);
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_width_of_the_select_input_is_found() {
        assert_eq!(select_width("module m(mutsel);\n  input [8:0] mutsel;\n"), Some(9));
        assert_eq!(select_width("  input mutsel;\n"), Some(1));
        assert_eq!(select_width("  wire [8:0] mutsel;\n  input [3:0] mutsels;\n"), None);
    }
}
