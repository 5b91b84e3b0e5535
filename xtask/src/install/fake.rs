//! A source of tools for tests that downloads nothing.

use super::Source;
use crate::failure::Failure;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use tools::{Tool, pin};

/// Installs empty files, or fails on demand.
#[derive(Default)]
pub struct Fake {
    pub fail_fetch: Option<Tool>,
    pub fail_try: Option<Tool>,
    /// The calls so far.
    pub calls: Mutex<Vec<String>>,
}

impl Fake {
    /// The calls since the last time.
    pub fn calls(&self) -> Vec<String> {
        let mut calls = std::mem::take(&mut *self.calls.lock().unwrap());
        calls.sort();
        calls
    }

    fn called(&self, what: impl Into<String>) {
        self.calls.lock().unwrap().push(what.into());
    }
}

impl Source for Fake {
    fn make_venv(&self, folder: &Path) -> Result<(), Failure> {
        self.called("venv");
        fs::create_dir_all(folder.join("bin")).unwrap();
        fs::create_dir_all(folder.join("lib/python3.99/site-packages")).unwrap();
        fs::write(folder.join("pyvenv.cfg"), "").unwrap();
        let python = std::env::current_exe().unwrap();
        std::os::unix::fs::symlink(python, folder.join("bin/python3")).unwrap();
        Ok(())
    }

    fn venv_works(&self, python: &Path) -> bool {
        python.with_file_name("../lib").exists()
    }

    fn fetch(&self, _: &Path, tool: Tool, folder: &Path, _: &Path) -> Result<(), Failure> {
        self.called(format!("fetch {tool}"));
        if let Some(program) = &pin(tool).program {
            let program = folder.join(program);
            fs::create_dir_all(program.parent().unwrap()).unwrap();
            fs::write(program, "").unwrap();
        }
        if self.fail_fetch == Some(tool) {
            return Err(Failure::failed("no network"));
        }
        Ok(())
    }

    fn try_out(&self, _: &Path, tool: Tool, _: &Path) -> Result<(), Failure> {
        if self.fail_try == Some(tool) {
            return Err(Failure::failed("does not run"));
        }
        Ok(())
    }
}
