//! Compiling small programs, and recording their runs.

use border::{Drain, Program, Records};
use config::Config;
use evidence::code::Code;
use evidence::log::{Ending, Log};
use evidence::run::{Lab, Order};
use evidence::verdict::Place;
use firmware::{Build, Runtime};
use gimli::{Dwarf, EndianArcSlice, RunTimeEndian, SectionId};
use golden::machine::Scheduling;
use golden::memory::Parameters;
use object::{Object, ObjectSection};
use std::path::Path;
use std::sync::Arc;

type Slice = EndianArcSlice<RunTimeEndian>;

/// A program of this folder, compiled.
pub struct Subject {
    lab: Lab,
    source: String,
    lines: addr2line::Context<Slice>,
}

impl Subject {
    pub fn new(name: &str) -> Self {
        Self::with(name, &[])
    }

    /// The same, compiled with flags.
    pub fn with(name: &str, flags: &[&str]) -> Self {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runs/programs").join(name);
        let runtime = Runtime::for_workspace(|_| ()).expect("the runtime compiles");
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("program.elf");
        let build =
            Build { files: vec![source.clone()], flags: flags.iter().map(Into::into).collect() };
        let warnings = runtime.build(&build, &out).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(warnings, "");
        let ram_bytes = Config::default().simulation.ram_bytes;
        let mut program = Program::read(&out, ram_bytes).expect("the program");
        let mut settings = program.settings().expect("settings");
        (settings.records, settings.drain, settings.monitor) = (Records::None, Drain::Off, 0);
        program.set(&settings).expect("settings that fit");
        let lines = lines(program.file());
        let source = std::fs::read_to_string(source).expect("the source");
        let lab = Lab {
            code: Arc::new(Code::read(program.file()).expect("code")),
            program: Arc::new(program),
            parameters: Parameters::of(&Config::default()).expect("a modelled configuration"),
            points: Arc::default(),
            instructions: 3_000_000,
        };
        Self { lab, source, lines }
    }

    pub fn run(&self, seed: u64) -> Log {
        let order = Order::Drawn { seed, strategy: Scheduling::of_seed(seed) };
        self.lab.log(&order).expect("a run")
    }

    /// The first run whose end is wanted.
    pub fn until(&self, wanted: impl Fn(&Ending) -> bool) -> Log {
        let mut runs = (0..400).map(|seed| self.run(seed));
        runs.find(|log| wanted(log.ending())).expect("a run that ends like this")
    }

    /// The text of the marker `/* @name */` on the line of an instruction.
    pub fn mark(&self, pc: u32) -> String {
        let line = self.lines.find_location(pc.into()).ok().flatten().and_then(|at| at.line);
        let Some(line) = line else { return String::new() };
        let text = self.source.lines().nth(line as usize - 1).unwrap_or_default();
        let marked = text.split_once("/* @").and_then(|(_, rest)| rest.split_once(" */"));
        marked.map_or_else(|| format!("line {line}"), |(mark, _)| mark.to_owned())
    }

    /// A place as `thread@mark`.
    pub fn place(&self, log: &Log, place: &Place) -> String {
        let pc = place.trace.first().copied().unwrap_or_default();
        format!("{}@{}", log.name(place.thread), self.mark(pc))
    }
}

fn lines(file: &[u8]) -> addr2line::Context<Slice> {
    let elf = object::File::parse(file).expect("an ELF file");
    let section = |id: SectionId| -> Result<Slice, object::Error> {
        let section = elf.section_by_name(id.name());
        let data = section.map_or(Ok(Default::default()), |section| section.uncompressed_data())?;
        Ok(EndianArcSlice::new(Arc::from(&*data), RunTimeEndian::Little))
    };
    let dwarf = Dwarf::load(section).expect("debug information");
    addr2line::Context::from_dwarf(dwarf).expect("debug information")
}
