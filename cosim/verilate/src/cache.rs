//! Folders that are built once and then shared by threads, processes and runs.
//!
//! ```text
//! <root>/<name>/            a finished entry, with its manifest
//! <root>/<name>.lock        held by whoever builds it
//! <root>/.<name>.…/         a build under way, or the remains of a killed one
//! ```
//!
//! An entry gets its name by one rename when all of it is there, so what has the name is whole.
//! The manifest also catches what happens to it later: a damaged shared library must not be
//! loaded, because a truncated one ends the process.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use fd_lock::RwLock;
use sha2::{Digest, Sha256};

use crate::Error;
use crate::key::hex;

const MANIFEST: &str = "manifest";

/// A folder of entries.
#[derive(Debug, Clone)]
pub(crate) struct Cache {
    root: PathBuf,
}

impl Cache {
    pub(crate) fn at(root: PathBuf) -> Self {
        Self { root }
    }

    /// The entry of that name as `open` makes of it. If there is none, or it is damaged, or
    /// `open` cannot use it, `build` fills a fresh folder first; whoever else wants the same
    /// entry meanwhile waits.
    pub(crate) fn entry<T>(
        &self,
        name: &str,
        open: impl Fn(&Path) -> Result<T, Error>,
        build: impl FnOnce(&Path) -> Result<(), Error>,
    ) -> Result<T, Error> {
        let entry = self.root.join(name);
        let usable = || is_whole(&entry).then(|| open(&entry).ok()).flatten();
        if let Some(found) = usable() {
            return Ok(found);
        }

        fs::create_dir_all(&self.root).map_err(Error::io(&self.root))?;
        let mut lock = self.lock_file(name)?;
        let _guard = loop {
            match lock.write() {
                Ok(guard) => break guard,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::io(&self.root)(error)),
            }
        };
        if let Some(found) = usable() {
            return Ok(found);
        }

        self.remove_remains(name);
        remove(&entry).map_err(Error::io(&entry))?;
        let fresh = tempfile::Builder::new()
            .prefix(&format!(".{name}."))
            .tempdir_in(&self.root)
            .map_err(Error::io(&self.root))?;
        build(fresh.path())?;
        seal(fresh.path()).map_err(Error::io(fresh.path()))?;
        fs::rename(fresh.path(), &entry).map_err(Error::io(&entry))?;
        // Its name has changed: there is nothing left to remove.
        let _ = fresh.keep();
        open(&entry)
    }

    fn lock_file(&self, name: &str) -> Result<RwLock<File>, Error> {
        let path = self.root.join(format!("{name}.lock"));
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        Ok(RwLock::new(file.map_err(Error::io(&path))?))
    }

    /// Removes what killed builds of this entry left behind. Only called under its lock.
    fn remove_remains(&self, name: &str) {
        let prefix = format!(".{name}.");
        for found in fs::read_dir(&self.root).into_iter().flatten().flatten() {
            if found.file_name().to_string_lossy().starts_with(&prefix) {
                // Remains only cost space; the build can go on without.
                let _ = remove(&found.path());
            }
        }
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

fn seal(folder: &Path) -> io::Result<()> {
    fs::write(folder.join(MANIFEST), contents(folder)?)
}

fn is_whole(folder: &Path) -> bool {
    match (fs::read_to_string(folder.join(MANIFEST)), contents(folder)) {
        (Ok(manifest), Ok(contents)) => manifest == contents,
        _ => false,
    }
}

/// Name, size and hash of every file. Precompiled headers are large, and the compiler checks
/// them itself, so their size must do.
fn contents(folder: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    for found in fs::read_dir(folder)? {
        let found = found?;
        let name = found.file_name().to_string_lossy().into_owned();
        if name == MANIFEST {
            continue;
        }
        let size = found.metadata()?.len();
        let hash = match name.ends_with(".gch") {
            true => "-".to_owned(),
            false => hex(&Sha256::digest(fs::read(found.path())?)),
        };
        files.push((name, size, hash));
    }
    files.sort();
    Ok(files.iter().fold(String::new(), |mut text, (name, size, hash)| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{hash} {size} {name}");
        text
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::sync::atomic::{AtomicU32, Ordering};

    fn read(entry: &Path) -> Result<String, Error> {
        let path = entry.join("file");
        fs::read_to_string(&path).map_err(Error::io(&path))
    }

    fn write(folder: &Path, text: &str) -> Result<(), Error> {
        fs::write(folder.join("file"), text).map_err(Error::io(folder))
    }

    fn cache() -> (tempfile::TempDir, Cache) {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::at(dir.path().join("deep/models"));
        (dir, cache)
    }

    #[test]
    fn an_entry_is_built_once() {
        let (_dir, cache) = cache();
        let builds = Cell::new(0);
        for _ in 0..3 {
            let build = |folder: &Path| {
                builds.set(builds.get() + 1);
                write(folder, "text")
            };
            assert_eq!(cache.entry("a", read, build).unwrap(), "text");
        }
        assert_eq!(builds.get(), 1);
    }

    #[test]
    fn damaged_entries_are_built_again() {
        let (_dir, cache) = cache();
        let entry = cache.root.join("a");
        let damages: [&dyn Fn(); 4] = [
            &|| fs::write(entry.join("file"), "texx").unwrap(),
            &|| fs::write(entry.join("file"), "").unwrap(),
            &|| fs::remove_file(entry.join(MANIFEST)).unwrap(),
            &|| fs::write(entry.join("foreign"), "").unwrap(),
        ];
        cache.entry("a", read, |folder| write(folder, "text")).unwrap();
        for damage in damages {
            damage();
            let built = Cell::new(false);
            let build = |folder: &Path| {
                built.set(true);
                write(folder, "text")
            };
            assert_eq!(cache.entry("a", read, build).unwrap(), "text");
            assert!(built.get());
        }
    }

    #[test]
    fn a_failed_build_leaves_nothing_but_the_lock() {
        let (_dir, cache) = cache();
        let fail = |folder: &Path| {
            write(folder, "half")?;
            Err(Error::MissingTool("no tool".into()))
        };
        assert_eq!(cache.entry("a", read, fail).unwrap_err().to_string(), "no tool");
        let left: Vec<_> =
            fs::read_dir(&cache.root).unwrap().map(|f| f.unwrap().file_name()).collect();
        assert_eq!(left, ["a.lock"]);
    }

    #[test]
    fn remains_of_a_killed_build_are_neither_believed_nor_kept() {
        let (_dir, cache) = cache();
        let remains = cache.root.join(".a.killed");
        fs::create_dir_all(&remains).unwrap();
        fs::write(remains.join("file"), "half").unwrap();
        let text = cache.entry("a", read, |folder| write(folder, "text")).unwrap();
        assert_eq!(text, "text");
        assert!(!remains.exists());
    }

    #[test]
    fn an_entry_that_cannot_be_opened_is_built_again_once() {
        let (_dir, cache) = cache();
        cache.entry("a", read, |folder| write(folder, "old")).unwrap();
        let open = |entry: &Path| match read(entry)?.as_str() {
            "old" => Err(Error::MissingTool("old".into())),
            text => Ok(text.to_owned()),
        };
        assert_eq!(cache.entry("a", open, |folder| write(folder, "new")).unwrap(), "new");
        let never = |_: &Path| Err::<(), _>(Error::MissingTool("never".into()));
        let error = cache.entry("a", never, |folder| write(folder, "new")).unwrap_err();
        assert_eq!(error.to_string(), "never");
    }

    #[test]
    fn threads_that_want_one_entry_share_one_build() {
        let (_dir, cache) = cache();
        let builds = AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let build = |folder: &Path| {
                        builds.fetch_add(1, Ordering::Relaxed);
                        write(folder, "text")
                    };
                    assert_eq!(cache.entry("a", read, build).unwrap(), "text");
                });
            }
        });
        assert_eq!(builds.into_inner(), 1);
    }
}
