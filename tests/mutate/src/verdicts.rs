//! Results of mutants, appended line by line: an interrupted campaign continues where it stopped, and an
//! incomplete last line is ignored.

use crate::files::cannot;
use kit::Failure;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A file with a line for each mutant.
pub struct Verdicts<T> {
    path: PathBuf,
    state: Mutex<State<T>>,
}

struct State<T> {
    file: File,
    known: BTreeMap<usize, T>,
}

impl<T: Serialize + DeserializeOwned + Clone> Verdicts<T> {
    /// Opens the file, which need not exist.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let mut known = BTreeMap::new();
        let text = fs::read(path).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        for line in text.lines() {
            if let Ok((mutant, verdict)) = serde_json::from_str::<(usize, T)>(line) {
                known.insert(mutant, verdict);
            }
        }
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .map_err(cannot("write", path))?;
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n").map_err(cannot("write", path))?;
        }
        Ok(Self { path: path.to_owned(), state: Mutex::new(State { file, known }) })
    }

    /// The stored result of a mutant.
    pub fn get(&self, mutant: usize) -> Option<T> {
        self.lock().known.get(&mutant).cloned()
    }

    /// Stores a result.
    pub fn put(&self, mutant: usize, verdict: T) -> Result<(), Failure> {
        let line = serde_json::to_string(&(mutant, &verdict)).expect("plain data") + "\n";
        let mut state = self.lock();
        state.file.write_all(line.as_bytes()).map_err(cannot("write", &self.path))?;
        state.known.insert(mutant, verdict);
        Ok(())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_finished_is_known_again_and_a_torn_line_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("verdicts");
        let verdicts = Verdicts::<Option<String>>::open(&path).unwrap();
        verdicts.put(1, Some("noticed".into())).unwrap();
        verdicts.put(2, None).unwrap();
        drop(verdicts);
        let torn = fs::read_to_string(&path).unwrap() + "[3,\"noti";
        fs::write(&path, torn).unwrap();
        let verdicts = Verdicts::<Option<String>>::open(&path).unwrap();
        assert_eq!(verdicts.get(1), Some(Some("noticed".into())));
        assert_eq!(verdicts.get(2), Some(None));
        assert_eq!(verdicts.get(3), None);
        verdicts.put(4, None).unwrap();
        assert_eq!(Verdicts::<Option<String>>::open(&path).unwrap().get(4), Some(None));
    }
}
