//! The validation set: threaded C programs with one marked bug each, on which nothing is tuned.
//!
//! The sources are in `firmware/validation`, one file or folder a program; those in `plain` fail for
//! reasons outside threads. The header of a program says what its bug is, as `key: value` lines after
//! `validate:`; marks are those of [`crate::bugs`]. The hash of a program's name puts it into one of two
//! halves: the *open* one may be looked at while choosing, the *held-out* one is only ever measured.

use crate::bugs::{Mark, marks};
use kit::cache::sha256;
use std::io;
use std::path::{Path, PathBuf};

/// Kinds of bugs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A read-modify-write that is not one step.
    LostUpdate,
    /// A check that no longer holds when it is acted on.
    CheckThenAct,
    /// Two accesses in the wrong order.
    Order,
    /// Data that is visible before it is complete.
    Publication,
    /// Use after the end of an object's life.
    Lifetime,
    /// Threads that wait for each other.
    Deadlock,
    /// A wakeup that comes before the wait, or wakes the wrong thread.
    MissedSignal,
    /// A reader's lock where a writer's is needed.
    ReadersWriters,
    /// Atomic operations that are not enough.
    LockFree,
    /// Variables that must change together.
    SeveralVariables,
    /// No concurrency bug at all.
    Plain,
}

impl Kind {
    const NAMES: [(&'static str, Self); 11] = [
        ("lost-update", Self::LostUpdate),
        ("check-then-act", Self::CheckThenAct),
        ("order", Self::Order),
        ("publication", Self::Publication),
        ("lifetime", Self::Lifetime),
        ("deadlock", Self::Deadlock),
        ("missed-signal", Self::MissedSignal),
        ("readers-writers", Self::ReadersWriters),
        ("lock-free", Self::LockFree),
        ("several-variables", Self::SeveralVariables),
        ("plain", Self::Plain),
    ];

    /// The name in a program's header.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }
}

/// Which half a program belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Half {
    /// May be looked at while choosing.
    Open,
    /// Only ever measured.
    HeldOut,
}

/// A program of the set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The name of its file or folder, without an extension.
    pub name: String,
    /// Its half.
    pub half: Half,
    /// What kind of bug it has.
    pub kind: Kind,
    /// The names a person would give the variables of the bug; of deadlocks, the locks.
    pub variables: Vec<String>,
    /// How many threads it has, the first included.
    pub threads: u32,
    /// Its C files, in order.
    pub sources: Vec<PathBuf>,
    /// The lines of the bug.
    pub marks: Vec<Mark>,
}

/// A set of programs in this crate.
pub struct Set {
    /// What it is called.
    pub name: &'static str,
    folder: &'static str,
}

/// The sets, in the order in which they were written.
pub const SETS: [Set; 4] = [
    Set { name: "first", folder: "validation" },
    Set { name: "second", folder: "second-set" },
    Set { name: "third", folder: "third-set" },
    Set { name: "fourth", folder: "fourth-set" },
];

impl Set {
    /// Its programs, by name.
    ///
    /// # Errors
    /// If a file cannot be read, or its header or a mark is malformed; the error names the file.
    pub fn programs(&self) -> io::Result<Vec<Program>> {
        all_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join(self.folder))
    }
}

/// All programs of the first set, by name.
///
/// # Errors
/// As of [`Set::programs`].
pub fn all() -> io::Result<Vec<Program>> {
    SETS[0].programs()
}

/// The programs of another folder of this form, by name.
///
/// # Errors
/// As of [`all`].
pub fn all_in(folder: &Path) -> io::Result<Vec<Program>> {
    let mut programs = Vec::new();
    let plain = folder.join("plain");
    for folder in [folder, &plain].into_iter().filter(|folder| **folder != plain || plain.is_dir())
    {
        for path in entries(folder)? {
            let is_source = path.extension().is_some_and(|end| end == "c");
            if is_source {
                programs.push(program(&path, vec![path.clone()])?);
            } else if path.is_dir() && path.file_name().is_some_and(|name| name != "plain") {
                programs.push(program(&path, entries(&path)?)?);
            }
        }
    }
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(programs)
}

/// The half of a name: by the lowest bit of its SHA-256.
fn half(name: &str) -> Half {
    let [.., last] = sha256(name);
    if last & 1 == 0 { Half::Open } else { Half::HeldOut }
}

fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let wrong = |error: io::Error| named(folder, error.kind(), &error.to_string());
    let entries = std::fs::read_dir(folder).map_err(wrong)?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn named(path: &Path, kind: io::ErrorKind, what: &str) -> io::Error {
    io::Error::new(kind, format!("{}: {what}", path.display()))
}

fn program(path: &Path, files: Vec<PathBuf>) -> io::Result<Program> {
    let mut header = None;
    let mut all_marks = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file);
        let text = text.map_err(|error| named(file, error.kind(), &error.to_string()))?;
        all_marks.extend(marks::read(file, &text)?);
        if header.is_none() {
            header = Header::of(&text);
        }
    }
    let malformed = |what: &str| named(path, io::ErrorKind::InvalidData, what);
    let header =
        header.ok_or_else(|| malformed("expected a header that begins with `validate:`"))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let kind = header.value("kind").unwrap_or_default();
    let kind = Kind::NAMES.iter().find(|(known, _)| *known == kind);
    let (_, kind) =
        kind.ok_or_else(|| malformed("the header has no `kind:`, or an unknown one"))?;
    let variables = header.value("variable").unwrap_or_default();
    let threads = header.value("threads").and_then(|number| number.parse().ok());
    Ok(Program {
        half: half(&name),
        name,
        kind: *kind,
        variables: variables.split(',').map(|name| name.trim().to_owned()).collect(),
        threads: threads
            .ok_or_else(|| malformed("expected a number after `threads:` in the header"))?,
        sources: files
            .into_iter()
            .filter(|file| file.extension().is_some_and(|end| end == "c"))
            .collect(),
        marks: all_marks,
    })
}

/// The `key: value` lines of a program's first comment.
struct Header(Vec<(String, String)>);

impl Header {
    fn of(text: &str) -> Option<Self> {
        let comment = text.split("*/").next()?;
        let (_, lines) = comment.split_once("validate:")?;
        let pair = |line: &str| {
            let (key, value) = line.trim_start_matches([' ', '*', '\t']).split_once(':')?;
            Some((key.trim().to_owned(), value.trim().to_owned()))
        };
        Some(Self(lines.lines().skip(1).map_while(pair).collect()))
    }

    fn value(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_set_is_large_and_its_halves_are_alike() {
        let programs = all().unwrap();
        let with_bugs: Vec<_> = programs.iter().filter(|p| p.kind != Kind::Plain).collect();
        assert!(with_bugs.len() >= 80, "{}", with_bugs.len());
        assert_eq!(programs.len() - with_bugs.len(), 20);
        let open = with_bugs.iter().filter(|p| p.half == Half::Open).count();
        assert!((30..=62).contains(&open), "{open} of {}", with_bugs.len());
        let names: BTreeSet<_> = programs.iter().map(|program| &program.name).collect();
        assert_eq!(names.len(), programs.len(), "two programs have one name");
    }

    #[test]
    fn every_program_names_its_variables_and_threads_and_marks_its_bug() {
        for program in SETS.iter().flat_map(|set| set.programs().unwrap()) {
            assert!(program.variables.iter().all(|name| !name.is_empty()), "{}", program.name);
            assert!((2..=12).contains(&program.threads), "{}", program.name);
            assert!(!program.sources.is_empty(), "{}", program.name);
            let steps: BTreeSet<_> = program.marks.iter().flat_map(|m| m.steps.clone()).collect();
            assert!(!program.marks.is_empty(), "{}", program.name);
            if program.kind != Kind::Plain {
                assert!(steps.iter().copied().eq(1..=steps.len() as u32), "{}", program.name);
                assert!(steps.len() >= 2, "{}", program.name);
            }
        }
    }

    #[test]
    fn a_header_is_read_up_to_its_first_line_without_a_key() {
        let text =
            "/* A program.\n *\n * validate:\n *   kind: order\n *   threads: 3\n */\nint x;";
        let header = Header::of(text).unwrap();
        assert_eq!((header.value("kind"), header.value("threads")), (Some("order"), Some("3")));
        assert_eq!(header.value("variable"), None);
        assert!(Header::of("/* nothing */").is_none());
    }
}
