//! `crosstalk run`: a program on the machine.

mod breakpoints;
mod golden;
mod waves;

use super::failure::{Failure, say};
use super::machine::{MachineArgs, builder};
use super::program::{CompileArgs, Launch, prepare};
use super::progress::Progress;
use crate::breakpoint::{ArmError, Set};
use crate::hunt::On;
use crate::run_record;
use crate::trace::Signature;
use border::{End, Program, Records};
use config::Config;
use cosim::machine::{MachineError, Machines, Options, Outcome, Run, Trace};
use kit::argument::number;
use kit::file::{check_apart, check_output, write_atomic};
use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter, Read as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use waves::Waves;

/// The exit code of everything that is not the program's own.
pub(super) const OWN_ERROR: u8 = 125;

/// Run a program on the simulated machine, or on the golden one, to its end.
///
/// The program is C, compiled as by `crosstalk cc`, or any RV32IMA ELF file linked into RAM at 0x80000000. An ELF
/// file without our runtime exits and prints through the symbols `tohost` and `fromhost`, as riscv-tests do, or
/// prints to the serial port. The program's output goes to stdout and its exit code becomes this command's;
/// everything else goes to stderr.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  crosstalk run prog.c                            on the default machine, four harts
  crosstalk run prog.elf --record one.run -- 12   with an argument; record its communication
  crosstalk run prog.elf --seed 7 --lockstep      another schedule, checked by the golden machine
  crosstalk run prog.elf --fst w.fst --from 1000 --to 2000
  crosstalk run prog.c --on golden                without a C++ compiler, and at once
  crosstalk run prog.c --on golden --breakpoints b.toml   with an order that is forced
  crosstalk run prog.elf --input numbers.txt      standard input, and what the serial port receives
  crosstalk run test.elf --signature out.txt      as RISC-V's architecture tests compare it

Exit codes: the program's own (255 for larger ones, which are named); 125 if it did not end by itself, if hardware and
model differ, or for wrong use.")]
pub struct Args {
    /// The program: an ELF file, or C and assembly files
    #[arg(value_name = "PROGRAM", required = true)]
    files: Vec<PathBuf>,
    /// The program's arguments
    #[arg(value_name = "ARGUMENTS", last = true)]
    arguments: Vec<OsString>,
    /// Record the run's communication and outcome in this file, for `rank` and others; also if it is stopped
    #[arg(long, value_name = "FILE.run")]
    record: Option<PathBuf>,
    #[command(flatten)]
    compile: CompileArgs,
    #[command(flatten)]
    machine: MachineArgs,
    /// Which machine runs it. The golden one needs no C++ compiler; its limit counts instructions, its --trace has
    /// the form that Spike prints, and it has no waveform, statistics or lockstep
    #[arg(long, value_enum, value_name = "MACHINE", default_value_t)]
    on: On,
    /// A file that the program reads as standard input, or receives at its serial port [default: empty]
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Breakpoints at which threads meet and go on in a given order, as `crosstalk repro` writes them
    #[arg(long, value_name = "FILE")]
    breakpoints: Option<PathBuf>,
    /// Write the words between `begin_signature` and `end_signature` at the end
    #[arg(long, value_name = "FILE")]
    signature: Option<PathBuf>,
    /// The seed of the schedule; 0 perturbs nothing
    #[arg(long, value_name = "S", value_parser = number::<u64>)]
    seed: Option<u64>,
    /// Stop after this many cycles
    #[arg(long, value_name = "N", default_value_t = 100_000_000, value_parser = number::<u64>)]
    max_cycles: u64,
    /// Write a waveform as VCD
    #[arg(long, value_name = "FILE", group = "waves")]
    vcd: Option<PathBuf>,
    /// Write a waveform as FST, which is smaller and opens sooner
    #[arg(long, value_name = "FILE", group = "waves")]
    fst: Option<PathBuf>,
    /// The first cycle of the waveform
    #[arg(long, value_name = "CYCLE", requires = "waves", value_parser = number::<u64>)]
    from: Option<u64>,
    /// The cycle after the last one of the waveform
    #[arg(long, value_name = "CYCLE", requires = "waves", value_parser = number::<u64>)]
    to: Option<u64>,
    /// Print every retired instruction and every coherence transaction
    #[arg(long)]
    trace: bool,
    /// Print statistics of each hart, as in Bugaboo's Table 5, and where its cycles go; monitors the program's own
    /// code. A machine with `counters = true` counts misses and mispredicted jumps too
    #[arg(long)]
    stats: bool,
    /// Compare every instruction and transaction with the golden machine
    #[arg(long)]
    lockstep: bool,
}

/// What a run is made with besides its program.
struct Asked<'a> {
    waves: Option<&'a Waves<'a>>,
    input: &'a [u8],
    set: Option<&'a Set>,
}

/// Why a run has no outcome.
enum Stopped {
    Machine(MachineError),
    /// The machine lacks what was asked for.
    Refused(String),
}

impl<E: Into<MachineError>> From<E> for Stopped {
    fn from(error: E) -> Self {
        Self::Machine(error.into())
    }
}

/// The longest standard input.
const LONGEST_INPUT: u64 = 1 << 24;

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let own = |error: MachineError| Failure::Own(error.to_string(), OWN_ERROR);
    args.check_outputs()?;
    let waves = Waves::of(args)?;
    let config = args.machine()?;
    let records = if args.record.is_some() { Records::Framed } else { Records::None };
    let launch = Launch { config: &config, arguments: &args.arguments, records };
    let program = prepare(&args.files, args.compile.flags(), &launch, OWN_ERROR, |_| ())?;
    let config = args.entered(config, &program);
    let signature = args.signature.as_ref().map(|_| Signature::range(&program)).transpose();
    let signature = signature.map_err(|what| Failure::Own(what, OWN_ERROR))?;
    let input = args.input_bytes()?;
    let set = breakpoints::read(args, &program)?;
    if args.on.name() == "golden" {
        return golden::run(args, config, &program, &input, signature, set.as_ref());
    }
    let config = args.with_breakpoints(config, set.as_ref())?;
    let machines = Machines::with(builder());
    let library = machines.library(&config, waves.is_some()).map_err(own)?;
    let running = Progress::waiting("the program is running");
    let mut console = BufWriter::new(io::stdout().lock());
    let asked = Asked { waves: waves.as_ref(), input: &input, set: set.as_ref() };
    let done = args.execute(&library, &config, &program, &asked, &mut console);
    drop(console);
    drop(running);
    let mut outcome = match done {
        Ok(outcome) => outcome,
        Err(Stopped::Refused(what)) => return Err(Failure::Own(what, OWN_ERROR)),
        Err(Stopped::Machine(error)) => {
            return Err(args.explained(error, &machines, &config, &program, &input));
        }
    };
    if let Some(waves) = waves {
        waves.complete()?;
    }
    if let Some(stats) = &outcome.stats {
        say(stats);
    }
    if let Some(path) = &args.record {
        let run = run_record::record(&mut outcome, &program);
        run.and_then(|run| run_record::write(path, &run))
            .map_err(|what| Failure::Own(what, OWN_ERROR))?;
    }
    if let Some(range) = signature {
        let words = range.step_by(4).map(|address| outcome.soc.peek_word(address));
        let words: Vec<u32> = words.collect::<Result<_, _>>().map_err(own)?;
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        args.write_signature(&bytes)?;
    }
    let places = outcome.hang.map(|places| format!(":\n{places}")).unwrap_or_default();
    args.ended(&outcome.end, outcome.cycles, &places, &program)
}

impl Args {
    /// What a run's end means for the process.
    fn ended(
        &self,
        end: &End,
        cycles: u64,
        places: &str,
        program: &Program,
    ) -> Result<ExitCode, Failure> {
        let args = self;
        let name = args.files.first().map(|file| file.display().to_string()).unwrap_or_default();
        let unfinished = |what: String| {
            let kept = args.record.as_ref().map_or(String::new(), |path| {
                format!("\nwhat it communicated until then is in `{}`", path.display())
            });
            Err(Failure::Own(format!("`{name}` {what}{kept}"), OWN_ERROR))
        };
        let (cycle, cycles_word) = match args.on.name() {
            "golden" => ("instruction", "instructions"),
            _ => ("cycle", "cycles"),
        };
        match *end {
            End::Exit { code } => {
                if let Some(what) = exit_message(code, program.settings().is_err()) {
                    say(format_args!("{what}\n"));
                }
                Ok(ExitCode::from(process_code(code)))
            }
            End::Deadlock => unfinished(format!("hangs in {cycle} {cycles}{places}")),
            _ => {
                unfinished(format!("did not end within {} {cycles_word}{places}", args.max_cycles))
            }
        }
    }
}

/// What a process can say of an exit code.
fn process_code(code: i32) -> u8 {
    u8::try_from(code).unwrap_or(u8::MAX)
}

/// What is said of an exit code that the process cannot have, or that only `tohost` showed.
fn exit_message(code: i32, bare: bool) -> Option<String> {
    let ours = process_code(code);
    let test = if bare && code > 0 {
        format!("; in riscv-tests, test {code} failed")
    } else {
        String::new()
    };
    if i32::from(ours) != code {
        return Some(format!("exit code {code} ({code:#x}{test}); the process exits with {ours}"));
    }
    (bare && code != 0).then(|| format!("exit code {code}{test}"))
}

impl Args {
    /// The configuration asked for.
    fn machine(&self) -> Result<Config, Failure> {
        let own = |what: String| Failure::Own(what, OWN_ERROR);
        let mut config = self.machine.config().map_err(own)?;
        config.simulation.seed = self.seed.unwrap_or(config.simulation.seed);
        config.check().map_err(|error| own(error.to_string()))?;
        Ok(config)
    }

    /// Checks output files before anything is built or run.
    fn check_outputs(&self) -> Result<(), Failure> {
        let inputs = || self.files.iter().chain(self.machine.file()).chain(&self.input);
        let apart = match (&self.record, self.waves()) {
            (Some(record), Some(waves)) => check_apart(record, waves),
            _ => Ok(()),
        };
        let mut outputs =
            self.record.iter().chain(&self.vcd).chain(&self.fst).chain(&self.signature);
        apart
            .and_then(|()| outputs.try_for_each(|output| check_output(output, inputs())))
            .map_err(|error| Failure::Own(error.to_string(), OWN_ERROR))
    }

    /// The file of the waveform, in whichever form.
    fn waves(&self) -> Option<&Path> {
        self.vcd.as_deref().or(self.fst.as_deref())
    }

    /// A program that lies on the reset vector and starts elsewhere needs a machine that starts there.
    fn entered(&self, mut config: Config, program: &Program) -> Config {
        let vector = u64::from(config.reset_vector);
        if program.entry != config.reset_vector && program.occupies(vector..vector + 8) {
            config.reset_vector = program.entry;
        }
        config
    }

    /// Hardware whose configuration says nothing of breakpoints gets them for a set.
    fn with_breakpoints(&self, config: Config, set: Option<&Set>) -> Result<Config, Failure> {
        let Some(set) = set else { return Ok(config) };
        if config.breakpoints.is_off() {
            return Ok(Config { breakpoints: set.hardware(), ..config });
        }
        let (entries, needed) = (config.breakpoints.entries as usize, set.entries.len());
        if entries < needed {
            let machine = self.on.called().to_owned();
            let error = ArmError::<MachineError>::TooFew { machine, entries, needed };
            return Err(Failure::Own(error.to_string(), OWN_ERROR));
        }
        Ok(config)
    }

    /// What the program reads.
    fn input_bytes(&self) -> Result<Vec<u8>, Failure> {
        let Some(path) = &self.input else { return Ok(Vec::new()) };
        let wrong = |what: String| Failure::Own(format!("{}: {what}", path.display()), OWN_ERROR);
        let file = File::open(path).map_err(|error| wrong(error.to_string()))?;
        let mut bytes = Vec::new();
        let read = file.take(LONGEST_INPUT + 1).read_to_end(&mut bytes);
        read.map_err(|error| wrong(error.to_string()))?;
        match bytes.len() as u64 > LONGEST_INPUT {
            true => Err(wrong(format!("expected at most {LONGEST_INPUT} bytes of input"))),
            false => Ok(bytes),
        }
    }

    fn write_signature(&self, bytes: &[u8]) -> Result<(), Failure> {
        let Some(path) = &self.signature else { return Ok(()) };
        let written = write_atomic(path, Signature::text_of(bytes).as_bytes());
        written.map_err(|error| Failure::Own(error.to_string(), OWN_ERROR))
    }

    fn options(&self, program: &Program, input: &[u8]) -> Options {
        Options {
            limit: Some(self.max_cycles),
            stats: self.stats,
            trace: self.trace.then(|| Trace::to(Box::new(BufWriter::new(io::stderr())))),
            lockstep: self.lockstep,
            monitor: self.stats.then(|| program.text.clone()),
            collect: self.record.is_some(),
            errors: Some(Box::new(io::stderr())),
            input: input.to_vec(),
            ..Options::default()
        }
    }

    fn execute(
        &self,
        library: &cosim::Library,
        config: &Config,
        program: &Program,
        asked: &Asked<'_>,
        console: &mut dyn io::Write,
    ) -> Result<Outcome, Stopped> {
        let options = self.options(program, asked.input);
        let mut run = Run::new(library, config, program, options, console)?;
        if let Some(waves) = asked.waves {
            run.soc_mut().model_mut().trace_open(waves.vcd(), waves.cycles.clone())?;
        }
        if let Some(set) = asked.set {
            breakpoints::armed(run.target(), set, self.on.called()).map_err(Stopped::Refused)?;
        }
        let mut outcome = run.finish_with(|machine| {
            asked.set.map_or(Ok(()), |set| breakpoints::tell(machine, set))
        })?;
        outcome.soc.model_mut().trace_close()?;
        Ok(outcome)
    }

    /// The error. A mismatch is reported at once, because making its waveform takes a while.
    fn explained(
        &self,
        error: MachineError,
        machines: &Machines,
        config: &Config,
        program: &Program,
        input: &[u8],
    ) -> Failure {
        let message = match &error {
            MachineError::Mismatch { cycle, .. } => {
                say(format_args!("error: {error}\n"));
                let path = env::temp_dir().join(format!("crosstalk-mismatch-{cycle}.vcd"));
                let options = self.options(program, input);
                match machines.waveform(config, program, options, *cycle, &path) {
                    Ok(()) => format!("the cycles around it are in {}", path.display()),
                    Err(reason) => format!("its waveform cannot be written: {reason}"),
                }
            }
            _ => error.to_string(),
        };
        Failure::Own(message, OWN_ERROR)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_that_no_process_can_have_is_named() {
        let said = |code, bare| exit_message(code, bare);
        assert_eq!(said(0, true), None);
        assert_eq!(said(3, false), None, "the process has the same code");
        assert_eq!(said(3, true).unwrap(), "exit code 3; in riscv-tests, test 3 failed");
        assert_eq!(
            said(1337, false).unwrap(),
            "exit code 1337 (0x539); the process exits with 255"
        );
        assert_eq!(
            said(1337, true).unwrap(),
            "exit code 1337 (0x539; in riscv-tests, test 1337 failed); the process exits with 255"
        );
        assert_eq!(
            said(-1, false).unwrap(),
            "exit code -1 (0xffffffff); the process exits with 255"
        );
    }
}
