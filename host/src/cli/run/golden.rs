//! The same on the golden machine: no hardware, no C++ compiler, and every instruction can be shown as Spike does.

use super::super::failure::Failure;
use super::super::progress::Progress;
use super::{Args, OWN_ERROR, breakpoints};
use crate::breakpoint::Set;
use crate::hunt::give_breakpoints;
use crate::run_record::{self, Over};
use crate::trace::{CommitLog, Filter};
use border::tohost::{self, Output};
use border::{End, Program, Target};
use config::Config;
use cosim::machine::Hang;
use debuginfo::LineMap;
use golden::isa::{Hart, Retired};
use golden::machine::{Machine, Segment};
use golden::memory::Parameters;
use std::error::Error;
use std::io::{self, BufWriter, Write as _};
use std::ops::Range;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

/// Runs the program to its end.
pub fn run(
    args: &Args,
    mut config: Config,
    program: &Program,
    input: &[u8],
    signature: Option<Range<u32>>,
    set: Option<&Set>,
) -> Result<ExitCode, Failure> {
    let own = |error: &dyn Error| Failure::Own(error.to_string(), OWN_ERROR);
    for (option, given) in [
        ("--vcd", args.vcd.is_some()),
        ("--fst", args.fst.is_some()),
        ("--stats", args.stats),
        ("--lockstep", args.lockstep),
    ] {
        if given {
            let what = format!("the golden machine has no {option}; leave out --on golden");
            return Err(Failure::Own(what, OWN_ERROR));
        }
    }
    // Its harts can start anywhere.
    config.reset_vector = program.entry;
    let mut parameters = Parameters::of(&config).map_err(|error| own(&error))?;
    if set.is_some() {
        give_breakpoints(&mut parameters);
    }
    let mut machine = Machine::new(&parameters, config.simulation.seed);
    for segment in &program.segments {
        let segment = Segment { address: segment.address, bytes: &segment.bytes };
        machine.load(segment).map_err(|error| own(&error))?;
    }
    if let Some(tohost) = program.tohost() {
        Target::watch(&mut machine, tohost).map_err(|error| own(&error))?;
    }
    let log = args.trace.then(|| traced(program)).transpose()?;
    if let Some(log) = &log {
        let shown = log.clone();
        machine.show(Box::new(move |number: usize, hart: &Hart, retired: &Retired| {
            let mut log = shown.lock().unwrap_or_else(PoisonError::into_inner);
            log.iter_mut().for_each(|log| log.see(number, hart, retired));
        }));
    }
    if let Some(set) = set {
        let armed = breakpoints::armed(&mut machine, set, args.on.called());
        armed.map_err(|what| Failure::Own(what, OWN_ERROR))?;
    }
    let running = Progress::waiting("the program is running");
    let (mut console, mut errors) = (BufWriter::new(io::stdout().lock()), io::stderr());
    let mut output = Output::new(&mut console, &mut errors).with_input(input);
    let ended = tohost::serve(&mut machine, program, args.max_cycles, &mut output);
    let records = std::mem::take(&mut output.records);
    let flushed = console.flush();
    drop(console);
    drop(running);
    let ended = ended.map_err(|error| own(&error))?;
    flushed.map_err(|error| own(&error))?;
    if let Some(log) = log.and_then(|log| log.lock().unwrap_or_else(PoisonError::into_inner).take())
    {
        log.finish().map_err(|error| own(&error))?;
    }
    if let Some(set) = set {
        breakpoints::tell(&mut machine, set).map_err(|error| own(&error))?;
    }
    if let Some(path) = &args.record {
        let over = Over {
            end: ended.end.clone(),
            records: &records,
            taps: machine.taps(),
            harts: machine.harts(),
            cycles: machine.instructions(),
            wrapped: machine.memory().times_wrapped(),
        };
        let run = run_record::record_of(&over, program);
        run.and_then(|run| run_record::write(path, &run))
            .map_err(|what| Failure::Own(what, OWN_ERROR))?;
    }
    if let Some(range) = signature {
        let mut bytes = vec![0; range.len()];
        Target::read(&mut machine, range.start, &mut bytes).map_err(|error| own(&error))?;
        args.write_signature(&bytes)?;
    }
    let places = match ended.end {
        End::Exit { .. } => String::new(),
        _ => format!(":\n{}", Hang::of(&machine, program).map_err(|error| own(&error))?),
    };
    args.ended(&ended.end, machine.instructions(), &places, program)
}

type Log = Arc<Mutex<Option<CommitLog<BufWriter<io::Stderr>>>>>;

/// The commit log, to standard error.
fn traced(program: &Program) -> Result<Log, Failure> {
    let lines = LineMap::read(program.file(), Vec::new());
    let lines = lines.map_err(|what| Failure::Own(what, OWN_ERROR))?;
    let to = BufWriter::new(io::stderr());
    let log = CommitLog::new(to, Filter::default(), Arc::new(lines));
    Ok(Arc::new(Mutex::new(Some(log))))
}
