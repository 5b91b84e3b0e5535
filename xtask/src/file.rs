//! One file, written whole or not at all.

use crate::failure::Failure;
use std::io::{self, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// Writes a file into a folder that is there: beside, then renamed.
pub fn put(place: &Path, text: &str) -> Result<(), Failure> {
    let cannot =
        |error: io::Error| Failure::failed(format!("cannot write {}: {error}", place.display()));
    let folder = place.parent().unwrap_or(Path::new("."));
    let mut beside = NamedTempFile::new_in(folder).map_err(cannot)?;
    beside.write_all(text.as_bytes()).map_err(cannot)?;
    beside.persist(place).map_err(|error| cannot(error.error))?;
    Ok(())
}
