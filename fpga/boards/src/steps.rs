//! Steps whose results are kept: each in a folder named by the hash of everything that decides it.

use area::Error;
use kit::cache::Cache;
use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};

/// Where results are kept.
pub struct Steps {
    cache: Cache,
    out: PathBuf,
}

impl Steps {
    /// Results in one folder, what people look at in another.
    pub fn new(cache: PathBuf, out: PathBuf) -> Result<Self, Error> {
        fs::create_dir_all(&out).map_err(Error::at(&out))?;
        Ok(Self { cache: Cache::at(cache), out })
    }

    /// Does a step in a folder of its own, unless its result is there. `shown` are copied for people, also of
    /// a step that fails: its log says more than the one sentence.
    pub fn step(
        &self,
        what: &str,
        key: &str,
        shown: &[(&str, String)],
        work: impl FnOnce(&Path) -> Result<(), String>,
    ) -> Result<PathBuf, Error> {
        let known = Cell::new(true);
        let kept = self.cache.entry(
            key,
            |kept| Ok(kept.to_owned()),
            |folder| {
                known.set(false);
                eprintln!("{what}");
                work(folder).or_else(|reason| {
                    self.show(folder, shown)?;
                    Err(Error::Failed(format!("cannot {what}: {reason}")))
                })
            },
        )?;
        if known.get() {
            eprintln!("{what}: done in an earlier run");
        }
        self.show(&kept, shown)?;
        Ok(kept)
    }

    /// Copies what is there.
    fn show(&self, from: &Path, shown: &[(&str, String)]) -> Result<(), Error> {
        for (name, as_name) in shown {
            let (from, to) = (from.join(name), self.out.join(as_name));
            if from.is_file() {
                fs::copy(&from, &to).map_err(Error::at(&to))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_done_once_and_a_failure_leaves_its_log() {
        let folder = tempfile::tempdir().unwrap();
        let steps = Steps::new(folder.path().join("cache"), folder.path().join("out")).unwrap();
        let shown = [("log", "step.log".to_owned())];
        let fails = |folder: &Path| {
            fs::write(folder.join("log"), "what happened").unwrap();
            Err("it does not fit".to_owned())
        };
        let error = steps.step("place it", "a", &shown, fails).unwrap_err();
        assert_eq!(error.to_string(), "cannot place it: it does not fit");
        assert!(matches!(error, Error::Failed(_)));
        assert_eq!(
            fs::read_to_string(folder.path().join("out/step.log")).unwrap(),
            "what happened"
        );
        let works =
            |folder: &Path| fs::write(folder.join("log"), "fine").map_err(|e| e.to_string());
        let kept = steps.step("place it", "a", &shown, works).unwrap();
        assert_eq!(fs::read_to_string(kept.join("log")).unwrap(), "fine");
        steps.step("place it", "a", &shown, |_| panic!("it is known")).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("out/step.log")).unwrap(), "fine");
    }
}
