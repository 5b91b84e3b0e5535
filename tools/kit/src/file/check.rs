//! Outputs refused before the work whose result they are.

use super::place::{self, Place};
use super::{Unwritable, folder_of};
use std::fs::{self, Metadata, OpenOptions};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// Refuses an output that could not be written, or that would replace an input. Leaves nothing behind.
///
/// # Errors
/// Why it is refused.
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
    // Opened to append, it keeps its contents.
    OpenOptions::new().append(true).open(&target).map(drop).map_err(Unwritable::at(path))
}

/// Refuses two outputs that would be the same file.
///
/// # Errors
/// The second output, and why it is refused.
pub fn check_apart(one: &Path, other: &Path) -> Result<(), Unwritable> {
    let (Place::Beside(first), Place::Beside(second)) = (place::of(one)?, place::of(other)?) else {
        return Ok(());
    };
    if whole(&first) == whole(&second) {
        return Err(Unwritable::new(other, "two outputs would be this file"));
    }
    Ok(())
}

/// The one path without links to a file that need not exist.
fn whole(target: &Path) -> PathBuf {
    let folder = fs::canonicalize(folder_of(target));
    folder.unwrap_or_default().join(target.file_name().unwrap_or_default())
}
