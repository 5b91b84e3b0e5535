//! `cargo xtask assurance`: the page that says what assures that the hardware is right.
//!
//! The prose is in docs/assurance/template.md. What was found by `prove` and `coverage` is in small files
//! beside it, which those commands write; nobody types a figure.

mod data;
mod page;

use crate::failure::Failure;
use crate::out;
use kit::file::write_atomic;
use std::fs;
use std::path::PathBuf;
use tools::workspace_root;

use data::Found;
#[cfg(test)]
pub use data::Part;
pub use data::{Compared, Covered, Noticed, Proved, Records, records, update};

/// Write docs/assurance.md from its template and from what the last runs found.
///
/// `prove` and `coverage` do this by themselves; it is needed after a change of the template, of
/// what is proved, or of a unit: a proof of what a unit was before is then said to be one.
#[derive(clap::Args)]
pub struct Args {
    /// Write nothing; fail if the page is not current
    #[arg(long)]
    check: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    match args.check {
        true => check(),
        false => out::line(write()?),
    }
}

/// Writes the page; says what was done.
pub fn write() -> Result<String, Failure> {
    let text = text()?;
    if fs::read_to_string(place()).is_ok_and(|current| current == text) {
        return Ok("docs/assurance.md is current".into());
    }
    write_atomic(&place(), text.as_bytes())?;
    Ok("docs/assurance.md is written".into())
}

fn check() -> Result<(), Failure> {
    match fs::read_to_string(place()).unwrap_or_default() == text()? {
        true => Ok(()),
        false => Err(Failure::failed(
            "docs/assurance.md is not what its template and data make it: run `cargo xtask assurance`",
        )),
    }
}

fn place() -> PathBuf {
    workspace_root().join("docs/assurance.md")
}

fn text() -> Result<String, Failure> {
    page::text(&data::read("template.md")?, &data::read("only_tested.toml")?, &Found::read()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_what_its_template_and_data_make_it() {
        if let Err(failure) = check() {
            panic!("{failure}");
        }
    }
}
