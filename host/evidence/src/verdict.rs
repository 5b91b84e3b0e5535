//! What one run's end says about its failure, as plain data. The words come later.

mod deadlock;
mod fault;
mod inputs;
mod missed;
mod slice;

pub use deadlock::{Deadlock, Object, Step, deadlock};
pub use fault::{BlockFacts, Fault, Provenance, fault, provenance};
pub(crate) use inputs::spinning;
pub use inputs::{Input, Role, inputs_of_failure, reads_of_failure};
pub use missed::{BlockedOn, Predicate, Sent, Wait, missed};
pub use slice::{Distance, slice};

use crate::event::{Access, AccessKind, Site, Thread};
use crate::log::{Ending, Log};
use serde::Serialize;

/// An instruction of the program that a thread executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The thread.
    pub thread: Thread,
    /// The instruction, and the calls that led to it, innermost first.
    pub trace: Vec<u32>,
}

impl Place {
    /// The place of a site.
    pub fn of(log: &Log, site: Site) -> Self {
        Self { thread: site.thread, trace: log.trace(site) }
    }
}

/// An access, as a person would be shown it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Observed {
    /// The number of its event.
    pub number: u64,
    /// Where, and by whom.
    pub place: Place,
    /// Its first byte.
    pub address: u32,
    /// How many bytes.
    pub size: u8,
    /// What it did.
    pub kind: AccessKind,
    /// The bytes before it.
    pub before: Option<u32>,
    /// The bytes after it.
    pub after: u32,
}

impl Observed {
    /// An access of a log.
    pub fn of(log: &Log, number: u64, access: &Access) -> Self {
        Self {
            number,
            place: Place::of(log, access.place()),
            address: access.address,
            size: access.size,
            kind: access.kind,
            before: access.before,
            after: access.after,
        }
    }
}

/// How a run failed, from its end alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Verdict {
    /// It did not: it exited with 0.
    Passed,
    /// It exited with another code.
    Exit {
        /// The code.
        code: u32,
        /// The call of `exit` or `abort`, or the last instruction of `main`.
        place: Option<Place>,
    },
    /// An assertion failed.
    Assertion {
        /// The file, as the program names it.
        file: String,
        /// The line.
        line: u32,
        /// Where it was checked.
        place: Option<Place>,
    },
    /// An instruction could not be executed.
    Fault(Fault),
    /// Threads wait for each other.
    Deadlock(Deadlock),
    /// Threads wait for something that no thread will do.
    Missed(Vec<Wait>),
    /// It was stopped at the limit, and no thread waits for ever.
    Limit,
}

/// How a run failed.
pub fn verdict(log: &Log) -> Verdict {
    let place = || log.failure.as_ref().map(|failure| Place::of(log, failure.place));
    match log.ending() {
        Ending::Exit { code: 0 } => Verdict::Passed,
        Ending::Exit { code } => Verdict::Exit { code: *code, place: place() },
        Ending::Assertion { file, line } => {
            Verdict::Assertion { file: file.clone(), line: *line, place: place() }
        }
        Ending::Fault { .. } => fault(log).map_or(Verdict::Limit, Verdict::Fault),
        Ending::Deadlock | Ending::Limit => match deadlock(log) {
            Some(deadlock) => Verdict::Deadlock(deadlock),
            None => match missed(log) {
                waits if waits.is_empty() && *log.ending() == Ending::Limit => Verdict::Limit,
                waits => Verdict::Missed(waits),
            },
        },
    }
}
