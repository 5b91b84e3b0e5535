//! Files that are written whole or not at all, even across a power cut.
//!
//! Only plain files are replaced: what is written to a pipe or a device goes into it, and what is written to
//! a symbolic link goes to its destination.

mod check;
mod lock;
mod place;

pub use check::{check_apart, check_output};
pub use lock::{lock, lock_telling};

use place::Place;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// A file or folder that cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` cannot be written: {reason}", path.display())]
pub struct Unwritable {
    /// The path as the caller gave it.
    pub path: PathBuf,
    /// The system's error, or why the path is rejected.
    pub reason: String,
}

impl Unwritable {
    /// An error for this path, for `map_err`.
    pub fn at(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |error| Self::new(path, error)
    }

    /// A path and the reason.
    pub fn new(path: &Path, reason: impl ToString) -> Self {
        Self { path: path.to_owned(), reason: reason.to_string() }
    }
}

/// Writes a file: to a partial file, synced, renamed, and the folder synced. Readers see the old
/// file or the new one, even after a crash. Writers of one file take turns. The partial file of a killed
/// writer is hidden, and the next writer replaces it.
///
/// # Errors
/// If the path does not name a file, or a system call fails; the old file is unchanged then, unless only the
/// sync of the folder failed.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), Unwritable> {
    let written = match place::of(path)? {
        Place::Beside(target) => replace(&target, bytes),
        Place::Into => write_into(path, bytes),
    };
    written.map_err(Unwritable::at(path))
}

/// The partial file that [`write_atomic`] renames.
pub fn partial(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".partial");
    path.with_file_name(name)
}

/// Makes renames in a folder survive a power cut, where the file system supports it and the folder can be
/// opened.
///
/// # Errors
/// If the disk fails.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    let Ok(opened) = File::open(folder) else { return Ok(()) };
    match opened.sync_all() {
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => {
            Ok(())
        }
        synced => synced,
    }
}

/// The folder of a file, `.` for a bare name.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn replace(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let partial = partial(target);
    let mut file = match claim(&partial) {
        // The file is writable, but no file may be created in its folder.
        Err(error) if error.kind() == ErrorKind::PermissionDenied && target.exists() => {
            return write_into(target, bytes);
        }
        file => file?,
    };
    // Without the sync, a power cut can leave an empty file under the new name.
    let written =
        file.set_len(0).and_then(|()| file.write_all(bytes)).and_then(|()| file.sync_all());
    let placed = written.and_then(|()| fs::rename(&partial, target));
    if placed.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&partial);
    }
    placed.and_then(|()| sync_folder(folder_of(target)))
}

/// Opens the partial file, locked until it is closed. Another writer may have renamed it while this one waited for
/// the lock: then a new one is created.
fn claim(partial: &Path) -> io::Result<File> {
    loop {
        let file = File::options().create(true).truncate(false).write(true).open(partial)?;
        let file = lock(file)?;
        let (ours, there) = (file.metadata()?, fs::symlink_metadata(partial));
        if there.is_ok_and(|there| (there.dev(), there.ino()) == (ours.dev(), ours.ino())) {
            return Ok(file);
        }
    }
}

fn write_into(path: &Path, bytes: &[u8]) -> io::Result<()> {
    OpenOptions::new().write(true).truncate(true).open(path)?.write_all(bytes)
}

#[cfg(test)]
mod tests;
