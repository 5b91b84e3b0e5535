//! One program of the set: is it found, is the verdict right, is its fixed twin sound?

use crate::judge::{Judged, judge};
use crate::store::{Depends, Store};
use cosim::Builder;
use crosstalk::hunt::sources::Opening;
use crosstalk::hunt::{
    Answer, Beside, Campaign, FailIf, FirstLook, Goal, HuntError, Level, Monitor, On, Outcome,
    Replay, Schedule, Search, Setup, Shifted, Source, Subject,
};
use crosstalk::verdict::Finding;
use evidence::account::{Cause, Step, Tested};
use evidence::run::Order;
use evidence::signature::Signature;
use firmware::Build;
use firmware::validation::{Half, Kind, Program};
use golden::machine::Scheduling;
use kit::file::Unwritable;
use rayon::prelude::*;
use record::End;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The firmware's exit code for programs with more threads than harts, and the harts of the largest machine.
const MORE_THREADS_THAN_HARTS: i32 = 125;
const MOST_HARTS: u32 = 16;

/// What was measured of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// Its name.
    pub name: String,
    /// Its half.
    pub half: Half,
    /// The kind of its bug.
    pub kind: Kind,
    /// What the hunt came to.
    pub hunted: Hunted,
    /// How many schedules of the fixed twin failed; none: it was not run.
    pub fixed_failed: Option<u64>,
    /// How many schedules in bursts failed; none: they were not run.
    pub bursts_failed: Option<u64>,
}

/// What a hunt came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hunted {
    /// The first schedule that failed; none: no schedule did.
    pub first_failing: Option<u64>,
    /// How right the verdict is; of programs without failing schedules, not at all.
    pub judged: Judged,
    /// The verdict says that the schedule does not matter, and names no cause.
    pub any_schedule: bool,
    /// The verdict, in words; of the held-out half, nothing.
    pub said: String,
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
    /// This many schedules in bursts, the strategy that was there first.
    pub bursts: u64,
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
        /// Why it came to nothing.
        error: HuntError,
    },
    /// A folder or a file of results.
    #[error("cannot keep results: {0}")]
    Folder(#[from] std::io::Error),
    /// A file of results.
    #[error(transparent)]
    Unwritable(#[from] Unwritable),
}

/// Measures one program, as far as that was not done before.
///
/// # Errors
/// If it does not compile, or a machine is at fault.
pub fn measure(program: &Program, how: How, store: &Store) -> Result<Measured, MeasureError> {
    let wrong = |error| MeasureError::Hunt { name: program.name.clone(), error };
    let How { schedules, fixed: twins, bursts, trial, on } = how;
    let on = on.name();
    let hunt = format!("hunt {on} {schedules:?} {trial}");
    let hunted = store.get(program, &hunt, Depends::Analysis, || {
        let folder = tempfile::tempdir()?;
        let found = hunt_for(program, how, &folder.path().join("hunt")).map_err(wrong)?;
        Ok::<_, MeasureError>(found.map_or_else(Hunted::default, |answer| judged(program, &answer)))
    })?;
    let count = |what: &str, number: u64, failing: fn(&Program, How) -> Result<u64, HuntError>| {
        let how_many = || failing(program, how).map_err(wrong);
        let what = format!("{what} {on} {number}");
        let measured = (number > 0).then(|| store.get(program, &what, Depends::Machine, how_many));
        measured.transpose()
    };
    Ok(Measured {
        name: program.name.clone(),
        half: program.half,
        kind: program.kind,
        hunted,
        fixed_failed: count("fixed", twins, fixed)?,
        bursts_failed: count("bursts", bursts, in_bursts)?,
    })
}

fn judged(program: &Program, answer: &Answer) -> Hunted {
    let failing = |entry: &&crosstalk::hunt::Entry| entry.label() == record::Label::Failing;
    let finding = answer.analysis.finding();
    let said = with_story(&finding.sentence().to_string(), &finding);
    Hunted {
        first_failing: answer.collection.entries.iter().find(failing).map(|entry| entry.seed),
        any_schedule: is_any_schedule(&finding),
        judged: judge(&named(&finding), &said, &program.marks, &program.variables),
        said: if program.half == Half::Open { said } else { String::new() },
    }
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

/// A verdict's sentence, and the rows of the table below it: what is judged is what a person is told.
fn with_story(sentence: &str, finding: &Finding) -> String {
    let mut said = sentence.to_owned();
    let Finding::Exact(account) = finding else { return said };
    if let Cause::Order { steps, .. } | Cause::Missed { steps, .. } = &account.cause {
        for Step { thread, variable, at, .. } in steps {
            said += &format!(" | {thread}: {variable} at {}", at.line);
        }
    }
    if let Cause::Missed { waits, .. } = account.cause.shown() {
        for wait in waits {
            for Tested { variable, read, .. } in &wait.tested {
                said += &format!(" | {}: tested {variable} at {}", wait.thread, read.line);
            }
            said += &format!(" | {}: waits for {} at {}", wait.thread, wait.object, wait.at.line);
        }
    }
    if let Some(pointer) = &account.failure.pointer {
        said += &format!(" | from {} at {}", pointer.variable, pointer.read.line);
    }
    said
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

fn hunt_for(program: &Program, how: How, folder: &Path) -> Result<Option<Box<Answer>>, HuntError> {
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
        confirm: false,
        folder,
        resume: false,
        watch: &|_| (),
    };
    match campaign.run() {
        Ok(Outcome::Failed(answer)) => Ok(Some(answer)),
        Ok(Outcome::NoneFailed { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// How many schedules of the fixed twin failed.
fn fixed(program: &Program, how: How) -> Result<u64, HuntError> {
    let subject = subject(program, &["-DFIXED"])?;
    let on = how.on.beside().unwrap_or(how.on.first());
    failing(&subject, on, how.fixed, |source, seed| {
        let finished = source.run(Schedule { seed, level: Level::default() })?;
        Ok(match finished.run.ending.outcome {
            End::Exit { code } => Some(code),
            _ => None,
        })
    })
}

/// How many schedules in bursts failed, on the golden machine.
fn in_bursts(program: &Program, how: How) -> Result<u64, HuntError> {
    let subject = subject(program, &[])?;
    let Some(on) = On::named("golden") else { return Ok(0) };
    failing(&subject, on, how.bursts, |source, seed| {
        let replay = source.replay(Schedule { seed, level: Level::default() }).transpose()?;
        let Some(Replay { lab, .. }) = replay else { return Ok(None) };
        let trial = lab.run(&Order::Drawn { seed, strategy: Scheduling::Bursts }, false);
        let trial = trial.map_err(|error| HuntError::Refused(error.to_string()))?;
        Ok(match trial.signature {
            Signature::Exit { code } => Some(code as i32),
            _ => None,
        })
    })
}

/// How many of the first schedules do not end with exit code 0. As in a hunt, schedules with more threads than harts do not count:
/// the machine gets twice as many.
fn failing(
    subject: &Subject,
    on: On,
    schedules: u64,
    run: impl Fn(&dyn Source, u64) -> Result<Option<i32>, HuntError> + Sync,
) -> Result<u64, HuntError> {
    let mut setup = Setup::new(config::Config::default());
    setup.config.harts = FirstLook::at(subject, &setup, true)?.harts;
    let builder = Builder::for_workspace();
    loop {
        let source = on.open(&Opening { subject, setup: &setup, builder: &builder })?;
        let codes = (1..=schedules).into_par_iter().map(|seed| run(&*source, seed));
        let codes: Vec<Option<i32>> = codes.collect::<Result<_, _>>()?;
        if codes.contains(&Some(MORE_THREADS_THAN_HARTS)) && setup.config.harts < MOST_HARTS {
            setup.config.harts = MOST_HARTS.min(2 * setup.config.harts);
            continue;
        }
        return Ok(codes.iter().filter(|code| **code != Some(0)).count() as u64);
    }
}
