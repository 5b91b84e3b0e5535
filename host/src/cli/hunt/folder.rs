//! The folder of a hunt: what it was told, its program, its runs, its report.
//!
//! ```text
//! hunt.json         what decides the runs      program.elf   the program
//! schedules.jsonl   a line a schedule          runs/7.run    the run of schedule 7
//! library/          the same once more, with the thread library monitored, if that was needed
//! report.html       the answer                 hunt.lock     held by the hunt that is under way
//! ```

use super::super::failure::Failure;
use crate::{Error, hunt};
use kit::file::{partial, write_atomic};
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The name and version of the form of [`Identity`].
pub const SCHEMA: &str = "crosstalk.hunt-folder/1";
/// How the names of all versions begin.
const ANY_SCHEMA: &str = "crosstalk.hunt-folder/";

const IDENTITY: &str = "hunt.json";
const LOCK: &str = "hunt.lock";
const PROGRAM: &str = "program.elf";
const REPORT: &str = "report.html";
const LIBRARY: &str = "library";

/// Everything that decides what a schedule gives; with the same, a hunt can go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The name and version of this form.
    pub schema: String,
    /// The program's name.
    pub program: String,
    /// SHA-256 of its file.
    pub elf: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The machine, in full.
    pub configuration: String,
    /// What runs it.
    pub on: String,
    /// Which code is monitored.
    pub monitor: String,
    /// How communication is collected.
    pub collect: String,
    /// What counts as failing.
    pub fail_if: String,
    /// The longest run.
    pub max_cycles: u64,
}

/// A hunt's folder, which is this hunt's alone as long as the value lives.
pub struct Folder {
    path: PathBuf,
    _lock: File,
}

impl Folder {
    /// Opens the folder, for a new hunt or to go on with the same one. What is in it stays as it is.
    pub fn open(path: &Path, identity: &Identity, resume: bool) -> Result<Self, Failure> {
        fs::create_dir_all(path).map_err(|error| Error::file(path, &error))?;
        // Nothing is put into a folder that is somebody else's.
        known(path)?;
        let lock = locked(path)?;
        if let Some(known) = known(path)?
            && resume
        {
            check_same(path, &known, identity)?;
        }
        Ok(Self { path: path.to_owned(), _lock: lock })
    }

    /// Begins the hunt: an older one makes way, unless it is to go on.
    pub fn begin(&self, identity: &Identity, resume: bool) -> Result<(), Failure> {
        if !resume {
            self.clear()?;
        }
        let mut text = serde_json::to_vec_pretty(identity).unwrap_or_default();
        text.push(b'\n');
        Ok(write_atomic(&self.path.join(IDENTITY), &text)?)
    }

    /// Removes what an older hunt left, and nothing else.
    fn clear(&self) -> Result<(), Failure> {
        for stage in [self.path.clone(), self.library()] {
            hunt::clear(&stage)?;
        }
        match fs::remove_file(self.path.join(REPORT)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::file(&self.path.join(REPORT), &error).into())
            }
            _ => Ok(()),
        }
    }

    /// Where runs are collected.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where they are collected once more, with the thread library monitored.
    pub fn library(&self) -> PathBuf {
        self.path.join(LIBRARY)
    }

    /// Where the program is.
    pub fn program(&self) -> PathBuf {
        self.path.join(PROGRAM)
    }

    /// Keeps the program.
    pub fn put_program(&self, elf: &[u8]) -> Result<(), Failure> {
        Ok(write_atomic(&self.program(), elf)?)
    }

    /// Keeps the report; says where.
    pub fn put_report(&self, page: &[u8]) -> Result<PathBuf, Failure> {
        let path = self.path.join(REPORT);
        write_atomic(&path, page)?;
        Ok(path)
    }
}

/// What the hunt in a folder was told; `None`: there is none, and nothing else either.
fn known(folder: &Path) -> Result<Option<Value>, Failure> {
    let path = folder.join(IDENTITY);
    let foreign = || {
        let folder = folder.display();
        Failure::BadInput(format!(
            "{folder} holds something else than a hunt; name another folder with --out"
        ))
    };
    match fs::read(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            // What a hunt leaves that was stopped before it began.
            let ours = [folder.join(LOCK), partial(&path)];
            let wrong = |error: std::io::Error| Error::file(folder, &error);
            for entry in fs::read_dir(folder).map_err(wrong)? {
                if !ours.contains(&entry.map_err(wrong)?.path()) {
                    return Err(foreign());
                }
            }
            Ok(None)
        }
        Err(error) => Err(Error::file(&path, &error).into()),
        Ok(bytes) => {
            let known: Option<Value> = serde_json::from_slice(&bytes).ok();
            let is_of_a_hunt = |known: &Value| {
                known["schema"].as_str().is_some_and(|schema| schema.starts_with(ANY_SCHEMA))
            };
            known.filter(is_of_a_hunt).map(Some).ok_or_else(foreign)
        }
    }
}

/// Makes the folder this process's alone. The system gives it back however the process ends.
fn locked(folder: &Path) -> Result<File, Failure> {
    let path = folder.join(LOCK);
    let wrong = |error: std::io::Error| Error::unwritable(&path, &error);
    let file = OpenOptions::new().create(true).append(true).open(&path).map_err(wrong)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(file),
        Err(Errno::WOULDBLOCK) => Err(Failure::BadInput(format!(
            "another hunt is under way in {}; wait for it, or name another folder with --out",
            folder.display()
        ))),
        Err(error) => Err(wrong(error.into()).into()),
    }
}

/// Refuses to go on with a hunt that was told something else.
fn check_same(folder: &Path, known: &Value, wanted: &Identity) -> Result<(), Failure> {
    let wanted = serde_json::to_value(wanted).unwrap_or_default();
    let mut fields = wanted.as_object().into_iter().flatten();
    let Some((field, _)) = fields.find(|(field, value)| known.get(field.as_str()) != Some(value))
    else {
        return Ok(());
    };
    let what = match field.as_str() {
        "schema" => "another form, by another version of this tool",
        "elf" => "another program (its file differs)",
        "arguments" => "other arguments",
        "configuration" => "another configuration of the machine",
        "on" => "another --on",
        "monitor" => "another --monitor",
        "collect" => "another --collect",
        "fail_if" => "another --fail-if",
        "max_cycles" => "another --max-cycles",
        other => &format!("another {other}"),
    };
    let folder = folder.display();
    Err(Failure::BadInput(format!(
        "{folder} is of a hunt with {what}; leave --resume out to begin a new one"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity() -> Identity {
        Identity {
            schema: SCHEMA.into(),
            program: "bank".into(),
            elf: "00".into(),
            arguments: Vec::new(),
            configuration: String::new(),
            on: "rtl".into(),
            monitor: "auto".into(),
            collect: "firmware".into(),
            fail_if: "exit".into(),
            max_cycles: 1,
        }
    }

    fn begun(path: &Path, identity: &Identity) -> Folder {
        let folder = Folder::open(path, identity, false).unwrap();
        folder.begin(identity, false).unwrap();
        folder
    }

    fn refusal(path: &Path, identity: &Identity, resume: bool) -> String {
        Folder::open(path, identity, resume).err().expect("refused").to_string()
    }

    #[test]
    fn a_folder_is_one_hunts_alone_until_that_is_over() {
        let folder = tempfile::tempdir().unwrap();
        let first = begun(folder.path(), &identity());
        for resume in [false, true] {
            let said = refusal(folder.path(), &identity(), resume);
            assert!(said.starts_with("another hunt is under way in "), "{said}");
        }
        drop(first);
        begun(folder.path(), &identity());
    }

    #[test]
    fn a_folder_with_something_else_is_left_alone_whatever_its_files_are_called() {
        for (name, text) in [
            ("hunt.json", "{\"mine\": 1}"),
            ("hunt.json", "{\"schema\": \"hunt/1\"}"),
            ("hunt.json", "no JSON"),
            ("hunt.json", "7"),
            ("report.html", "mine"),
        ] {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join(name), text).unwrap();
            let said = refusal(folder.path(), &identity(), false);
            assert!(said.contains("holds something else than a hunt"), "{name} {text}: {said}");
            assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), text);
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is put there");
        }
    }

    #[test]
    fn a_hunt_that_was_stopped_before_it_began_is_no_obstacle() {
        let folder = tempfile::tempdir().unwrap();
        drop(Folder::open(folder.path(), &identity(), false).unwrap());
        fs::write(partial(&folder.path().join(IDENTITY)), "{").unwrap();
        begun(folder.path(), &identity());
    }

    #[test]
    fn opening_takes_nothing_away_and_beginning_does() {
        let folder = tempfile::tempdir().unwrap();
        drop(begun(folder.path(), &identity()));
        let report = folder.path().join(REPORT);
        fs::write(&report, "the answer").unwrap();
        let opened = Folder::open(folder.path(), &identity(), false).unwrap();
        assert!(report.exists());
        opened.begin(&identity(), true).unwrap();
        assert!(report.exists());
        opened.begin(&identity(), false).unwrap();
        assert!(!report.exists());
    }

    #[test]
    fn what_differs_from_the_hunt_to_go_on_with_is_told_in_words() {
        let folder = tempfile::tempdir().unwrap();
        drop(begun(folder.path(), &identity()));
        for (other, what) in [
            (Identity { arguments: vec!["3".into()], ..identity() }, "with other arguments;"),
            (Identity { on: "golden".into(), ..identity() }, "with another --on;"),
            (Identity { collect: "tap".into(), ..identity() }, "with another --collect;"),
            (Identity { program: "list".into(), ..identity() }, "with another program;"),
        ] {
            let said = refusal(folder.path(), &other, true);
            assert!(said.contains(what), "{said}");
        }
    }
}
