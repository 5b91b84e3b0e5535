//! Tools from Python wheels, installed with the system's Python.

use crate::failure::Failure;
use crate::install::Source;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Output};
use tools::{Installed, Runs, Tool, pin};

/// Wheels from the package index that pip is configured for.
pub struct Pip;

impl Source for Pip {
    fn make_venv(&self, folder: &Path) -> Result<(), Failure> {
        let mut command = Command::new("python3");
        command.args(["-m", "venv"]).arg(folder);
        let output = command.output().map_err(|error| match error.kind() {
            ErrorKind::NotFound => Failure::failed(
                "python3 is not on the PATH: install Python 3.10 or later, with its venv module",
            ),
            _ => Failure::failed(format!("cannot run python3: {error}")),
        })?;
        if output.status.success() {
            return Ok(());
        }
        let said = said(&output);
        let why = no_venv(&said);
        Err(Failure::failed(format!("python3 cannot create a virtual environment: {why}")))
    }

    fn venv_works(&self, python: &Path) -> bool {
        let output = Command::new(python).args(["-m", "pip", "--version"]).output();
        output.is_ok_and(|output| output.status.success())
    }

    fn fetch(
        &self,
        python: &Path,
        tool: Tool,
        folder: &Path,
        scratch: &Path,
    ) -> Result<(), Failure> {
        let mut command = Command::new(python);
        command.args(["-m", "pip", "install", "--quiet", "--no-input", "--no-deps"]);
        // Wheels only: nothing is built from source here.
        command.args(["--only-binary", ":all:", "--no-compile", "--retries", "3"]);
        command.args(["--disable-pip-version-check", "--target"]);
        command.arg(folder).args(pin(tool).wheels());
        // On the same disk as the target: moving hundreds of megabytes is then a rename.
        command.env("TMPDIR", scratch).env("PIP_USER", "0");
        command.env_remove("PYTHONPATH").env_remove("PYTHONHOME");
        let output = command
            .output()
            .map_err(|error| Failure::failed(format!("cannot run pip: {error}")))?;
        if output.status.success() {
            return Ok(());
        }
        let (name, version) = (tool.name(), pin(tool).version());
        Err(Failure::failed(format!("cannot install {name} {version}: {}", reason(&said(&output)))))
    }

    fn try_out(&self, python: &Path, tool: Tool, folder: &Path) -> Result<(), Failure> {
        let python = (pin(tool).runs == Runs::Python).then(|| python.to_owned());
        let installed = Installed::in_folder(tool, folder, python);
        let mut command = installed.command();
        command.args(&pin(tool).try_args).env("PYTHONPATH", folder);
        let (name, version) = (tool.name(), pin(tool).version());
        let wrong = |why: String| {
            Failure::failed(format!("{name} {version} does not run on this machine: {why}"))
        };
        let output = command.output().map_err(|error| wrong(error.to_string()))?;
        if output.status.success() {
            Ok(())
        } else {
            Err(wrong(format!("{}, {}", output.status, last_line(&said(&output)))))
        }
    }
}

fn said(output: &Output) -> String {
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text += &String::from_utf8_lossy(&output.stderr);
    text
}

fn last_line(text: &str) -> &str {
    let mut lines = text.lines().rev().map(str::trim);
    lines.find(|line| !line.is_empty()).unwrap_or("no output")
}

/// Why the virtual environment cannot be created, in one line.
fn no_venv(said: &str) -> &str {
    if said.contains("ensurepip is not available") || said.contains("No module named") {
        "install its venv module (python3-venv on Debian)"
    } else if said.contains("No space left on device") {
        "the disk is full"
    } else if said.contains("ensurepip") {
        // It starts itself once more to unpack pip and hides that output.
        "pip cannot be unpacked into it; is the disk full?"
    } else {
        last_line(said)
    }
}

/// Messages of pip when it cannot reach its index; it then reports a missing version.
const NO_NETWORK: [&str; 6] = [
    "NewConnectionError",
    "NameResolutionError",
    "ConnectTimeoutError",
    "ReadTimeoutError",
    "ProxyError",
    "Connection aborted",
];

/// pip's error, in one line.
fn reason(said: &str) -> String {
    if NO_NETWORK.iter().any(|sign| said.contains(sign)) {
        return "the Python package index cannot be reached; \
                run `cargo xtask setup` again with a network"
            .to_owned();
    }
    let mut errors = said.lines().filter_map(|line| line.strip_prefix("ERROR: "));
    match errors.next_back() {
        Some(error) => format!("pip says: {}", error.trim()),
        None => format!("pip says: {}", last_line(said)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unreachable_index_is_not_reported_as_a_missing_version() {
        let said = "WARNING: Retrying (Retry(total=0)) after connection broken by \
                    'NewConnectionError('…: [Errno -2] Name or service not known')'\n\
                    ERROR: Could not find a version that satisfies the requirement z3-solver\n\
                    ERROR: No matching distribution found for z3-solver==5.4.0.0\n";
        assert!(reason(said).contains("cannot be reached"));
    }

    #[test]
    fn a_full_disk_is_not_reported_as_a_missing_module() {
        let debian = "The virtual environment was not created successfully because ensurepip is \
                      not available.  On Debian/Ubuntu systems, you need to install …\n";
        assert!(no_venv(debian).contains("python3-venv"));
        let unpacking = "Error: Command '['/x/bin/python3', '-m', 'ensurepip', '--upgrade', \
                         '--default-pip']' returned non-zero exit status 1.\n";
        assert!(no_venv(unpacking).contains("is the disk full?"));
        assert_eq!(no_venv("Error: [Errno 28] No space left on device: 'x'"), "the disk is full");
        assert_eq!(no_venv("Error: what else\n"), "Error: what else");
    }

    #[test]
    fn the_last_error_of_pip_is_passed_on() {
        let said = "noise\nERROR: first\nERROR: No matching distribution found for z3==9\nnote\n";
        assert_eq!(reason(said), "pip says: No matching distribution found for z3==9");
        assert_eq!(reason("Killed\n\n"), "pip says: Killed");
        assert_eq!(reason(""), "pip says: no output");
    }
}
