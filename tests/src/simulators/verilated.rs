//! Verilator, through the on-demand models of `cosim`.

use cosim::{Builder, ModelSource, Speed};

use super::Simulator;
use crate::pack::Subject;
use crate::stimulus::{Response, Stimulus};

/// Verilated models, cached by content.
pub struct Verilated {
    builder: Builder,
}

impl Verilated {
    /// The workspace's Verilator and cache.
    pub fn new() -> Result<Verilated, String> {
        tools::locate(tools::Tool::Verilator).map_err(|missing| missing.to_string())?;
        Ok(Verilated { builder: Builder::for_workspace() })
    }
}

impl Simulator for Verilated {
    fn name(&self) -> &'static str {
        "Verilator"
    }

    fn patience(&self) -> usize {
        40
    }

    fn run(&self, subject: &Subject, stimulus: &Stimulus) -> Result<Response, String> {
        let mut source = ModelSource::of(&subject.design);
        // The text may have been changed since: some tests do, to see it noticed.
        source.files = subject.files.clone();
        source.options.speed = Speed::Once;
        let library = self.builder.library(&source).map_err(|error| error.to_string())?;
        let mut rows = Vec::new();
        for (reset, inputs) in stimulus.reset.iter().zip(&stimulus.words) {
            rows.extend(subject.has_reset.then_some(u64::from(*reset)));
            rows.extend(inputs);
        }
        let stride: usize =
            subject.outputs.iter().map(|port| crate::circuit::words_of(port.width)).sum();
        let mut response = vec![0; stride * stimulus.cycles()];
        let (_, result) = library.model().run(stimulus.cycles() as u64, &rows, &mut response);
        result.map_err(|failure| failure.to_string())?;
        Ok(Response::new(response.chunks(stride.max(1)).map(<[u64]>::to_vec).collect()))
    }
}
