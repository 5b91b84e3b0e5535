//! Recording a run on the golden machine.

use crate::code::Code;
use crate::log::{Log, Recorder, Stopped};
use border::tohost::{self, Output, ServeError};
use border::{End, Target};
use golden::machine::{Machine, OutsideRam, Points, Refused, Scheduling, Segment, Witness};
use golden::memory::Parameters;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// Why a run could not be recorded.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The program does not fit.
    #[error(transparent)]
    Load(#[from] OutsideRam),
    /// The machine has no place for what it should watch.
    #[error(transparent)]
    Watch(#[from] Refused),
    /// The firmware asked for what no host does.
    #[error(transparent)]
    Host(#[from] ServeError<Refused>),
}

/// Which run: everything that decides what happens.
pub struct Schedule {
    /// Chooses the schedule.
    pub seed: u64,
    /// How the next hart is chosen.
    pub strategy: Scheduling,
    /// Where it is.
    pub points: Arc<Points>,
    /// At most so many instructions.
    pub instructions: u64,
}

/// The log of a run that goes on elsewhere: a machine shows its instructions to the [`witness`](Self::witness).
pub struct Recording(Arc<Mutex<Option<Recorder>>>);

impl Recording {
    /// Of a run of this program, from its first instruction.
    pub fn new(code: Arc<Code>) -> Self {
        Self(Arc::new(Mutex::new(Some(Recorder::new(code)))))
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
        let stopped = match end {
            End::CycleLimit => Stopped::Limit,
            _ => Stopped::Ended,
        };
        let recorder = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        recorder.expect("only `finish` takes it, once").finish(stopped)
    }
}

/// Runs a program and gives its log. What it writes is taken and dropped.
///
/// # Errors
/// If the program does not fit, or its firmware asks for what no host does.
pub fn record(
    code: &Arc<Code>,
    machine: &Parameters,
    schedule: &Schedule,
) -> Result<Log, RunError> {
    let points = schedule.points.clone();
    let mut machine = Machine::scheduled(machine, schedule.seed, schedule.strategy, points);
    for (address, bytes) in code.image() {
        machine.load(Segment { address, bytes })?;
    }
    Target::watch(&mut machine, code.tohost())?;
    let recording = Recording::new(code.clone());
    machine.show(recording.witness());
    let (mut console, mut errors) = (io::sink(), io::sink());
    let mut output = Output::new(&mut console, &mut errors);
    let limit = schedule.instructions;
    let ended = tohost::serve(&mut machine, code.linked(), limit, &mut output)?;
    Ok(recording.finish(&ended.end))
}
