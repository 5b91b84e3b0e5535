//! The folder of a hunt: its parameters, its program, its runs, its report.
//!
//! ```text
//! hunt.json         what decides the runs      program.elf   the program
//! schedules.jsonl   a line a schedule          runs/7.run    the run of schedule 7
//! rtl/, golden/     those of each machine, if both run the program
//! library/          the same once more, with the thread library monitored, if that was needed
//! report.html       the answer                 hunt.lock     held while a hunt is running
//! ```

use super::HuntError;
use super::sources::SOURCES;
use crate::Error;
use kit::file::{partial, write_atomic};
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The name and version of the form of [`Identity`].
pub const SCHEMA: &str = "crosstalk.hunt-folder/2";
/// How the names of all versions begin.
const ANY_SCHEMA: &str = "crosstalk.hunt-folder/";

pub(super) const IDENTITY: &str = "hunt.json";
const LOCK: &str = "hunt.lock";
pub(super) const PROGRAM: &str = "program.elf";
const REPORT: &str = "report.html";
pub(super) const LIBRARY: &str = "library";

/// Everything that decides what a schedule gives. A hunt can be resumed with the same values only.
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
    /// The machine that was asked for, in full.
    pub configuration: String,
    /// How many harts it has instead, for all threads of the program; not compared where that may grow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub harts: Option<u32>,
    /// What runs it: `rtl`, `golden` or `both`.
    pub on: String,
    /// What decides its runs ([`Source::identity`](super::Source::identity)); not compared until it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Which code is monitored: `program`, `all` or `auto`.
    pub monitor: String,
    /// How communication is collected.
    pub collect: String,
    /// What counts as failing.
    pub fail_if: String,
    /// The cycle limit of a run.
    pub max_cycles: u64,
    /// Folders with the program's sources, for those who ask about a run later; decides nothing and is not compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<PathBuf>,
}

/// A hunt's folder, locked for as long as the value lives.
pub struct Folder {
    path: PathBuf,
    /// How many harts the machine of the hunt to resume has.
    pub harts: Option<u32>,
    _lock: File,
}

impl Folder {
    /// Opens and locks the folder, for a new hunt or to resume the one in it. Changes nothing in it.
    pub fn open(path: &Path, identity: &Identity, resume: bool) -> Result<Self, HuntError> {
        fs::create_dir_all(path).map_err(|error| Error::file(path, &error))?;
        // Nothing is put into a folder that holds something else.
        known(path)?;
        let lock = locked(path)?;
        let mut harts = None;
        if let Some(known) = known(path)?
            && resume
        {
            check_same(path, &known, identity)?;
            harts = known["harts"].as_u64().and_then(|harts| harts.try_into().ok());
        }
        Ok(Self { path: path.to_owned(), harts, _lock: lock })
    }

    /// Begins the hunt. An older one is removed, unless it is resumed; one that ran on another version of the
    /// machine cannot be.
    pub fn begin(&self, identity: &Identity, resume: bool) -> Result<(), HuntError> {
        match known(&self.path)? {
            Some(known) if resume => check_same(&self.path, &known, identity)?,
            _ if resume => {}
            _ => self.clear()?,
        }
        let mut text = serde_json::to_vec_pretty(identity).unwrap_or_default();
        text.push(b'\n');
        Ok(write_atomic(&self.path.join(IDENTITY), &text)?)
    }

    /// Removes what an older hunt left, and nothing else.
    fn clear(&self) -> Result<(), HuntError> {
        let of_sources = SOURCES.iter().map(|row| self.of_source(row.name));
        for stage in [self.path.clone(), self.library()].into_iter().chain(of_sources) {
            super::clear(&stage)?;
        }
        match fs::remove_file(self.path.join(REPORT)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::file(&self.path.join(REPORT), &error).into())
            }
            _ => Ok(()),
        }
    }

    /// The folder of the first stage's runs.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder of a source's runs, where there are several sources.
    pub fn of_source(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The folder of the second stage's runs, with the thread library monitored.
    pub fn library(&self) -> PathBuf {
        self.path.join(LIBRARY)
    }

    /// The path of the program.
    pub fn program(&self) -> PathBuf {
        self.path.join(PROGRAM)
    }

    /// Stores the program.
    pub fn put_program(&self, elf: &[u8]) -> Result<(), HuntError> {
        Ok(write_atomic(&self.program(), elf)?)
    }

    /// Stores the report; gives its path.
    pub fn put_report(&self, page: &[u8]) -> Result<PathBuf, HuntError> {
        let path = self.path.join(REPORT);
        write_atomic(&path, page)?;
        Ok(path)
    }
}

/// The parameters of the hunt in a folder; `None` if the folder is empty.
fn known(folder: &Path) -> Result<Option<Value>, HuntError> {
    let path = folder.join(IDENTITY);
    let foreign = || {
        let folder = folder.display();
        HuntError::Refused(format!(
            "{folder} is not empty and holds no hunt; choose another folder with --out"
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

/// Locks the folder for this process. The system unlocks it however the process ends.
fn locked(folder: &Path) -> Result<File, HuntError> {
    let path = folder.join(LOCK);
    let wrong = |error: std::io::Error| Error::unwritable(&path, &error);
    let file = OpenOptions::new().create(true).append(true).open(&path).map_err(wrong)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(file),
        Err(Errno::WOULDBLOCK) => Err(HuntError::Refused(format!(
            "another hunt is running in {}; wait for it, or choose another folder with --out",
            folder.display()
        ))),
        Err(error) => Err(wrong(error.into()).into()),
    }
}

/// Refuses to resume a hunt with other parameters.
fn check_same(folder: &Path, known: &Value, wanted: &Identity) -> Result<(), HuntError> {
    let wanted = serde_json::to_value(wanted).unwrap_or_default();
    let fields = wanted.as_object().into_iter().flatten();
    let mut fields = fields.filter(|(field, _)| *field != "sources");
    let Some((field, _)) = fields.find(|(field, value)| known.get(field.as_str()) != Some(value))
    else {
        return Ok(());
    };
    let what = match field.as_str() {
        "schema" => "another format, written by another version of this tool",
        "elf" => "another program (its file differs)",
        "arguments" => "other arguments",
        "configuration" => "another configuration of the machine",
        "harts" => "another --harts",
        "on" => "another --on",
        "source" => "another version of the machine",
        "monitor" => "another --monitor",
        "collect" => "another --collect",
        "fail_if" => "another --fail-if",
        "max_cycles" => "another --max-cycles",
        other => &format!("another {other}"),
    };
    let folder = folder.display();
    Err(HuntError::Refused(format!(
        "{folder} holds a hunt with {what}; omit --resume to start a new one"
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
            harts: Some(4),
            on: "rtl".into(),
            source: Some("version 1".into()),
            monitor: "auto".into(),
            collect: "firmware".into(),
            fail_if: "exit".into(),
            max_cycles: 1,
            sources: vec!["/home/me/bank".into()],
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
            assert!(said.starts_with("another hunt is running in "), "{said}");
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
            assert!(said.contains("holds no hunt"), "{name} {text}: {said}");
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
    fn what_differs_from_the_hunt_to_resume_is_named() {
        let folder = tempfile::tempdir().unwrap();
        drop(begun(folder.path(), &identity()));
        for (other, what) in [
            (Identity { arguments: vec!["3".into()], ..identity() }, "with other arguments;"),
            (Identity { on: "golden".into(), ..identity() }, "with another --on;"),
            (Identity { harts: Some(5), ..identity() }, "with another --harts;"),
            (Identity { collect: "tap".into(), ..identity() }, "with another --collect;"),
            (Identity { program: "list".into(), ..identity() }, "with another program;"),
        ] {
            let said = refusal(folder.path(), &other, true);
            assert!(said.contains(what), "{said}");
        }
    }

    #[test]
    fn a_hunt_whose_sources_have_moved_is_resumed() {
        let folder = tempfile::tempdir().unwrap();
        drop(begun(folder.path(), &identity()));
        let moved = Identity { sources: vec!["/home/you/bank".into()], ..identity() };
        Folder::open(folder.path(), &moved, true).unwrap().begin(&moved, true).unwrap();
        let kept = fs::read_to_string(folder.path().join(IDENTITY)).unwrap();
        assert!(kept.contains("/home/you/bank"), "{kept}");
    }

    #[test]
    fn a_hunt_that_was_given_more_harts_is_resumed_with_as_many() {
        let folder = tempfile::tempdir().unwrap();
        drop(begun(folder.path(), &Identity { harts: Some(7), ..identity() }));
        let any = Identity { harts: None, ..identity() };
        assert_eq!(Folder::open(folder.path(), &any, true).unwrap().harts, Some(7));
        assert_eq!(Folder::open(folder.path(), &any, false).unwrap().harts, None);
    }

    #[test]
    fn a_hunt_on_another_version_of_the_machine_is_not_resumed() {
        let folder = tempfile::tempdir().unwrap();
        drop(begun(folder.path(), &identity()));
        let before = fs::read(folder.path().join(IDENTITY)).unwrap();
        // Until the machine is there, nothing is known against it.
        let early = Identity { source: None, ..identity() };
        let opened = Folder::open(folder.path(), &early, true).unwrap();
        let newer = Identity { source: Some("version 2".into()), ..identity() };
        let said = opened.begin(&newer, true).unwrap_err().to_string();
        assert!(said.contains("holds a hunt with another version of the machine; omit"), "{said}");
        assert_eq!(fs::read(folder.path().join(IDENTITY)).unwrap(), before);
        opened.begin(&identity(), true).unwrap();
    }
}
