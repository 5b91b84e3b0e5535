//! Results of external tools, kept by the hash of everything that went into them.

use std::path::PathBuf;
use std::{fs, io};

use sha2::{Digest, Sha256};

/// The folder for results of these ingredients, and whether it was already complete.
///
/// `make` fills a folder beside it, which gets its final name by one rename: a killed run leaves
/// nothing that looks like a result.
pub fn folder<E: From<String>>(
    ingredients: &[&str],
    make: impl FnOnce(&std::path::Path) -> Result<(), E>,
) -> Result<PathBuf, E> {
    let mut hash = Sha256::new();
    for part in ingredients {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    let name: String = hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let root = tools::target_dir().join("differential");
    let done = root.join(&name);
    if done.exists() {
        return Ok(done);
    }
    let fail = |error: io::Error| E::from(format!("{}: {error}", root.display()));
    fs::create_dir_all(&root).map_err(fail)?;
    let partial = tempfile::Builder::new().prefix("partial-").tempdir_in(&root).map_err(fail)?;
    make(partial.path())?;
    match fs::rename(partial.path(), &done) {
        Ok(()) => drop(partial.keep()),
        // Another process was quicker.
        Err(_) if done.exists() => {}
        Err(error) => return Err(fail(error)),
    }
    Ok(done)
}
