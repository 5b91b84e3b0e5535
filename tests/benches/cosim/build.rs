//! Folders in which the other sides are built, kept from run to run.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use kit::cache::Key;
use verilate::ModelSource;

/// The folder of a side that is made from these files, with the files in it.
pub fn folder(side: &str, files: &[(&str, &str)]) -> Result<PathBuf, String> {
    let hash = Key::of(files.iter().flat_map(|(name, text)| [name, text])).name();
    let folder = tools::target_dir().join("bench").join(format!("{side}-{hash}"));
    for (name, text) in files {
        let path = folder.join(name);
        if fs::read_to_string(&path).is_ok_and(|there| there == *text) {
            // Left alone: tools look at dates.
            continue;
        }
        let parent = path.parent().unwrap_or(&folder);
        fs::create_dir_all(parent).map_err(|error| said(parent, &error))?;
        fs::write(&path, text).map_err(|error| said(&path, &error))?;
    }
    Ok(folder)
}

/// Runs `make` if its result is not there yet.
pub fn unless_there(
    result: &Path,
    make: impl FnOnce() -> Result<(), String>,
) -> Result<(), String> {
    if result.exists() { Ok(()) } else { make() }
}

/// Runs a command to its end; the error is what it complained about.
pub fn run(what: &str, command: &mut Command) -> Result<(), String> {
    let output = command.stdin(Stdio::null()).output().map_err(|e| format!("{what}: {e}"))?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let complaint = text.lines().map(str::trim).rfind(|line| !line.is_empty());
    Err(format!("{what} failed: {}", complaint.unwrap_or("it does not say why")))
}

/// A file that cannot be used.
pub fn said(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// The flags of our models that other sides can use too: what they call the class, and whether they
/// are quiet, is theirs to choose.
pub fn shared_flags(source: &ModelSource) -> Vec<String> {
    let mut flags = Vec::new();
    let mut all = verilate::translation_flags(source).into_iter();
    while let Some(flag) = all.next() {
        match flag.as_str() {
            "--cc" | "--quiet" => {}
            "--prefix" | "--top-module" => drop(all.next()),
            _ => flags.push(flag),
        }
    }
    flags
}

/// The variables that a tool wants.
pub fn variables(tool: &tools::Installed) -> Vec<(OsString, OsString)> {
    let command = tool.command();
    let set = command.get_envs().filter_map(|(key, value)| Some((key.into(), value?.into())));
    set.collect()
}
