//! The layout of the tools folder, and how to tell a complete installation from a partial one.
//!
//! ```text
//! <target>/tools/lock           held while something is being installed
//! <target>/tools/venv/          the virtual environment; it imports from every folder beside it
//! <target>/tools/<tool>/        one tool's wheels, and its cache
//! <target>/tools/<tool>/stamp   the pins it was installed from, and for which Python
//! <target>/tools/partial-…/     an installation in progress, or left by a killed process
//! ```
//!
//! A folder gets its final name by one rename, when it is complete. So a stamp is only ever seen
//! in a complete installation, even if the installer was killed.

use crate::{Installed, Missing, Runs, Tool, pin, verilator};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The root of the workspace.
pub fn workspace_root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this crate is a folder of the workspace")
}

/// Cargo's target folder: `CARGO_TARGET_DIR`, or `target` in the workspace. A relative
/// `CARGO_TARGET_DIR` counts from the root of the workspace, wherever the process runs.
pub fn target_dir() -> PathBuf {
    let named = env::var_os("CARGO_TARGET_DIR").filter(|dir| !dir.is_empty());
    workspace_root().join(named.unwrap_or_else(|| "target".into()))
}

/// One folder of tools.
#[derive(Clone, Debug)]
pub struct Layout {
    root: PathBuf,
}

impl Layout {
    /// The tools of this workspace.
    pub fn of_workspace() -> Self {
        Self::at(target_dir().join("tools"))
    }

    /// The tools in any folder, for tests.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The tools folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The file that is locked while something is being installed.
    pub fn lock_file(&self) -> PathBuf {
        self.root.join("lock")
    }

    /// The virtual environment.
    pub fn venv(&self) -> PathBuf {
        self.root.join("venv")
    }

    /// The Python of the virtual environment.
    pub fn python(&self) -> PathBuf {
        self.venv().join("bin/python3")
    }

    /// The folder of one tool.
    pub fn home(&self, tool: Tool) -> PathBuf {
        self.root.join(tool.name())
    }

    /// The expected stamp of the virtual environment: its Python, and its location
    /// (its scripts name its Python by full path). `None` if that Python is gone.
    pub fn venv_stamp(&self) -> Option<String> {
        self.venv_stamp_for(&self.python())
    }

    /// As [`Self::venv_stamp`], for an environment on `python` that is still being made.
    pub fn venv_stamp_for(&self, python: &Path) -> Option<String> {
        let real = fs::canonicalize(python).ok()?;
        Some(format!("python {}\nfor {}\n", real.display(), self.root.display()))
    }

    /// Whether the virtual environment is complete and usable.
    pub fn venv_is_current(&self) -> bool {
        let stamp = fs::read_to_string(self.venv().join("stamp")).ok();
        // Without pyvenv.cfg its Python does not know that it is in a virtual environment.
        let marked = self.venv().join("pyvenv.cfg").is_file();
        marked && stamp.is_some() && stamp == self.venv_stamp()
    }

    /// The expected stamp of a tool; `None` if it needs a Python and there is none.
    pub fn stamp(&self, tool: Tool) -> Option<String> {
        let mut stamp = pin(tool).wheels().join("\n") + "\n";
        if pin(tool).runs == Runs::Python {
            stamp += &self.venv_stamp()?;
        }
        Some(stamp)
    }

    /// The pinned installation of `tool`, or why it cannot be used. Reads two or three files, and
    /// starts nothing.
    pub fn pinned(&self, tool: Tool) -> Result<Installed, Missing> {
        let home = self.home(tool);
        let stamp = fs::read_to_string(home.join("stamp")).ok();
        let python = (pin(tool).runs == Runs::Python).then(|| self.python());
        let current = stamp.is_some()
            && stamp == self.stamp(tool)
            && (python.is_none() || self.venv_is_current());
        let installed = Installed::in_folder(tool, &home, python);
        if current && installed.program().exists() {
            Ok(installed)
        } else {
            Err(Missing::NotInstalled(tool))
        }
    }

    /// The tool to use: the pinned one, or the one named by the environment.
    pub fn locate(&self, tool: Tool) -> Result<Installed, Missing> {
        match tool {
            Tool::Verilator => match verilator::from_environment()? {
                Some(other) => Ok(other),
                None => self.pinned(tool),
            },
            _ => self.pinned(tool),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_fake_z3() -> (tempfile::TempDir, Layout) {
        let dir = tempfile::tempdir().unwrap();
        let layout = Layout::at(dir.path());
        let home = layout.home(Tool::Z3);
        fs::create_dir_all(home.join("bin")).unwrap();
        fs::write(home.join("bin/z3"), "").unwrap();
        fs::write(home.join("stamp"), layout.stamp(Tool::Z3).unwrap()).unwrap();
        (dir, layout)
    }

    #[test]
    fn a_stamped_tool_is_found() {
        let (_dir, layout) = with_fake_z3();
        let z3 = layout.pinned(Tool::Z3).unwrap();
        assert_eq!(z3.program(), layout.root().join("z3/bin/z3"));
    }

    #[test]
    fn a_missing_tool_is_one_sentence_naming_the_command() {
        let layout = Layout::at("/nonexistent");
        let missing = layout.pinned(Tool::Yosys).unwrap_err();
        assert_eq!(
            missing.to_string(),
            "yosys 0.70.0.0.post1259 is not installed: run `cargo xtask setup yosys`"
        );
    }

    #[test]
    fn a_tool_without_stamp_counts_as_missing() {
        let (_dir, layout) = with_fake_z3();
        fs::remove_file(layout.home(Tool::Z3).join("stamp")).unwrap();
        assert!(layout.pinned(Tool::Z3).is_err());
    }

    #[test]
    fn a_tool_of_another_pin_counts_as_missing() {
        let (_dir, layout) = with_fake_z3();
        fs::write(layout.home(Tool::Z3).join("stamp"), "z3-solver==4.0\n").unwrap();
        assert!(layout.pinned(Tool::Z3).is_err());
    }

    #[test]
    fn a_tool_whose_program_was_deleted_counts_as_missing() {
        let (_dir, layout) = with_fake_z3();
        fs::remove_file(layout.home(Tool::Z3).join("bin/z3")).unwrap();
        assert!(layout.pinned(Tool::Z3).is_err());
    }

    #[test]
    fn a_virtual_environment_whose_python_is_gone_is_not_current() {
        let dir = tempfile::tempdir().unwrap();
        let layout = Layout::at(dir.path());
        fs::create_dir_all(layout.venv().join("bin")).unwrap();
        fs::write(layout.python(), "").unwrap();
        fs::write(layout.venv().join("pyvenv.cfg"), "").unwrap();
        fs::write(layout.venv().join("stamp"), layout.venv_stamp().unwrap()).unwrap();
        assert!(layout.venv_is_current());
        fs::remove_file(layout.python()).unwrap();
        assert!(!layout.venv_is_current());
    }
}
