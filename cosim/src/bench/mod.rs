//! Compares a design with its software model cycle by cycle, and reports the first difference.
//!
//! A [`Bench`] says how one cycle of stimulus reaches the pins, what is read from them, and what
//! the software model shows in that cycle. [`lockstep`] runs both and stops at the first
//! [`Mismatch`], which holds the cycle, the fields that differ and the inputs for a waveform.

mod fields;
mod mismatch;

pub use fields::Difference;
pub use mismatch::{Cause, Mismatch, Recording};

use crate::{Failure, Model, Simulation};

/// The input that resets a generated design.
const RESET: &str = "rst";

/// Cycles driven after a mismatch, so that the waveform shows its consequences.
const AFTERWARDS: usize = 4;

/// How to compare one unit with its software model. It holds the software model, and any other
/// state of the unit's environment.
pub trait Bench<D = Model> {
    /// The inputs of one cycle.
    type Stimulus: std::fmt::Debug;
    /// The observable outputs of one cycle. Differences are reported by field name. Leave out what
    /// has no meaning in a cycle: use an `Option` that is `None`.
    type Outputs: std::fmt::Debug + PartialEq;

    /// Sets every input for this cycle. Inputs keep their value until set again.
    fn drive(&mut self, dut: &mut D, stimulus: &Self::Stimulus);

    /// Reads the outputs of this cycle.
    fn sample(&self, dut: &D) -> Self::Outputs;

    /// Steps the software model and returns the expected outputs of this cycle. What the contract
    /// leaves open (when a stream is ready, say) may be taken from `actual`.
    fn expect(&mut self, stimulus: &Self::Stimulus, actual: &Self::Outputs) -> Self::Outputs;
}

/// Runs a fresh model against a bench: one cycle of reset if it has an input `rst`, all other
/// inputs zero, then one cycle for each stimulus. Returns the number of cycles compared.
///
/// # Errors
/// The first cycle in which the outputs differ or a check inside the design fails.
pub fn lockstep<D: Simulation, B: Bench<D>>(
    dut: &mut D,
    bench: &mut B,
    stimuli: impl IntoIterator<Item = B::Stimulus>,
) -> Result<u64, Box<Mismatch>> {
    let mut stimuli = stimuli.into_iter();
    let mut recording = Recording::of(dut.model());
    if let Some(reset) = dut.model().port(RESET) {
        dut.model_mut().set(reset, 1);
        let complaint = cycle(dut, &mut recording);
        dut.model_mut().set(reset, 0);
        if let Err(failure) = complaint {
            return Err(mismatch(dut, Cause::Complaint(failure), "reset".into(), recording));
        }
    }
    let mut compared = 0;
    while let Some(stimulus) = stimuli.next() {
        bench.drive(dut, &stimulus);
        let cause = match cycle(dut, &mut recording) {
            Err(failure) => Cause::Complaint(failure),
            Ok(()) => {
                let actual = bench.sample(dut);
                let expected = bench.expect(&stimulus, &actual);
                compared += 1;
                if actual == expected {
                    continue;
                }
                Cause::Outputs(fields::differences(&expected, &actual))
            }
        };
        let mismatch = mismatch(dut, cause, format!("{stimulus:x?}"), Recording::default());
        for stimulus in stimuli.by_ref().take(AFTERWARDS) {
            bench.drive(dut, &stimulus);
            // Only the first failure is reported; these cycles are for the waveform.
            let _ = cycle(dut, &mut recording);
        }
        return Err(Box::new(Mismatch { recording, ..*mismatch }));
    }
    Ok(compared)
}

fn cycle<D: Simulation>(dut: &mut D, recording: &mut Recording) -> Result<(), Failure> {
    let model = dut.model_mut();
    recording.push(model.inputs());
    model.tick()
}

#[cold]
fn mismatch<D: Simulation>(
    dut: &D,
    cause: Cause,
    stimulus: String,
    recording: Recording,
) -> Box<Mismatch> {
    let model = dut.model();
    let cycle = model.cycle().saturating_sub(1);
    Box::new(Mismatch { unit: model.library().top().into(), cycle, cause, stimulus, recording })
}
