//! Calling Yosys and nextpnr in a folder of their own.
//!
//! They come as WebAssembly and see no other folder, so all names are relative.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs a command in `folder`; returns its output, or its error in one sentence.
pub fn run(command: &mut Command, folder: &Path) -> Result<String, String> {
    let output = command.current_dir(folder).stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("cannot run it: {error}"))?;
    let text =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let text = text.concat();
    if output.status.success() { Ok(text) } else { Err(complaint(&text)) }
}

/// Writes the files of a job into its folder.
pub fn write_files(folder: &Path, files: &[(String, String)]) -> Result<(), String> {
    for (name, text) in files {
        fs::write(folder.join(name), text).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}

/// Reads a file that a tool was to write.
pub fn read(folder: &Path, name: &str) -> Result<String, String> {
    fs::read_to_string(folder.join(name)).map_err(|error| format!("{name}: {error}"))
}

/// The same file at another place: the tools see no other folder than their own.
pub fn link(from: &Path, to: &Path) -> Result<(), String> {
    fs::hard_link(from, to)
        .or_else(|_| fs::copy(from, to).map(drop))
        .map_err(|error| format!("{}: {error}", from.display()))
}

/// A tool's error: its first error line, else its last line.
fn complaint(text: &str) -> String {
    let error = text.lines().find_map(|line| line.trim_start().strip_prefix("ERROR:"));
    let last = text.lines().rev().find(|line| !line.trim().is_empty());
    error.or(last).unwrap_or("no output").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_is_what_is_wrong() {
        let text = "Info: packing\nERROR: no place\nERROR: more\n1 error\n";
        assert_eq!(complaint(text), "no place");
        assert_eq!(complaint("a\nb\n\n"), "b");
        assert_eq!(complaint(""), "no output");
    }
}
