//! Runs of a hunt can be had again for exact evidence, on whichever machine they were made.

use crate::source;
use cosim::machine::Machines;
use crosstalk::hunt::{
    Collect, Collector, FailIf, Goal, Golden, Level, Loaded, Rtl, Schedule, Scope, Setup, Source,
    Subject,
};
use evidence::log::Ending;
use record::{End, Label};
use std::path::PathBuf;

fn loaded(files: Vec<PathBuf>, setup: &Setup) -> Loaded {
    let build = firmware::Build { files, flags: Vec::new() };
    let (subject, _) = Subject::compile("program", &build).unwrap();
    subject.load(setup).unwrap()
}

fn opened(program: &str, setup: &Setup) -> Golden {
    Golden::new(loaded(vec![source(program)], setup)).unwrap()
}

/// Runs schedules and replays them; how many of each label there were.
fn compare(machine: &dyn Source, seeds: impl IntoIterator<Item = u64>) -> [usize; 2] {
    let mut labels = [0; 2];
    for seed in seeds {
        let schedule = Schedule { seed, level: Level::default() };
        let run = machine.run(schedule).unwrap();
        let replay = machine.replay(schedule).expect("runs can be had again").unwrap();
        let log = replay.lab.log(&replay.order).unwrap();
        let failed = FailIf::Exit.label(&run) == Label::Failing;
        labels[usize::from(failed)] += 1;
        let same = match (&run.run.ending.outcome, log.ending()) {
            (End::Exit { code }, Ending::Exit { code: exited }) => *code == *exited as i32,
            (End::Assertion { line, .. }, Ending::Assertion { line: failed, .. }) => line == failed,
            (End::Deadlock, Ending::Deadlock) | (End::CycleLimit, Ending::Limit) => true,
            _ => false,
        };
        assert!(same, "schedule {seed}: {} and {:?}", run.run.ending.outcome, log.ending());
    }
    labels
}

#[test]
fn a_replayed_schedule_ends_as_it_did_whatever_is_monitored() {
    let setup = Setup::new(config::Config::default());
    let all = Setup { scope: Scope::All, collect: Collect::Tap, ..setup.clone() };
    for setup in [&setup, &all] {
        // In bursts, and by every strategy.
        let labels = compare(&opened("lost_update.c", setup), (1..=24).chain(1001..=1024));
        assert!(labels.iter().all(|runs| *runs > 2), "{labels:?}");
        let [_, deadlocks] = compare(&opened("crossed.c", setup), 1..=24);
        assert!(deadlocks > 2, "{deadlocks}");
    }
    let short = Setup { max_cycles: 20_000, ..setup };
    assert_eq!(compare(&opened("endless.c", &short), 1..=2), [0, 2]);
}

#[test]
fn the_schedules_that_count_are_those_of_the_files_that_count() {
    let folder = tempfile::tempdir().unwrap();
    let golden = opened("lost_update.c", &Setup::new(config::Config::default()));
    let goal = Goal { failing: 3, passing: 2, ..Goal::default() };
    let (fail_if, folder) = (&FailIf::Exit, folder.path());
    let collector = Collector { source: &golden, fail_if, goal, folder, progress: &|_| () };
    let collection = collector.collect().unwrap();
    let (failing, passing) =
        (collection.schedules(Label::Failing), collection.schedules(Label::Passing));
    assert_eq!((failing.len(), passing.len()), (3, 2));
    let name = |schedule: &Schedule| format!("{}.run", schedule.seed);
    let mut names: Vec<String> = failing.iter().chain(&passing).map(name).collect();
    let mut files: Vec<String> = collection.files().into_iter().map(|file| file.name).collect();
    names.sort();
    files.sort();
    assert_eq!(names, files);
    assert_eq!(compare(&golden, failing.iter().map(|schedule| schedule.seed)), [0, 3]);
    assert_eq!(compare(&golden, passing.iter().map(|schedule| schedule.seed)), [2, 0]);
}

#[test]
fn an_order_of_the_hardware_leads_the_golden_machine_to_the_same_end() {
    let setup = Setup::new(config::Config::default());
    let rtl = |files| Rtl::new(Machines::for_workspace(), loaded(files, &setup)).unwrap();
    let suite = rtl(firmware::bugs::named("mysql-idinit").unwrap().sources());
    let labels = compare(&suite, 1..=6);
    assert!(labels.iter().all(|runs| *runs > 0), "{labels:?}");
    let [_, deadlocks] = compare(&rtl(vec![source("crossed.c")]), 1..=4);
    assert!(deadlocks > 0);
}
