//! Models of machines, built on demand.

use std::path::Path;

use border::Program;
use config::Config;

use super::run::{Options, Run};
use super::{MachineError, Outcome};
use crate::{Builder, Library, ModelSource, Speed};

/// The top module of a machine.
const TOP: &str = "soc";
/// Cycles before a mismatch that its waveform shows.
const BEFORE: u64 = 64;
/// Cycles after it.
const AFTER: u64 = 8;

/// Builds machines.
#[derive(Clone)]
pub struct Machines {
    builder: Builder,
    assertions: bool,
    coverage: bool,
}

impl Machines {
    /// With the workspace's tools and cache.
    pub fn for_workspace() -> Self {
        Self::with(Builder::for_workspace())
    }

    /// With this builder.
    pub fn with(builder: Builder) -> Self {
        Self { builder, assertions: false, coverage: false }
    }

    /// The same, with the design's own properties checked in every cycle.
    pub fn checked(self) -> Self {
        Self { assertions: true, ..self }
    }

    /// The same, counting what is reached of the Verilog, or not; see [`crate::Model::write_coverage`].
    pub fn counting(self, coverage: bool) -> Self {
        Self { coverage, ..self }
    }

    /// What a machine of this configuration is built from.
    ///
    /// # Errors
    /// If the configuration has no machine.
    pub fn source(&self, config: &Config) -> Result<ModelSource, MachineError> {
        let mut source = ModelSource::of(&units::design(config, TOP)?);
        source.options.speed = Speed::Run;
        source.options.assertions = self.assertions;
        source.options.coverage = self.coverage;
        Ok(source)
    }

    /// The model of a machine; `trace`: one that can write waveforms.
    ///
    /// # Errors
    /// If the configuration has no machine, or it cannot be built.
    pub fn library(&self, config: &Config, trace: bool) -> Result<Library, MachineError> {
        let mut source = self.source(config)?;
        source.options.trace = trace;
        Ok(self.builder.library(&source)?)
    }

    /// Writes a waveform of the cycles around one in which hardware and model differed, by running
    /// the same again.
    ///
    /// # Errors
    /// If there is no model that can trace, or the file cannot be written.
    pub fn waveform(
        &self,
        config: &Config,
        program: &Program,
        options: Options,
        cycle: u64,
        path: &Path,
    ) -> Result<(), MachineError> {
        let library = self.clone().counting(false).library(config, true)?;
        let limit = Some(cycle + AFTER);
        let options = Options { limit, lockstep: false, trace: None, ..options };
        let mut silence = std::io::sink();
        let mut run = Run::new(&library, config, program, options, &mut silence)?;
        let from = cycle.saturating_sub(BEFORE);
        run.soc_mut().model_mut().trace_open(path, from..u64::MAX)?;
        let Outcome { mut soc, .. } = run.finish()?;
        Ok(soc.model_mut().trace_close()?)
    }
}
