//! Running a program on the golden machine, again and again: as a seed says, or in a prescribed order.

use crate::code::Code;
use crate::log::{Log, Recorder, Stopped};
use crate::signature::{Signature, Watcher};
use border::tohost::{self, Output, ServeError};
use border::{End, Place, Program, Target};
use golden::machine::{
    Machine, OutsideRam, Points, Refused, Scheduling, Segment, Turn, Uninterrupted, Witness,
};
use golden::memory::Parameters;
use std::sync::{Arc, Mutex, PoisonError};

/// Why a run could not be made.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The program does not fit.
    #[error(transparent)]
    Load(#[from] OutsideRam),
    /// It cannot talk to the host.
    #[error("the program has no symbol `tohost`: it was not linked by `crosstalk cc`")]
    NoHost,
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
}

/// A program on the golden machine, ready to be run in any order.
#[derive(Clone, Debug)]
pub struct Lab {
    /// The program as the log sees it.
    pub code: Arc<Code>,
    /// The same as it is loaded, with its settings.
    pub program: Arc<Program>,
    /// The machine.
    pub parameters: Parameters,
    /// Where it matters which hart goes next.
    pub points: Arc<Points>,
    /// A run ends after so many instructions.
    pub instructions: u64,
}

impl Lab {
    /// Runs it; `keep_turns` to know afterwards which hart went when.
    ///
    /// # Errors
    /// If the program does not fit, or asks the host for what no host does.
    pub fn run(&self, order: &Order, keep_turns: bool) -> Result<Trial, RunError> {
        let mut machine = self.machine(order)?;
        if keep_turns {
            machine.keep_turns();
        }
        let watcher = Arc::new(Mutex::new(Watcher::default()));
        let shown = watcher.clone();
        machine.show(Box::new(move |_, hart, retired| {
            if retired.trap {
                shown.lock().unwrap_or_else(PoisonError::into_inner).see(hart, retired);
            }
        }));
        let (stopped, printed) = self.serve(&mut machine)?;
        let watcher = watcher.lock().unwrap_or_else(PoisonError::into_inner);
        let signature = watcher.signature(stopped);
        Ok(Trial { signature, printed, turns: machine.turns().to_vec() })
    }

    /// Runs it and records everything.
    ///
    /// # Errors
    /// If the program does not fit, or asks the host for what no host does.
    pub fn log(&self, order: &Order) -> Result<Log, RunError> {
        let mut machine = self.machine(order)?;
        let recording = Recording::new(self.code.clone(), self.points.clone());
        machine.show(recording.witness());
        let (stopped, _) = self.serve(&mut machine)?;
        Ok(recording.stop(stopped))
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
        for segment in &self.program.segments {
            machine.load(Segment { address: segment.address, bytes: &segment.bytes })?;
        }
        let tohost: Place = self.program.tohost().ok_or(RunError::NoHost)?;
        Target::watch(&mut machine, tohost)?;
        Ok(machine)
    }

    fn serve(&self, machine: &mut Machine) -> Result<(Stopped, Vec<u8>), RunError> {
        let (mut printed, mut errors) = (Vec::new(), Vec::new());
        let mut output = Output::new(&mut printed, &mut errors);
        let ended = tohost::serve(machine, &self.program, self.instructions, &mut output)?;
        printed.append(&mut errors);
        Ok((stopped(&ended.end), printed))
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
        Box::new(move |hart, state, retired| {
            let mut recorder = shown.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(recorder) = recorder.as_mut() {
                recorder.see(hart, state, retired);
            }
        })
    }

    /// The run ended so. What the machine still shows is not recorded.
    pub fn finish(self, end: &End) -> Log {
        self.stop(stopped(end))
    }

    fn stop(self, stopped: Stopped) -> Log {
        let recorder = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        recorder.expect("only `stop` takes it, once").finish(stopped)
    }
}

fn stopped(end: &End) -> Stopped {
    match end {
        End::CycleLimit => Stopped::Limit,
        _ => Stopped::Ended,
    }
}
