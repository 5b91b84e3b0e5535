//! From the runs of a bug to what the tables ask of it.

use crate::collection::{Collection, RUNS, Trial};
use crate::error::Error;
use crate::graphs;
use crate::known::Known;
use crate::measured::{ByFormula, Found, Measured, Reconstructed, Tracking, Work};
use crosstalk::analysis::{Analysis, Request};
use crosstalk::bugaboo::{Formula, Mode};
use crosstalk::code::{CodeMap, CodeOptions};
use crosstalk::graph::ContextView;
use crosstalk::recon;
use crosstalk::runs::RunFile;
use firmware::bugs::{Bug, Mark};
use record::Run;

/// Failing runs with which Recon's Table 3 tries again.
const FEWER: [usize; 2] = [5, 15];

/// Measures a bug. `progress` is told what is done, a few times a trial.
///
/// # Errors
/// If marks or runs cannot be read.
pub fn measure(
    bug: &Bug,
    collection: &Collection,
    progress: &dyn Fn(&str),
) -> Result<Measured, Error> {
    let marks = bug
        .marks()
        .map_err(|error| Error::Bug { bug: bug.name.into(), what: error.to_string() })?;
    let code =
        CodeOptions { elf: Some(Collection::elf(collection.folder())), ..CodeOptions::default() };
    let bench = Bench { marks, code };
    let trials = collection.trials();
    let mut measured = Measured {
        bug: bug.name.into(),
        schedules: collection.schedules,
        failed: collection.failed,
        runs: collection.runs.len(),
        ..Measured::default()
    };
    for (number, trial) in trials.iter().enumerate() {
        let number = number + 1;
        progress(&format!("trial {number} of {}", trials.len()));
        bench.find(trial, Tracking::Hardware, &mut measured.hw)?;
        bench.find(trial, Tracking::Lines, &mut measured.line)?;
        bench.find(trial, Tracking::Words, &mut measured.word)?;
        measured.reconstructed.push(bench.reconstruct(trial)?);
    }
    progress("graphs");
    let load = |files: Vec<RunFile>| -> Result<Vec<Run>, Error> {
        Ok(files.iter().map(RunFile::load).collect::<Result<_, _>>()?)
    };
    let all =
        |tracking| load(collection.runs.iter().map(|run| collection.file(tracking, run)).collect());
    let code = CodeMap::load(&bench.code)?;
    let [hw, line, word] = [all(Tracking::Hardware)?, all(Tracking::Lines)?, all(Tracking::Words)?];
    measured.missed_by_line = graphs::missed(&word, &line, &code);
    measured.missed_by_hw = graphs::missed(&word, &hw, &code);
    measured.lost = hw.iter().map(Run::lost_edges).sum();
    let cycles = hw.iter().map(|run| run.ending.cycles as f64);
    measured.cycles = crate::measured::mean(cycles).unwrap_or(0.0);
    measured.work = collection.runs.iter().map(|run| run.work).sum();
    if let Some(first) = trials.first() {
        let runs = load(first.labeled(Tracking::Hardware, RUNS))?;
        let [without, with] = [ContextView::None, ContextView::Full];
        measured.sizes = [graphs::size(&runs, without), graphs::size(&runs, with)];
        measured.convergence = graphs::convergence(&load(first.passing(Tracking::Words))?);
    }
    Ok(measured)
}

/// What all analyses of a bug share.
struct Bench {
    marks: Vec<Mark>,
    code: CodeOptions,
}

impl Bench {
    /// How soon the bug is found in a trial.
    fn find(&self, trial: &Trial, tracking: Tracking, found: &mut Found) -> Result<(), Error> {
        let labeled = trial.labeled(tracking, RUNS);
        self.both(&labeled, Mode::Labeled, &mut found.labeled)?;
        self.both(&trial.unlabeled(tracking), Mode::Unlabeled, &mut found.unlabeled)?;
        for (events, needed) in found.contexts.iter_mut().enumerate() {
            let analysis = self.analyze(Request {
                view: graphs::view(events),
                ..self.ranking(&labeled, Mode::Labeled, Formula::default())
            })?;
            needed.0.push(Known::new(&analysis, &self.marks).inspections());
        }
        Ok(())
    }

    fn both(&self, files: &[RunFile], mode: Mode, needed: &mut ByFormula) -> Result<(), Error> {
        for (formula, needed) in
            [(Formula::Exception, &mut needed.exception), (Formula::Printed, &mut needed.printed)]
        {
            let analysis = self.analyze(self.ranking(files, mode, formula))?;
            needed.0.push(Known::new(&analysis, &self.marks).inspections());
        }
        Ok(())
    }

    /// A ranking of code points, without reconstructions.
    fn ranking(&self, files: &[RunFile], mode: Mode, formula: Formula) -> Request {
        let recon = recon::Options { candidates: 0, ..recon::Options::default() };
        Request { files: files.to_vec(), mode: Some(mode), formula, recon, ..Request::default() }
    }

    fn reconstruct(&self, trial: &Trial) -> Result<Reconstructed, Error> {
        let analyze = |failing: usize| {
            let files = trial.labeled(Tracking::Hardware, failing);
            self.analyze(Request { files, ..Request::default() })
        };
        let analysis = analyze(RUNS)?;
        let known = Known::new(&analysis, &self.marks);
        let (best, relief) = (known.reconstruction(), known.relief());
        let shown = known.illustration();
        let mut fewer = [None; 2];
        for (rank, failing) in fewer.iter_mut().zip(FEWER) {
            let analysis = analyze(failing)?;
            let found = Known::new(&analysis, &self.marks).reconstruction();
            *rank = found.map(|(rank, _)| rank);
        }
        Ok(Reconstructed { best, shown, fewer, relief })
    }

    fn analyze(&self, request: Request) -> Result<Analysis, Error> {
        let request = Request { code: self.code.clone(), ..request };
        Ok(Analysis::of(&request, &|| ())?)
    }
}

impl std::iter::Sum for Work {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |sum, part| Self {
            operations: sum.operations + part.operations,
            reads: sum.reads + part.reads,
            read_exclusives: sum.read_exclusives + part.read_exclusives,
            upgrades: sum.upgrades + part.upgrades,
            edges: sum.edges + part.edges,
            traps: sum.traps + part.traps,
        })
    }
}
