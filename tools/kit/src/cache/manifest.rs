//! The manifest of a finished folder, to detect damage.

use super::sha256;
use crate::numbers::hex;
use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

/// File name of the manifest.
pub(super) const MANIFEST: &str = "manifest";

/// Writes the manifest of a folder.
pub(super) fn seal(folder: &Path) -> io::Result<()> {
    fs::write(folder.join(MANIFEST), contents(folder)?)
}

/// Whether a folder still matches its manifest.
pub(super) fn is_whole(folder: &Path) -> bool {
    match (fs::read_to_string(folder.join(MANIFEST)), contents(folder)) {
        (Ok(manifest), Ok(contents)) => manifest == contents,
        _ => false,
    }
}

/// Hash, size and name of every file, including those in subfolders.
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
        // Precompiled headers are large and the compiler checks them itself, so only their size is compared.
        let hash = match name.ends_with(".gch") {
            true => "-".to_owned(),
            false => hex(&sha256(fs::read(found.path())?)),
        };
        files.push((name, found.metadata()?.len(), hash));
    }
    Ok(())
}
