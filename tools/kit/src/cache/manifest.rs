//! What a finished folder holds, so that damage is noticed.

use super::sha256;
use crate::numbers::hex;
use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

/// The name of the list.
pub(super) const MANIFEST: &str = "manifest";

/// Writes down what is in a folder.
pub(super) fn seal(folder: &Path) -> io::Result<()> {
    fs::write(folder.join(MANIFEST), contents(folder)?)
}

/// Whether a folder holds exactly what was in it when it was sealed.
pub(super) fn is_whole(folder: &Path) -> bool {
    match (fs::read_to_string(folder.join(MANIFEST)), contents(folder)) {
        (Ok(manifest), Ok(contents)) => manifest == contents,
        _ => false,
    }
}

/// Hash, size and name of every file, folders inside included.
fn contents(folder: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    list(folder, "", &mut files)?;
    files.sort();
    Ok(files.iter().fold(String::new(), |mut text, (name, size, hash)| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{hash} {size} {name}");
        text
    }))
}

fn list(folder: &Path, above: &str, files: &mut Vec<(String, u64, String)>) -> io::Result<()> {
    for found in fs::read_dir(folder)? {
        let found = found?;
        let name = format!("{above}{}", found.file_name().to_string_lossy());
        if name == MANIFEST {
            continue;
        }
        if found.file_type()?.is_dir() {
            list(&found.path(), &format!("{name}/"), files)?;
            continue;
        }
        // Precompiled headers are large, and the compiler checks them itself, so their size must do.
        let hash = match name.ends_with(".gch") {
            true => "-".to_owned(),
            false => hex(&sha256(fs::read(found.path())?)),
        };
        files.push((name, found.metadata()?.len(), hash));
    }
    Ok(())
}
