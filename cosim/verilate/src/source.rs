//! What a model is built from: Verilog text, its top module, its ports and build options.
//! A source is validated here, before any tool runs.

use std::collections::HashSet;
use std::path::{Component, Path};

use hdl::ir::Design;

use crate::Error;

/// The name of the input that the model drives as the clock.
pub const CLOCK: &str = "clk";

/// The name of the reset of generated designs: an ordinary input, high for reset.
pub const RESET: &str = "rst";

/// Everything needed to build one model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelSource {
    /// The top module's name.
    pub top: String,
    /// File names and their text. Names are relative. Those ending in `.v` or `.sv` are compiled;
    /// others are include files.
    pub files: Vec<(String, String)>,
    /// The top module's ports, in the order in which they are laid out.
    pub ports: Vec<PortSpec>,
    /// How to build it.
    pub options: ModelOptions,
}

/// One port of the top module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortSpec {
    /// Its name in the Verilog.
    pub name: String,
    /// Its width in bits, at least 1.
    pub width: u32,
    /// Whether the design reads or drives it.
    pub dir: Direction,
}

impl PortSpec {
    /// An input of the design.
    pub fn input(name: impl Into<String>, width: u32) -> Self {
        let dir = Direction::In;
        Self { name: name.into(), width, dir }
    }

    /// An output of the design.
    pub fn output(name: impl Into<String>, width: u32) -> Self {
        let dir = Direction::Out;
        Self { name: name.into(), width, dir }
    }

    pub(crate) fn is_clock(&self) -> bool {
        self.dir == Direction::In && self.name == CLOCK
    }
}

/// Which side drives a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Driven from outside.
    In,
    /// Driven by the design.
    Out,
}

/// Options that change the library.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelOptions {
    /// Can write a VCD of all signals; see `cosim::Model::trace_open`.
    pub trace: bool,
    /// Counts line and toggle coverage; see `cosim::Model::write_coverage`.
    pub coverage: bool,
    /// Checks the design's assertions.
    pub assertions: bool,
    /// Trade-off between build time and speed.
    pub speed: Speed,
    /// Verilog macros to define: name and value, which may be empty.
    pub defines: Vec<(String, String)>,
}

/// The trade-off between build time and cycles per second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Speed {
    /// Fastest to build and slowest to run; for large models that run a few hundred cycles.
    Once,
    /// Fast to build; for tests of many small units.
    #[default]
    Build,
    /// Fastest to run; for long simulations.
    Run,
}

impl Speed {
    /// The C++ compiler's optimisation flag.
    pub fn flag(self) -> &'static str {
        match self {
            Speed::Once => "-O0",
            Speed::Build => "-O1",
            Speed::Run => "-O2",
        }
    }
}

impl ModelSource {
    /// The source of an elaborated design, with the default options.
    pub fn of(design: &Design) -> Self {
        let top = design.top();
        let mut ports = Vec::new();
        if top.needs_clock {
            ports.push(PortSpec::input(CLOCK, 1));
        }
        if top.needs_reset {
            ports.push(PortSpec::input(RESET, 1));
        }
        ports.extend(top.ports.iter().map(|port| {
            let name =
                top.given_name(port.node).expect("elaboration refuses a port without a name");
            let dir = match port.direction {
                hdl::ir::Direction::Input => Direction::In,
                hdl::ir::Direction::Output => Direction::Out,
            };
            PortSpec { name: name.to_owned(), width: top.node(port.node).width, dir }
        }));
        let files = design.verilog(&[]).into_iter().map(|file| (file.name, file.text));
        Self {
            top: top.name.clone(),
            files: files.collect(),
            ports,
            options: ModelOptions::default(),
        }
    }

    /// Rejects invalid sources before any tool is started.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let wrong = |what: String| Err(Error::Source { top: self.top.clone(), what });
        if !is_identifier(&self.top) {
            return wrong("the name of the top module is not a Verilog identifier".into());
        }
        let mut seen = HashSet::new();
        for (name, _) in &self.files {
            if !is_plain_path(name) {
                return wrong(format!("the file name `{name}` is not a plain relative path"));
            }
            if !seen.insert(name) {
                return wrong(format!("the file `{name}` is given twice"));
            }
        }
        if !self.files.iter().any(|(name, _)| is_compiled(name)) {
            return wrong("no Verilog file: expected a name that ends in `.v` or `.sv`".into());
        }
        let mut seen = HashSet::new();
        for port in &self.ports {
            if port.name.is_empty() || port.name.contains(|c: char| !c.is_ascii_graphic()) {
                return wrong(format!("`{}` is not a valid port name", port.name.escape_debug()));
            }
            if port.width == 0 {
                return wrong(format!("port `{}` has width 0; expected at least 1", port.name));
            }
            if port.is_clock() && port.width != 1 {
                return wrong(format!("expected a clock `{CLOCK}` of 1 bit, got {}", port.width));
            }
            if !seen.insert(&port.name) {
                return wrong(format!("port `{}` is given twice", port.name));
            }
        }
        for (name, value) in &self.options.defines {
            if !is_identifier(name) || value.contains(['\n', '\0']) {
                return wrong(format!("`{name}={}` is not a valid macro", value.escape_debug()));
            }
        }
        Ok(())
    }
}

/// Whether the file is passed to Verilator, rather than included.
pub(crate) fn is_compiled(name: &str) -> bool {
    name.ends_with(".v") || name.ends_with(".sv")
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
}

fn is_plain_path(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(['-', '+'])
        && !name.contains(['\n', '\0', '\\'])
        && Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn valid() -> ModelSource {
        ModelSource {
            top: "m".into(),
            files: vec![("m.v".into(), String::new())],
            ports: vec![PortSpec::input("a", 1)],
            options: ModelOptions::default(),
        }
    }

    fn complaint(change: impl FnOnce(&mut ModelSource)) -> String {
        let mut source = valid();
        change(&mut source);
        source.check().unwrap_err().to_string()
    }

    #[test]
    fn plain_source_is_accepted() {
        valid().check().unwrap();
    }

    #[test]
    fn each_mistake_is_named() {
        assert!(complaint(|s| s.top = "1m".into()).contains("not a Verilog identifier"));
        assert!(complaint(|s| s.files[0].0 = "../m.v".into()).contains("`../m.v`"));
        assert!(complaint(|s| s.files[0].0 = "/m.v".into()).contains("`/m.v`"));
        assert!(complaint(|s| s.files[0].0 = "m.vh".into()).contains("no Verilog file"));
        assert!(complaint(|s| s.files.push(s.files[0].clone())).contains("given twice"));
        assert!(complaint(|s| s.ports[0].width = 0).contains("`a` has width 0"));
        assert!(complaint(|s| s.ports.push(PortSpec::output("a", 2))).contains("given twice"));
        assert!(complaint(|s| s.ports.push(PortSpec::input("clk", 2))).contains("1 bit, got 2"));
        assert!(
            complaint(|s| s.options.defines.push(("a b".into(), String::new())))
                .contains("not a valid macro")
        );
    }
}
