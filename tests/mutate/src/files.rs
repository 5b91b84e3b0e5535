//! Files of a campaign: whole or not there.

use ending::Failure;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// A name for what is decided by these texts.
pub fn key<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// A name for the bytes of a file.
pub fn key_of_file(path: &Path) -> Result<String, Failure> {
    let bytes = fs::read(path).map_err(cannot("read", path))?;
    Ok(Sha256::digest(&bytes).iter().take(8).map(|byte| format!("{byte:02x}")).collect())
}

/// Makes a folder, and those above it.
pub fn make(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(cannot("make", folder))
}

/// A folder to work in; it vanishes with the handle.
pub fn workplace(root: &Path) -> Result<tempfile::TempDir, Failure> {
    make(root)?;
    tempfile::Builder::new().prefix("partial-").tempdir_in(root).map_err(cannot("write to", root))
}

/// A file's text.
pub fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(cannot("read", path))
}

/// A file's contents. What cannot be read is not there.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// Writes a file, whole or not at all.
pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut beside = tempfile::NamedTempFile::new_in(folder).map_err(cannot("write to", folder))?;
    beside.write_all(text.as_bytes()).map_err(cannot("write", path))?;
    beside.persist(path).map_err(|error| cannot("write", path)(error.error))?;
    Ok(())
}

/// Writes a file for programs to read, and for people to see what changed in it.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).expect("plain data");
    write(path, &(text + "\n"))
}

/// The sentence for what cannot be done to a path.
pub fn cannot<'a>(what: &'a str, path: &'a Path) -> impl Fn(io::Error) -> Failure + 'a {
    move |error| Failure::failed(format!("cannot {what} {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_do_not_run_into_each_other() {
        assert_ne!(key(["a", "b"]), key(["ab"]));
        assert_eq!(key(["a", "b"]), key(["a", "b"]));
    }

    #[test]
    fn what_is_damaged_is_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        write_json(&path, &[1, 2]).unwrap();
        assert_eq!(read_json::<Vec<u32>>(&path), Some(vec![1, 2]));
        fs::write(&path, "[1,").unwrap();
        assert_eq!(read_json::<Vec<u32>>(&path), None);
    }
}
