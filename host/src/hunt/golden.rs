//! Schedules on the golden machine alone: no hardware, no C++ compiler, many more schedules a minute.
//!
//! Seeds take the machine's strategies in turn. Where those may switch harts is learned from a few runs
//! before the first schedule, the same for every hunt.

use super::finish::Shown;
use super::sources::Row;
use super::{DataAccess, Finished, HuntError, Loaded, Replay, Schedule, Source, Tail};
use ::evidence::log::Log;
use ::evidence::run::{Lab, Order, Recording};
use border::tohost::{self, Output, ServeError};
use border::{End, Place, Target};
use config::Perturbation;
use golden::Mode;
use golden::machine::{Accessed, Machine, Points, Scheduling, Segment};
use golden::memory::{Parameters, Unsupported};
use kit::cache::Key;
use std::path::PathBuf;
use std::sync::Arc;
use std::{fs, io};

/// Its row in the table of sources.
pub(super) const ROW: Row = Row {
    name: "golden",
    called: "the golden machine",
    help: "The golden machine: no C++ compiler needed, and faster; other schedules",
    identity: |_, _| identity(),
    open: |opening| Ok(Box::new(Golden::new(opening.subject.load(opening.setup)?)?)),
};

/// Runs from which scheduling points are learned.
const LEARNED_FROM: u64 = 4;

/// The machine is its sources, and the numbers it has from the border; without those at hand, this program.
fn identity() -> Result<String, HuntError> {
    let root = tools::workspace_root();
    let mut folders = vec![root.join("golden/src"), root.join("border/src")];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    if files.is_empty() {
        files.extend(std::env::current_exe());
    }
    files.sort();
    let mut key = Key::new();
    for path in files {
        let bytes = fs::read(&path).map_err(|error| crate::Error::file(&path, &error))?;
        key.add(bytes);
    }
    Ok(key.hex())
}

/// The golden machine, with a program.
pub struct Golden {
    loaded: Loaded,
    parameters: Parameters,
    tohost: Place,
    points: Arc<Points>,
}

impl Golden {
    /// A machine of the program's configuration.
    ///
    /// # Errors
    /// If that is not modeled.
    pub fn new(loaded: Loaded) -> Result<Self, HuntError> {
        let mut golden = Self::unlearned(loaded)?;
        golden.points = Arc::new(golden.learned()?);
        Ok(golden)
    }

    fn unlearned(loaded: Loaded) -> Result<Self, HuntError> {
        let parameters = Parameters::of(&loaded.config)?;
        let tohost = loaded.program.tohost().ok_or_else(|| {
            HuntError::Refused(format!("`{}` has no `tohost`", loaded.header.program))
        })?;
        Ok(Self { parameters, tohost, loaded, points: Arc::default() })
    }

    /// The scheduling points that a few runs in bursts show.
    fn learned(&self) -> Result<Points, HuntError> {
        let mut points = Points::default();
        for seed in 0..LEARNED_FROM {
            let mut machine = self.machine(seed, Scheduling::Bursts)?;
            machine.keep_accesses();
            let (mut console, mut errors) = (io::sink(), io::sink());
            self.finish(&mut machine, seed, &mut Output::new(&mut console, &mut errors))?;
            points.learn(machine.accesses());
        }
        Ok(points)
    }

    fn machine(&self, seed: u64, scheduling: Scheduling) -> Result<Machine, HuntError> {
        let refused = |error: &dyn std::error::Error| HuntError::Refused(error.to_string());
        let points = self.points.clone();
        let mut machine = Machine::scheduled(&self.parameters, seed, scheduling, points);
        for segment in &self.loaded.program.segments {
            let segment = Segment { address: segment.address, bytes: &segment.bytes };
            machine.load(segment).map_err(|error| refused(&error))?;
        }
        Target::watch(&mut machine, self.tohost).map_err(|error| refused(&error))?;
        Ok(machine)
    }

    /// The same machine and program for exact evidence.
    ///
    /// # Errors
    /// If the program lacks what `crosstalk cc` links with it.
    fn lab(&self) -> Result<Lab, HuntError> {
        Ok(Lab {
            code: self.loaded.code()?,
            program: Arc::new(self.loaded.program.clone()),
            parameters: self.parameters,
            points: self.points.clone(),
            instructions: self.loaded.max_cycles,
        })
    }

    fn finish(
        &self,
        machine: &mut Machine,
        seed: u64,
        output: &mut Output<'_>,
    ) -> Result<End, HuntError> {
        let (program, limit) = (&self.loaded.program, self.loaded.max_cycles);
        let wrong = |error: ServeError<_>| HuntError::Firmware { seed, what: error.to_string() };
        Ok(tohost::serve(machine, program, limit, output).map_err(wrong)?.end)
    }
}

/// What a single run shows of a program before a hunt begins.
pub(super) struct Look {
    pub end: End,
    pub errors: Tail,
    /// A second thread accessed memory.
    pub threads: bool,
}

/// Runs a program once, with nothing learned of it.
pub(super) fn look(loaded: &Loaded, seed: u64) -> Result<Look, HuntError> {
    let golden = Golden::unlearned(loaded.clone())?;
    let mut machine = golden.machine(seed, Scheduling::of_seed(seed))?;
    machine.keep_accesses();
    let (mut console, mut errors) = (io::sink(), Tail::default());
    let end = golden.finish(&mut machine, seed, &mut Output::new(&mut console, &mut errors))?;
    let of_second = |access: &Accessed| access.mode == Mode::User && access.hart.0 != 0;
    let threads = machine.accesses().iter().any(of_second);
    Ok(Look { end, errors, threads })
}

impl Source for Golden {
    fn name(&self) -> &'static str {
        ROW.name
    }

    fn identity(&self) -> Result<String, HuntError> {
        identity()
    }

    fn has_levels(&self) -> bool {
        false
    }

    fn run(&self, schedule: Schedule) -> Result<Finished, HuntError> {
        let seed = schedule.seed;
        let mut machine = self.machine(seed, Scheduling::of_seed(seed))?;
        if self.loaded.accesses {
            machine.keep_accesses();
        }
        let (mut console, mut errors) = (Tail::default(), Tail::default());
        let mut output = Output::new(&mut console, &mut errors);
        let end = self.finish(&mut machine, seed, &mut output)?;
        let Output { records, bare_edges, .. } = output;
        let shown = Shown {
            wrapped: machine.memory().times_wrapped(),
            end,
            cycles: machine.instructions(),
            records,
            bare_edges,
            taps: machine.taps().to_vec(),
            console,
            errors,
            accesses: machine.accesses().iter().map(DataAccess::from).collect(),
            work: None,
        };
        self.loaded.finished(&self.loaded.config_of(seed, Perturbation::NONE), shown)
    }

    fn replay(&self, schedule: Schedule) -> Option<Result<Replay, HuntError>> {
        let seed = schedule.seed;
        let order = Order::Drawn { seed, strategy: Scheduling::of_seed(seed) };
        Some(self.lab().map(|lab| Replay { lab, order }))
    }

    fn log(&self, schedule: Schedule) -> Result<Log, HuntError> {
        let seed = schedule.seed;
        let recording = Recording::new(self.loaded.code()?, self.points.clone());
        let mut machine = self.machine(seed, Scheduling::of_seed(seed))?;
        machine.show(recording.witness());
        let (mut console, mut errors) = (io::sink(), io::sink());
        let end = self.finish(&mut machine, seed, &mut Output::new(&mut console, &mut errors))?;
        Ok(recording.finish(&end))
    }
}

impl From<Unsupported> for HuntError {
    fn from(error: Unsupported) -> Self {
        Self::Machine(Box::new(error))
    }
}
