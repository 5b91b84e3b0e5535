//! Results that are built once and shared by threads, processes and runs.
//!
//! ```text
//! <root>/<name>             a finished entry: a file, or a folder with its manifest
//! <root>/<name>.lock        held while it is being built
//! <root>/.<name>.…/         an entry under construction, or left by a killed process
//! ```
//!
//! An entry is renamed to its name when it is complete. The manifest of a folder
//! also detects later damage: a damaged shared library must not be loaded, because a truncated one
//! kills the process.

mod key;
mod manifest;

pub use key::{Key, sha256};

use crate::file::{Unwritable, lock, sync_folder};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A cache folder.
#[derive(Clone, Debug)]
pub struct Cache {
    root: PathBuf,
}

impl Cache {
    /// The cache in a folder, which is created with the first entry.
    pub fn at(root: PathBuf) -> Self {
        Self { root }
    }

    /// The entry of that name, a folder, as `open` reads it. If it is missing or damaged, or `open` cannot use it,
    /// `make` fills a new folder first; others that request the same entry wait meanwhile.
    ///
    /// # Errors
    /// Those of `make`, those of `open` for the fresh folder, and if the cache cannot be written.
    pub fn entry<T, E: From<Unwritable>>(
        &self,
        name: &str,
        open: impl Fn(&Path) -> Result<T, E>,
        make: impl FnOnce(&Path) -> Result<(), E>,
    ) -> Result<T, E> {
        let entry = self.root.join(name);
        let usable = || manifest::is_whole(&entry).then(|| open(&entry).ok()).flatten();
        if let Some(found) = usable() {
            return Ok(found);
        }
        let _held = self.hold(name)?;
        if let Some(found) = usable() {
            return Ok(found);
        }
        let fresh = self.fresh(name)?;
        make(fresh.path())?;
        manifest::seal(fresh.path()).map_err(Unwritable::at(fresh.path()))?;
        self.place(fresh.path(), &entry)?;
        // It was renamed: nothing is left to remove.
        let _ = fresh.keep();
        open(&entry)
    }

    /// The path of the file of that name. If it is missing, `make` writes it first, to the path it is given;
    /// others that request the same file wait meanwhile.
    ///
    /// # Errors
    /// Those of `make`, and if the cache cannot be written.
    pub fn file<E: From<Unwritable>>(
        &self,
        name: &str,
        make: impl FnOnce(&Path) -> Result<(), E>,
    ) -> Result<PathBuf, E> {
        let entry = self.root.join(name);
        if entry.is_file() {
            return Ok(entry);
        }
        let _held = self.hold(name)?;
        if !entry.is_file() {
            let fresh = self.fresh(name)?;
            let made = fresh.path().join(name);
            make(&made)?;
            self.place(&made, &entry)?;
        }
        Ok(entry)
    }

    /// A temporary folder on the same disk; it is removed with the handle.
    ///
    /// # Errors
    /// If the cache cannot be written.
    pub fn workplace(&self) -> Result<TempDir, Unwritable> {
        self.make_root()?;
        let made = tempfile::Builder::new().prefix("work-").tempdir_in(&self.root);
        made.map_err(Unwritable::at(&self.root))
    }

    fn make_root(&self) -> Result<(), Unwritable> {
        fs::create_dir_all(&self.root).map_err(Unwritable::at(&self.root))
    }

    /// Waits for the lock of an entry, and holds it until the file is closed.
    fn hold(&self, name: &str) -> Result<File, Unwritable> {
        self.make_root()?;
        let path = self.root.join(format!("{name}.lock"));
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        file.and_then(lock).map_err(Unwritable::at(&path))
    }

    /// A new folder to build an entry in. Only called under the entry's lock, so an existing one of that name
    /// was left by a killed process.
    fn fresh(&self, name: &str) -> Result<TempDir, Unwritable> {
        let prefix = format!(".{name}.");
        for found in fs::read_dir(&self.root).into_iter().flatten().flatten() {
            if found.file_name().to_string_lossy().starts_with(&prefix) {
                // Leftovers only cost space; failing to remove them is harmless.
                let _ = remove(&found.path());
            }
        }
        let made = tempfile::Builder::new().prefix(&prefix).tempdir_in(&self.root);
        made.map_err(Unwritable::at(&self.root))
    }

    /// Renames a finished entry to its final name, replacing a damaged one.
    fn place(&self, made: &Path, entry: &Path) -> Result<(), Unwritable> {
        let placed = remove(entry).and_then(|()| fs::rename(made, entry));
        placed.and_then(|()| sync_folder(&self.root)).map_err(Unwritable::at(entry))
    }
}

/// Removes a file or folder that may not exist.
fn remove(path: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests;
