//! Results that are made once and then shared by threads, processes and runs.
//!
//! ```text
//! <root>/<name>             a finished entry: a file, or a folder with its manifest
//! <root>/<name>.lock        held by whoever makes it
//! <root>/.<name>.…/         an entry in the making, or the remains of a killed process
//! ```
//!
//! An entry is renamed to its name when it is complete, so what has the name is whole. The manifest of a folder
//! also catches what happens to it later: a damaged shared library must not be loaded, because a truncated one
//! ends the process.

mod key;
mod manifest;

pub use key::{Key, sha256};

use crate::file::{Unwritable, lock, sync_folder};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder of entries.
#[derive(Clone, Debug)]
pub struct Cache {
    root: PathBuf,
}

impl Cache {
    /// The cache in a folder, which is made when the first entry is.
    pub fn at(root: PathBuf) -> Self {
        Self { root }
    }

    /// The entry of that name, a folder, as `open` reads it. If there is none, or it is damaged, or `open` cannot use it,
    /// `make` fills a fresh folder first; whoever else wants the same entry meanwhile waits.
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
        // Its name has changed: there is nothing left to remove.
        let _ = fresh.keep();
        open(&entry)
    }

    /// The path of the file of that name. If there is none, `make` writes it first, to the path it is given;
    /// whoever else wants it meanwhile waits.
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

    /// A folder to work in, on the same disk; it is removed with the handle.
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

    /// A fresh folder to make an entry in. Only called under the entry's lock, so what lies there under such a
    /// name was left by a killed process.
    fn fresh(&self, name: &str) -> Result<TempDir, Unwritable> {
        let prefix = format!(".{name}.");
        for found in fs::read_dir(&self.root).into_iter().flatten().flatten() {
            if found.file_name().to_string_lossy().starts_with(&prefix) {
                // Remains only cost space; the entry can be made without removing them.
                let _ = remove(&found.path());
            }
        }
        let made = tempfile::Builder::new().prefix(&prefix).tempdir_in(&self.root);
        made.map_err(Unwritable::at(&self.root))
    }

    /// Gives what was made its final name, in place of a damaged entry.
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
