//! Schedules on the golden machine alone: no hardware, no C++ compiler, many more schedules a minute.

use super::finish::Shown;
use super::sources::Row;
use super::{DataAccess, Finished, HuntError, Loaded, Schedule, Source, Tail};
use border::tohost::{self, Output, ServeError};
use border::{Place, Target};
use config::Perturbation;
use golden::machine::{Machine, Segment};
use golden::memory::{Parameters, Unsupported};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::PathBuf;

/// Its row in the table of sources.
pub(super) const ROW: Row = Row {
    name: "golden",
    called: "the golden machine alone",
    help: "The golden machine: no C++ compiler needed, and faster; other schedules",
    identity: |_, _| identity(),
    open: |opening| Ok(Box::new(Golden::new(opening.subject.load(opening.setup)?)?)),
};

/// Golden schedules are not perturbed; seeds choose them.
const NONE: Perturbation = Perturbation { chance: 0, burst: 0, max_stall: 0, max_passes: 0 };

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
    let mut hash = Sha256::new();
    for path in files {
        let bytes = fs::read(&path).map_err(|error| crate::Error::file(&path, &error))?;
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

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
            accesses: machine.accesses().iter().map(DataAccess::from).collect(),
            work: None,
        };
        self.loaded.finished(&self.loaded.config_of(schedule.seed, NONE), shown)
    }
}

impl From<Unsupported> for HuntError {
    fn from(error: Unsupported) -> Self {
        Self::Machine(Box::new(error))
    }
}
