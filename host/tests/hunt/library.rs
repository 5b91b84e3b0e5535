//! A hunt through the library, as any other program calls it.

use crate::{found, golden, source};
use border::Program;
use crosstalk::hunt::{
    Beside, Campaign, Event, FailIf, Finished, Goal, Golden, HuntError, Monitor, Open, Outcome,
    Schedule, Scope, Setup, Shifted, Source, Subject,
};
use crosstalk::verdict::{Finding, Note, SecondStage};
use evidence::account::Cause;
use std::path::Path;
use std::sync::Mutex;

fn subject(program: &str) -> Subject {
    let build = firmware::Build { files: vec![source(program)], flags: Vec::new() };
    let name = program.trim_end_matches(".c");
    Subject::compile(name, &build).unwrap().0
}

/// What a hunt of a program on the golden machine finds, and the names of what happened.
fn hunted(subject: &Subject, monitor: Monitor, folder: &Path) -> (Outcome, Vec<String>) {
    let open = |setup: &Setup| -> Result<Box<dyn Source>, HuntError> {
        Ok(Box::new(Golden::new(subject.load(setup)?)?))
    };
    hunted_on(subject, &open, monitor, folder)
}

/// The same on any source.
fn hunted_on(
    subject: &Subject,
    open: &Open<'_>,
    monitor: Monitor,
    folder: &Path,
) -> (Outcome, Vec<String>) {
    let events = Mutex::new(Vec::new());
    let watch = |event: Event<'_>| {
        let name = format!("{event:?}").split(['(', ' ']).next().unwrap_or_default().to_owned();
        let mut events = events.lock().unwrap();
        if events.last() != Some(&name) {
            events.push(name);
        }
    };
    let campaign = Campaign {
        subject,
        setup: Setup::new(config::Config::default()),
        more_harts: true,
        monitor,
        on: "golden",
        beside: None,
        open,
        fail_if: &FailIf::Exit,
        goal: Goal { failing: 8, passing: 8, ..Goal::default() },
        confirm: true,
        folder,
        resume: false,
        watch: &watch,
    };
    let outcome = campaign.run().unwrap();
    (outcome, events.into_inner().unwrap())
}

/// The golden machine as a source whose runs cannot be had again.
struct Forgetful(Golden);

impl Source for Forgetful {
    fn name(&self) -> &'static str {
        "forgetful"
    }

    fn identity(&self) -> Result<String, HuntError> {
        self.0.identity()
    }

    fn has_levels(&self) -> bool {
        false
    }

    fn run(&self, schedule: Schedule) -> Result<Finished, HuntError> {
        self.0.run(schedule)
    }
}

#[test]
fn what_exact_evidence_explains_needs_no_second_stage() {
    let folder = tempfile::tempdir().unwrap();
    let subject = subject("crossed.c");
    let (outcome, events) = hunted(&subject, Monitor::Auto, folder.path());
    let Outcome::Failed(answer) = outcome else { panic!("it fails now and then") };
    let account = answer.analysis.accounts.first();
    assert!(
        matches!(account.map(|account| &account.cause), Some(Cause::Deadlock { cycle: true, .. })),
        "{account:?}"
    );
    assert!(matches!(answer.analysis.finding(), Finding::Exact(_)));
    assert_eq!(answer.scope, Scope::Program);
    assert_eq!(answer.notes.len(), 0, "{:?}", answer.notes);
    assert_eq!(
        events,
        ["Begun", "Collecting", "Ran", "Examining", "Analyzing", "Read", "Confirming"]
    );
    assert_eq!(answer.collection.failing(), 8, "cheap runs are looked for as always");
    assert!(!folder.path().join("library").exists());
}

#[test]
fn deadlocks_without_exact_evidence_lead_to_a_second_stage_for_every_caller() {
    let folder = tempfile::tempdir().unwrap();
    let subject = subject("crossed.c");
    let open = |setup: &Setup| -> Result<Box<dyn Source>, HuntError> {
        Ok(Box::new(Forgetful(Golden::new(subject.load(setup)?)?)))
    };
    let hunted = |monitor, name| hunted_on(&subject, &open, monitor, &folder.path().join(name));
    let (outcome, events) = hunted(Monitor::Auto, "auto");
    let Outcome::Failed(answer) = outcome else { panic!("it fails now and then") };
    assert_eq!(answer.scope, Scope::All);
    let because = |note: &Note| {
        matches!(note, Note::LibraryMonitored { because: SecondStage::Deadlocks { .. } })
    };
    assert!(answer.notes.iter().any(because), "{:?}", answer.notes);
    assert!(answer.report.is_file() && answer.program.is_file());
    let expected = [
        "Begun",
        "Collecting",
        "Ran",
        "Examining",
        "SecondStage",
        "Collecting",
        "Ran",
        "Analyzing",
        "Read",
    ];
    assert_eq!(events, expected);
    let (outcome, _) = hunted(Monitor::Program, "program");
    let Outcome::Failed(answer) = outcome else { panic!("it fails now and then") };
    assert_eq!(answer.scope, Scope::Program);
    let [Note::Printed { .. }] = answer.notes.as_slice() else { panic!("{:?}", answer.notes) };
}

#[test]
fn a_hunt_that_begins_at_another_seed_is_confirmed_too() {
    let folder = tempfile::tempdir().unwrap();
    let subject = subject("lost_update.c");
    let open = |setup: &Setup| -> Result<Box<dyn Source>, HuntError> {
        let golden = Golden::new(subject.load(setup)?)?;
        Ok(Box::new(Shifted::to(Box::new(golden), 1)))
    };
    let (outcome, events) = hunted_on(&subject, &open, Monitor::Auto, &folder.path().join("x"));
    assert!(matches!(outcome, Outcome::Failed(_)), "it fails now and then");
    assert_eq!(events.last().map(String::as_str), Some("Confirming"));
}

#[test]
fn the_command_and_the_library_give_the_same_report() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--failing", "8", "--passing", "8", "--out", "command"];
    found(&golden(folder.path(), "lost_update.c", &args));
    // The same file: paths in debug information depend on the folder that it was compiled in.
    let elf = std::fs::read(folder.path().join("command/program.elf")).unwrap();
    let program = Program::parse("lost_update.elf".as_ref(), elf, 1 << 31).unwrap();
    let subject = Subject { program, ..subject("lost_update.c") };
    let (outcome, _) = hunted(&subject, Monitor::Auto, &folder.path().join("library"));
    let Outcome::Failed(answer) = outcome else { panic!("it fails now and then") };
    let by_command = std::fs::read(folder.path().join("command/report.html")).unwrap();
    assert!(std::fs::read(&answer.report).unwrap() == by_command, "the pages differ");
}

#[test]
fn a_machine_that_cannot_be_built_leaves_the_other_and_the_answer_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let subject = subject("lost_update.c");
    let goal = Goal { failing: 2, passing: 2, ..Goal::default() };
    let golden = |setup: &Setup| -> Result<Box<dyn Source>, HuntError> {
        Ok(Box::new(Golden::new(subject.load(setup)?)?))
    };
    let campaign = Campaign {
        subject: &subject,
        setup: Setup::new(config::Config::default()),
        more_harts: true,
        monitor: Monitor::Program,
        on: "both",
        open: &|_| Err(HuntError::Machine("there is no C++ compiler".into())),
        beside: Some(Beside { open: &golden, goal }),
        fail_if: &FailIf::Exit,
        goal,
        confirm: true,
        folder: &folder.path().join("x"),
        resume: false,
        watch: &|_| (),
    };
    let Outcome::Failed(answer) = campaign.run().unwrap() else { panic!("it fails now and then") };
    let note = answer.notes[0].words().to_string();
    assert_eq!(
        note,
        "All schedules were run with --on golden, because the other machine cannot be used here: there is no C++ \
         compiler"
    );
    assert!(answer.others.is_empty() && answer.collection.failing() == 2);
    // Something else that is wrong is not passed over.
    let wrong = Campaign { open: &|_| Err(HuntError::Refused("no".into())), ..campaign };
    assert!(wrong.run().is_err());
}

#[test]
fn a_program_that_never_fails_has_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let subject = subject("sound.c");
    let campaign_folder = folder.path().join("sound");
    let watch = |_: Event<'_>| ();
    let campaign = Campaign {
        subject: &subject,
        setup: Setup::new(config::Config::default()),
        more_harts: true,
        monitor: Monitor::Auto,
        on: "golden",
        beside: None,
        open: &|setup| Ok(Box::new(Golden::new(subject.load(setup)?)?)),
        fail_if: &FailIf::Exit,
        goal: Goal { max_runs: 12, ..Goal::default() },
        confirm: true,
        folder: &campaign_folder,
        resume: false,
        watch: &watch,
    };
    let Outcome::NoneFailed { collection, .. } = campaign.run().unwrap() else {
        panic!("nothing fails")
    };
    assert_eq!(collection.entries.len(), 12);
}
