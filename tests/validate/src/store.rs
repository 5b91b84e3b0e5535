//! What was measured already, so that a set can be measured in parts and the page be written from all of them.
//!
//! A measurement is known by everything that decides it: the sources of the machine, of the analysis and of the judge, the
//! program, and how it was measured.

use firmware::validation::{Half, Program};
use kit::cache::Key;
use kit::file::{Unwritable, write_atomic};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The folders whose files decide which schedules fail.
const MACHINE: [&str; 9] = [
    "border/src",
    "config/src",
    "firmware/boot",
    "firmware/drain",
    "firmware/include",
    "firmware/library",
    "golden/src",
    "host/evidence/src/run.rs",
    "host/src/hunt/golden.rs",
];
/// Those that decide what is said about it besides.
const ANALYSIS: [&str; 4] =
    ["host/debuginfo/src", "host/evidence/src", "host/src", "tests/validate/src/judge.rs"];

/// Measurements of one version of the machine and the analysis.
pub struct Store {
    folder: PathBuf,
    machine: String,
    version: String,
}

/// What a measurement depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depends {
    /// On the machine alone.
    Machine,
    /// On what is said as well.
    Analysis,
}

impl Store {
    /// Of the version at hand.
    ///
    /// # Errors
    /// If a source file cannot be read.
    pub fn open() -> io::Result<Self> {
        let machine = of_files(&MACHINE)?;
        let version = of_files(&[&MACHINE[..], &ANALYSIS].concat())?;
        Ok(Self { folder: tools::target_dir().join("validate"), machine, version })
    }

    /// Where this version's measurements are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The version, by a hash of its sources.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// What was measured of a program, or else is measured now. `how` says what, and how. Of the held-out half nothing is kept
    /// that could be looked at by accident: files have no names and no sentences.
    ///
    /// # Errors
    /// What measuring fails with, or if a file cannot be read or written.
    pub fn get<T, E>(
        &self,
        program: &Program,
        how: &str,
        depends: Depends,
        measure: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E>
    where
        T: Serialize + DeserializeOwned,
        E: From<io::Error> + From<Unwritable>,
    {
        let mut key = Key::of([how]);
        for source in &program.sources {
            let folder = source.parent().unwrap_or(source);
            let several = program.sources.len() > 1;
            add(&mut key, if several { folder } else { source })?;
        }
        let half = match program.half {
            Half::Open => "open",
            Half::HeldOut => "held-out",
        };
        let version = match depends {
            Depends::Machine => &self.machine,
            Depends::Analysis => &self.version,
        };
        let path = self.folder.join(version).join(half).join(format!("{}.json", key.name()));
        if let Ok(known) = fs::read(&path)
            && let Ok(known) = serde_json::from_slice(&known)
        {
            return Ok(known);
        }
        let measured = measure()?;
        fs::create_dir_all(path.parent().unwrap_or(&path))?;
        write_atomic(&path, &serde_json::to_vec(&measured).map_err(io::Error::from)?)?;
        Ok(measured)
    }
}

/// The version of these files and folders of the workspace.
///
/// # Errors
/// If one cannot be read.
pub fn of_files(paths: &[&str]) -> io::Result<String> {
    let root = tools::workspace_root();
    let mut key = Key::new();
    paths.iter().try_for_each(|path| add(&mut key, &root.join(path)))?;
    Ok(key.name())
}

/// Adds a file, or all files of a folder, by name and contents.
fn add(key: &mut Key, path: &Path) -> io::Result<()> {
    if !path.is_dir() {
        key.add(path.file_name().unwrap_or_default().as_encoded_bytes());
        key.add(fs::read(path)?);
        return Ok(());
    }
    let entries = fs::read_dir(path)?.map(|entry| Ok(entry?.path()));
    let mut entries = entries.collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    entries.iter().try_for_each(|path| add(key, path))
}
