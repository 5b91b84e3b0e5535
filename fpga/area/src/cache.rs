//! Synthesis results, by the hash of everything that decides the result.
//!
//! Entries are written atomically: a study that was stopped goes on where it was, and two studies at once do
//! not disturb each other.

use crate::Error;
use kit::cache::Key;
use kit::file::write_atomic;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use verilate::{Lines, without_comments};

/// The cache.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// The cache in a folder, which is made if it does not exist.
    pub fn new(folder: PathBuf) -> Result<Self, Error> {
        fs::create_dir_all(&folder).map_err(Error::at(&folder))?;
        Ok(Self { folder })
    }

    /// The entry with this key; `None` if it is missing or cannot be read.
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        serde_json::from_slice(&fs::read(self.path(key)).ok()?).ok()
    }

    /// Keeps a result.
    pub fn put(&self, key: &str, value: &impl Serialize) -> Result<(), Error> {
        let text = serde_json::to_vec_pretty(value).expect("results are plain data");
        Ok(write_atomic(&self.path(key), &text)?)
    }

    /// The folder of that name, which `make` fills if it is missing or damaged; whoever else wants it waits.
    pub fn folder(
        &self,
        name: &str,
        make: impl FnOnce(&Path) -> Result<(), Error>,
    ) -> Result<PathBuf, Error> {
        self.folders().entry(name, |kept| Ok(kept.to_owned()), make)
    }

    /// A folder to work in, on the same disk; it is removed with the handle.
    pub fn workplace(&self) -> Result<TempDir, Error> {
        Ok(self.folders().workplace()?)
    }

    fn folders(&self) -> kit::cache::Cache {
        kit::cache::Cache::at(self.folder.clone())
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.json"))
    }
}

/// The key of a result: what was done (a script, a tool's pin) to which Verilog. Comments do not
/// count.
pub fn key<'a>(
    done: impl IntoIterator<Item = &'a str>,
    verilog: impl IntoIterator<Item = &'a str>,
) -> String {
    let done = done.into_iter().map(str::to_owned);
    let verilog = verilog.into_iter().map(|text| without_comments(text, Lines::Drop));
    Key::of(done.chain(verilog)).name()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_back_and_damaged_ones_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().join("cache")).unwrap();
        assert_eq!(cache.get::<Vec<u32>>("a"), None);
        cache.put("a", &vec![1, 2]).unwrap();
        assert_eq!(cache.get::<Vec<u32>>("a"), Some(vec![1, 2]));
        fs::write(folder.path().join("cache/a.json"), "[1, ").unwrap();
        assert_eq!(cache.get::<Vec<u32>>("a"), None);
    }

    #[test]
    fn only_what_decides_the_result_is_in_the_key() {
        let of = |done, verilog| key([done], [verilog]);
        assert_eq!(of("synth", "wire a; // line 3"), of("synth", "wire a; // line 4"));
        assert_ne!(of("synth", "wire a;"), of("synth", "wire b;"));
        assert_ne!(of("synth", "wire a;"), of("synth -abc9", "wire a;"));
        assert_ne!(key(["a", "b"], []), key(["ab"], []));
    }
}
