//! Schedules on the golden machine alone: no hardware, no C++ compiler, many more schedules a minute.

use super::finish::Shown;
use super::{Executor, Finished, HuntError, Loaded, Schedule, Tail};
use border::tohost::{self, Output, ServeError};
use border::{Place, Target};
use config::Perturbation;
use golden::machine::{Machine, Segment};
use golden::memory::Parameters;

/// The golden machine, with a program.
pub struct Golden {
    loaded: Loaded,
    parameters: Parameters,
    tohost: Place,
}

impl Golden {
    /// A machine of the program's configuration.
    ///
    /// # Errors
    /// If that is not modeled.
    pub fn new(loaded: Loaded) -> Result<Self, HuntError> {
        let parameters = Parameters::of(&loaded.config)?;
        let tohost = loaded.program.tohost().ok_or_else(|| {
            HuntError::Refused(format!("`{}` has no `tohost`", loaded.header.program))
        })?;
        Ok(Self { parameters, tohost, loaded })
    }

    fn machine(&self, seed: u64) -> Result<Machine, HuntError> {
        let refused = |error: &dyn std::error::Error| HuntError::Refused(error.to_string());
        let mut machine = Machine::new(&self.parameters, seed);
        for segment in &self.loaded.program.segments {
            let segment = Segment { address: segment.address, bytes: &segment.bytes };
            machine.load(segment).map_err(|error| refused(&error))?;
        }
        Target::watch(&mut machine, self.tohost).map_err(|error| refused(&error))?;
        if self.loaded.accesses {
            machine.keep_accesses();
        }
        Ok(machine)
    }
}

impl Executor for Golden {
    fn execute(&self, schedule: Schedule) -> Result<Finished, HuntError> {
        let mut machine = self.machine(schedule.seed)?;
        let (mut console, mut errors) = (Tail::default(), Tail::default());
        let mut output = Output::new(&mut console, &mut errors);
        let ended =
            tohost::serve(&mut machine, &self.loaded.program, self.loaded.max_cycles, &mut output);
        let ended = ended.map_err(|error: ServeError<_>| HuntError::Firmware {
            seed: schedule.seed,
            what: error.to_string(),
        })?;
        let Output { records, bare_edges, .. } = output;
        let shown = Shown {
            wrapped: machine.memory().times_wrapped(),
            end: ended.end,
            cycles: machine.instructions(),
            records,
            bare_edges,
            taps: machine.taps().to_vec(),
            console,
            errors,
            accesses: machine.accesses().to_vec(),
            counts: None,
        };
        self.loaded.finished(schedule, shown)
    }

    fn perturbation(&self) -> Option<Perturbation> {
        None
    }
}
