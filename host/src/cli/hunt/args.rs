//! The arguments of a hunt.

use super::super::cc;
use super::super::common::OutArgs;
use super::super::failure::{Failure, say};
use super::super::machine::MachineArgs;
use super::super::program::{CompileArgs, check_linked, is_linked};
use crate::hunt::{self, Collect, FailIf, Goal, Search, Setup, Subject};
use clap::ValueEnum;
use config::Config;
use firmware::{Build, bugs};
use kit::argument::{positive, within};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Run a program under many schedules until it fails, and explain which lines broke it.
///
/// Schedules are numbered; the same number always gives the same run. Each run is labeled failing or passing by how
/// it ends. Once there are enough of both, the lines and the order of accesses that separate them are ranked
/// and explained, on the terminal and as an HTML page. An interrupted hunt can be resumed and loses nothing.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  crosstalk hunt prog.c                              your own program
  crosstalk hunt bank-account                        a program of the bug suite
  crosstalk hunt a.c b.c --cflags '-O3 -DN=8' -- 3   several files, flags, an argument
  crosstalk hunt prog.c --fail-if 'output=sum is wrong'
  crosstalk hunt prog.c --resume --max-runs 5000     continue where the last hunt stopped

Exit codes: 0 some schedule failed and was explained, 1 none failed, 2 wrong use or bad input,
130 and 143 interrupted.")]
pub struct Args {
    /// The program: C and assembly files, an ELF file, or the name of a built-in program with a bug
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
    /// Try at most this many schedules; with --on both, this many on the golden machine, and 8 on the hardware for every
    /// 1500 of them [default: 30000, or fewer if they are long; with --on rtl 2000]
    #[arg(long, value_name = "N", value_parser = positive::<u64>)]
    max_runs: Option<u64>,
    /// Stop a run after this many cycles; it counts as failing
    #[arg(long, value_name = "N", default_value_t = Setup::MAX_CYCLES, value_parser = positive::<u64>)]
    max_cycles: u64,
    #[command(flatten)]
    compile: CompileArgs,
    /// What counts as failing: any end other than exit code 0, or output that matches
    #[arg(long, value_name = "exit|output=REGEX", default_value = "exit")]
    pub fail_if: FailIf,
    /// Which code is monitored
    #[arg(long, value_enum, value_name = "WHAT", default_value_t)]
    pub monitor: Monitor,
    /// How communication is collected
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    collect: CollectName,
    /// Which machine runs the schedules
    #[arg(long, value_enum, value_name = "MACHINE", default_value_t)]
    pub on: Search,
    /// Folder for runs and report [default: crosstalk-hunt/PROGRAM]
    #[arg(long = "out", short = 'o', value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Resume the hunt in that folder
    #[arg(long)]
    pub resume: bool,
    #[command(flatten)]
    pub out: OutArgs,
}

/// Which code is monitored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Monitor {
    /// The program's own code
    Program,
    /// The thread library's code too
    All,
    /// The program's own code; then all, if no order of accesses explains the failures, and they are deadlocks or
    /// nothing separates them
    #[default]
    Auto,
}

impl From<Monitor> for hunt::Monitor {
    fn from(monitor: Monitor) -> Self {
        match monitor {
            Monitor::Program => Self::Program,
            Monitor::All => Self::All,
            Monitor::Auto => Self::Auto,
        }
    }
}

/// How communication is collected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum CollectName {
    /// The firmware drains the tables, as on a board
    #[default]
    Firmware,
    /// The simulation taps every edge; monitoring changes no cycle
    Tap,
}

/// The program to hunt.
pub enum Program {
    /// Sources to compile.
    Sources {
        /// The program's name.
        name: String,
        /// C and assembly files.
        files: Vec<PathBuf>,
        /// How many harts it needs at least.
        harts: u32,
    },
    /// A linked ELF file.
    Linked(PathBuf),
}

impl Program {
    /// Compiles it, if it is not linked.
    pub fn subject(&self, flags: &[OsString]) -> Result<Subject, Failure> {
        match self {
            Self::Linked(path) => {
                check_linked(flags).map_err(Failure::BadInput)?;
                Ok(Subject::linked(path)?)
            }
            Self::Sources { name, files, .. } => {
                // The first call compiles the runtime, which takes a while and shows its progress.
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
    /// The program that was named; a file takes precedence over the programs that are built in.
    pub fn program(&self) -> Result<Program, Failure> {
        if let [name] = self.files.as_slice()
            && !name.is_file()
        {
            let bug = bugs::built_in().find(|bug| name == Path::new(bug.name));
            let bug = bug.ok_or_else(|| unknown(name))?;
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

    /// The machine. A program of the bug suite gets as many harts as it needs unless --harts is given.
    pub fn machine(&self, program: &Program) -> Result<Config, Failure> {
        let mut config = self.machine.config().map_err(Failure::BadInput)?;
        if let (Program::Sources { harts, .. }, None) = (program, self.machine.harts) {
            config.harts = config.harts.max(*harts);
        }
        config.simulation.seed = 0;
        config.check().map_err(|error| Failure::BadInput(error.to_string()))?;
        Ok(config)
    }

    /// Whether the machine may get as many harts as the program has threads.
    pub fn more_harts(&self) -> bool {
        self.machine.harts.is_none()
    }

    /// Flags for the compiler.
    pub fn flags(&self) -> Vec<OsString> {
        self.compile.flags()
    }

    /// How the program is run.
    pub fn setup(&self, config: &Config) -> Setup {
        Setup {
            arguments: self.arguments.clone(),
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

    /// How many runs to look for on the first machine, and on the one beside it.
    pub fn goals(&self) -> (Goal, Goal) {
        let Self { failing, passing, max_runs, .. } = *self;
        self.on.goals(Goal { failing, passing, ..Goal::default() }, max_runs)
    }

    /// The folder for everything that the hunt writes.
    pub fn folder(&self, subject: &Subject) -> PathBuf {
        let usual = || Path::new("crosstalk-hunt").join(&subject.name);
        self.folder.clone().unwrap_or_else(usual)
    }
}

fn unknown(name: &Path) -> Failure {
    let known: Vec<_> = bugs::built_in().map(|bug| bug.name).collect();
    let (name, known) = (name.display(), known.join(", "));
    Failure::BadInput(format!(
        "`{name}` is neither a file nor a built-in program with a bug; these are {known}"
    ))
}
