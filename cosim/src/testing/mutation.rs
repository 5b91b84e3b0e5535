//! Replaces a design by its mutants when `cargo xtask mutate` runs its tests.
//!
//! An environment variable gives a folder named after the mutated top module. If the folder has no
//! mutants yet, the first test that builds the module writes its Verilog there and exits. If it has,
//! they are one model with an input that selects a mutant, numbered by another variable. A test
//! failure then means that the mutant was killed: the process exits at once, without shrinking the
//! case or writing a waveform.

use std::fs;
use std::io::Write as _;
use std::panic;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Once;

use crate::{Error, Model, ModelSource, PortSpec};

/// Environment variable: the folder of the module under mutation.
pub const MUTATION_VARIABLE: &str = "CROSSTALK_MUTATION";
/// Environment variable: the number of the mutant; 0 or unset selects the original design.
pub const MUTANT_VARIABLE: &str = "CROSSTALK_MUTANT";

/// The input of a mutated design that selects the mutant.
pub const SELECT: &str = "mutsel";
/// The file that holds all mutants.
pub const MUTANTS: &str = "mutants.v";
/// The folder for the Verilog of the original design.
pub const ORIGINAL: &str = "original";

/// Exit code of a process that has written its Verilog.
pub const LEFT: i32 = 85;
/// Exit code of a process that has killed a mutant.
pub const KILLED: i32 = 86;

/// The part a design under test plays in mutation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Mutation is off: the design is tested as it is.
    Itself,
    /// Another module is under mutation: skip this one.
    Aside,
    /// The design is replaced by this mutant.
    Mutant(u64),
}

/// Whether mutation is on in this process.
pub fn is_on() -> bool {
    folder().is_some()
}

fn folder() -> Option<PathBuf> {
    std::env::var_os(MUTATION_VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from)
}

/// The role of a design. If it is under mutation, its source is replaced by that of the mutants.
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
    let number: u64 = number.parse().map_err(|_| {
        wrong(format!("{MUTANT_VARIABLE}={number}: expected the number of a mutant"))
    })?;
    source.files = vec![(MUTANTS.into(), text)];
    source.ports.push(PortSpec::input(SELECT, width));
    end_at_the_first_failure();
    Ok(Role::Mutant(number))
}

/// Selects the mutant in a new model.
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

/// Width of the select input, from its declaration `input [W:0] mutsel;`.
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
            // Bypasses the test runner, which captures what tests print.
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
