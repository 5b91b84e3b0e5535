//! The programs that test the machine, in the conventions of riscv-tests: they start in M mode at the
//! reset vector and end with a store to `tohost`: 1, or the number of the failed check shifted left by
//! one and a set low bit.

use std::path::{Path, PathBuf};

use crate::{Compiler, Error, Source};

/// One program of `firmware/suites`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suite {
    /// Its folder: what kind of program it is.
    pub group: &'static str,
    /// Its name.
    pub name: &'static str,
    /// How many harts it needs.
    pub harts: u32,
}

const fn suite(group: &'static str, name: &'static str, harts: u32) -> Suite {
    Suite { group, name, harts }
}

/// All that end by themselves with a verdict.
pub const ALL: &[Suite] = &[
    suite("user", "arithmetic", 1),
    suite("user", "control", 1),
    suite("user", "memory", 1),
    suite("user", "multiply", 1),
    suite("user", "atomics", 1),
    suite("user", "fence_i", 1),
    suite("machine", "exceptions", 1),
    suite("machine", "csrs", 1),
    suite("machine", "counters", 1),
    suite("machine", "interrupts", 1),
    suite("machine", "user_mode", 1),
    suite("machine", "pmp", 1),
    suite("machine", "devices", 1),
    suite("machine", "console", 1),
    suite("multi", "amo", 1),
    suite("multi", "lrsc", 1),
    suite("multi", "reservations", 2),
    suite("multi", "lock", 1),
    suite("multi", "peterson", 2),
    suite("multi", "sharing", 1),
    suite("multi", "mailbox", 1),
    suite("multi", "interrupts", 1),
    suite("multi", "code", 2),
    suite("multi", "table", 2),
    suite("multi", "handover", 2),
    suite("litmus", "store_buffering", 2),
    suite("litmus", "message_passing", 2),
    suite("litmus", "load_buffering", 2),
    suite("litmus", "iriw", 4),
    suite("litmus", "two_plus_two_writes", 2),
    suite("litmus", "coherent_reads", 2),
    suite("litmus", "coherent_writes", 2),
    suite("litmus", "r", 2),
    suite("litmus", "s", 2),
    suite("litmus", "write_to_read", 3),
    suite("litmus", "read_to_write", 3),
    suite("loops", "integer", 1),
];

/// Work without end, for measuring.
pub const ENDLESS: Suite = suite("loops", "sharing", 1);

/// The suite of this group and name.
pub fn named(group: &str, name: &str) -> Option<Suite> {
    let mut all = ALL.iter().chain([&ENDLESS]);
    all.find(|suite| suite.group == group && suite.name == name).copied()
}

impl Suite {
    /// Its source file.
    pub fn file(&self) -> PathBuf {
        folder().join(self.group).join(self.name).with_extension("S")
    }

    /// The path of the linked program, compiled if need be.
    ///
    /// # Errors
    /// As [`Compiler::build`].
    pub fn program(&self, compiler: &Compiler) -> Result<PathBuf, Error> {
        compiler.build(&Source {
            files: vec![self.file()],
            includes: vec![folder(), folder().join("litmus"), numbers()],
            script: folder().join("link.ld"),
        })
    }
}

/// The folder of the header with the machine's numbers.
fn numbers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("border")
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("suites")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn every_program_in_the_folder_is_listed_once() {
        let mut found = Vec::new();
        for group in ["user", "machine", "multi", "litmus", "loops"] {
            for entry in fs::read_dir(folder().join(group)).unwrap() {
                let path = entry.unwrap().path();
                if path.extension().is_some_and(|end| end == "S") {
                    found.push(path);
                }
            }
        }
        let mut listed: Vec<_> = ALL.iter().chain([&ENDLESS]).map(Suite::file).collect();
        found.sort();
        listed.sort();
        assert_eq!(found, listed);
    }
}
