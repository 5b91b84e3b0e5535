//! One program of the set: is it found, is the verdict right, is its fixed twin sound?

use crate::judge::{Judged, judge};
use cosim::Builder;
use crosstalk::hunt::sources::Opening;
use crosstalk::hunt::{
    Answer, Beside, Campaign, FailIf, FirstLook, Goal, HuntError, Level, Monitor, On, Outcome,
    Schedule, Search, Setup, Shifted, Source, Subject,
};
use crosstalk::verdict::Finding;
use evidence::account::Cause;
use firmware::Build;
use firmware::validation::{Half, Kind, Program};
use rayon::prelude::*;
use std::path::Path;

/// What was measured of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// Its name.
    pub name: String,
    /// Its half.
    pub half: Half,
    /// The kind of its bug.
    pub kind: Kind,
    /// The first schedule that failed; none: no schedule did.
    pub first_failing: Option<u64>,
    /// How right the verdict is; of programs without failing schedules, not at all.
    pub judged: Judged,
    /// The verdict says that the schedule does not matter, and names no cause.
    pub any_schedule: bool,
    /// The verdict's sentence.
    pub sentence: String,
    /// How many schedules of the fixed twin failed.
    pub fixed_failed: u64,
}

/// How programs are measured.
#[derive(Clone, Copy, Debug)]
pub struct How {
    /// Where failing schedules are looked for.
    pub on: Search,
    /// At most this many schedules to find failures, if not as many as a hunt tries by itself.
    pub schedules: Option<u64>,
    /// This many schedules of the fixed twin.
    pub fixed: u64,
    /// The number of the trial, from 0: others have other schedules.
    pub trial: u64,
}

/// Why a program could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// The hunt has no result.
    #[error("{name}: {error}")]
    Hunt {
        /// The program.
        name: String,
        /// Why.
        error: HuntError,
    },
    /// There is no folder for its runs.
    #[error("cannot create a temporary folder: {0}")]
    Folder(std::io::Error),
}

/// Measures one program.
///
/// # Errors
/// If it does not compile, or a machine is at fault.
pub fn measure(program: &Program, how: How) -> Result<Measured, MeasureError> {
    let folder = tempfile::tempdir().map_err(MeasureError::Folder)?;
    let wrong = |error| MeasureError::Hunt { name: program.name.clone(), error };
    let found = hunt(program, how, &folder.path().join("hunt")).map_err(wrong)?;
    let fixed_failed = fixed(program, how).map_err(wrong)?;
    let mut measured = Measured {
        name: program.name.clone(),
        half: program.half,
        kind: program.kind,
        first_failing: None,
        judged: Judged::default(),
        any_schedule: false,
        sentence: String::new(),
        fixed_failed,
    };
    if let Some(answer) = found {
        let failing = |entry: &&crosstalk::hunt::Entry| entry.label() == record::Label::Failing;
        measured.first_failing = answer.collection.entries.iter().find(failing).map(|e| e.seed);
        let finding = answer.analysis.finding();
        measured.sentence = finding.sentence().to_string();
        measured.any_schedule = is_any_schedule(&finding);
        let points = named(&finding);
        measured.judged = judge(&points, &measured.sentence, &program.marks, &program.variables);
    }
    Ok(measured)
}

fn is_any_schedule(finding: &Finding) -> bool {
    match finding {
        Finding::Always { .. } => true,
        Finding::Exact(account) => matches!(account.cause, Cause::AnyOrder { .. }),
        Finding::Edge(_)
        | Finding::Undecided { .. }
        | Finding::Point { .. }
        | Finding::Nothing { .. } => false,
    }
}

/// The code points that a finding names, in order.
fn named(finding: &Finding) -> Vec<String> {
    match finding {
        Finding::Exact(account) => account.lines().into_iter().map(str::to_owned).collect(),
        Finding::Edge(edge) => {
            let spots = edge.source.iter().chain(&edge.between).chain([&edge.sink]);
            spots.map(|spot| spot.name.clone()).collect()
        }
        Finding::Point { point, .. } => vec![point.name.clone()],
        Finding::Undecided { .. } | Finding::Always { .. } | Finding::Nothing { .. } => Vec::new(),
    }
}

fn subject(program: &Program, flags: &[&str]) -> Result<Subject, HuntError> {
    let flags = flags.iter().map(Into::into).collect();
    let build = Build { files: program.sources.clone(), flags };
    Ok(Subject::compile(&program.name, &build)?.0)
}

fn hunt(program: &Program, how: How, folder: &Path) -> Result<Option<Box<Answer>>, HuntError> {
    let subject = subject(program, &[])?;
    let builder = Builder::for_workspace();
    let open = |on: On, setup: &Setup| -> Result<Box<dyn Source>, HuntError> {
        let source = on.open(&Opening { subject: &subject, setup, builder: &builder })?;
        Ok(Box::new(Shifted::to(source, how.trial)))
    };
    let (first, second) = (how.on.first(), how.on.beside());
    let (goal, beside_goal) = how.on.goals(Goal::default(), how.schedules);
    let open_beside = |setup: &Setup| open(second.unwrap_or(first), setup);
    let campaign = Campaign {
        subject: &subject,
        setup: Setup::new(config::Config::default()),
        more_harts: true,
        monitor: Monitor::Auto,
        on: how.on.name(),
        beside: second.map(|_| Beside { open: &open_beside, goal: beside_goal }),
        open: &|setup| open(first, setup),
        fail_if: &FailIf::Exit,
        goal,
        folder,
        resume: false,
        watch: &|_| (),
    };
    match campaign.run() {
        Ok(Outcome::Failed(answer)) => Ok(Some(answer)),
        Ok(Outcome::NoneFailed { .. }) | Err(HuntError::Refused(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// How many schedules of the fixed twin failed.
fn fixed(program: &Program, how: How) -> Result<u64, HuntError> {
    if how.fixed == 0 {
        return Ok(0);
    }
    let subject = subject(program, &["-DFIXED"])?;
    let (mut setup, builder) = (Setup::new(config::Config::default()), Builder::for_workspace());
    setup.config.harts = FirstLook::at(&subject, &setup, true)?.harts;
    let on = how.on.beside().unwrap_or(how.on.first());
    let source = on.open(&Opening { subject: &subject, setup: &setup, builder: &builder })?;
    let failed = |seed| {
        let finished = source.run(Schedule { seed, level: Level::default() })?;
        Ok(u64::from(FailIf::Exit.label(&finished) == record::Label::Failing))
    };
    (1..=how.fixed).into_par_iter().map(failed).sum()
}
