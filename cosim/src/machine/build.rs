//! Models of machines, built on demand.

use std::path::Path;

use border::Program;
use config::Config;

use super::run::{Options, Run};
use super::{MachineError, Outcome};
use crate::{Builder, Library, ModelSource, Speed};

/// The top module.
const TOP: &str = "soc";
/// Cycles shown in the waveform before a mismatch.
const BEFORE: u64 = 64;
/// Cycles shown after it.
const AFTER: u64 = 8;

/// Builds models of machines, or takes them from the cache.
#[derive(Clone)]
pub struct Machines {
    builder: Builder,
    assertions: bool,
    coverage: bool,
}

impl Machines {
    /// Uses the workspace's tools and cache.
    pub fn for_workspace() -> Self {
        Self::with(Builder::for_workspace())
    }

    /// Uses this builder.
    pub fn with(builder: Builder) -> Self {
        Self { builder, assertions: false, coverage: false }
    }

    /// Checks the design's assertions in every cycle.
    pub fn checked(self) -> Self {
        Self { assertions: true, ..self }
    }

    /// Counts coverage of the Verilog if `coverage`; see [`crate::Model::write_coverage`].
    pub fn counting(self, coverage: bool) -> Self {
        Self { coverage, ..self }
    }

    /// The model source of a machine of this configuration.
    ///
    /// # Errors
    /// If no machine can be generated for the configuration.
    pub fn source(&self, config: &Config) -> Result<ModelSource, MachineError> {
        let mut source = ModelSource::of(&units::design(config, TOP)?);
        source.options.speed = Speed::Run;
        source.options.assertions = self.assertions;
        source.options.coverage = self.coverage;
        Ok(source)
    }

    /// The model of a machine; with `trace`, one that can write waveforms.
    ///
    /// # Errors
    /// If no machine can be generated for the configuration, or the model cannot be built.
    pub fn library(&self, config: &Config, trace: bool) -> Result<Library, MachineError> {
        let mut source = self.source(config)?;
        source.options.trace = trace;
        Ok(self.builder.library(&source)?)
    }

    /// Writes a waveform of the cycles around `cycle`, in which hardware and model differed, by
    /// repeating the run.
    ///
    /// # Errors
    /// If the model cannot be built with tracing, or the file cannot be written.
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
