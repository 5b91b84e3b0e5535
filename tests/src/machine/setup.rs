//! Programs compiled, machines built, runs that must agree.

use std::io;
use std::path::Path;

use border::{End, Program, Settings};
use config::Config;
use cosim::machine::{MachineError, Machines, Options, Outcome, Run};
use cosim::testing::coverage;
use cosim::{Library, ModelSource};
use firmware::suites::Suite;
use firmware::{Build, Compiler, Runtime, programs};

/// The suite, compiled and checked.
#[track_caller]
pub fn program(suite: &Suite, config: &Config) -> Program {
    let compiler = Compiler::for_workspace().unwrap_or_else(|error| panic!("{error}"));
    let path = suite.program(&compiler).unwrap_or_else(|error| panic!("{error}"));
    read(&path, config)
}

/// A program from a file.
#[track_caller]
pub fn read(path: &Path, config: &Config) -> Program {
    Program::read(path, config.simulation.ram_bytes).unwrap_or_else(|error| panic!("{error}"))
}

/// A program of `firmware/programs`, linked with the runtime, with other settings.
#[track_caller]
pub fn threaded(name: &str, config: &Config, change: impl FnOnce(&mut Settings)) -> Program {
    let runtime = Runtime::for_workspace(|_| ()).unwrap_or_else(|error| panic!("{error}"));
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("program.elf");
    let build = Build { files: vec![programs::source(name)], flags: Vec::new() };
    runtime.build(&build, &out).unwrap_or_else(|error| panic!("{error}"));
    let mut program = read(&out, config);
    program.path = name.into();
    let mut settings = program.settings().expect("settings");
    change(&mut settings);
    program.set(&settings).expect("settings that fit");
    program
}

/// A machine, and how it was built.
pub struct Bench {
    /// Its configuration; the seed may change.
    pub config: Config,
    machines: Machines,
    library: Library,
    /// What is counted, if anybody asks how much of it is reached.
    counted: Option<ModelSource>,
}

impl Bench {
    /// Built, or found built.
    #[track_caller]
    pub fn of(config: Config) -> Self {
        Self::from(Machines::for_workspace(), config)
    }

    /// The same, with the design's own properties checked in every cycle.
    #[track_caller]
    pub fn checked(config: Config) -> Self {
        Self::from(Machines::for_workspace().checked(), config)
    }

    #[track_caller]
    fn from(machines: Machines, config: Config) -> Self {
        let wanted = coverage::is_wanted();
        let machines = machines.counting(wanted);
        let built = machines.library(&config, false).and_then(|library| {
            let counted = wanted.then(|| machines.source(&config)).transpose()?;
            Ok((library, counted))
        });
        let (library, counted) = built.unwrap_or_else(|error| panic!("{error}"));
        Self { config, machines, library, counted }
    }

    /// Runs a program. `options` makes the same options as often as it is asked: a mismatch is run
    /// again for its waveform.
    #[track_caller]
    pub fn run(
        &self,
        program: &Program,
        seed: u64,
        console: &mut dyn io::Write,
        options: &dyn Fn() -> Options,
    ) -> Outcome {
        let mut config = self.config.clone();
        config.simulation.seed = seed;
        let done =
            Run::new(&self.library, &config, program, options(), console).and_then(Run::finish);
        match done {
            Ok(mut outcome) => {
                if let Some(source) = &self.counted {
                    let counted = coverage::count(outcome.soc.model_mut(), source);
                    counted.unwrap_or_else(|reason| panic!("coverage is not counted: {reason}"));
                }
                outcome
            }
            Err(error) => panic!("{}", self.explained(error, &config, program, options())),
        }
    }

    /// Runs a program that must end well; gives the cycle in which it did.
    #[track_caller]
    pub fn passes(&self, name: &str, program: &Program, seed: u64, lockstep: bool) -> u64 {
        let options = || Options { limit: Some(2_000_000), lockstep, ..Options::default() };
        let outcome = self.run(program, seed, &mut io::sink(), &options);
        match outcome.end {
            End::Exit { code: 0 } => outcome.ended_at,
            end => panic!("{name}, seed {seed}: {end:?}"),
        }
    }

    fn explained(
        &self,
        error: MachineError,
        config: &Config,
        program: &Program,
        options: Options,
    ) -> String {
        let seed = config.simulation.seed;
        let name = program.path.display();
        let MachineError::Mismatch { cycle, .. } = error else {
            return format!("{name}, seed {seed}: {error}");
        };
        let folder = tools::target_dir().join("mismatches");
        let path = folder.join(format!("machine-{seed}-{cycle}.vcd"));
        let waveform = std::fs::create_dir_all(&folder).map_err(|error| error.to_string());
        let waveform = waveform.and_then(|()| {
            let written = self.machines.waveform(config, program, options, cycle, &path);
            written.map_err(|error| error.to_string())
        });
        match waveform {
            Ok(()) => format!("{name}, seed {seed}: {error}\nwaveform: {}", path.display()),
            Err(reason) => format!("{name}, seed {seed}: {error}\nno waveform: {reason}"),
        }
    }
}
