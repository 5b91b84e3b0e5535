//! Schedules on the golden machine alone: no hardware, no C++ compiler, many more schedules a minute.

use super::finish::Shown;
use super::{Executor, Finished, HuntError, Loaded, Schedule, Tail};
use config::Perturbation;
use golden::machine::{Limits, Machine, Segment, Stop};
use golden::memory::Parameters;
use record::Outcome;
use std::io::Write as _;

/// The one thing that firmware asks of a host.
const WRITE: u32 = 64;
/// The longest text of one call.
const LONGEST_TEXT: u32 = 1 << 20;

/// The golden machine, with a program.
pub struct Golden {
    loaded: Loaded,
    parameters: Parameters,
    tohost: u32,
    fromhost: u32,
}

/// What the firmware sent, by descriptor.
#[derive(Default)]
struct Sent {
    console: Tail,
    errors: Vec<u8>,
    records: Vec<u8>,
    bare_edges: Vec<u8>,
}

impl Golden {
    /// A machine of the program's configuration.
    ///
    /// # Errors
    /// If that is not modeled.
    pub fn new(loaded: Loaded) -> Result<Self, HuntError> {
        let parameters = Parameters::of(&loaded.config)?;
        let places = loaded.program.tohost().zip(loaded.program.fromhost());
        let (tohost, fromhost) = places.ok_or_else(|| {
            HuntError::Refused(format!("`{}` has no `tohost`", loaded.header.program))
        })?;
        Ok(Self { parameters, tohost: tohost.address, fromhost: fromhost.address, loaded })
    }

    fn machine(&self, seed: u64) -> Result<Machine, HuntError> {
        let mut machine = Machine::new(&self.parameters, seed);
        for segment in &self.loaded.program.segments {
            let segment = Segment { address: segment.address, bytes: &segment.bytes };
            machine.load(segment).map_err(|error| HuntError::Refused(error.to_string()))?;
        }
        machine.watch(self.tohost);
        if self.loaded.accesses {
            machine.keep_accesses();
        }
        Ok(machine)
    }

    /// Does what the block at this address asks for.
    fn serve(&self, machine: &mut Machine, block: u32, sent: &mut Sent) -> Result<(), String> {
        let word = |at: u32| {
            machine.host_word(at).ok_or_else(|| format!("it named {at:#x}, which is not in RAM"))
        };
        let [call, file, text, count] =
            [word(block)?, word(block + 8)?, word(block + 16)?, word(block + 24)?];
        if call != WRITE || count > LONGEST_TEXT {
            return Err(format!("it asked the host for call {call} with {count} bytes"));
        }
        let mut bytes = Vec::with_capacity(count as usize + 8);
        let first = text & !3;
        for address in (first..text.saturating_add(count)).step_by(4) {
            bytes.extend(word(address)?.to_le_bytes());
        }
        let start = (text - first) as usize;
        let bytes = &bytes[start..start + count as usize];
        match file {
            1 => drop(sent.console.write_all(bytes)),
            2 => sent.errors.extend(bytes),
            3 => sent.records.extend(bytes),
            4 => sent.bare_edges.extend(bytes),
            _ => return Err(format!("it wrote to file {file}")),
        }
        machine.host_write(block, count);
        machine.host_write(self.fromhost, 1);
        Ok(())
    }
}

impl Executor for Golden {
    fn execute(&self, schedule: Schedule) -> Result<Finished, HuntError> {
        let mut machine = self.machine(schedule.seed)?;
        let limits = Limits { instructions: self.loaded.max_cycles };
        let mut sent = Sent::default();
        let stopped = loop {
            match machine.run(limits) {
                Stop::Host { value, .. } => self
                    .serve(&mut machine, value, &mut sent)
                    .map_err(|what| HuntError::Firmware { seed: schedule.seed, what })?,
                Stop::Exit { .. } => break None,
                Stop::Limit => break Some(Outcome::CycleLimit),
                Stop::Deadlock => break Some(Outcome::Deadlock),
            }
        };
        let Sent { console, errors, records, bare_edges } = sent;
        let (cycles, taps) = (machine.instructions(), machine.taps().to_vec());
        let accesses = machine.accesses().to_vec();
        let wrapped = stopped.is_some() && machine.memory().times_wrapped();
        let shown = Shown {
            stopped,
            wrapped,
            cycles,
            records,
            bare_edges,
            taps,
            console,
            errors,
            accesses,
            counts: None,
        };
        self.loaded.finished(schedule, shown)
    }

    fn perturbation(&self) -> Option<Perturbation> {
        None
    }
}
