//! Where the bytes of an output go.

use super::Unwritable;
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// As many symbolic links as Linux follows.
const MOST_LINKS: usize = 40;

/// How an output is written.
pub(super) enum Place {
    /// Beside this plain file, which need not exist, and then renamed to it.
    Beside(PathBuf),
    /// Into the pipe or device that is there.
    Into,
}

pub(super) fn of(path: &Path) -> Result<Place, Unwritable> {
    let there = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        there => Some(there.map_err(Unwritable::at(path))?),
    };
    let has_no_name = path.file_name().is_none() || path.as_os_str().as_bytes().ends_with(b"/");
    match there {
        Some(there) if there.is_dir() => Err(Unwritable::new(path, "it is a folder")),
        _ if has_no_name => Err(Unwritable::new(path, "it is not the name of a file")),
        Some(there) if !there.is_file() => Ok(Place::Into),
        // A file may be open and have no name any more: /dev/stdout may lead to one.
        Some(_) => Ok(fs::canonicalize(path).map_or(Place::Into, Place::Beside)),
        None => Ok(Place::Beside(followed(path).map_err(Unwritable::at(path))?)),
    }
}

/// The destination of a path that does not exist yet, links followed.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(to) => path = path.parent().unwrap_or(Path::new("")).join(to),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}
