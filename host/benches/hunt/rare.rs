//! A bug that one uniform schedule in a thousand shows, hunted on both machines from 20 starting seeds.

use crosstalk::hunt::sources::Opening;
use crosstalk::hunt::{
    Beside, Campaign, Event, FailIf, Goal, Golden, HuntError, Level, Monitor, On, Outcome,
    Schedule, Search, Setup, Shifted, Source, Subject,
};
use golden::machine::Scheduling;
use measure::report::{Limit, Report, Row, time};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use record::Label;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Uniform schedules from which the rate is measured.
const UNIFORM: u64 = 20_000;
/// Starting seeds.
const STARTS: u64 = 20;
/// Seconds within which it should be found.
const SOON: f64 = 120.0;

/// Measures how often the program fails, and how soon hunts find out.
pub fn measure(report: &mut Report) {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hunt/programs/rare.c");
    let build = firmware::Build { files: vec![program], flags: Vec::new() };
    let (subject, _) = Subject::compile("rare", &build).expect("it compiles");
    report.section("A bug that one uniform schedule in a thousand shows");
    let failed = failed(&subject);
    eprintln!("{failed} of {UNIFORM} uniform schedules failed");
    let rate = 1000.0 * failed as f64 / UNIFORM as f64;
    report.row(Row {
        what: format!("of a thousand uniform schedules fail, by {UNIFORM}"),
        ours: format!("{rate:.2}"),
        peer: "1".into(),
        ratio: None,
        limit: None,
    });
    let hunts: Vec<Hunted> = (0..STARTS).map(|start| hunt(&subject, start)).collect();
    for (start, hunted) in hunts.iter().enumerate() {
        report.row(Row {
            what: format!("start {start}: first failing schedule, beside the whole hunt"),
            ours: hunted.found.map_or("never".into(), time),
            peer: time(hunted.over),
            ratio: None,
            limit: None,
        });
    }
    let soon = hunts.iter().filter(|one| one.found.is_some_and(|found| found <= SOON)).count();
    report.row(Row {
        what: format!("starts that found it within {SOON} s"),
        ours: soon.to_string(),
        peer: STARTS.to_string(),
        ratio: Some(soon as f64 / STARTS as f64),
        limit: Some(Limit::AtLeast(0.95)),
    });
}

/// How many uniform schedules of the golden machine fail.
fn failed(subject: &Subject) -> usize {
    let loaded = subject.load(&Setup::new(config::Config::default())).expect("it fits");
    let golden = Golden::new(loaded).expect("a golden machine");
    let strategies = Scheduling::IN_TURN.len() as u64;
    let uniform = (1..).filter(|seed| Scheduling::of_seed(*seed) == Scheduling::Uniform);
    let first = uniform.into_iter().next().unwrap_or_default();
    let fails = |number: &u64| {
        let schedule = Schedule { seed: first + strategies * number, level: Level::default() };
        let run = golden.run(schedule).expect("a run");
        FailIf::Exit.label(&run) == Label::Failing
    };
    (0..UNIFORM).into_par_iter().filter(fails).count()
}

/// Seconds that a hunt took.
struct Hunted {
    /// Until the first schedule failed.
    found: Option<f64>,
    /// Until there was an answer, or none.
    over: f64,
}

/// Hunts on both machines for one failing run, within the usual limits.
fn hunt(subject: &Subject, start: u64) -> Hunted {
    let folder = tempfile::tempdir().expect("a folder for the runs");
    let builder = cosim::Builder::for_workspace();
    let open = |on: On, setup: &Setup| -> Result<Box<dyn Source>, HuntError> {
        let source = on.open(&Opening { subject, setup, builder: &builder })?;
        Ok(Box::new(Shifted::to(source, start)))
    };
    let search = Search::default();
    let (first, second) = (search.first(), search.beside().unwrap_or(search.first()));
    let goal = Goal { failing: 1, passing: 1, ..Goal::default() };
    let (goal, beside) = search.goals(goal, None);
    let (began, found) = (Instant::now(), Mutex::new(None));
    let watch = |event: Event<'_>| {
        if let Event::Ran(standing) = event
            && standing.failing > 0
        {
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found.get_or_insert(began.elapsed().as_secs_f64());
        }
    };
    let campaign = Campaign {
        subject,
        setup: Setup::new(config::Config::default()),
        more_harts: true,
        monitor: Monitor::Auto,
        on: search.name(),
        open: &|setup| open(first, setup),
        beside: Some(Beside { open: &|setup| open(second, setup), goal: beside }),
        fail_if: &FailIf::Exit,
        goal,
        confirm: true,
        folder: &folder.path().join("hunt"),
        resume: false,
        watch: &watch,
    };
    let outcome = campaign.run().expect("a hunt");
    let over = began.elapsed().as_secs_f64();
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let answered = matches!(outcome, Outcome::Failed(_));
    let after = found.map_or("never".into(), time);
    eprintln!("start {start}: found after {after}, {over:.1} s in all");
    Hunted { found: found.filter(|_| answered), over }
}
