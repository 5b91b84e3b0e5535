//! Compiling small programs, and recording their runs.

use border::{Drain, Program, Records};
use config::Config;
use evidence::code::Code;
use evidence::log::{Ending, Log};
use evidence::names::Names;
use evidence::run::{Lab, Order};
use evidence::verdict::Place;
use firmware::{Build, Runtime};
use golden::machine::Scheduling;
use golden::memory::Parameters;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A program of this folder, compiled.
pub struct Subject {
    pub lab: Lab,
    /// The linked program.
    pub file: Vec<u8>,
    pub names: Names,
}

impl Subject {
    pub fn new(name: &str) -> Self {
        Self::with(name, &[])
    }

    /// The same, compiled with flags.
    pub fn with(name: &str, flags: &[&str]) -> Self {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runs/programs").join(name);
        Self::of(vec![source], flags)
    }

    /// Any program.
    pub fn of(files: Vec<PathBuf>, flags: &[&str]) -> Self {
        let runtime = Runtime::for_workspace(|_| ()).expect("the runtime compiles");
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("program.elf");
        let folders: Vec<_> =
            files.iter().filter_map(|file| file.parent()).map(Path::to_owned).collect();
        let build = Build { files, flags: flags.iter().map(Into::into).collect() };
        let warnings = runtime.build(&build, &out).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(warnings, "");
        let ram_bytes = Config::default().simulation.ram_bytes;
        let mut program = Program::read(&out, ram_bytes).expect("the program");
        let mut settings = program.settings().expect("settings");
        (settings.records, settings.drain, settings.monitor) = (Records::None, Drain::Off, 0);
        program.set(&settings).expect("settings that fit");
        let names = Names::read(program.file(), &folders).expect("names");
        let file = program.file().to_vec();
        let lab = Lab {
            code: Arc::new(Code::of(Arc::new(program)).expect("code")),
            parameters: Parameters::of(&Config::default()).expect("a modelled configuration"),
            points: Arc::default(),
            instructions: 3_000_000,
        };
        Self { lab, file, names }
    }

    pub fn run(&self, seed: u64) -> Log {
        self.run_on(Config::default().harts, seed)
    }

    /// A run on a machine with so many harts.
    pub fn run_on(&self, harts: u32, seed: u64) -> Log {
        let config = Config { harts, ..Config::default() };
        let parameters = Parameters::of(&config).expect("a modelled configuration");
        let order = Order::Drawn { seed, strategy: Scheduling::of_seed(seed) };
        Lab { parameters, ..self.lab.clone() }.log(&order).expect("a run")
    }

    /// The first run whose end is wanted.
    pub fn until(&self, wanted: impl Fn(&Ending) -> bool) -> Log {
        let mut runs = (0..400).map(|seed| self.run(seed));
        runs.find(|log| wanted(log.ending())).expect("a run that ends like this")
    }

    /// The text of the marker `/* @name */` on the line of an instruction.
    pub fn mark(&self, pc: u32) -> String {
        let Some(line) = self.names.line(pc) else { return String::new() };
        let text = self.names.text(&line).unwrap_or_default();
        let marked = text.split_once("/* @").and_then(|(_, rest)| rest.split_once(" */"));
        marked.map_or_else(|| format!("line {}", line.line), |(mark, _)| mark.to_owned())
    }

    /// A place as `thread@mark`.
    pub fn place(&self, log: &Log, place: &Place) -> String {
        let pc = place.trace.first().copied().unwrap_or_default();
        format!("{}@{}", log.name(place.thread), self.mark(pc))
    }
}
