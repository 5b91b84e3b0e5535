//! Checks outputs before the work that produces them.

use super::place::{self, Place};
use super::{Unwritable, folder_of};
use std::fs::{self, Metadata, OpenOptions};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// Rejects an output that cannot be written, or that would replace an input. Leaves nothing behind.
///
/// # Errors
/// Why it is rejected.
pub fn check_output<'a>(
    path: &Path,
    inputs: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<(), Unwritable> {
    let Place::Beside(target) = place::of(path)? else { return Ok(()) };
    let Ok(there) = fs::metadata(&target) else {
        let tried = tempfile::tempfile_in(folder_of(&target));
        return tried.map(drop).map_err(Unwritable::at(path));
    };
    let same = |input: &Metadata| (input.dev(), input.ino()) == (there.dev(), there.ino());
    if inputs.into_iter().any(|input| fs::metadata(input).is_ok_and(|input| same(&input))) {
        return Err(Unwritable::new(path, "it is one of the inputs"));
    }
    // Opened for appending, it keeps its contents.
    OpenOptions::new().append(true).open(&target).map(drop).map_err(Unwritable::at(path))
}

/// Rejects two outputs that are the same file.
///
/// # Errors
/// The second output, and why it is rejected.
pub fn check_apart(one: &Path, other: &Path) -> Result<(), Unwritable> {
    let (Place::Beside(first), Place::Beside(second)) = (place::of(one)?, place::of(other)?) else {
        return Ok(());
    };
    if whole(&first) == whole(&second) {
        return Err(Unwritable::new(other, "it is given for two outputs"));
    }
    Ok(())
}

/// The canonical path of a file that need not exist.
fn whole(target: &Path) -> PathBuf {
    let folder = fs::canonicalize(folder_of(target));
    folder.unwrap_or_default().join(target.file_name().unwrap_or_default())
}
