//! The bug suite as programs to measure: what is known of its bugs, in the form of the validation set.

use firmware::bugs::{self, Bug};
use firmware::validation::{Half, Kind, Program};
use std::io;

/// The programs of the suite. They were looked at while the analysis was made.
///
/// # Errors
/// If a source cannot be read, or a mark is malformed.
pub fn programs() -> io::Result<Vec<Program>> {
    bugs::ALL.iter().map(program).collect()
}

fn program(bug: &Bug) -> io::Result<Program> {
    let kind = match bug.kind {
        bugs::Kind::Atomicity => Kind::LostUpdate,
        bugs::Kind::Order => Kind::Order,
        bugs::Kind::MultiVariable => Kind::SeveralVariables,
    };
    Ok(Program {
        name: bug.name.to_owned(),
        half: Half::Open,
        kind,
        variables: bug.variables.iter().map(|name| (*name).to_owned()).collect(),
        threads: bug.harts,
        sources: bug.sources(),
        marks: bug.marks()?,
    })
}
