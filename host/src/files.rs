//! Files that nobody ever sees half of.

use crate::Error;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

/// Writes a file beside its place, and then puts it there. What an interrupted call leaves is hidden, and
/// the next call writes over it.
pub fn write_beside(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let wrong = |error: std::io::Error| Error::file(path, &error);
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".partial");
    let partial = path.with_file_name(name);
    fs::write(&partial, bytes).map_err(wrong)?;
    fs::rename(&partial, path).map_err(wrong)
}
