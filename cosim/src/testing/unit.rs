//! A unit under test: its Verilated model, fresh for every case.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use hdl::ir::Design;

use super::coverage;
use super::mutation::{self, Role};
use crate::bench::{Bench, Mismatch, lockstep};
use crate::{Builder, Library, Model, ModelSource, Simulation};

/// A design under test, built with its assertions checked. Building is cached; making a model
/// of it takes microseconds.
#[derive(Debug, Clone)]
pub struct Unit {
    source: Arc<ModelSource>,
    library: Library,
    role: Role,
}

impl Unit {
    /// The design, as a shared library built on demand.
    ///
    /// # Panics
    /// If it cannot be built.
    #[track_caller]
    pub fn of(design: &Design) -> Self {
        Self::build(design, true)
    }

    /// As [`Self::of`], without checking its assertions: for tests that violate an assumption on
    /// purpose.
    #[track_caller]
    pub fn without_properties(design: &Design) -> Self {
        Self::build(design, false)
    }

    #[track_caller]
    fn build(design: &Design, assertions: bool) -> Self {
        let mut source = ModelSource::of(design);
        source.options.assertions = assertions;
        source.options.coverage = coverage::is_wanted();
        let role = mutation::take_part(&mut source);
        let built = role.and_then(|role| Ok((role, Builder::for_workspace().library(&source)?)));
        match built {
            Ok((role, library)) => Self { source: Arc::new(source), library, role },
            Err(error) => panic!("{error}"),
        }
    }

    /// Whether mutants of another design are tested in this process. [`Self::check`] then compares
    /// nothing.
    pub fn is_aside(&self) -> bool {
        self.role == Role::Aside
    }

    /// The source of the model.
    pub fn source(&self) -> &ModelSource {
        &self.source
    }

    /// A simulation at cycle 0 with all inputs zero.
    pub fn model(&self) -> UnitModel {
        let mut model = self.library.model();
        mutation::select(&mut model, self.role);
        UnitModel { model, source: self.source.clone() }
    }

    /// Compares a fresh model with a bench; see [`lockstep`]. Returns the cycles compared.
    ///
    /// # Errors
    /// The first mismatch. Unwrapping it prints the whole report and writes a waveform.
    pub fn check<B: Bench>(
        &self,
        bench: &mut B,
        stimuli: impl IntoIterator<Item = B::Stimulus>,
    ) -> Result<u64, Disagreement> {
        if self.is_aside() {
            return Ok(0);
        }
        let mut dut = self.model();
        let compared = lockstep(&mut *dut, bench, stimuli)
            .map_err(|mismatch| Disagreement { mismatch, source: self.source.clone() });
        match (compared, self.role) {
            // The mutant is killed; no report is needed.
            (Err(disagreement), Role::Mutant(_)) => panic!("{disagreement}"),
            (compared, _) => compared,
        }
    }
}

/// A simulation of a [`Unit`]; dereferences to its [`Model`]. Its coverage is counted on drop, if
/// coverage is collected.
#[derive(Debug)]
pub struct UnitModel {
    model: Model,
    source: Arc<ModelSource>,
}

impl Drop for UnitModel {
    fn drop(&mut self) {
        if let Err(reason) = coverage::count(&mut self.model, &self.source)
            && !std::thread::panicking()
        {
            panic!("cannot count coverage: {reason}");
        }
    }
}

impl Deref for UnitModel {
    type Target = Model;

    fn deref(&self) -> &Model {
        &self.model
    }
}

impl DerefMut for UnitModel {
    fn deref_mut(&mut self) -> &mut Model {
        &mut self.model
    }
}

impl Simulation for UnitModel {
    fn model(&self) -> &Model {
        &self.model
    }

    fn model_mut(&mut self) -> &mut Model {
        &mut self.model
    }
}

/// A mismatch, and the unit in which it was found. `Display` shows what differs; `Debug`, which
/// `unwrap` prints, also writes a waveform and prints its path.
pub struct Disagreement {
    /// The first cycle in which hardware and software model differ.
    pub mismatch: Box<Mismatch>,
    source: Arc<ModelSource>,
}

impl Disagreement {
    /// The whole report; writes the waveform.
    pub fn report(&self) -> String {
        self.mismatch.report(&self.source)
    }
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.mismatch.fmt(f)
    }
}

impl fmt::Debug for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{}", self.report())
    }
}

impl std::error::Error for Disagreement {}
