//! Schedules on the golden machine alone: no hardware, no C++ compiler, many more schedules a minute.
//!
//! Seeds take the machine's strategies in turn. Where those may switch harts is learned from a few runs
//! before the first schedule, the same for every hunt.

use super::finish::Shown;
use super::sources::Row;
use super::{DataAccess, Finished, HuntError, Loaded, Probe, Replay, Schedule, Source, Tail};
use crate::breakpoint::{Set, arm, counts};
use ::evidence::log::Log;
use ::evidence::run::{Lab, Order, Recording, RunError, Witness};
use border::End;
use border::tohost::Output;
use config::Perturbation;
use golden::Mode;
use golden::machine::{Accessed, Machine, Scheduling};
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
    pub(super) loaded: Loaded,
    pub(super) lab: Lab,
}

/// What a single run shows of a program before a hunt begins.
pub(super) struct Look {
    pub end: End,
    pub errors: Tail,
    /// A second thread accessed memory.
    pub threads: bool,
}

impl Golden {
    /// A machine of the program's configuration.
    ///
    /// # Errors
    /// If that is not modeled.
    pub fn new(loaded: Loaded) -> Result<Self, HuntError> {
        Ok(Self { lab: loaded.learned_lab()?, loaded })
    }

    /// The same with nothing learned of the program.
    pub(super) fn unlearned(loaded: Loaded) -> Result<Self, HuntError> {
        Ok(Self { lab: loaded.lab()?, loaded })
    }

    /// Looks at the program once.
    pub(super) fn look(&self, seed: u64) -> Result<Look, HuntError> {
        let (mut console, mut errors) = (io::sink(), Tail::default());
        let output = &mut Output::new(&mut console, &mut errors);
        let observed = self.lab.observe(&order(seed), Machine::keep_accesses, output);
        let (machine, end) = observed.map_err(|error| wrong(seed, error))?;
        let of_second = |access: &Accessed| access.mode == Mode::User && access.hart.0 != 0;
        let threads = machine.accesses().iter().any(of_second);
        Ok(Look { end, errors, threads })
    }

    /// Runs a schedule, and shows everything to a witness if there is one.
    fn observed(
        &self,
        schedule: Schedule,
        witness: Option<Witness>,
    ) -> Result<Finished, HuntError> {
        let seed = schedule.seed;
        let prepare = |machine: &mut Machine| {
            if self.loaded.accesses {
                machine.keep_accesses();
            }
            if let Some(witness) = witness {
                machine.show(witness);
            }
        };
        let (mut console, mut errors) = (Tail::default(), Tail::default());
        let mut output = Output::new(&mut console, &mut errors);
        let observed = self.lab.observe(&order(seed), prepare, &mut output);
        let (machine, end) = observed.map_err(|error| wrong(seed, error))?;
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
}

/// A golden machine costs nothing more with breakpoints: it has as many as there can be, unless its configuration says
/// how many. While none is armed they change nothing.
pub(crate) fn give_breakpoints(parameters: &mut Parameters) {
    if parameters.breakpoints == 0 {
        parameters.breakpoints = Set::MOST;
    }
}

/// The order of a schedule.
pub(super) fn order(seed: u64) -> Order {
    Order::Drawn { seed, strategy: Scheduling::of_seed(seed) }
}

pub(super) fn wrong(seed: u64, error: RunError) -> HuntError {
    match error {
        RunError::Serve(error) => HuntError::Firmware { seed, what: error.to_string() },
        error => HuntError::Refused(error.to_string()),
    }
}

impl Loaded {
    /// The program on the golden machine, with nothing learned of it.
    ///
    /// # Errors
    /// If the configuration is not modeled, or the program lacks what `crosstalk cc` links with it.
    pub(super) fn lab(&self) -> Result<Lab, HuntError> {
        Ok(Lab {
            parameters: Parameters::of(&self.config)?,
            code: self.code()?,
            points: Arc::default(),
            instructions: self.max_cycles,
        })
    }

    /// The same with scheduling points.
    ///
    /// # Errors
    /// The same, and if the firmware is at fault.
    pub(super) fn learned_lab(&self) -> Result<Lab, HuntError> {
        self.lab()?.learned().map_err(|error| wrong(0, error))
    }
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
        self.observed(schedule, None)
    }

    fn replay(&self, schedule: Schedule) -> Option<Result<Replay, HuntError>> {
        Some(Ok(Replay { lab: self.lab.clone(), order: order(schedule.seed) }))
    }

    fn show(&self, schedule: Schedule, witness: Witness) -> Result<Finished, HuntError> {
        self.observed(schedule, Some(witness))
    }

    fn probe(&self, schedule: Schedule, set: &Set, records: bool) -> Result<Probe, HuntError> {
        let seed = schedule.seed;
        let mut lab = self.lab.clone();
        give_breakpoints(&mut lab.parameters);
        let recording = records.then(|| Recording::new(lab.code.clone(), lab.points.clone()));
        let mut armed = Ok(());
        let prepare = |machine: &mut Machine| {
            armed = arm(machine, set, ROW.called);
            if let Some(recording) = &recording {
                machine.show(recording.witness());
            }
        };
        let (mut console, mut errors) = (Tail::default(), Tail::default());
        let output = &mut Output::new(&mut console, &mut errors);
        let observed = lab.observe(&order(seed), prepare, output);
        armed.map_err(|error| HuntError::Refused(error.to_string()))?;
        let (mut machine, end) = observed.map_err(|error| wrong(seed, error))?;
        let counted = counts(&mut machine, set.entries.len());
        Ok(Probe {
            log: recording.map(|recording| recording.finish(&end)),
            counts: counted.map_err(|error| HuntError::Refused(error.to_string()))?,
            cycles: machine.instructions(),
            end,
            console,
            errors,
        })
    }

    fn log(&self, schedule: Schedule) -> Result<Log, HuntError> {
        let seed = schedule.seed;
        self.lab.log(&order(seed)).map_err(|error| wrong(seed, error))
    }
}

impl From<Unsupported> for HuntError {
    fn from(error: Unsupported) -> Self {
        Self::Machine(Box::new(error))
    }
}
