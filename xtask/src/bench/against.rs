//! The Verilog that another commit generates, for `cargo xtask bench --against`.
//!
//! A worktree of that commit generates it with its own generator, once: the folder is kept under the commit's name.

use crate::cargo;
use crate::failure::Failure;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tools::{target_dir, workspace_root};

/// The machines that are compared, by how many harts they have.
const HARTS: [u32; 5] = [1, 2, 4, 8, 16];
/// Digits of a commit's name that are shown.
const DIGITS: usize = 12;

/// The folder with the Verilog of a commit: in it one for each number of harts.
pub fn rtl(commit: &str) -> Result<PathBuf, Failure> {
    let name = resolved(commit)?;
    let root = target_dir().join("against");
    let rtl = root.join(&name[..DIGITS]);
    if !rtl.is_dir() {
        let source = root.join(format!("source-{}", &name[..DIGITS]));
        let generated = generate(&name, &source, &root, &rtl);
        // Nothing is lost with it: the commit stays.
        let _ =
            git(&["worktree".as_ref(), "remove".as_ref(), "--force".as_ref(), source.as_os_str()]);
        generated?;
    }
    Ok(rtl)
}

fn generate(name: &str, source: &Path, root: &Path, rtl: &Path) -> Result<(), Failure> {
    let wrong = |path: &Path| {
        let path = path.display().to_string();
        move |error: std::io::Error| Failure::failed(format!("{path}: {error}"))
    };
    fs::create_dir_all(root).map_err(wrong(root))?;
    if !source.is_dir() {
        let add = ["worktree", "add", "--quiet", "--detach"].map(OsStr::new);
        git(&[&add[..], &[source.as_os_str(), OsStr::new(name)]].concat())?;
    }
    let fresh = tempfile::tempdir_in(root).map_err(wrong(root))?;
    for harts in HARTS {
        eprintln!("generating the machine of {} with {harts} harts", &name[..DIGITS]);
        let config = fresh.path().join("config.toml");
        fs::write(&config, format!("harts = {harts}\n")).map_err(wrong(&config))?;
        let out = fresh.path().join(harts.to_string());
        let options = ["run", "--quiet", "--package", "xtask", "--", "gen-rtl", "--top", "soc"];
        let mut call = cargo::command(&options);
        call.current_dir(source).env("CARGO_TARGET_DIR", root.join("target"));
        call.arg("--config").arg(&config).arg("--out").arg(&out).stdout(std::io::stderr());
        let status = call.status().map_err(wrong(source))?;
        if !status.success() {
            let name = &name[..DIGITS];
            return Err(Failure::failed(format!(
                "cannot generate a machine of {harts} harts with commit {name}; its output is above"
            )));
        }
    }
    fs::rename(fresh.keep(), rtl).map_err(wrong(rtl))
}

/// The full name of a commit.
fn resolved(commit: &str) -> Result<String, Failure> {
    let wanted = format!("{commit}^{{commit}}");
    let found =
        git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted].map(OsStr::new));
    found.map_err(|_| Failure::bad_input(format!("--against: unknown commit `{commit}`")))
}

/// What git says; the error is its own.
fn git(args: &[&OsStr]) -> Result<String, Failure> {
    let output = Command::new("git").current_dir(workspace_root()).args(args).output();
    let output = output.map_err(|error| Failure::failed(format!("cannot run git: {error}")))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    Err(Failure::failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_that_does_not_exist_is_refused() {
        for commit in ["no-such-commit", "--help", ""] {
            let failure = resolved(commit).unwrap_err();
            let sentence = format!("--against: unknown commit `{commit}`");
            assert_eq!(failure, Failure::bad_input(sentence));
        }
    }
}
