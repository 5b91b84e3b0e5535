//! Schedules on the simulated hardware.

use super::finish::Shown;
use super::sources::Row;
use super::strategies::Strategy;
use super::visits::Visitors;
use super::{
    DataAccess, Finished, HuntError, Loaded, Probe, Replay, ReplayLimits, Schedule, Source, Tail,
    Visit, Work,
};
use crate::breakpoint::{Set, arm, counts};
use crate::run_record;
use ::evidence::log::Log;
use ::evidence::run::{Lab, Order, Recording, Witness};
use border::End;
use config::{Breakpoints, Config};
use cosim::Library;
use cosim::machine::{Counts, MachineError, Machines, Observed, Options, Outcome, Run};
use golden::Mode;
use golden::machine::{Accessed, Points};
use golden::memory::Parameters;
use record::{Hart, Pc};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

/// Its row in the table of sources.
pub(super) const ROW: Row = Row {
    name: "rtl",
    called: "the simulated hardware",
    help: "The hardware, simulated",
    identity: |config, builder| identity(&Machines::with(builder.clone()), config),
    open: |opening| {
        let machines = Machines::with(opening.builder.clone());
        Ok(Box::new(Rtl::new(machines, opening.subject.load(opening.setup)?)?))
    },
};

/// The hardware is its Verilog, without comments.
fn identity(machines: &Machines, config: &Config) -> Result<String, HuntError> {
    Ok(machines.source(config)?.design_hash().to_string())
}

/// The machine's hardware, with a program: one compiled model, shared by all threads.
pub struct Rtl {
    loaded: Loaded,
    machines: Machines,
    library: Library,
    /// The machine with breakpoints, by the number of entries, once somebody wants them and its configuration has none.
    stopping: Mutex<BTreeMap<u32, Library>>,
    /// The same program on the golden machine, once somebody wants to replay a run.
    lab: Mutex<Option<Lab>>,
}

/// A replay takes about a second.
const REPLAYS: ReplayLimits = ReplayLimits { failing: 6, passing: 4 };

impl Rtl {
    /// Builds the machine, unless it is there already.
    ///
    /// # Errors
    /// If it cannot be built.
    pub fn new(machines: Machines, loaded: Loaded) -> Result<Self, HuntError> {
        let library = machines.library(&loaded.config, false)?;
        let (stopping, lab) = Default::default();
        Ok(Self { loaded, machines, library, stopping, lab })
    }

    /// The machine as a schedule perturbs it.
    fn config(&self, schedule: Schedule) -> Config {
        let configured = self.loaded.config.simulation.perturbation;
        let perturbation = Strategy::of_seed(schedule.seed).of(schedule.level, configured);
        self.loaded.config_of(schedule.seed, perturbation)
    }

    /// The machine for a set of breakpoints, and what it has of them.
    fn stopping(&self, set: &Set) -> Result<(Library, Breakpoints), HuntError> {
        let configured = self.loaded.config.breakpoints;
        if set.entries.is_empty() || !configured.is_off() {
            return Ok((self.library.clone(), configured));
        }
        let breakpoints = set.hardware();
        let mut built = self.stopping.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(library) = built.get(&breakpoints.entries) {
            return Ok((library.clone(), breakpoints));
        }
        let config = Config { breakpoints, ..self.loaded.config.clone() };
        let library = self.machines.library(&config, false)?;
        built.insert(breakpoints.entries, library.clone());
        Ok((library, breakpoints))
    }

    /// Runs a schedule; with a witness in lockstep with the golden machine, which shows it everything.
    fn observed(
        &self,
        schedule: Schedule,
        witness: Option<Witness>,
    ) -> Result<Finished, HuntError> {
        let config = self.config(schedule);
        let limit = Some(self.loaded.max_cycles);
        let accesses = self.loaded.accesses;
        let (collect, stats) = (true, accesses);
        let options = Options { limit, collect, accesses, stats, witness, ..Options::default() };
        let mut console = Tail::default();
        let run = Run::new(&self.library, &config, &self.loaded.program, options, &mut console)?;
        let Outcome { end, cycles, stats, edges, accesses, sent, mut soc, .. } = run.finish()?;
        let wrapped = !matches!(end, End::Exit { .. }) && run_record::times_wrapped(&mut soc);
        let shown = Shown {
            end,
            wrapped,
            cycles,
            records: sent.records,
            bare_edges: sent.bare_edges,
            taps: edges,
            console,
            errors: Tail::from(sent.errors),
            accesses: accesses.iter().map(DataAccess::from).collect(),
            work: stats.map(|stats| Work::from(stats.total())),
        };
        self.loaded.finished(&config, shown)
    }

    /// Runs a schedule again and records everything.
    fn recorded(&self, schedule: Schedule, points: Arc<Points>) -> Result<Log, HuntError> {
        let recording = Recording::new(self.loaded.code()?, points);
        let finished = self.observed(schedule, Some(recording.witness()))?;
        Ok(recording.finish(&finished.run.ending.outcome))
    }

    fn lab(&self) -> Result<Lab, HuntError> {
        let mut lab = self.lab.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lab) = &*lab {
            return Ok(lab.clone());
        }
        Ok(lab.insert(self.loaded.learned_lab()?).clone())
    }

    fn replayed(&self, schedule: Schedule) -> Result<Replay, HuntError> {
        let lab = self.lab()?;
        let log = self.recorded(schedule, lab.points.clone())?;
        Ok(Replay { lab, order: Order::Script(log.turns().into()) })
    }
}

impl Source for Rtl {
    fn name(&self) -> &'static str {
        ROW.name
    }

    fn identity(&self) -> Result<String, HuntError> {
        identity(&self.machines, &self.loaded.config)
    }

    fn has_levels(&self) -> bool {
        true
    }

    fn run(&self, schedule: Schedule) -> Result<Finished, HuntError> {
        self.observed(schedule, None)
    }

    /// The hardware's order of accesses, prescribed to the golden machine; none of a machine that has no golden one.
    fn replay(&self, schedule: Schedule) -> Option<Result<Replay, HuntError>> {
        Parameters::of(&self.loaded.config).ok()?;
        Some(self.replayed(schedule))
    }

    fn replay_limits(&self) -> Option<ReplayLimits> {
        Some(REPLAYS)
    }

    fn show(&self, schedule: Schedule, witness: Witness) -> Result<Finished, HuntError> {
        self.observed(schedule, Some(witness))
    }

    fn visits(&self, schedule: Schedule, places: &BTreeSet<u32>) -> Result<Vec<Visit>, HuntError> {
        let config = self.config(schedule);
        let visitors = Visitors::of(places);
        let seen = visitors.clone();
        let observer = move |cycle: u64, observed: &Observed<'_>| {
            for hart in 0..observed.harts() {
                if let Some(retired) = observed.retired(hart) {
                    seen.see(cycle, hart, &retired);
                }
            }
        };
        let limit = Some(self.loaded.max_cycles);
        let options = Options { limit, observer: Some(Box::new(observer)), ..Options::default() };
        let mut console = Tail::default();
        Run::new(&self.library, &config, &self.loaded.program, options, &mut console)?.finish()?;
        Ok(visitors.finish())
    }

    fn probe_identity(&self) -> Result<String, HuntError> {
        let mut config = self.loaded.config.clone();
        if config.breakpoints.is_off() {
            config.breakpoints = Set::default().hardware();
        }
        identity(&self.machines, &config)
    }

    fn probe(&self, schedule: Schedule, set: &Set, records: bool) -> Result<Probe, HuntError> {
        let (library, breakpoints) = self.stopping(set)?;
        let config = Config { breakpoints, ..self.config(schedule) };
        let code = records.then(|| self.loaded.code()).transpose()?;
        let recording = code.map(|code| Recording::new(code, Arc::default()));
        let limit = Some(self.loaded.max_cycles);
        let witness = recording.as_ref().map(Recording::witness);
        let options = Options { limit, witness, ..Options::default() };
        let mut console = Tail::default();
        let mut run = Run::new(&library, &config, &self.loaded.program, options, &mut console)?;
        let refused = |what: String| HuntError::Refused(what);
        arm(run.target(), set, ROW.called).map_err(|error| refused(error.to_string()))?;
        let mut counted = Vec::new();
        let outcome = run.finish_with(|machine| {
            counted = counts(machine, set.entries.len())?;
            Ok(())
        })?;
        Ok(Probe {
            log: recording.map(|recording| recording.finish(&outcome.end)),
            counts: counted,
            cycles: outcome.cycles,
            end: outcome.end,
            console,
            errors: Tail::from(outcome.sent.errors),
        })
    }

    fn log(&self, schedule: Schedule) -> Result<Log, HuntError> {
        self.recorded(schedule, Arc::default())
    }
}

impl From<Counts> for Work {
    fn from(counts: Counts) -> Self {
        Self {
            operations: counts.memory_operations,
            reads: counts.reads,
            read_exclusives: counts.read_exclusives,
            upgrades: counts.upgrades,
            edges: counts.edges,
            traps: counts.table_interrupts,
        }
    }
}

impl From<&Accessed> for DataAccess {
    fn from(access: &Accessed) -> Self {
        let &Accessed { hart, pc, mode, address, write } = access;
        Self {
            hart: Hart(hart.0 as u8),
            pc: Pc(pc.0),
            user: mode == Mode::User,
            address: address.into(),
            write,
        }
    }
}

impl From<MachineError> for HuntError {
    fn from(error: MachineError) -> Self {
        Self::Machine(Box::new(error))
    }
}
