//! The order log of a schedule is that of its run, on every source.

use ::evidence::event::{AccessKind, Event};
use ::evidence::log::{Ending, Log};
use border::End;
use border::interrupt::Cause;
use border::record::OutcomeCode;
use config::Config;
use cosim::machine::Machines;
use crosstalk::hunt::{
    DataAccess, Finished, Golden, Level, Loaded, Rtl, Schedule, Setup, Source, Subject,
};
use firmware::{Build, bugs};

/// An assertion and a fault of the suite, and a deadlock, on their way to a machine that keeps accesses.
fn subjects() -> [Loaded; 3] {
    let of_suite = |name| bugs::named(name).unwrap().sources();
    [of_suite("bank-account"), of_suite("weblech"), vec![crate::source("crossed.c")]].map(|files| {
        let (subject, _) =
            Subject::compile("subject", &Build { files, flags: Vec::new() }).unwrap();
        let setup = Setup { accesses: true, ..Setup::new(Config::default()) };
        subject.load(&setup).unwrap()
    })
}

/// The first run that ends as wanted, and its log.
fn run(source: &dyn Source, wanted: impl Fn(&End) -> bool) -> (Finished, Log) {
    let mut runs = (1..200).map(|seed| {
        let schedule = Schedule { seed, level: Level::default() };
        (schedule, source.run(schedule).unwrap())
    });
    let (schedule, finished) = runs.find(|(_, one)| wanted(&one.run.ending.outcome)).unwrap();
    (finished, source.log(schedule).unwrap())
}

/// The accesses of a log are those that the machine exported, in the same order; the log leaves some of the
/// library's out.
fn assert_in_order(log: &Log, exported: &[DataAccess]) {
    assert_eq!(log.dropped(), 0);
    let mut rest = exported.iter().filter(|access| access.user);
    let mut number = 0;
    for (_, event) in log.events() {
        let Event::Access(access) = event else { continue };
        let write = access.kind != AccessKind::Read;
        let same = |other: &&DataAccess| {
            other.pc.0 == u64::from(access.pc)
                && other.address & !3 == u64::from(access.address & !3)
                && other.write == write
        };
        assert!(rest.any(|other| same(&other)), "access {number} of the log: {access:?}");
        number += 1;
    }
    assert!(number > 20, "{number} accesses");
}

/// How a log says that its run ended, in the words of run files.
fn end(log: &Log) -> End {
    match log.ending().clone() {
        Ending::Exit { code } => End::Exit { code: code as i32 },
        Ending::Assertion { file, line } => End::Assertion { file, line },
        Ending::Fault { pc, address, cause, .. } => {
            End::Fault { pc: pc.into(), address: address.into(), cause: Cause::of_mcause(cause) }
        }
        Ending::Deadlock => End::Deadlock,
        Ending::Limit => End::CycleLimit,
    }
}

/// Compares the first failing run with its log, and of assertions the first passing one; gives how it failed.
fn check(source: &dyn Source) -> OutcomeCode {
    let checked = |failing: bool| {
        let (finished, log) = run(source, |end| failing != (*end == End::Exit { code: 0 }));
        assert_eq!(end(&log), finished.run.ending.outcome);
        assert_in_order(&log, &finished.accesses);
        end(&log).code()
    };
    let failed = checked(true);
    if failed == OutcomeCode::Assertion {
        checked(false);
    }
    failed
}

#[test]
fn the_log_of_a_golden_schedule_is_that_of_its_run() {
    let ends = subjects().map(|subject| check(&Golden::new(subject).unwrap()));
    assert_eq!(ends, ENDS);
}

#[test]
fn the_log_of_a_hardware_schedule_is_that_of_its_run() {
    let machines = Machines::for_workspace();
    let ends = subjects().map(|subject| check(&Rtl::new(machines.clone(), subject).unwrap()));
    assert_eq!(ends, ENDS);
}

const ENDS: [OutcomeCode; 3] = [OutcomeCode::Assertion, OutcomeCode::Fault, OutcomeCode::Deadlock];
