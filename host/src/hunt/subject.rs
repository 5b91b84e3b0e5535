//! The program that is hunted, and how it is run.

use super::HuntError;
use crate::program;
use ::evidence::code::{Code, CodeError};
use border::{Drain, Program, Records, SettingsError};
use config::{Config, Overflow};
use firmware::{Build, Runtime};
use kit::cache::sha256;
use record::{Collected, Hash, Header};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A program that was linked with the runtime.
#[derive(Clone, Debug)]
pub struct Subject {
    /// What people call it.
    pub name: String,
    /// The linked program, with the settings it was linked with.
    pub program: Program,
    /// Folders with its sources.
    pub sources: Vec<PathBuf>,
}

/// Which code is monitored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// The program's own.
    #[default]
    Program,
    /// The thread library's too.
    All,
}

impl Scope {
    /// Its name on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Program => "program",
            Self::All => "all",
        }
    }
}

/// How edges are collected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Collect {
    /// The firmware drains the tables, as on a board. That takes cycles, so it changes schedules.
    #[default]
    Firmware,
    /// The simulation shows every edge, and nobody drains: monitoring changes no cycle.
    Tap,
}

impl Collect {
    /// Its name on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Firmware => "firmware",
            Self::Tap => "tap",
        }
    }
}

/// How a program is run.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The machine. The seed in it does not matter.
    pub config: Config,
    /// The program's arguments, without its name.
    pub arguments: Vec<OsString>,
    /// Which code is monitored.
    pub scope: Scope,
    /// How edges are collected.
    pub collect: Collect,
    /// A run that takes longer is stopped: cycles, or on the golden machine instructions of all harts.
    pub max_cycles: u64,
    /// Keep every access too, and what the hardware did: for models that look at all of memory.
    pub accesses: bool,
}

impl Setup {
    /// The longest run that is waited for, unless somebody says otherwise.
    pub const MAX_CYCLES: u64 = 2_000_000;

    /// On this machine, as a board would collect.
    pub fn new(config: Config) -> Self {
        Self {
            config,
            arguments: Vec::new(),
            scope: Scope::default(),
            collect: Collect::default(),
            max_cycles: Self::MAX_CYCLES,
            accesses: false,
        }
    }

    fn check(&self) -> Result<(), HuntError> {
        let refuse = |what: &str| Err(HuntError::Refused(what.into()));
        if self.config.context.events == 0 {
            return refuse(
                "a machine without monitors records nothing; set context.events above 0",
            );
        }
        if self.collect == Collect::Tap && self.config.ct.overflow == Overflow::Stall {
            return refuse(
                "with ct.overflow = \"stall\", the firmware must drain the tables; use \
                 --collect firmware, or set ct.overflow = \"discard\"",
            );
        }
        Ok(())
    }
}

/// A program that is ready for a machine.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub(super) program: Arc<Program>,
    pub(super) config: Config,
    pub(super) collect: Collect,
    pub(super) max_cycles: u64,
    pub(super) accesses: bool,
    /// Of every run, but for what differs from schedule to schedule.
    pub(super) header: Header,
}

impl Loaded {
    /// The program as it is run, for order logs.
    pub(super) fn code(&self) -> Result<Arc<Code>, HuntError> {
        let refused = |error: CodeError| HuntError::Refused(error.to_string());
        Code::of(self.program.clone()).map(Arc::new).map_err(refused)
    }
}

impl Subject {
    /// Compiles and links. Gives the compiler's warnings too.
    ///
    /// # Errors
    /// If there is no compiler, or it refuses.
    pub fn compile(name: &str, build: &Build) -> Result<(Self, String), HuntError> {
        let wrong = |path: &Path, error: &std::io::Error| crate::Error::file(path, error);
        let folder = tempfile::tempdir().map_err(|e| wrong(&std::env::temp_dir(), &e))?;
        let out = folder.path().join("program.elf");
        let warnings = Runtime::for_workspace(|_| ())?.build(build, &out)?;
        let file = std::fs::read(&out).map_err(|e| wrong(&out, &e))?;
        let path = Path::new(name).with_extension("elf");
        let program = Program::parse(&path, file, Program::ANY_RAM)
            .map_err(|what| HuntError::Refused(format!("`{name}` {what}")))?;
        let parent = |file: &PathBuf| file.parent().unwrap_or(Path::new("")).to_owned();
        let mut sources: Vec<PathBuf> = build.files.iter().map(parent).collect();
        sources.dedup();
        Ok((Self { name: name.into(), program, sources }, warnings))
    }

    /// One that `crosstalk cc` has linked.
    ///
    /// # Errors
    /// If it is no such program.
    pub fn linked(path: &Path) -> Result<Self, HuntError> {
        // Whether it fits the machine is seen when it is loaded.
        let mut program =
            Program::read(path, Program::ANY_RAM).map_err(|e| HuntError::Machine(Box::new(e)))?;
        if let Err(error) = program.settings() {
            let path = path.display();
            return Err(HuntError::Refused(match error {
                SettingsError::NoBlock(_) => {
                    format!("`{path}` was not linked by `crosstalk cc`, whose runtime a hunt needs")
                }
                error => format!("`{path}`: {error}"),
            }));
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let sources = path.parent().map(Path::to_owned).into_iter().collect();
        program.path = Path::new(&name).with_extension("elf");
        Ok(Self { name, program, sources })
    }

    /// The folders with its sources, wherever one asks from.
    pub(super) fn source_folders(&self) -> Vec<PathBuf> {
        let whole = |folder: &PathBuf| {
            let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            here.canonicalize().ok()
        };
        self.sources.iter().filter_map(whole).collect()
    }

    /// The linked file.
    pub fn elf(&self) -> &[u8] {
        self.program.file()
    }

    /// SHA-256 of the linked file.
    pub fn hash(&self) -> Hash {
        sha256(self.elf())
    }

    /// Puts it on a machine.
    ///
    /// # Errors
    /// If it does not fit, or the machine does not suit a hunt.
    pub fn load(&self, setup: &Setup) -> Result<Loaded, HuntError> {
        setup.check()?;
        let Setup { config, arguments, scope, collect, max_cycles, accesses } = setup;
        let refused = |what: String| HuntError::Refused(what);
        let program = self.program.clone();
        program
            .check_fits(config.simulation.ram_bytes)
            .map_err(|what| refused(format!("`{}` {what}", self.name)))?;
        let symbol = |name: &str| {
            let missing = || refused(format!("`{}` has no symbol `{name}`", self.name));
            program.symbol(name).ok_or_else(missing)
        };
        let range = match scope {
            Scope::Program => 0..0,
            Scope::All => symbol("__library_text_start")?..symbol("__program_text_end")?,
        };
        // Framing edges can cost more cycles than the run; here nothing is lost on the way.
        let how = program::Launch { config, arguments, records: Records::Bare };
        let program = how
            .applied_to(program, |settings| {
                settings.range = range;
                if *collect == Collect::Tap {
                    settings.drain = Drain::Off;
                }
            })
            .map_err(refused)?;
        let header = Header {
            collected: match collect {
                Collect::Firmware => Collected::Firmware,
                Collect::Tap => Collected::Tap,
            },
            events: config.context.events as u8,
            harts: config.harts as u8,
            pc_bits: config.pc_bits as u8,
            time_bits: config.timestamp_bits as u8,
            runs: 1,
            elf: self.hash(),
            program: self.name.clone(),
            ..Header::default()
        };
        let (config, collect) = (config.clone(), *collect);
        let (max_cycles, accesses) = (*max_cycles, *accesses);
        let program = Arc::new(program);
        Ok(Loaded { program, config, collect, max_cycles, accesses, header })
    }
}
