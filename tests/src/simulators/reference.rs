//! The reference evaluator as a simulator of packs.

use super::Simulator;
use crate::circuit::{evaluate, to_words};
use crate::pack::Subject;
use crate::stimulus::{Response, Stimulus};

/// The documented meaning of the language, on big integers.
pub struct Reference;

impl Simulator for Reference {
    fn name(&self) -> &'static str {
        "reference"
    }

    fn patience(&self) -> usize {
        2000
    }

    fn run(&self, subject: &Subject, stimulus: &Stimulus) -> Result<Response, String> {
        let mut members: Vec<_> = (subject.members.iter())
            .map(|member| evaluate::Reference::new(&member.circuit))
            .collect();
        let mut rows = Vec::with_capacity(stimulus.cycles());
        for cycle in 0..stimulus.cycles() {
            let values = stimulus.values(subject, cycle);
            let (mut rest, mut row) = (&values[..], Vec::new());
            for (member, running) in subject.members.iter().zip(&mut members) {
                let top = member.circuit.top();
                let (own, others) = rest.split_at(top.inputs.len());
                rest = others;
                let outputs = running.cycle(stimulus.reset[cycle], own);
                for (value, port) in outputs.iter().zip(&top.outputs) {
                    row.extend(to_words(value, port.width));
                }
            }
            rows.push(row);
        }
        Ok(Response::new(rows))
    }
}
