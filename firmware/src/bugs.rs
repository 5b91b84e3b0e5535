//! The bug suite: threaded C programs with a known concurrency bug, which some schedules run into.
//!
//! They are the workloads of Bugaboo's Table 1 and, of Recon's Table 2, those that are not among them;
//! the sources are in `firmware/bugs`, one folder a bug. With `-DFIXED` a program is correct. Comments
//! in the sources say which lines the bug is made of; [`Bug::marks`] reads them. [`LAST_WRITERS`] are a list of their
//! own: the suite, and all that is measured on it, stays as it is.

mod breakpoints;
mod last_writers;
pub(crate) mod marks;

pub use breakpoints::BREAKPOINTS;
pub use last_writers::LAST_WRITERS;
pub use marks::Mark;

use std::io;
use std::path::{Path, PathBuf};

/// Where programs with a bug are: a folder of `firmware`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Suite,
    LastWriters,
    Breakpoints,
}

impl Set {
    fn folder(self) -> PathBuf {
        let name = match self {
            Self::Suite => "bugs",
            Self::LastWriters => "last-writers",
            Self::Breakpoints => "breakpoint-bugs",
        };
        Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
    }
}

/// What kind of bug it is, as the papers' tables say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Accesses to one variable should have been one step.
    Atomicity,
    /// Two accesses happen in the wrong order.
    Order,
    /// Accesses to several variables should have been one step.
    MultiVariable,
}

/// A program with a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bug {
    /// The name of its folder.
    pub name: &'static str,
    /// What the paper calls it.
    pub paper: &'static str,
    /// What kind of bug it is.
    pub kind: Kind,
    /// How many harts it needs: its threads, `main` included.
    pub harts: u32,
    /// The names a person would give the variables of the bug.
    pub variables: &'static [&'static str],
    /// What goes wrong, in a sentence.
    pub about: &'static str,
    set: Set,
}

const fn bug(
    name: &'static str,
    paper: &'static str,
    kind: Kind,
    harts: u32,
    variables: &'static [&'static str],
    about: &'static str,
) -> Bug {
    Bug { name, paper, kind, harts, variables, about, set: Set::Suite }
}

/// The suite, in the order of the papers' tables.
pub const ALL: &[Bug] = &[
    bug(
        "bank-account",
        "BankAcct",
        Kind::Atomicity,
        3,
        &["account.balance"],
        "Two tellers change one balance at a time, and one of the changes is lost.",
    ),
    bug(
        "circular-list",
        "CircularList",
        Kind::Atomicity,
        4,
        &["rota.head", "rota.tail"],
        "Between taking an element from the head and putting it at the tail another thread does both, and the order is lost.",
    ),
    bug(
        "log-and-sweep",
        "LogAndSweep",
        Kind::Atomicity,
        4,
        &["journal.used"],
        "A log is flushed between finding the place for an entry and counting it, and is corrupted.",
    ),
    bug(
        "multi-order",
        "MultiOrder",
        Kind::Order,
        3,
        &["sample", "output"],
        "Two threads should use a variable in turn, and nothing makes them.",
    ),
    bug(
        "moz-jsstr",
        "Moz-jsStr",
        Kind::MultiVariable,
        4,
        &["runtime.total_strings", "runtime.total_length"],
        "The number of strings and their total length are updated one after the other, and an average is taken between.",
    ),
    bug(
        "moz-jsinterp",
        "Moz-jsInterp",
        Kind::MultiVariable,
        3,
        &["cache.empty", "entry->scope", "scope->variables"],
        "The flag that says whether a cache is filled and the cache itself are read while only one of them has changed.",
    ),
    bug(
        "moz-macnetio",
        "Moz-macNetIO",
        Kind::MultiVariable,
        4,
        &["endpoint->valid", "endpoint->packet"],
        "A valid flag is tested, and what it speaks of is invalidated before it is used.",
    ),
    bug(
        "moz-txtframe",
        "Moz-TxtFrame",
        Kind::MultiVariable,
        4,
        &["frame.content_offset", "frame.content_length"],
        "A frame's offset into its text and the length of its text are read while only one of them has changed.",
    ),
    bug(
        "mysql-idinit",
        "MySQL-IdInit",
        Kind::Order,
        4,
        &["cluster->node"],
        "A node's number is asked for before it has been assigned.",
    ),
    bug(
        "mysql-binlog",
        "MySQL-BinLog",
        Kind::Atomicity,
        4,
        &["log->state"],
        "While the log is rotated it looks closed, and transactions go unlogged.",
    ),
    bug(
        "apache-logsz",
        "Apache-LogSz",
        Kind::Atomicity,
        4,
        &["log_buffer.length"],
        "Two threads change the length of a log buffer at a time, and one text overwrites the other.",
    ),
    bug(
        "pbzip2-order",
        "PBZip2-Order",
        Kind::Order,
        4,
        &["queue->mutex"],
        "The queue is deleted while a worker still has to look at it.",
    ),
    bug(
        "aget-multvar",
        "AGet-MultVar",
        Kind::MultiVariable,
        3,
        &["written.bytes", "fetchers[].offset"],
        "The number of bytes that is saved on interruption is not that of the bytes written.",
    ),
    bug(
        "stringbuffer",
        "stringbuffer",
        Kind::MultiVariable,
        3,
        &["buffer->length"],
        "A string shrinks between asking for its length and copying its characters.",
    ),
    bug(
        "vector",
        "vector",
        Kind::MultiVariable,
        3,
        &["vector->count", "vector->items[]"],
        "A vector is emptied between asking for its size and copying its elements.",
    ),
    bug(
        "weblech",
        "weblech",
        Kind::Atomicity,
        4,
        &["queue.size"],
        "Another spider takes the last address between the test for one and the taking.",
    ),
];

/// The bug of the suite with this name.
pub fn named(name: &str) -> Option<&'static Bug> {
    ALL.iter().find(|bug| bug.name == name)
}

/// Every program with a bug that is built in: the suite, then the others.
pub fn built_in() -> impl Iterator<Item = &'static Bug> {
    ALL.iter().chain(LAST_WRITERS).chain(BREAKPOINTS)
}

impl Bug {
    /// Its C files, in order.
    pub fn sources(&self) -> Vec<PathBuf> {
        self.files("c").unwrap_or_default()
    }

    /// The lines it is made of, by file and line.
    ///
    /// # Errors
    /// If a file cannot be read or a mark in it makes no sense; the error names file and line.
    pub fn marks(&self) -> io::Result<Vec<Mark>> {
        let mut files = self.files("c")?;
        files.extend(self.files("h")?);
        files.sort();
        let mut all = Vec::new();
        for file in files {
            let text = std::fs::read_to_string(&file).map_err(|error| {
                io::Error::new(error.kind(), format!("{}: {error}", file.display()))
            })?;
            all.extend(marks::read(&file, &text)?);
        }
        Ok(all)
    }

    fn files(&self, end: &str) -> io::Result<Vec<PathBuf>> {
        let entries = std::fs::read_dir(self.set.folder().join(self.name))?;
        let mut files =
            entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>()?;
        files.retain(|file| file.extension().is_some_and(|found| found == end));
        files.sort();
        Ok(files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_folder_is_listed_once_and_has_sources() {
        let sets =
            [(Set::Suite, ALL), (Set::LastWriters, LAST_WRITERS), (Set::Breakpoints, BREAKPOINTS)];
        for (set, bugs) in sets {
            let entries = std::fs::read_dir(set.folder()).unwrap();
            let mut found: Vec<_> =
                entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            let mut listed: Vec<_> = bugs.iter().map(|bug| bug.name.to_owned()).collect();
            found.sort();
            listed.sort();
            assert_eq!(found, listed);
            for bug in bugs {
                assert!(bug.set == set && !bug.sources().is_empty(), "{}", bug.name);
            }
        }
    }

    #[test]
    fn no_two_bugs_have_the_same_name() {
        let names: BTreeSet<_> = built_in().map(|bug| bug.name).collect();
        assert_eq!(names.len(), ALL.len() + LAST_WRITERS.len() + BREAKPOINTS.len());
    }

    #[test]
    fn every_bug_has_steps_on_at_least_two_lines() {
        for bug in built_in() {
            let marks = bug.marks().unwrap();
            let lines: BTreeSet<_> = marks
                .iter()
                .filter(|mark| !mark.steps.is_empty())
                .map(|mark| (&mark.file, mark.line))
                .collect();
            assert!(lines.len() >= 2, "{}: {marks:?}", bug.name);
        }
    }

    #[test]
    fn the_steps_of_a_bug_are_numbered_without_gaps() {
        for bug in built_in() {
            let marks = bug.marks().unwrap();
            let steps: BTreeSet<_> = marks.iter().flat_map(|mark| mark.steps.clone()).collect();
            assert!(steps.iter().copied().eq(1..=steps.len() as u32), "{}: {steps:?}", bug.name);
        }
    }

    #[test]
    fn a_bug_is_found_by_its_name() {
        assert_eq!(named("vector").map(|bug| bug.paper), Some("vector"));
        assert_eq!(named("no-such-bug"), None);
    }
}
