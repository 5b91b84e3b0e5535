//! Running a program on the golden machine, again and again: as a seed says, or in a prescribed order.

use crate::code::Code;
use crate::log::{Log, Recorder, Stopped};
use crate::signature::{Signature, Watcher};
use border::tohost::{self, Output, ServeError};
use border::{End, Target};
use golden::isa::{Hart, Retired};
pub use golden::machine::Witness;
use golden::machine::{
    Machine, OutsideRam, Points, Refused, Scheduling, Segment, Turn, Uninterrupted,
};
use golden::memory::Parameters;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// Runs from which scheduling points are learned: what is shared only now and then is shared in some of them.
const LEARNED_FROM: u64 = 24;
/// The first of them are in bursts, which need no points.
const IN_BURSTS: u64 = 4;

/// A run that is tried is stopped as endless if it is so many times as long as the longest that ends by itself, and so many
/// instructions.
const TIMES_LONGER: u64 = 4;
const LONGER: u64 = 150_000;

/// Why a run could not be made.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The program does not fit.
    #[error(transparent)]
    Load(#[from] OutsideRam),
    /// It asked the host for what no host does.
    #[error(transparent)]
    Serve(#[from] ServeError<Refused>),
    /// The host's word cannot be watched.
    #[error(transparent)]
    Watch(#[from] Refused),
}

/// The order in which harts go.
#[derive(Clone, Debug)]
pub enum Order {
    /// Drawn from a seed.
    Drawn {
        /// The seed.
        seed: u64,
        /// How the next hart is chosen.
        strategy: Scheduling,
    },
    /// Prescribed.
    Script(Arc<[Turn]>),
    /// Prescribed, but nobody interrupts a part of the program.
    Whole(Arc<[Turn]>, Uninterrupted),
}

/// What one run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// How it ended.
    pub signature: Signature,
    /// What it printed, to both of its outputs.
    pub printed: Vec<u8>,
    /// The turns that harts took, if they were asked for.
    pub turns: Vec<Turn>,
    /// Instructions that were executed.
    pub instructions: u64,
}

/// A program on the golden machine, ready to be run in any order.
#[derive(Clone, Debug)]
pub struct Lab {
    /// The program, as it is loaded and as the log sees it.
    pub code: Arc<Code>,
    /// The machine.
    pub parameters: Parameters,
    /// Where it matters which hart goes next.
    pub points: Arc<Points>,
    /// A run ends after so many instructions.
    pub instructions: u64,
}

impl Lab {
    /// The same with the scheduling points that some runs show, in bursts and then under every strategy.
    ///
    /// # Errors
    /// If the program does not fit, or asks the host for what no host does.
    pub fn learned(self) -> Result<Self, RunError> {
        let mut lab = self;
        let mut points = Points::default();
        for seed in 0..LEARNED_FROM {
            let strategy = match seed {
                0..IN_BURSTS => Scheduling::Bursts,
                _ => Scheduling::of_seed(seed),
            };
            let (mut console, mut errors) = (io::sink(), io::sink());
            let output = &mut Output::new(&mut console, &mut errors);
            let order = Order::Drawn { seed, strategy };
            let (machine, _) = lab.observe(&order, Machine::keep_accesses, output)?;
            points.learn(machine.accesses());
            if seed + 1 >= IN_BURSTS {
                lab.points = Arc::new(points.clone());
            }
        }
        Ok(lab)
    }

    /// The same with a lower limit, if the runs that end by themselves are much shorter than it: one that hangs would be tried
    /// hundreds of times up to the limit.
    #[must_use]
    pub fn bounded<'a>(&self, known: impl Iterator<Item = &'a Trial>) -> Self {
        let ended = known.filter(|trial| trial.signature != Signature::Limit);
        let longest = ended.map(|trial| trial.instructions).max();
        let limit = longest.map_or(u64::MAX, |longest| TIMES_LONGER * longest + LONGER);
        Self { instructions: self.instructions.min(limit), ..self.clone() }
    }

    /// Runs it on a machine that `prepare` makes ready to show what is wanted; gives the machine as the run left it,
    /// and how that ended.
    ///
    /// # Errors
    /// If the program does not fit, or asks the host for what no host does.
    pub fn observe(
        &self,
        order: &Order,
        prepare: impl FnOnce(&mut Machine),
        output: &mut Output<'_>,
    ) -> Result<(Machine, End), RunError> {
        let mut machine = self.machine(order)?;
        prepare(&mut machine);
        let ended = tohost::serve(&mut machine, self.code.loaded(), self.instructions, output)?;
        Ok((machine, ended.end))
    }

    /// Runs it; `keep_turns` to know afterwards which hart went when.
    ///
    /// # Errors
    /// If the program does not fit, or asks the host for what no host does.
    pub fn run(&self, order: &Order, keep_turns: bool) -> Result<Trial, RunError> {
        let watcher = Arc::new(Mutex::new(Watcher::default()));
        let shown = watcher.clone();
        let prepare = |machine: &mut Machine| {
            if keep_turns {
                machine.keep_turns();
            }
            machine.show(Box::new(move |_: usize, hart: &Hart, retired: &Retired| {
                if retired.trap {
                    shown.lock().unwrap_or_else(PoisonError::into_inner).see(hart, retired);
                }
            }));
        };
        let (mut printed, mut errors) = (Vec::new(), Vec::new());
        let output = &mut Output::new(&mut printed, &mut errors);
        let (machine, end) = self.observe(order, prepare, output)?;
        printed.append(&mut errors);
        let watcher = watcher.lock().unwrap_or_else(PoisonError::into_inner);
        let signature = watcher.signature((&end).into());
        let (turns, instructions) = (machine.turns().to_vec(), machine.instructions());
        Ok(Trial { signature, printed, turns, instructions })
    }

    /// Runs it and records everything.
    ///
    /// # Errors
    /// If the program does not fit, or asks the host for what no host does.
    pub fn log(&self, order: &Order) -> Result<Log, RunError> {
        let recording = Recording::new(self.code.clone(), self.points.clone());
        let show = |machine: &mut Machine| machine.show(recording.witness());
        let (mut console, mut errors) = (io::sink(), io::sink());
        let output = &mut Output::new(&mut console, &mut errors);
        let (_, end) = self.observe(order, show, output)?;
        Ok(recording.finish(&end))
    }

    fn machine(&self, order: &Order) -> Result<Machine, RunError> {
        let points = self.points.clone();
        let mut machine = match order {
            Order::Drawn { seed, strategy } => {
                Machine::scheduled(&self.parameters, *seed, *strategy, points)
            }
            Order::Script(turns) => {
                Machine::scripted(&self.parameters, turns.clone(), None, points)
            }
            Order::Whole(turns, region) => {
                Machine::scripted(&self.parameters, turns.clone(), Some(*region), points)
            }
        };
        for (address, bytes) in self.code.image() {
            machine.load(Segment { address, bytes })?;
        }
        Target::watch(&mut machine, self.code.tohost())?;
        Ok(machine)
    }
}

/// The log of a run that goes on elsewhere: a machine shows its instructions to the [`witness`](Self::witness).
pub struct Recording(Arc<Mutex<Option<Recorder>>>);

impl Recording {
    /// Of a run of this program, from its first instruction.
    pub fn new(code: Arc<Code>, points: Arc<Points>) -> Self {
        Self(Arc::new(Mutex::new(Some(Recorder::new(code, points)))))
    }

    /// What the machine shows its instructions to.
    pub fn witness(&self) -> Witness {
        let shown = self.0.clone();
        Box::new(move |hart: usize, state: &Hart, retired: &Retired| {
            let mut recorder = shown.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(recorder) = recorder.as_mut() {
                recorder.see(hart, state, retired);
            }
        })
    }

    /// The run ended so. What the machine still shows is not recorded.
    pub fn finish(self, end: &End) -> Log {
        let recorder = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        recorder.expect("only `finish` takes it, once").finish(end.into())
    }
}

impl From<&End> for Stopped {
    fn from(end: &End) -> Self {
        match end {
            End::CycleLimit => Self::Limit,
            _ => Self::Ended,
        }
    }
}
