//! The report of a mismatch: cycle, unit, fields, and a waveform of the cycles around it.

use std::cell::RefCell;
use std::fmt;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem;
use std::path::PathBuf;

use super::Difference;
use crate::{Builder, Error, Failure, Model, ModelSource};

/// Cycles before a mismatch that the waveform shows.
const BEFORE: u64 = 24;

/// The first cycle in which hardware and software model differ.
#[derive(Debug)]
pub struct Mismatch {
    /// The top module.
    pub unit: String,
    /// The cycle, counted from the start of the simulation; the reset is cycle 0.
    pub cycle: u64,
    /// What differs, or which check failed.
    pub cause: Cause,
    /// The stimulus of that cycle.
    pub stimulus: String,
    /// All inputs from the start.
    pub recording: Recording,
}

/// The reason for a mismatch.
#[derive(Debug)]
pub enum Cause {
    /// Outputs that differ, by field.
    Outputs(Vec<Difference>),
    /// A check inside the design failed.
    Complaint(Failure),
}

impl Mismatch {
    /// The whole report: the mismatch, and the path of a waveform of the cycles around it, made
    /// by running the recorded inputs again in a model that can trace.
    pub fn report(&self, source: &ModelSource) -> String {
        match self.recording.waveform(source, self.cycle) {
            Ok(path) => format!("{self}\nwaveform: {}", path.display()),
            Err(error) => format!("{self}\nno waveform: {error}"),
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { unit, cycle, cause, stimulus, .. } = self;
        match cause {
            Cause::Complaint(failure) => {
                writeln!(f, "cycle {cycle} of `{unit}`: {}", failure.message)?;
            }
            Cause::Outputs(differences) => {
                writeln!(f, "cycle {cycle} of `{unit}`: hardware and model differ")?;
                let width = |text: fn(&Difference) -> &str| {
                    differences.iter().map(|d| text(d).chars().count()).max().unwrap_or(0).max(8)
                };
                let (names, values) = (width(|d| &d.field), width(|d| &d.expected));
                writeln!(f, "  {:names$}  {:values$}  actual", "field", "expected")?;
                for Difference { field, expected, actual } in differences {
                    writeln!(f, "  {field:names$}  {expected:values$}  {actual}")?;
                }
            }
        }
        write!(f, "stimulus of the cycle: {stimulus}")
    }
}

/// The inputs of a run, from its first cycle.
#[derive(Debug, Default, Clone)]
pub struct Recording {
    /// Whole rows, in chunks of bounded size: a full chunk is never copied again.
    pieces: Vec<Piece>,
    /// Whether the model had already run.
    late: bool,
}

/// Some cycles of a recording.
#[derive(Debug, Default, Clone, Hash)]
struct Piece {
    rows: Vec<u64>,
    cycles: u64,
}

/// Words in a piece, if a row is not longer.
const PIECE: usize = 1 << 13;

thread_local! {
    /// Rows of recordings no longer in use. Tests record one run after another, and returning and
    /// reallocating that memory costs more than the comparison.
    static SPARE: RefCell<Vec<Vec<u64>>> = const { RefCell::new(Vec::new()) };
}

impl Drop for Piece {
    fn drop(&mut self) {
        let mut rows = mem::take(&mut self.rows);
        rows.clear();
        // At thread exit the spare rows may already be gone.
        let _ = SPARE.try_with(|spare| spare.borrow_mut().push(rows));
    }
}

impl Recording {
    pub(super) fn of(model: &Model) -> Self {
        Self { late: model.cycle() > 0, ..Self::default() }
    }

    pub(super) fn push(&mut self, row: &[u64]) {
        let full = |piece: &Piece| piece.rows.len() + row.len() > PIECE;
        if self.pieces.last().is_none_or(full) {
            let spare = SPARE.with_borrow_mut(Vec::pop);
            let rows = spare.unwrap_or_else(|| Vec::with_capacity(PIECE));
            self.pieces.push(Piece { rows, cycles: 0 });
        }
        if let Some(piece) = self.pieces.last_mut() {
            piece.rows.extend_from_slice(row);
            piece.cycles += 1;
        }
    }

    /// Runs the recorded inputs again and writes a VCD of the cycles around `cycle`, into
    /// `mismatches` in the target folder.
    ///
    /// # Errors
    /// If the model cannot be built with tracing, the file cannot be written, or the recording
    /// is not from the start of the simulation.
    pub fn waveform(&self, source: &ModelSource, cycle: u64) -> Result<PathBuf, Error> {
        if self.late {
            let what = "the inputs were not recorded from the first cycle".to_owned();
            return Err(Error::Source { top: source.top.clone(), what });
        }
        let mut source = source.clone();
        source.options.trace = true;
        source.options.coverage = false;
        let library = Builder::for_workspace().library(&source)?;
        let folder = tools::target_dir().join("mismatches");
        fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
        // Same inputs, same name; tests that run in parallel get different names.
        let mut hash = DefaultHasher::new();
        self.pieces.hash(&mut hash);
        let path = folder.join(format!("{}-{:016x}.vcd", source.top, hash.finish()));

        let mut model = library.model();
        model.trace_open(&path, cycle.saturating_sub(BEFORE)..u64::MAX)?;
        let (inputs, outputs) = (library.input_words(), library.output_words());
        for piece in &self.pieces {
            let mut done = 0;
            while done < piece.cycles {
                let cycles = piece.cycles - done;
                let mut response = vec![0; outputs * cycles as usize];
                let stimulus = &piece.rows[inputs * done as usize..];
                let (ran, complaint) = model.run(cycles, stimulus, &mut response);
                done += ran;
                // The failure is the reason for the waveform; a fatal one ends it.
                if complaint.is_err_and(|failure| failure.fatal) {
                    model.trace_close()?;
                    return Ok(path);
                }
            }
        }
        model.trace_close()?;
        Ok(path)
    }
}
