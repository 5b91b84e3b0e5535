//! Recording a run on the golden machine.

use crate::code::Code;
use crate::log::{Log, Recorder, Stopped};
use golden::machine::{Limits, Machine, OutsideRam, Points, Scheduling, Segment, Stop};
use golden::memory::Parameters;
use std::sync::{Arc, Mutex, PoisonError};

/// The one thing that firmware asks of a host.
const WRITE: u32 = 64;

/// Why a run could not be recorded.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The program does not fit.
    #[error(transparent)]
    Load(#[from] OutsideRam),
    /// The firmware asked for something else than writing.
    #[error("the firmware asked the host for call {call} at {block:#x}; expected `write`")]
    Call {
        /// The number of the call.
        call: u32,
        /// Where it said so.
        block: u32,
    },
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
    let [tohost, fromhost] = code.host_words();
    machine.watch(tohost);
    let recorder = Arc::new(Mutex::new(Some(Recorder::new(code.clone()))));
    let shown = recorder.clone();
    machine.show(Box::new(move |hart, state, retired| {
        let mut recorder = shown.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(recorder) = recorder.as_mut() {
            recorder.see(hart, state, retired);
        }
    }));
    let limits = Limits { instructions: schedule.instructions };
    let stopped = loop {
        match machine.run(limits) {
            Stop::Host { value, .. } => answer(&mut machine, value, fromhost)?,
            Stop::Exit { .. } | Stop::Deadlock => break Stopped::Ended,
            Stop::Limit => break Stopped::Limit,
        }
    };
    let recorder = recorder.lock().unwrap_or_else(PoisonError::into_inner).take();
    Ok(recorder.unwrap_or_else(|| Recorder::new(code.clone())).finish(stopped))
}

/// Says that everything was written.
fn answer(machine: &mut Machine, block: u32, fromhost: u32) -> Result<(), RunError> {
    let call = machine.host_word(block).unwrap_or_default();
    if call != WRITE {
        return Err(RunError::Call { call, block });
    }
    let count = machine.host_word(block.wrapping_add(24)).unwrap_or_default();
    machine.host_write(block, count);
    machine.host_write(fromhost, 1);
    Ok(())
}
