//! What a hunt is told.

use super::super::cc;
use super::super::common::OutArgs;
use super::super::failure::{Failure, say};
use super::super::machine::MachineArgs;
use super::super::number::{positive, within};
use super::super::program::{CompileArgs, is_linked};
use super::folder::{Identity, SCHEMA};
use crate::hunt::{Collect, FailIf, Goal, On, Scope, Setup, Subject};
use clap::ValueEnum;
use config::Config;
use firmware::{Build, bugs};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Run a program under many schedules until it fails, and say which lines broke it.
///
/// Schedules are numbered; the same number gives the same run. Runs are labeled by how they end. When
/// there are enough failing and passing ones, the lines and the order of accesses that tell them apart
/// are ranked and explained, on the terminal and as a page for a browser. Interrupting loses nothing.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  crosstalk hunt prog.c                              a program of one's own
  crosstalk hunt bank-account                        one of the bug suite
  crosstalk hunt a.c b.c --cflags '-O3 -DN=8' -- 3   several files, flags, an argument
  crosstalk hunt prog.c --fail-if 'output=sum is wrong'
  crosstalk hunt prog.c --resume --max-runs 5000     go on where the last one stopped

Exit codes: 0 some schedule failed and this is why, 1 none did, 2 wrong use or bad input.")]
pub struct Args {
    /// The program: C and assembly files, an ELF file, or a name from the bug suite
    #[arg(value_name = "PROGRAM", required = true)]
    files: Vec<PathBuf>,
    /// The program's arguments
    #[arg(value_name = "ARGUMENTS", last = true)]
    arguments: Vec<OsString>,
    #[command(flatten)]
    machine: MachineArgs,
    /// Look for this many failing runs
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = within(1..=100_000u32))]
    failing: u32,
    /// Look for this many passing runs
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = within(0..=100_000u32))]
    passing: u32,
    /// Try at most this many schedules
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = positive::<u64>)]
    max_runs: u64,
    /// Stop a run after this many cycles; it counts as failing
    #[arg(long, value_name = "N", default_value_t = Setup::MAX_CYCLES, value_parser = positive::<u64>)]
    max_cycles: u64,
    #[command(flatten)]
    compile: CompileArgs,
    /// What counts as failing: any other end than exit code 0, or what the program prints
    #[arg(long, value_name = "exit|output=REGEX", default_value = "exit")]
    pub fail_if: FailIf,
    /// Which code is monitored
    #[arg(long, value_enum, value_name = "WHAT", default_value_t)]
    pub monitor: Monitor,
    /// How communication is collected
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    collect: CollectName,
    /// What runs the schedules
    #[arg(long, value_enum, value_name = "MACHINE", default_value_t)]
    pub on: On,
    /// Where runs and report go; crosstalk-hunt/PROGRAM by default
    #[arg(long = "out", short = 'o', value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Go on with the hunt in that folder
    #[arg(long)]
    pub resume: bool,
    #[command(flatten)]
    pub out: OutArgs,
}

/// Which code is monitored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Monitor {
    /// The program's own
    Program,
    /// The thread library's too
    All,
    /// The program's own; then all, if the failures are deadlocks or nothing else tells them apart
    #[default]
    Auto,
}

/// How communication is collected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum CollectName {
    /// The firmware drains the tables, as on a board
    #[default]
    Firmware,
    /// The simulation looks on; monitoring changes no cycle
    Tap,
}

/// A program that is not linked yet, or is.
pub enum Program {
    /// Sources.
    Sources {
        /// What people call it.
        name: String,
        /// The files.
        files: Vec<PathBuf>,
        /// How many harts it needs, if that is known.
        harts: u32,
    },
    /// An ELF file.
    Linked(PathBuf),
}

impl Program {
    /// Compiles it, if it is not linked.
    pub fn subject(&self, flags: &[OsString]) -> Result<Subject, Failure> {
        match self {
            Self::Linked(path) => Ok(Subject::linked(path)?),
            Self::Sources { name, files, .. } => {
                // Compiled on the first call, which takes a while and says so.
                cc::runtime()?;
                let build = Build { files: files.clone(), flags: flags.to_vec() };
                let (subject, warnings) = Subject::compile(name, &build)?;
                if !warnings.is_empty() {
                    say(format_args!("{warnings}\n"));
                }
                Ok(subject)
            }
        }
    }
}

impl Args {
    /// The program that is meant; a file wins over a name of the bug suite.
    pub fn program(&self) -> Result<Program, Failure> {
        if let [name] = self.files.as_slice()
            && !name.is_file()
        {
            let bug = name.to_str().and_then(bugs::named).ok_or_else(|| unknown(name))?;
            let files = bug.sources();
            return Ok(Program::Sources { name: bug.name.into(), files, harts: bug.harts });
        }
        if is_linked(&self.files).map_err(|error| Failure::BadInput(error.to_string()))? {
            return Ok(Program::Linked(self.files[0].clone()));
        }
        let first = self.files.first().and_then(|file| file.file_stem()).unwrap_or_default();
        let name = first.to_string_lossy().into_owned();
        Ok(Program::Sources { name, files: self.files.clone(), harts: 1 })
    }

    /// The machine; a program of the suite gets as many harts as it needs unless somebody says otherwise.
    pub fn machine(&self, program: &Program) -> Result<Config, Failure> {
        let mut config = self.machine.config().map_err(Failure::BadInput)?;
        if let (Program::Sources { harts, .. }, None) = (program, self.machine.harts) {
            config.harts = config.harts.max(*harts);
        }
        config.simulation.seed = 0;
        config.check().map_err(|error| Failure::BadInput(error.to_string()))?;
        Ok(config)
    }

    /// Flags for the compiler.
    pub fn flags(&self) -> Vec<OsString> {
        self.compile.flags()
    }

    /// Which code is monitored at first.
    pub fn scope(&self) -> Scope {
        match self.monitor {
            Monitor::Program | Monitor::Auto => Scope::Program,
            Monitor::All => Scope::All,
        }
    }

    /// How the program is run at first.
    pub fn setup(&self, config: &Config) -> Setup {
        Setup {
            arguments: self.arguments.clone(),
            scope: self.scope(),
            collect: self.collect(),
            max_cycles: self.max_cycles,
            ..Setup::new(config.clone())
        }
    }

    fn collect(&self) -> Collect {
        match self.collect {
            CollectName::Firmware => Collect::Firmware,
            CollectName::Tap => Collect::Tap,
        }
    }

    /// What is looked for.
    pub fn goal(&self) -> Goal {
        let Self { failing, passing, max_runs, .. } = *self;
        Goal { failing, passing, max_runs, ..Goal::default() }
    }

    /// Everything that decides what a schedule gives.
    pub fn identity(&self, subject: &Subject, config: &Config) -> Identity {
        let name = |value: &dyn Fn() -> Option<clap::builder::PossibleValue>| {
            value().map(|value| value.get_name().to_owned()).unwrap_or_default()
        };
        Identity {
            schema: SCHEMA.into(),
            program: subject.name.clone(),
            elf: subject.hash().iter().map(|byte| format!("{byte:02x}")).collect(),
            arguments: self.arguments.iter().map(|a| a.to_string_lossy().into_owned()).collect(),
            configuration: config.canonical(),
            on: self.on.name().into(),
            monitor: name(&|| self.monitor.to_possible_value()),
            collect: self.collect().name().into(),
            fail_if: self.fail_if.to_string(),
            max_cycles: self.max_cycles,
        }
    }

    /// Where everything goes.
    pub fn folder(&self, subject: &Subject) -> PathBuf {
        let usual = || Path::new("crosstalk-hunt").join(&subject.name);
        self.folder.clone().unwrap_or_else(usual)
    }
}

fn unknown(name: &Path) -> Failure {
    let known: Vec<_> = bugs::ALL.iter().map(|bug| bug.name).collect();
    let (name, known) = (name.display(), known.join(", "));
    Failure::BadInput(format!("`{name}` is neither a file nor one of the bug suite: {known}"))
}
