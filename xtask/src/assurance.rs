//! `cargo xtask assurance`: the page of evidence that the hardware is correct.
//!
//! The prose is in docs/assurance/template.md. The results of `prove` and `coverage` are in small files
//! beside it, which those commands write; no figure is typed by hand.

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

/// Write docs/assurance.md from its template and the results of the last runs.
///
/// `prove` and `coverage` do this by themselves; run it after changing the template, a proof
/// or a unit: a proof of an earlier version of a unit is then marked as such.
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

/// Writes the page; returns a status line.
pub fn write() -> Result<String, Failure> {
    let text = text()?;
    if fs::read_to_string(place()).is_ok_and(|current| current == text) {
        return Ok("docs/assurance.md is up to date".into());
    }
    write_atomic(&place(), text.as_bytes())?;
    Ok("docs/assurance.md was updated".into())
}

fn check() -> Result<(), Failure> {
    match fs::read_to_string(place()).unwrap_or_default() == text()? {
        true => Ok(()),
        false => {
            Err(Failure::failed("docs/assurance.md is out of date: run `cargo xtask assurance`"))
        }
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
