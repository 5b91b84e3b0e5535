//! Runs a program to its end on the RTL machine.

use std::io::Write;
use std::ops::Range;

use border::tohost::{self, Output, ServeError};
use border::{End, Program, Target};
use config::Config;
use golden::machine::Witness;

use super::accesses::Accesses;
use super::export::Observed;
use super::hang::Hang;
use super::instruments::{Instruments, mismatch};
use super::lockstep::Lockstep;
use super::simulation::Simulation;
use super::stats::Stats;
use super::trace::Trace;
use super::{MachineError, Outcome, Ram, Sent, Soc};
use crate::Library;

/// Called with each cycle's number and exports.
pub type Observer = Box<dyn FnMut(u64, &Observed<'_>) + Send>;

/// Options of a run.
#[derive(Default)]
pub struct Options {
    /// Stop in this cycle; `None`: run until the program exits or hangs.
    pub limit: Option<u64>,
    /// Count events; see [`Stats`].
    pub stats: bool,
    /// Trace every instruction and transaction as text.
    pub trace: Option<Trace>,
    /// Compare with the golden machine.
    pub lockstep: bool,
    /// Shown every instruction by the golden machine, which then runs in lockstep.
    pub witness: Option<Witness>,
    /// Collect the edges at the tap.
    pub collect: bool,
    /// Collect every data access to memory, in order.
    pub accesses: bool,
    /// Called in every cycle.
    pub observer: Option<Observer>,
    /// Set every hart's monitor filter to this range of code, in both modes, before the harts start. A machine
    /// without monitors ignores the writes and takes the same number of cycles.
    pub monitor: Option<Range<u32>>,
    /// Registers of devices that the host writes before the harts start, in this order: address and value.
    pub devices: Vec<(u32, u32)>,
    /// Words of memory to patch before the start: address and value.
    pub patches: Vec<(u32, u32)>,
    /// Receives the program's error text (descriptor 2) as it is written; `None`: [`Sent::errors`].
    pub errors: Option<Box<dyn Write + Send>>,
    /// Standard input, and what arrives at the serial port.
    pub input: Vec<u8>,
}

/// A program on a machine.
pub struct Run<'a> {
    simulation: Simulation,
    program: &'a Program,
    console: &'a mut dyn Write,
    errors: Option<Box<dyn Write + Send>>,
    input: Vec<u8>,
    limit: u64,
}

impl<'a> Run<'a> {
    /// A machine with the program in its memory, at the start.
    ///
    /// # Errors
    /// If the model was not built for this configuration, or the golden machine does not support it.
    pub fn new(
        library: &Library,
        config: &Config,
        program: &'a Program,
        options: Options,
        console: &'a mut dyn Write,
    ) -> Result<Self, MachineError> {
        let mut ram = Ram::new(config.simulation.ram_bytes);
        ram.load(program);
        ram.enter(program, config.reset_vector)?;
        for (address, word) in options.patches {
            ram.patch(address, word);
        }
        let follows = options.lockstep || options.witness.is_some();
        let mut lockstep = follows.then(|| Lockstep::new(config, program, &ram)).transpose()?;
        if let Some(lockstep) = lockstep.as_mut().filter(|_| options.accesses) {
            lockstep.keep_accesses();
        }
        if let (Some(lockstep), Some(witness)) = (&mut lockstep, options.witness) {
            lockstep.show(witness);
        }
        let soc = Soc::new(library, config, ram)?;
        let instruments = Instruments {
            stats: options.stats.then(|| Stats::new(soc.harts(), config.counters)),
            trace: options.trace,
            lockstep,
            edges: options.collect.then(Vec::new),
            accesses: options.accesses.then(|| Accesses::new(soc.harts())),
            observer: options.observer,
        };
        let mut simulation = Simulation::new(soc, instruments);
        if let Some(tohost) = program.tohost() {
            simulation.watch(tohost)?;
        }
        if let Some(range) = options.monitor {
            simulation.preset_monitors(range)?;
        }
        simulation.preset_devices(&options.devices)?;
        let limit = options.limit.unwrap_or(u64::MAX);
        let (errors, input) = (options.errors, options.input);
        Ok(Self { simulation, program, console, errors, input, limit })
    }

    /// The machine, to open a waveform on.
    pub fn soc_mut(&mut self) -> &mut Soc {
        &mut self.simulation.soc
    }

    /// The machine as its host sees it, to set devices before it runs.
    pub fn target(&mut self) -> &mut Simulation {
        &mut self.simulation
    }

    /// Runs to the end.
    ///
    /// # Errors
    /// If hardware and golden machine differ, a check in the design fails, or output cannot be written.
    pub fn finish(self) -> Result<Outcome, MachineError> {
        self.finish_with(|_| Ok(()))
    }

    /// Runs to the end, and has the machine looked at there, by the host.
    ///
    /// # Errors
    /// The same, and those of `look`.
    pub fn finish_with(
        self,
        look: impl FnOnce(&mut Simulation) -> Result<(), MachineError>,
    ) -> Result<Outcome, MachineError> {
        let Self { mut simulation, program, console, mut errors, input, limit } = self;
        simulation.start();
        let mut kept = Vec::new();
        let mut output = match &mut errors {
            Some(errors) => Output::new(console, errors),
            None => Output::new(console, &mut kept),
        }
        .with_input(&input);
        let ended = tohost::serve(&mut simulation, program, limit, &mut output)?;
        output.console.flush().map_err(MachineError::Output)?;
        let Output { records, bare_edges, .. } = output;
        let sent = Sent { errors: kept, records, bare_edges };
        let hang = (!matches!(ended.end, End::Exit { .. }))
            .then(|| Hang::of(&simulation, program))
            .transpose()?;
        look(&mut simulation)?;
        let Simulation { soc, instruments, .. } = simulation;
        let cycles = soc.cycle();
        let Instruments { stats, trace, lockstep, edges, accesses, .. } = instruments;
        if let Some(mut trace) = trace {
            trace.finish().map_err(MachineError::Output)?;
        }
        let (compared, followed) = match lockstep {
            Some(lockstep) => {
                let end = lockstep.finish().map_err(|d| mismatch(&d))?;
                (end.instructions, end.accesses)
            }
            None => (0, Vec::new()),
        };
        Ok(Outcome {
            end: ended.end,
            ended_at: ended.time,
            hang,
            cycles,
            compared,
            stats,
            edges: edges.unwrap_or_default(),
            accesses: accesses.map(Accesses::finish).unwrap_or_default(),
            followed,
            sent,
            soc,
        })
    }
}

impl From<ServeError<Self>> for MachineError {
    fn from(error: ServeError<Self>) -> Self {
        match error {
            ServeError::Target(error) => error,
            ServeError::Request { time, word, what, .. } => {
                Self::Host { cycle: time, value: word, what: what.to_owned() }
            }
            ServeError::Output(error) => Self::Output(error),
        }
    }
}
