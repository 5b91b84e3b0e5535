//! The language's own simulator.

use hdl::{Bits, SignalId, Simulator as Running};

use super::Simulator;
use crate::circuit::words_of;
use crate::pack::{Port, Subject};
use crate::stimulus::{Response, Stimulus};

/// `hdl`'s cycle simulator.
pub struct Native;

impl Simulator for Native {
    fn name(&self) -> &'static str {
        "native"
    }

    fn patience(&self) -> usize {
        2000
    }

    fn run(&self, subject: &Subject, stimulus: &Stimulus) -> Result<Response, String> {
        let mut sim = Running::new(&subject.design);
        let find = |sim: &Running, ports: &[Port]| -> Result<Vec<SignalId>, String> {
            let missing = |port: &Port| format!("there is no port `{}`", port.name);
            ports.iter().map(|port| sim.port(&port.name).ok_or_else(|| missing(port))).collect()
        };
        let inputs = find(&sim, &subject.inputs)?;
        let outputs = find(&sim, &subject.outputs)?;
        let mut rows = Vec::with_capacity(stimulus.cycles());
        for (reset, words) in stimulus.reset.iter().zip(&stimulus.words) {
            let mut rest = &words[..];
            for (port, input) in subject.inputs.iter().zip(&inputs) {
                let (value, tail) = rest.split_at(words_of(port.width));
                sim.set_bits(*input, &Bits::from_words(port.width, value));
                rest = tail;
            }
            sim.set_reset(*reset);
            let mut row = Vec::new();
            for output in &outputs {
                row.extend(sim.get_bits(*output).words());
            }
            sim.step();
            rows.push(row);
        }
        Ok(Response::new(rows))
    }
}
