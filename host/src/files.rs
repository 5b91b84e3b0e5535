//! Files that nobody ever sees half of.

use crate::Error;
use std::fs;
use std::path::Path;

/// Writes a file beside its place, and then puts it there. What an interrupted call leaves is written
/// over by the next.
pub fn write_beside(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let wrong = |error: std::io::Error| Error::file(path, &error);
    let partial = path.with_extension("partial");
    fs::write(&partial, bytes).map_err(wrong)?;
    fs::rename(&partial, path).map_err(wrong)
}
