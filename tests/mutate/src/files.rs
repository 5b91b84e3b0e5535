//! Files of a campaign: complete or absent.

use kit::Failure;
use kit::cache::Key;
use kit::file::write_atomic;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::io;
use std::path::Path;

/// A name for the bytes of a file.
pub fn key_of_file(path: &Path) -> Result<String, Failure> {
    let bytes = fs::read(path).map_err(cannot("read", path))?;
    Ok(Key::of([bytes]).name())
}

/// Makes a folder, and those above it.
pub fn make(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(cannot("make", folder))
}

/// A file's text.
pub fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(cannot("read", path))
}

/// A file's contents; `None` if it is missing or cannot be read.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// Writes a file, whole or not at all.
pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    Ok(write_atomic(path, text.as_bytes())?)
}

/// Writes a file for programs to read, and for people to see what changed in it.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).expect("plain data");
    write(path, &(text + "\n"))
}

/// The error for a cache folder with damaged files.
pub fn unusable(folder: &Path) -> Failure {
    Failure::failed(format!("the results in {} are damaged; delete the folder", folder.display()))
}

/// The error for an operation on a path that failed.
pub fn cannot<'a>(what: &'a str, path: &'a Path) -> impl Fn(io::Error) -> Failure + 'a {
    move |error| Failure::failed(format!("cannot {what} {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

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
